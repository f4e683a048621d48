import { expect, test } from 'vitest';
import { OwnMessages } from './own-messages.ts';

const own = { type: 'message', app_id: 'A1', channel: 'C1', ts: '1.1', files: [{ id: 'F1' }, { id: 'F2' }] };
const bodyOf = (event: object) => ({ api_app_id: 'A1', event });

test('events about messages of the bot, as posted or changed, show where its files are', async () => {
	const messages = new OwnMessages();
	const first = messages.watch('C1', 'F2');
	expect(messages.take(bodyOf(own))).toBe(true);
	expect(await first.ts).toBe('1.1');
	const { channel, app_id, ...unnamed } = own;
	const message = { ...unnamed, app_id };
	const changed = messages.watch('C1', 'F1');
	expect(messages.take(bodyOf({ type: 'message', subtype: 'message_changed', channel, message }))).toBe(true);
	expect(await changed.ts).toBe('1.1');
	const third = messages.watch('C1', 'F1');
	messages.take(bodyOf({ ...unnamed, channel }));
	expect(await third.ts).toBe('1.1');
});

test('other events are left to their listeners: those of people, of other apps, and deletions', () => {
	const messages = new OwnMessages();
	const deleted = { type: 'message', subtype: 'message_deleted', previous_message: own };
	const tombstone = { type: 'message', subtype: 'message_changed', message: { subtype: 'tombstone' } };
	const others = [{ ...own, app_id: 'A2' }, { ...own, app_id: undefined }, deleted, tombstone, { type: 'app_mention' }];
	expect(others.map((event) => messages.take(bodyOf(event)))).toEqual(others.map(() => false));
	expect(messages.take({ command: '/imagine', api_app_id: 'A1' })).toBe(false);
});
