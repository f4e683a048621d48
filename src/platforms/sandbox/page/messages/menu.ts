import type { VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { html, type IconName, icon } from '../html.ts';
import type { Page } from '../page.ts';
import type { Message } from '../state.ts';
import { t } from '../texts.ts';
import { isPicture } from './message.ts';

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
 * The open menu: arrow keys move, Escape or a click elsewhere closes it, and the focus returns to the button.
 * https://www.w3.org/WAI/ARIA/apg/patterns/menu-button/
 */
export function Menu({ page, message, button }: NonNullable<Page['menu']> & { page: Page }): VNode {
	const element = useRef<HTMLElement>(null);
	useLayoutEffect(() => {
		const menu = element.current;
		menu?.showPopover();
		button.setAttribute('aria-expanded', 'true');
		if (menu) placeBeside(menu, button);
		menu?.querySelector('button')?.focus();
	}, []);
	const onToggle = ({ newState }: ToggleEvent) => {
		if (newState === 'open') return;
		button.setAttribute('aria-expanded', 'false');
		const hadFocus = document.activeElement === document.body || element.current?.contains(document.activeElement);
		page.menu = undefined;
		page.afterRender(() => hadFocus && document.activeElement === document.body && button.focus());
	};
	const choose = (entry: MenuEntry) => {
		element.current?.hidePopover();
		entry.run();
	};
	return html`<div class="menu" role="menu" popover="auto" aria-label=${button.ariaLabel} ref=${element} onToggle=${onToggle}
		onKeyDown=${(event: KeyboardEvent) => element.current && moveFocus(element.current, event)}>
		${entriesOf(page, message, button).map(
			(
				entry,
			) => html`<button type="button" role="menuitem" tabindex="-1" class=${entry.isDangerous ? 'danger' : ''} onClick=${() => choose(entry)}>
				${icon(entry.icon)}${entry.label}
			</button>`,
		)}
	</div>`;
}

function moveFocus(menu: HTMLElement, event: KeyboardEvent): void {
	const items = [...menu.querySelectorAll('button')];
	const at = items.indexOf(document.activeElement as HTMLButtonElement);
	const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
	const to = step ? (at + step + items.length) % items.length : { Home: 0, End: items.length - 1 }[event.key];
	if (event.key === 'Tab') menu.hidePopover();
	if (to === undefined) return;
	event.preventDefault();
	items[to]?.focus();
}

function placeBeside(menu: HTMLElement, button: HTMLElement): void {
	const anchor = button.getBoundingClientRect();
	const { offsetWidth: width, offsetHeight: height } = menu;
	const fitsBelow = anchor.bottom + height + 8 < innerHeight;
	menu.style.left = `${Math.max(8, Math.min(anchor.right - width, innerWidth - width - 8))}px`;
	menu.style.top = `${Math.max(8, fitsBelow ? anchor.bottom + 4 : anchor.top - height - 4)}px`;
}
