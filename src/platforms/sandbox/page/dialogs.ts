import type { ComponentChild, VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { CommandDescription } from '../../../domain/command.ts';
import type { Finding } from '../../../domain/findings.ts';
import type { StoredFile } from '../server/store.ts';
import { fileAddress, send } from './api.ts';
import { given, pictureFields } from './composer/options.ts';
import { FileThumb } from './files.ts';
import { type Changed, h, html, type IconName, icon, segment } from './html.ts';
import type { Message, Page } from './page.ts';
import { type MessageId, sizeText, t } from './texts.ts';

type DialogOptions = {
	class: string;
	/** The name of the dialog, unless an element with the id `dialog-title` has it. */
	label?: string;
	/** A click beside the content closes it. Forms stay open, since a slip would lose what was typed. */
	closesOnClick?: boolean;
	onKeyDown?(event: KeyboardEvent): void;
	content: ComponentChild;
};

const open = (element: HTMLDialogElement | null) => element?.showModal();

function dialog(page: Page, { label, closesOnClick, content, ...options }: DialogOptions): VNode {
	const onClick = ({ target, currentTarget }: MouseEvent & Changed<HTMLDialogElement>) =>
		closesOnClick && target === currentTarget && currentTarget.close();
	const close = ({ currentTarget }: Changed<HTMLButtonElement>) => currentTarget.closest('dialog')?.close();
	return html`<dialog ref=${open} ...${options} aria-label=${label} aria-labelledby=${label ? undefined : 'dialog-title'}
		onClose=${() => page.set({ dialog: undefined })} onClick=${onClick}>
		<button class="quiet close" type="button" aria-label=${t('sandbox.dialog.close')} onClick=${close}>${icon('close')}</button>
		${content}
	</dialog>`;
}

/** Sends the form of a dialog, once at a time. An error is shown in the dialog. */
function useSubmit(send: () => Promise<unknown>) {
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
		await send('edits', { as: page.me, channel, number, text });
		page.set({ dialog: undefined });
	});
	const content = html`<form novalidate onSubmit=${onSubmit}>
		<h2 id="dialog-title">${t('sandbox.edit.title')}</h2>
		<div class="field long">
			<textarea autofocus name="text" rows="4" aria-label=${t('sandbox.edit.text')} value=${text}
				onInput=${({ currentTarget }: Changed<HTMLTextAreaElement>) => setText(currentTarget.value)} />
		</div>
		${error}
		<div class="end">
			<button class="action" type="button" onClick=${() => page.set({ dialog: undefined })}>${t('sandbox.dialog.cancel')}</button>
			<button class="primary" type="submit">${t('sandbox.dialog.save')}</button>
		</div>
	</form>`;
	return dialog(page, { class: 'sheet', content });
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
	const choice = (label: string, hint: string, name: IconName, run: () => void, isFirst = false) => {
		const choose = () => {
			page.set({ dialog: undefined });
			run();
		};
		return html`<button class="choice" type="button" autofocus=${isFirst || undefined} onClick=${choose}>
			${icon(name)}<b>${label}</b><small>${hint}</small></button>`;
	};
	const commands = page.commands.filter((command) => pictureFields(command).length >= files.length);
	const commandChoice = (command: CommandDescription, index: number) => {
		const label = LABELS[command.name];
		const name = pictureFields(command).length > 1 ? 'layers' : 'brush';
		const title = label ? t(label) : `/${command.name}`;
		return choice(title, command.description, name, () => runCommand(command), index === 0);
	};
	const attach = () => page.drafts.attach(files);
	const content = html`<h2 id="dialog-title">${file ? t('sandbox.drop.named', { file }) : t('sandbox.drop.files', { count: files.length })}</h2>
		<div class="thumbs">${files.map((each) => h(FileThumb, { file: each }))}</div>
		${max > 0 && files.length > max && html`<p class="note">${t('sandbox.drop.max', { count: max })}</p>`}
		<div class="choices">
			${commands.map(commandChoice)}
			${choice(t('sandbox.drop.attach'), t('sandbox.drop.attachHint'), 'file', attach, commands.length === 0)}
		</div>`;
	return dialog(page, { class: 'sheet small-sheet', content });
}

type ViewerProps = { page: Page; pictures: readonly StoredFile[]; index: number };

export function Viewer({ page, pictures, index }: ViewerProps): VNode {
	const [at, setAt] = useState(index);
	const file = pictures[at] as StoredFile;
	const isOne = pictures.length === 1;
	const turn = (step: number) => setAt((at + step + pictures.length) % pictures.length);
	const onKeyDown = ({ key }: KeyboardEvent) => turn({ ArrowRight: 1, ArrowLeft: -1 }[key] ?? 0);
	const button = (label: MessageId, name: string, step: number) =>
		html`<button class="quiet turn ${name}" type="button" aria-label=${t(label)} onClick=${() => turn(step)}>${icon('back')}</button>`;
	const alt = file.alt || file.name;
	const position = !isOne && t('sandbox.viewer.position', { at: at + 1, count: pictures.length });
	const facts = [file.width && `${file.width} × ${file.height}`, sizeText(file.size), position];
	const content = html`<figure key=${file.id}>
			<img src=${fileAddress(file)} alt=${alt} />
			<figcaption>
				<span class="alt" tabindex="0">${alt}</span>
				<span class="facts">${facts.filter(Boolean).join(' · ')}</span>
				<a class="action" href="${fileAddress(file)}?download" download=${file.name}>${icon('download')}${t('sandbox.viewer.download')}</a>
			</figcaption>
		</figure>
		${!isOne && button('sandbox.viewer.previous', 'before', -1)}
		${!isOne && button('sandbox.viewer.next', 'after', 1)}`;
	return dialog(page, { class: 'viewer', label: t('sandbox.viewer.title'), closesOnClick: true, onKeyDown, content });
}

