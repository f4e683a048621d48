import { expect, test } from 'vitest';
import { menuEntryOf, messageMenu } from './message-menu.ts';

const named = (...names: string[]) => names.map((name) => ({ name }));

test('an entry is offered only where its command is', () => {
	const offered = (...names: string[]) => messageMenu(named(...names)).map(({ name }) => name);
	expect(offered('compose', 'imagine', 'edit')).toEqual(['Edit image', 'Compose images']);
	expect(offered('imagine', 'edit')).toEqual(['Edit image']);
	expect(offered()).toEqual([]);
});

test('an entry is found by its action id, which differs from those of buttons', () => {
	for (const entry of messageMenu(named('edit', 'compose'))) expect(menuEntryOf(entry.button)).toBe(entry);
	expect(menuEntryOf('compose:1:tray')).toBeUndefined();
	expect(menuEntryOf('edit:1:d:ada:menu')).toBeUndefined();
});

test('names and descriptions are within the limits of every platform', () => {
	for (const { name, description } of messageMenu(named('edit', 'compose'))) {
		expect(name.length).toBeLessThanOrEqual(24);
		expect(description.length).toBeLessThanOrEqual(150);
	}
});
