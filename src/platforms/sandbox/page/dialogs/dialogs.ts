import type { VNode } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { CommandDescription } from '../../../../domain/command.ts';
import type { StoredFile } from '../../server/files.ts';
import { fileAddress, send } from '../api.ts';
import { pictureFields } from '../composer/command-text.ts';
import { FileThumb } from '../files.ts';
import { type Content, h, html, type IconName, icon } from '../html.ts';
import { given } from '../inputs/filling.ts';
import type { Page } from '../page.ts';
import type { Message } from '../state.ts';
import { type MessageId, sizeText, t } from '../texts.ts';

type DialogProps = {
	page: Page;
	class: string;
	/** The name of the dialog, unless an element with the id `dialog-title` has it. */
	label?: string;
	/** A click beside the content closes it. Forms stay open, since a slip would lose what was typed. */
	closesOnClick?: boolean;
	onKeyDown?(event: KeyboardEvent): void;
	children?: Content;
};

/** A dialog over the page, with a button to close it. */
export function Dialog({ page, label, closesOnClick, onKeyDown, children, ...props }: DialogProps): VNode {
	const element = useRef<HTMLDialogElement>(null);
	useLayoutEffect(() => element.current?.showModal(), []);
	const close = () => element.current?.close();
	return html`<dialog ref=${element} class=${props.class} aria-label=${label} aria-labelledby=${label ? undefined : 'dialog-title'}
		onClose=${() => page.open(undefined)} onKeyDown=${onKeyDown}
		onClick=${({ target }: MouseEvent) => closesOnClick && target === element.current && close()}>
		<button class="quiet close" type="button" aria-label=${t('sandbox.dialog.close')} onClick=${close}>${icon('close')}</button>
		${children}
	</dialog>`;
}

/** Sends the form of a dialog, once at a time. An error is shown in the dialog. */
export function useSubmit(send: () => Promise<unknown>) {
	const [error, setError] = useState('');
	const [isSending, setSending] = useState(false);
	const onSubmit = async (event: SubmitEvent) => {
		event.preventDefault();
		if (isSending) return;
		setSending(true);
		setError('');
		try {
			await send();
		} catch (failure) {
			setError((failure as Error).message);
		}
		setSending(false);
	};
	return { onSubmit, isSending, setError, error: html`<p class="error" role="alert">${error}</p>` };
}

export function EditDialog({ page, message }: { page: Page; message: Message }): VNode {
	const [text, setText] = useState(message.text);
	const { onSubmit, error } = useSubmit(async () => {
		const { channel, number } = message;
		await send('edits', { as: page.state.me, channel, number, text });
		page.open(undefined);
	});
	return h(
		Dialog,
		{ page, class: 'sheet' },
		html`<form novalidate onSubmit=${onSubmit}>
			<h2 id="dialog-title">${t('sandbox.edit.title')}</h2>
			<div class="field long">
				<textarea autofocus name="text" rows="4" aria-label=${t('sandbox.edit.text')} value=${text}
					onInput=${({ currentTarget }: { currentTarget: HTMLTextAreaElement }) => setText(currentTarget.value)} />
			</div>
			${error}
			<div class="end">
				<button class="action" type="button" onClick=${() => page.open(undefined)}>${t('sandbox.dialog.cancel')}</button>
				<button class="primary" type="submit">${t('sandbox.dialog.save')}</button>
			</div>
		</form>`,
	);
}

const LABELS: Readonly<Record<string, MessageId>> = { edit: 'sandbox.drop.edit', compose: 'sandbox.drop.compose' };

/** Asks what dropped files are for: the commands that take as many pictures, or attaching them to a message. */
export function DropDialog({ page, files }: { page: Page; files: readonly File[] }): VNode {
	const max = Math.max(0, ...page.commands.map((command) => pictureFields(command).length));
	const file = files.length === 1 ? files[0]?.name : undefined;
	const runCommand = (command: CommandDescription) => {
		const { text, card } = page.drafts.current;
		const prompt = card ? given(card.values)['prompt'] : text.startsWith('/') ? '' : text.trim();
		page.drafts.openCard(command, prompt ? { prompt } : {}, files);
	};
	const choice = (label: string, hint: string, name: IconName, run: () => void, isFirst = false) =>
		html`<button class="choice" type="button" autofocus=${isFirst || undefined} onClick=${() => {
			page.open(undefined);
			run();
		}}>${icon(name)}<b>${label}</b><small>${hint}</small></button>`;
	const commands = page.commands.filter((command) => pictureFields(command).length >= files.length);
	return h(
		Dialog,
		{ page, class: 'sheet small-sheet' },
		html`<h2 id="dialog-title">${file ? t('sandbox.drop.named', { file }) : t('sandbox.drop.files', { count: files.length })}</h2>`,
		html`<div class="thumbs">${files.map((each) => h(FileThumb, { file: each }))}</div>`,
		max > 0 && files.length > max && html`<p class="note">${t('sandbox.drop.max', { count: max })}</p>`,
		html`<div class="choices">
			${commands.map((command, index) => {
				const label = LABELS[command.name];
				const name = pictureFields(command).length > 1 ? 'layers' : 'brush';
				return choice(
					label ? t(label) : `/${command.name}`,
					command.description,
					name,
					() => runCommand(command),
					index === 0,
				);
			})}
			${choice(t('sandbox.drop.attach'), t('sandbox.drop.attachHint'), 'file', () => page.drafts.attach(files), commands.length === 0)}
		</div>`,
	);
}

type ViewerProps = { page: Page; pictures: readonly StoredFile[]; index: number };

export function Viewer({ page, pictures, index }: ViewerProps): VNode {
	const [at, setAt] = useState(index);
	const file = pictures[at];
	const turn = (step: number) => setAt((at + step + pictures.length) % pictures.length);
	const onKeyDown = ({ key }: KeyboardEvent) => turn({ ArrowRight: 1, ArrowLeft: -1 }[key] ?? 0);
	const button = (label: MessageId, name: string, step: number) =>
		html`<button class="quiet turn ${name}" type="button" aria-label=${t(label)} onClick=${() => turn(step)}>${icon('back')}</button>`;
	return h(
		Dialog,
		{ page, class: 'viewer', label: t('sandbox.viewer.title'), closesOnClick: true, onKeyDown },
		file &&
			html`<figure key=${file.id}>${enlarged(file, pictures.length > 1 && t('sandbox.viewer.position', { at: at + 1, count: pictures.length }))}</figure>`,
		pictures.length > 1 && button('sandbox.viewer.previous', 'before', -1),
		pictures.length > 1 && button('sandbox.viewer.next', 'after', 1),
	);
}

function enlarged(file: StoredFile, position: string | false): VNode {
	const alt = file.alt || file.name;
	const facts = [file.width && `${file.width} × ${file.height}`, sizeText(file.size), position];
	return html`<img src=${fileAddress(file)} alt=${alt} />
		<figcaption>
			<span class="alt" tabindex="0">${alt}</span>
			<span class="facts">${facts.filter(Boolean).join(' · ')}</span>
			<a class="action" href="${fileAddress(file)}?download" download=${file.name}>${icon('download')}${t('sandbox.viewer.download')}</a>
		</figcaption>`;
}
