import type { VNode } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { CommandDescription } from '../../../../domain/command.ts';
import { FileThumb } from '../files.ts';
import { byId, type Changed, classes, closeButton, h, html, icon, isComposing } from '../html.ts';
import type { Page } from '../page.ts';
import { sizeText, t, tNodes } from '../texts.ts';
import { CommandCard, NEARLY } from './card.ts';
import type { Draft } from './drafts.ts';
import { commandIn } from './options.ts';

export function Composer({ page }: { page: Page }): VNode {
	const { drafts } = page;
	const draft = drafts.current;
	const { text, files, card, replyTo } = draft;
	const textbox = useRef<HTMLTextAreaElement>(null);
	const list = useSuggestions(page, draft, textbox);
	const onKeyDown = (event: KeyboardEvent) => {
		if (list.onKeyDown(event) || isComposing(event)) return;
		if (event.key === 'Escape') drafts.change(replyTo ? { replyTo: undefined } : { files: [] });
		if (event.key === 'ArrowUp' && text === '' && files.length === 0 && page.editLast()) event.preventDefault();
		if (event.key !== 'Enter' || event.shiftKey) return;
		event.preventDefault();
		drafts.send();
	};
	const onInput = (event: Changed<HTMLTextAreaElement>) => {
		list.moveCaret(event);
		drafts.change({ text: event.currentTarget.value });
	};
	const complete = list.active === undefined && !card ? commandIn(text, page.commands) : undefined;
	const { channel, thread } = page.found;
	const label = thread
		? t('sandbox.composer.thread')
		: t('sandbox.composer.message', { channel: channel.direct ? channel.name : `#${channel.name}` });
	const [length, max] = complete
		? [complete.rest.length, longestText(complete.command)]
		: [text.length, page.state.limits.ownText];
	return html`<div class="composer" id="composer" aria-busy=${drafts.isBusy ? 'true' : undefined}>
		${list.element}
		${complete && complete.command.fields.length > 0 && html`<div class="above"><p class="usage" id="usage">${commandOption(complete.command)}</p></div>`}
		<p class="error" id="composer-error" role="alert">${page.error}</p>
		<div class="box">
			${replyTo && replyBar(page, draft)}
			${files.length > 0 && html`<div class="tray">${files.map((file) => attached(page, draft, file))}</div>`}
			${card && h(CommandCard, { key: card.opened?.press, page, card })}
			<div class="line" hidden=${card !== undefined}>
				${attachButton(page)}
				<textarea id="words" rows="1" autocomplete="off" ref=${textbox} value=${text}
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

const longestText = ({ fields }: CommandDescription) =>
	Math.max(...fields.map((field) => (field.kind === 'text' ? field.maxLength : 0)), 0);

/** The message that is replied to, with a button to stop replying. */
function replyBar({ state, drafts }: Page, { replyTo }: Draft): VNode {
	const name = html`<b>${state.nameOf(replyTo?.author ?? '')}</b>`;
	return html`<p class="answering">${icon('reply')}<span>${tNodes('sandbox.composer.replyingTo', { name })}</span>
		${closeButton(t('sandbox.composer.noReply'), () => drafts.change({ replyTo: undefined }))}
	</p>`;
}

function attached({ drafts }: Page, { files }: Draft, file: File): VNode {
	const remove = () => drafts.change({ files: files.filter((other) => other !== file) });
	return html`<span class="attached">
		${h(FileThumb, { file })}
		<span class="words"><b>${file.name || t('sandbox.file.pasted')}</b><small>${sizeText(file.size)}</small></span>
		${closeButton(t('sandbox.file.remove', { file: file.name }), remove)}
	</span>`;
}

function attachButton({ drafts }: Page): VNode {
	const onChange = ({ currentTarget }: Changed) => {
		const files = [...(currentTarget.files ?? [])];
		currentTarget.value = '';
		drafts.take(files);
	};
	return html`<label class="quiet">${icon('plus')}
		<input class="hidden" type="file" multiple aria-label=${t('sandbox.composer.attach')} onChange=${onChange} />
	</label>`;
}

type Entry = CommandDescription | { id: string; name: string };

/** The bot can be mentioned as a person can. */
const EASEL = { id: 'easel', name: 'Easel' };

/**
 * The list of commands or people above the message box, while one is typed: its element, the id of its active entry, and its keys. A
 * click keeps the focus in the box.
 */
function useSuggestions(page: Page, { text, card }: Draft, textbox: { current: HTMLTextAreaElement | null }) {
	const [caret, setCaret] = useState(0);
	/** The text at which the list was closed. */
	const [dismissed, setDismissed] = useState('');
	const entries = card || text === dismissed ? [] : suggestionsFor(page, text, caret);
	// Another list begins with its first entry.
	const names = entries.map(({ name }) => name).join();
	const [chosen, setChosen] = useState({ names, index: 0 });
	const index = chosen.names === names ? chosen.index : 0;
	const entry = entries[index];
	const kind = entry && 'fields' in entry ? 'command' : 'person';
	const active = entry && `${kind}-${index}`;
	useLayoutEffect(() => {
		if (active) byId(active)?.scrollIntoView({ block: 'nearest' });
	}, [active]);

	const choose = (one: Entry) => {
		if ('fields' in one) return page.drafts.choose(one);
		const next = `${text.slice(0, caret - (typedName(text, caret)?.length ?? 0))}${one.name} `;
		page.drafts.change({ text: next + text.slice(caret) });
		setCaret(next.length);
		page.afterRender(() => textbox.current?.setSelectionRange(next.length, next.length));
	};
	const onKeyDown = (event: KeyboardEvent): boolean => {
		if (!entry || isComposing(event)) return false;
		const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
		// A complete command without required options is run by Enter, as any other text is sent.
		const isComplete =
			'fields' in entry && text.trim() === `/${entry.name}` && !entry.fields.some(({ required }) => required);
		if (step) setChosen({ names, index: (index + step + entries.length) % entries.length });
		else if (event.key === 'Escape') setDismissed(text);
		else if ((event.key === 'Tab' || (event.key === 'Enter' && !isComplete)) && !event.shiftKey) choose(entry);
		else return false;
		event.preventDefault();
		return true;
	};
	const moveCaret = (event?: Changed<HTMLTextAreaElement>) => setCaret(event?.currentTarget.selectionStart ?? 0);
	const options = entries.map(
		(one, at) => html`<li key=${one.name} id="${kind}-${at}" role="option" aria-selected=${at === index}
			onMouseDown=${(event: Event) => event.preventDefault()} onClick=${() => choose(one)}
			onMouseMove=${() => at !== index && setChosen({ names, index: at })}>
			${'fields' in one ? commandOption(one) : `@${one.name}`}
		</li>`,
	);
	const label = t(kind === 'command' ? 'sandbox.command.picker' : 'sandbox.composer.people');
	const element =
		entry &&
		html`<div class="above"><ul id="picker" role="listbox" tabindex="0" class="picker" aria-label=${label}>${options}</ul></div>`;
	return { element, active, onKeyDown, moveCaret };
}

/** Returns the commands or people that complete the text before the caret. */
function suggestionsFor({ commands, directory }: Page, text: string, caret: number): readonly Entry[] {
	const complete = commandIn(text, commands);
	const hasOptions = complete && /\s/.test(text.slice(1 + complete.command.name.length));
	if (/^\/[\w ]*$/.test(text) && !hasOptions) return matching(commands, text.slice(1).toLowerCase());
	const typed = typedName(text, caret);
	if (typed === undefined) return [];
	// The name as it is typed in full is sent by Enter, as any other text.
	return [EASEL, ...directory.person].filter(({ name }) => folded(name).startsWith(folded(typed)) && name !== typed);
}

/** Returns the name that is being typed after an `@` before the caret. */
const typedName = (text: string, caret: number): string | undefined =>
	/(?<![\p{L}\p{N}_])@([\p{L}\p{N}_]*)$/u.exec(text.slice(0, caret))?.[1];

/** Returns a name without case and accents, so that `@bj` and `@bjo` find Björn. */
const folded = (name: string) => name.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();

/** Returns the commands whose names begin with the text, then those that contain it in name or description. */
function matching(commands: readonly CommandDescription[], typed: string): CommandDescription[] {
	const isIn = (text: string) => typed.length > 2 && text.toLowerCase().includes(typed);
	return [
		...commands.filter(({ name }) => name.startsWith(typed)),
		...commands.filter(({ name }) => name.includes(typed) && !name.startsWith(typed)),
		...commands.filter(({ name, description }) => isIn(description) && !name.includes(typed)),
	];
}

const commandOption = ({ name, fields, description }: CommandDescription) =>
	html`<span class="command-name">/${name}</span>
		<span class="command-fields">${fields.map((field) => html`<${field.required ? 'b' : 'span'}>${field.name}<//>`)}</span>
		<span class="command-description">${description}</span>`;
