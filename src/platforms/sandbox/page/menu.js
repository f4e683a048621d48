import { h, icon } from './dom.js';

/**
 * A small menu beside what opened it: arrows move, Escape or a click elsewhere closes, focus goes back.
 * @param {HTMLElement} from
 * @param {{ label: string, icon: any, danger?: boolean, run(): void }[]} entries
 */
export function openMenu(from, entries) {
	const menu = h('div.menu', { role: 'menu', popover: 'auto' });
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
	menu.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => {
		const items = [...menu.children];
		const at = items.indexOf(document.activeElement);
		const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
		const to = step ? (at + step + items.length) % items.length : { Home: 0, End: items.length - 1 }[event.key];
		if (event.key === 'Tab') menu.hidePopover();
		if (to === undefined) return;
		event.preventDefault();
		items[to].focus();
	});
	menu.addEventListener('toggle', (/** @type {ToggleEvent} */ event) => {
		if (event.newState === 'open') return;
		menu.remove();
		from.setAttribute('aria-expanded', 'false');
		if (document.activeElement === document.body) from.focus();
	});
	document.body.append(menu);
	menu.showPopover();
	from.setAttribute('aria-expanded', 'true');
	const anchor = from.getBoundingClientRect();
	const { offsetWidth: width, offsetHeight: height } = menu;
	const below = anchor.bottom + height + 8 < innerHeight;
	menu.style.left = `${Math.max(8, Math.min(anchor.right - width, innerWidth - width - 8))}px`;
	menu.style.top = `${Math.max(8, below ? anchor.bottom + 4 : anchor.top - height - 4)}px`;
	menu.querySelector('button')?.focus();
}
