import type { VNode } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { StoredFile } from '../../server/store.ts';
import { fileAddress } from '../api.ts';
import { EditDialog, Viewer } from '../dialogs.ts';
import { isPicture } from '../files.ts';
import { avatar, classes, h, html, type IconName, icon } from '../html.ts';
import type { Message, Page, Thread } from '../page.ts';
import { formatDate, sizeText, t, tNodes } from '../texts.ts';
import { markdown, plainText } from './markdown.ts';

/** Characters of a text that tell its message from others. */
const NAME_LENGTH = 60;
const TIME: Intl.DateTimeFormatOptions = { hour: 'numeric', minute: '2-digit' };
const FULL_TIME: Intl.DateTimeFormatOptions = { dateStyle: 'full', timeStyle: 'short' };

type MessageProps = { page: Page; message: Message; isJoined: boolean };

/** A message. It is drawn again only when it has changed. */
export function MessageView(props: MessageProps): VNode {
	const { page, message, isJoined } = props;
	// A thread shows the message of its channel that it was started on.
	const isOrigin = message.channel !== page.shown;
	const thread = isOrigin ? undefined : page.threadOn(message);
	return useMemo(() => draw(props, isOrigin, thread), [message, isJoined, isOrigin, thread]);
}

function draw({ page, message, isJoined }: MessageProps, isOrigin: boolean, thread: Thread | undefined): VNode {
	const { author, number, files, expected, buttons } = message;
	const name = page.nameOf(author);
	const id = isOrigin ? 'origin' : `message-${number}`;
	return html`<article class=${classes('message', isJoined && 'joined', message.private && 'private')} tabindex="-1"
		id=${id} data-number=${isOrigin ? 0 : number} data-author=${author}>
		${lead(page, message)}
		${avatar(author, name)}
		<div class="body">
			${byline(message, name)}
			<div class="text">${markdown(message.text)}</div>
			${files.length > 0 ? h(Files, { page, files }) : expected && expectedPictures(expected)}
			${buttons.length > 0 && html`<div class="buttons" role="group" aria-label=${t('sandbox.message.buttons')}>${buttons.map((button) => action(page, message, button))}</div>`}
			${thread && threadLink(page, thread)}
			${message.private && onlyYou(page, message)}
		</div>
		${h(Menu, { page, message, id: `${id}-menu`, label: t('sandbox.message.more', { name: nameOf(message, name) }) })}
	</article>`;
}

function action(page: Page, message: Message, { id, label, kind }: Message['buttons'][number]): VNode {
	// The further clicks of a double click are none.
	const press = ({ currentTarget, detail }: MouseEvent & { currentTarget: HTMLElement }) =>
		detail < 2 && page.press(message, id, currentTarget);
	return html`<button key=${id} class=${classes('action', kind === 'danger' && 'danger')} type="button" onClick=${press}>${label}</button>`;
}

const threadLink = (page: Page, { id, title }: Thread) =>
	html`<button class="thread-link" type="button" onClick=${() => page.go(id)}>
		${icon('thread')}<b>${title}</b><span>${t('sandbox.message.openThread')}</span>
	</button>`;

const onlyYou = (page: Page, message: Message) =>
	html`<p class="only-you">${icon('eye')}${t('sandbox.message.onlyYou')} · ${' '}
		<button class="link" type="button" onClick=${() => page.remove(message)}>${t('sandbox.menu.dismiss')}</button></p>`;

/** The line above a message: what it replies to, or the command that it answers. */
function lead(page: Page, { replyTo, about }: Message): VNode | undefined {
	if (replyTo)
		return html`<p class="lead">${icon('reply')}<button class="lead-link" type="button" onClick=${() => page.scroll.show(replyTo.number)}>
			<span><b>${page.nameOf(replyTo.author)}</b> ${plainText(replyTo.excerpt)}</span>
		</button></p>`;
	if (!about) return undefined;
	const name = page.nameOf(about.person);
	const nodes = { name: html`<b>${name}</b>`, command: html`<code>/${about.command}</code>` };
	return html`<p class="lead">${avatar(about.person, name)}<span>${tNodes('sandbox.message.used', nodes)}</span></p>`;
}

function byline({ author, at, edited }: Message, name: string): VNode {
	const isBot = author === 'easel';
	const date = new Date(at);
	return html`<p class="by"><b class="name">${name}</b>
		${isBot && html`<span class="badge">${t('sandbox.message.app')}</span>`}
		<time datetime=${at} title=${formatDate(date, FULL_TIME)}>${formatDate(date, TIME)}</time>
		${edited && !isBot && html`<span class="edited">${t('sandbox.message.edited')}</span>`}
	</p>`;
}

function nameOf({ text, files }: Message, name: string): string {
	const words = plainText(text) || files[0]?.alt || files[0]?.name || '';
	const excerpt = [...words].slice(0, NAME_LENGTH).join('');
	return excerpt ? `${name}: ${excerpt}` : name;
}

const shapeOf = (width: number, height: number) => `--ratio: ${width / height}; --wide: ${width}`;

