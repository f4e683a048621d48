import type { VNode } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { isPicture } from '../files.ts';
import { html, type IconName, icon } from '../html.ts';
import type { Page } from '../page.ts';
import type { Message } from '../state.ts';
import { t } from '../texts.ts';

type MenuEntry = { label: string; icon: IconName; isDangerous?: boolean; run(): void };

function entriesOf(page: Page, message: Message, button: HTMLElement): MenuEntry[] {
	const { state } = page;
	const { server, channel, thread } = page.found;
	const isMine = message.author === state.me;
	const mayRemove = isMine || message.private || state.isModerator(server.id);
	const hasPictures = message.files.some(isPicture);
	const entries: (MenuEntry | false)[] = [
		!message.private && { label: t('sandbox.menu.reply'), icon: 'reply', run: () => page.reply(message) },
		!thread &&
			!channel.direct &&
			!message.private && {
				label: t(state.threadOn(message) ? 'sandbox.menu.openThread' : 'sandbox.menu.startThread'),
				icon: 'thread',
				run: () => page.openThread(message),
			},
		...state.snapshot.menu.map(
			({ button: id, name, command }): MenuEntry | false =>
				hasPictures && {
					label: name,
					icon: command === 'compose' ? 'layers' : 'brush',
					run: () => page.press(message, id, button),
				},
		),
		message.text !== '' && { label: t('sandbox.menu.copy'), icon: 'copy', run: () => page.copy(message.text) },
		isMine && { label: t('sandbox.menu.edit'), icon: 'brush', run: () => page.open({ kind: 'edit', message }) },
		mayRemove && {
			label: t(message.private ? 'sandbox.menu.dismiss' : 'sandbox.menu.delete'),
			icon: 'trash',
			isDangerous: true,
			run: () => page.remove(message),
		},
	];
	return entries.filter((entry) => entry !== false);
}

/**
 * The button of a message, and its menu. The browser places, opens and closes it, and brings the focus back; arrow keys move in it.
 * https://www.w3.org/WAI/ARIA/apg/patterns/menu-button/
 */
export function Menu({ page, message, id, label }: { page: Page; message: Message; id: string; label: string }): VNode {
	const [isOpen, setOpen] = useState(false);
	const menu = useRef<HTMLElement>(null);
	const button = useRef<HTMLButtonElement>(null);
	useLayoutEffect(() => {
		if (isOpen) menu.current?.querySelector('button')?.focus();
	}, [isOpen]);
	const choose = (entry: MenuEntry) => {
		menu.current?.hidePopover();
		entry.run();
	};
	const item = (
		entry: MenuEntry,
	) => html`<button type="button" role="menuitem" tabindex="-1" class=${entry.isDangerous ? 'danger' : ''}
		onClick=${() => choose(entry)}>${icon(entry.icon)}${entry.label}</button>`;
	return html`<button class="more" type="button" popovertarget=${id} aria-haspopup="menu" aria-label=${label} ref=${button}>${icon('more')}</button>
		<div class="menu" id=${id} role="menu" popover="auto" aria-label=${label} ref=${menu} onKeyDown=${moveFocus}
			onToggle=${({ newState }: ToggleEvent) => setOpen(newState === 'open')}>
			${isOpen && button.current && entriesOf(page, message, button.current).map(item)}
		</div>`;
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