/** What can be connected, the variables that it needs, and the site of a platform that has them. */
const TARGETS = [
	{ name: () => 'Discord', variables: ['DISCORD_TOKEN'], site: 'https://discord.com/developers/applications' },
	{ name: () => 'Slack', variables: ['SLACK_BOT_TOKEN', 'SLACK_APP_TOKEN'], site: 'https://api.slack.com/apps' },
	{
		name: () => t('sandbox.connect.service'),
		variables: ['SERVICE_BASE_URL', 'SERVICE_API_KEY', 'IMAGE_MODEL', 'CHAT_MODEL'],
	},
];

const isSecret = (name: string) => /_(TOKEN|KEY)$/.test(name);

const MARKS = { ok: '✓', warning: '!', fault: '✗', skipped: '–' };

/** Checks credentials as the doctor does, and says what to put into `.env`. Nothing is written, and nothing is kept but in this dialog. */
export function ConnectDialog({ page }: { page: Page }): VNode {
	const [target, setTarget] = useState(0);
	const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
	const [findings, setFindings] = useState<readonly Finding[]>([]);
	const { variables = [], site } = TARGETS[target] ?? {};
	const given = variables.flatMap((name) => (typed[name]?.trim() ? [[name, typed[name].trim()] as const] : []));
	const { onSubmit, isSending, setError, error } = useSubmit(async () => {
		setFindings([]);
		if (given.length > 0) setFindings(await send('connections', { variables: Object.fromEntries(given) }));
	});
	const forget = (change: () => void) => {
		change();
		setFindings([]);
		setError('');
	};
	const isDone = findings.some(({ level }) => level === 'ok') && findings.every(({ level }) => level !== 'fault');
	const choice = ({ name }: (typeof TARGETS)[number], index: number) =>
		segment('target', name(), index === target, () => forget(() => setTarget(index)));
	const field = (name: string, index: number) => html`<div class="field long" key=${name}>
		<label for=${name}>${name}</label>
		<input id=${name} autofocus=${index === 0} type=${isSecret(name) ? 'password' : 'text'} autocomplete="off" spellcheck=${false} value=${typed[name] ?? ''}
			placeholder=${name.endsWith('_URL') ? 'https://' : ''}
			onInput=${({ currentTarget: { value } }: Changed) => forget(() => setTyped({ ...typed, [name]: value }))} />
	</div>`;
	const content = html`<form novalidate onSubmit=${onSubmit}>
		<h2 id="dialog-title">${t('sandbox.connect.title')}</h2>
		<p class="note">${t('sandbox.connect.note')}</p>
		<div class="segments" role="radiogroup" aria-labelledby="dialog-title">${TARGETS.map(choice)}</div>
		<div class="fields">${variables.map(field)}</div>
		${error}
		<div role="status">${findings.length > 0 && html`<ul class="findings">${findings.map(findingLine)}</ul>`}
			${isDone && envLines(page, given, site !== undefined)}</div>
		<div class="end">
			${site && html`<a href=${site} target="_blank" rel="noopener noreferrer">${t('sandbox.connect.where')}</a>`}
			<button class="primary" type="submit" disabled=${isSending || given.length === 0}>${t(isSending ? 'sandbox.connect.checking' : 'sandbox.connect.check')}</button>
		</div>
	</form>`;
	return dialog(page, { class: 'sheet', content });
}

const findingLine = ({ level, message, step }: Finding) =>
	html`<li class=${level}><span class="finding-mark">${MARKS[level]}</span> ${message} ${step && html`<small>${step}</small>`}</li>`;

/** Secrets are copied in full, and shown by their end. */
function envLines(page: Page, given: readonly (readonly [string, string])[], isPlatform: boolean): VNode {
	// With a platform, the sandbox is off unless it is on.
	const further = isPlatform ? ['SANDBOX=on'] : [];
	const shown = given.map(([name, value]) => `${name}=${isSecret(name) ? `…${value.slice(-4)}` : value}`);
	const lines = given.map(([name, value]) => `${name}=${/[\s#'"\\]/.test(value) ? `'${value}'` : value}`);
	return html`<p class="note">${t('sandbox.connect.env')}</p>
		<pre tabindex="0"><code>${[...shown, ...further].join('\n')}</code></pre>
		<button class="action" type="button" onClick=${() => page.copy([...lines, ...further].join('\n'))}>${t('sandbox.menu.copy')}</button>`;
}
