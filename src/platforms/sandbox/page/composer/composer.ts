import type { VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { CommandDescription } from '../../../../domain/command.ts';
import { submitOnEnter } from '../dialogs/dialog.ts';
import { FileThumb } from '../files.ts';
import { classes, h, html, icon } from '../html.ts';
import { Inputs, NEARLY } from '../inputs/inputs.ts';
import type { Page } from '../page.ts';
import { sizeText, t, tNodes } from '../texts.ts';
import { commandIn } from './command-text.ts';
import type { Draft } from './drafts.ts';
import { type TextboxEvent, usage, useSuggestions } from './suggestions.ts';

const MAX_LENGTH = 12_000;
const MAX_HEIGHT_PX = 220;

/** The box for messages and commands. */
export function Composer({ page }: { page: Page }): VNode {
	const { drafts } = page;
	const draft = drafts.current;
	const { text, files, card, replyTo } = draft;
	const textbox = useRef<HTMLTextAreaElement>(null);
	const list = useSuggestions(page, draft, textbox);
	useLayoutEffect(() => {
		const box = textbox.current;
		if (!box) return;
		box.style.height = 'auto';
		box.style.height = `${Math.min(box.scrollHeight, MAX_HEIGHT_PX)}px`;
	}, [text, card]);
	const onKeyDown = (event: KeyboardEvent) => {
		if (list.onKeyDown(event) || event.isComposing) return;
		if (event.key === 'Escape') drafts.change(replyTo ? { replyTo: undefined } : { files: [] });
		if (event.key === 'ArrowUp' && text === '' && files.length === 0 && page.editLast()) event.preventDefault();
		if (event.key !== 'Enter' || event.shiftKey) return;
		event.preventDefault();
		drafts.send();
	};
	const onInput = (event: TextboxEvent) => {
		list.moveCaret(event);
		drafts.change({ text: event.currentTarget.value });
	};
	const complete = list.active === undefined && !card ? commandIn(text, page.commands) : undefined;
	const label = labelOf(page);
	const [length, max] = complete
		? [complete.rest.length, longestText(complete.command)]
		: [text.length, page.state.limits?.ownText ?? MAX_LENGTH];
	return html`<div class="composer" id="composer" aria-busy=${drafts.isBusy ? 'true' : undefined}>
		${list.element}
		${complete && complete.command.fields.length > 0 && usage(complete.command, complete.rest)}
		<p class="error" id="composer-error" role="alert">${page.error}</p>
		<div class="box">
			${replyTo && replyBar(page, draft)}
			${files.length > 0 && tray(page, draft)}
			${card && h(CommandCard, { page, card })}
			<div class="line" hidden=${card !== undefined}>
				${h(AttachButton, { page })}
				<textarea id="words" rows="1" maxlength=${MAX_LENGTH} autocomplete="off" ref=${textbox} value=${text}
					aria-label=${label} placeholder=${t('sandbox.composer.placeholder', { label })} aria-autocomplete="list"
					aria-describedby=${complete && 'usage'} aria-controls=${list.active && 'picker'} aria-activedescendant=${list.active}
					onInput=${onInput} onKeyDown=${onKeyDown} onClick=${list.moveCaret} onBlur=${() => list.moveCaret()} />
				${max > 0 && length > NEARLY * max && html`<small class="count">${t('sandbox.viewer.position', { at: length, count: max })}</small>`}
				<button class=${classes('send', (text.trim() !== '' || files.length > 0) && 'ready')} type="button"
					aria-label=${t('sandbox.composer.send')} onClick=${() => drafts.send()}>${icon('send')}</button>
			</div>
		</div>
	</div>`;
}

/** The maximum length of the longest option of a command. */
const longestText = ({ fields }: CommandDescription) =>
	Math.max(...fields.map((field) => (field.kind === 'text' ? field.maxLength : 0)), 0);

function labelOf({ found }: Page): string {
	if (found?.thread) return t('sandbox.composer.thread');
	return t('sandbox.composer.message', {
		channel: found ? (found.channel.direct ? found.channel.name : `#${found.channel.name}`) : '',
	});
}

/** The message that is replied to, with a button to stop replying. */
function replyBar({ state, drafts }: Page, { replyTo }: Draft): VNode {
	const name = html`<b>${state.nameOf(replyTo?.author ?? '')}</b>`;
	return html`<p class="answering">${icon('reply')}<span>${tNodes('sandbox.composer.replyingTo', { name })}</span>
		<button class="quiet small" type="button" aria-label=${t('sandbox.composer.noReply')} onClick=${() => drafts.change({ replyTo: undefined })}>
			${icon('close')}
		</button>
	</p>`;
}

/** The files of the message that is being written. */
const tray = ({ drafts }: Page, { files }: Draft): VNode =>
	html`<div class="tray">${files.map(
		(file) => html`<span class="attached">
			${h(FileThumb, { file })}
			<span class="words"><b>${file.name || t('sandbox.file.pasted')}</b><small>${sizeText(file.size)}</small></span>
			<button class="quiet small" type="button" aria-label=${t('sandbox.file.remove', { file: file.name })}
				onClick=${() => drafts.change({ files: files.filter((other) => other !== file) })}>${icon('close')}</button>
		</span>`,
	)}</div>`;

function AttachButton({ page }: { page: Page }): VNode {
	const input = useRef<HTMLInputElement>(null);
	const onChange = ({ currentTarget }: { currentTarget: HTMLInputElement }) => {
		const files = [...(currentTarget.files ?? [])];
		currentTarget.value = '';
		page.drafts.take(files);
	};
	return html`<button class="quiet" type="button" aria-label=${t('sandbox.composer.attach')} onClick=${() => input.current?.click()}>
			${icon('plus')}
		</button>
		<input class="hidden" type="file" multiple tabindex="-1" aria-hidden="true" ref=${input} onChange=${onChange} />`;
}

/** The inputs of a command, in place of the message box. */
function CommandCard({ page, card }: { page: Page; card: NonNullable<Draft['card']> }): VNode {
	const { command, values, focus, invalid } = card;
	const { drafts } = page;
	// The focus may be outside: a click on a message does not keep Escape from closing the card.
	useEffect(() => {
		const onEscape = (event: KeyboardEvent) => {
			const isElsewhere = page.dialog || page.menu || page.isDrawerOpen;
			if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing || isElsewhere) return;
			event.preventDefault();
			drafts.leaveCard();
		};
		addEventListener('keydown', onEscape);
		return () => removeEventListener('keydown', onEscape);
	}, []);
	const submit = (event: SubmitEvent) => {
		event.preventDefault();
		drafts.send();
	};
	const inputs = h(
		Inputs,
		{
			...{ page, fields: command.fields, values, command: command.name, focus, invalid },
			onChange: (filling) => drafts.change({ card: { command, ...filling } }),
			onError: (sentence) => page.showError(sentence),
		},
		html`<button class="primary" type="submit">${t('sandbox.command.run')}</button>`,
	);
	return html`<form class="card" novalidate aria-label="/${command.name}" onSubmit=${submit} onKeyDown=${submitOnEnter}>
		<p class="card-head"><b>/${command.name}</b><span>${command.description}</span>
			<button class="quiet small" type="button" aria-label=${t('sandbox.command.back')} onClick=${() => drafts.leaveCard()}>${icon('close')}</button>
		</p>
		${inputs}
	</form>`;
}
