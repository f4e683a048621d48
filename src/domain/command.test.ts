import { expect, test } from 'vitest';
import { encodeActionId, MAX_ACTION_ID, parseActionId } from './channel.ts';
import { menuEntryOf, messageMenu } from './command.ts';

test('an action id survives encoding, also when its subject contains colons', () => {
	for (const id of [
		{ action: 'again', version: 1, subject: 'd:ada:42' },
		{ action: 'forget', version: 12, subject: 'thread' },
		{ action: 'x', version: 1, subject: '' },
	])
		expect(parseActionId(encodeActionId(id))).toEqual(id);
});

test('buttons that were posted by earlier releases keep their encoding', () => {
	expect(encodeActionId({ action: 'edit', version: 1, subject: 'menu' })).toBe('edit:1:menu');
});

test('an id is at most as long as the tightest platform allows', () => {
	const subject = 'x'.repeat(MAX_ACTION_ID - 'again:1:'.length);
	expect(encodeActionId({ action: 'again', version: 1, subject })).toHaveLength(MAX_ACTION_ID);
	expect(() => encodeActionId({ action: 'again', version: 1, subject: `${subject}x` })).toThrow(/101 characters/);
});

test.each(['', 'again', 'again:1', 'again:one:x', ':1:x'])('%j is not an action id', (id) => {
	expect(parseActionId(id)).toBeUndefined();
});

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
