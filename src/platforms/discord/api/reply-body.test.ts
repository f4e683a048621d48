import { expect, test } from 'vitest';
import { messageBodyOf } from './message-api.ts';

test('a message notifies nobody, or the person who asked alone', () => {
	expect(messageBodyOf({ text: 'Hello <@2> @everyone' }).payload.allowed_mentions).toEqual({ parse: [] });
	expect(messageBodyOf({ text: 'Finished. <@2>', notify: '1' }).payload).toMatchObject({
		content: '<@1> Finished. <@2>',
		allowed_mentions: { parse: [], users: ['1'] },
	});
});