/** The files of a message. Its pictures are uncovered together, since the enlarged view shows them all. */
function Files({ page, files }: { page: Page; files: Message['files'] }): VNode {
	const [isUncovered, setUncovered] = useState(false);
	const pictures = files.filter(isPicture);
	const number = pictures[0]?.number;
	return html`<div class=${classes('files', pictures.length > 1 && 'several')}
		style=${number && `counter-reset: picture ${number - 1}` /* The pictures of a result that takes several messages are numbered throughout. */}>
		${files.map((file) => {
			if (!isPicture(file)) return download(file);
			const isCovered = Boolean(file.spoiler) && !isUncovered;
			const enlarge = () => page.set({ dialog: h(Viewer, { pictures, index: pictures.indexOf(file), page }) });
			const onClick = () => (isCovered ? setUncovered(true) : enlarge());
			return h(Picture, { key: file.id, file, isCovered, onClick });
		})}
	</div>`;
}

function Picture({ file, isCovered, onClick }: { file: StoredFile; isCovered: boolean; onClick(): void }): VNode {
	const [status, setStatus] = useState('');
	const { width, height } = file;
	const alt = file.alt || file.name;
	return html`<button type="button" class=${classes('picture', Boolean(width && height) && 'sized', isCovered && 'covered', status)}
		style=${width && height && shapeOf(width, height)} onClick=${onClick}
		aria-label=${isCovered ? t('sandbox.message.covered') : t('sandbox.message.enlarge', { alt })}>
		${isCovered && html`<span class="cover">${icon('eye')}${t('sandbox.message.cover')}</span>`}
		<img alt=${alt} decoding="async" src=${fileAddress(file)} onLoad=${() => setStatus('there')} onError=${() => setStatus('broken')} />
	</button>`;
}

const download = (file: StoredFile) =>
	html`<a key=${file.id} class="download" href="${fileAddress(file)}?download" download=${file.name}>
		${icon('file')}<b>${file.name}</b><small>${sizeText(file.size)}</small>
	</a>`;

/** Outlines of the pictures that a message waits for, in their shape, so that nothing moves when they come. */
function expectedPictures({ count, shape = { width: 1, height: 1 } }: NonNullable<Message['expected']>): VNode {
	return html`<div class=${classes('files', count > 1 && 'several')} aria-hidden="true">
		${Array.from({ length: count }, () => html`<div class="picture sized expected" style=${shapeOf(shape.width, shape.height)}><div class="canvas" /></div>`)}
	</div>`;
}

/**
 * The button of a message, and its menu. The browser places, opens and closes it, and brings the focus back; arrow keys move in it.
 * https://www.w3.org/WAI/ARIA/apg/patterns/menu-button/
 */
function Menu({ page, message, id, label }: { page: Page; message: Message; id: string; label: string }): VNode {
	const [isOpen, setOpen] = useState(false);
	const menu = useRef<HTMLElement>(null);
	useLayoutEffect(() => {
		if (isOpen) menu.current?.querySelector('button')?.focus();
	}, [isOpen]);
	return html`<button class="more" type="button" popovertarget=${id} aria-haspopup="menu" aria-label=${label}>${icon('more')}</button>
		<div class="menu" id=${id} role="menu" popover="auto" aria-label=${label} ref=${menu} onKeyDown=${moveFocus}
			onToggle=${({ newState }: ToggleEvent) => setOpen(newState === 'open')}>
			${isOpen && menuItems(page, message)}
		</div>`;
}

function menuItems(page: Page, message: Message) {
	const { server, channel, thread } = page.found;
	const { private: isPrivate, text, files } = message;
	const isMine = message.author === page.me;
	const item = (isOffered: boolean, name: IconName, label: string, run: (from: HTMLElement) => void, kind = '') => {
		const choose = ({ currentTarget }: { currentTarget: HTMLElement }) => {
			currentTarget.closest<HTMLElement>('.menu')?.hidePopover();
			run(currentTarget);
		};
		return (
			isOffered &&
			html`<button type="button" role="menuitem" tabindex="-1" class=${kind} onClick=${choose}>${icon(name)}${label}</button>`
		);
	};
	const reply = () => {
		page.drafts.change({ replyTo: message });
		page.drafts.focus();
	};
	const edit = () => page.set({ dialog: h(EditDialog, { page, message }) });
	const startThread = t(page.threadOn(message) ? 'sandbox.menu.openThread' : 'sandbox.menu.startThread');
	const remove = t(isPrivate ? 'sandbox.menu.dismiss' : 'sandbox.menu.delete');
	const entries = files.some(isPicture) ? page.snapshot.menu : [];
	return [
		item(!isPrivate, 'reply', t('sandbox.menu.reply'), reply),
		item(!thread && !channel.direct && !isPrivate, 'thread', startThread, () => page.openThread(message)),
		...entries.map(({ button, name, command }) =>
			item(true, command === 'compose' ? 'layers' : 'brush', name, (from) => page.press(message, button, from)),
		),
		item(text !== '', 'copy', t('sandbox.menu.copy'), () => page.copy(text)),
		item(isMine, 'brush', t('sandbox.menu.edit'), edit),
		item(isMine || isPrivate || page.isModerator(server.id), 'trash', remove, () => page.remove(message), 'danger'),
	];
}

function moveFocus(event: KeyboardEvent & { currentTarget: HTMLElement }): void {
	const { currentTarget: menu, key } = event;
	const items = [...menu.querySelectorAll('button')];
	const at = items.indexOf(document.activeElement as HTMLButtonElement);
	const step = { ArrowDown: 1, ArrowUp: -1 }[key];
	const to = step ? (at + step + items.length) % items.length : { Home: 0, End: items.length - 1 }[key];
	if (key === 'Tab') menu.hidePopover();
	if (to === undefined) return;
	event.preventDefault();
	items[to]?.focus();
}
