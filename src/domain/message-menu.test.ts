import { expect, test } from 'vitest';
import { menuEntryOf, messageMenu } from './message-menu.ts';

const named = (...names: string[]) => names.map((name) => ({ name }));

test('an entry is offered only where its command is', () => {
	const offered = (...names: string[]) => messageMenu(named(...names)).map(({ name }) => name);
	expect(offered('compose', 'imagine', 'edit')).toEqual(['menu.edit', 'menu.compose']);
	expect(offered('imagine', 'edit')).toEqual(['menu.edit']);
	expect(offered()).toEqual([]);
});

test('an entry is found by its action id, which differs from those of buttons', () => {
	for (const entry of messageMenu(named('edit', 'compose'))) expect(menuEntryOf(entry.button)).toBe(entry);
	expect(menuEntryOf('compose:1:tray')).toBeUndefined();
	expect(menuEntryOf('edit:1:d:ada:menu')).toBeUndefined();
});

test('descriptions are within the limits of every platform', () => {
	for (const { description } of messageMenu(named('edit', 'compose')))
		expect(description.length).toBeLessThanOrEqual(150);
});
