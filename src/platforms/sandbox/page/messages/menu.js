import { h } from '../dom.js';
import { icon } from '../icons.js';

/** @typedef {{ label: string, icon: any, danger?: boolean, run(): void }} MenuEntry */

/**
 * Opens a menu beside a button: arrow keys move, Escape or a click elsewhere closes it, and the focus returns to the button.
 * https://www.w3.org/WAI/ARIA/apg/patterns/menu-button/
 * @param {HTMLElement} button
 * @param {MenuEntry[]} entries
 */
export function openMenu(button, entries) {
	const menu = h('div.menu', { role: 'menu', popover: 'auto', 'aria-label': button.getAttribute('aria-label') });
	for (const entry of entries) {
		const item = h('button', { type: 'button', role: 'menuitem', tabIndex: -1 });
		item.append(icon(entry.icon), entry.label);
		item.classList.toggle('danger', Boolean(entry.danger));
		item.addEventListener('click', () => {
			menu.hidePopover();
			entry.run();
		});
		menu.append(item);
	}
	menu.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => moveFocus(menu, event));
	menu.addEventListener('toggle', (/** @type {ToggleEvent} */ event) => {
		if (event.newState === 'open') return;
		menu.remove();
		button.setAttribute('aria-expanded', 'false');
		if (document.activeElement === document.body) button.focus();
	});
	(button.closest('main') ?? document.body).append(menu);
	menu.showPopover();
	button.setAttribute('aria-expanded', 'true');
	placeBeside(menu, button);
	menu.querySelector('button')?.focus();
}

/** @param {HTMLElement} menu @param {KeyboardEvent} event */
function moveFocus(menu, event) {
	const items = /** @type {HTMLElement[]} */ ([...menu.children]);
	const at = items.indexOf(/** @type {HTMLElement} */ (document.activeElement));
	const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
	const to = step ? (at + step + items.length) % items.length : { Home: 0, End: items.length - 1 }[event.key];
	if (event.key === 'Tab') menu.hidePopover();
	if (to === undefined) return;
	event.preventDefault();
	items[to].focus();
}

/** @param {HTMLElement} menu @param {HTMLElement} button */
function placeBeside(menu, button) {
	const anchor = button.getBoundingClientRect();
	const { offsetWidth: width, offsetHeight: height } = menu;
	const fitsBelow = anchor.bottom + height + 8 < innerHeight;
	menu.style.left = `${Math.max(8, Math.min(anchor.right - width, innerWidth - width - 8))}px`;
	menu.style.top = `${Math.max(8, fitsBelow ? anchor.bottom + 4 : anchor.top - height - 4)}px`;
}
