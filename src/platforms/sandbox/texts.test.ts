import { expect, test } from 'vitest';
import {
	catalogueOf,
	type Language,
	languages,
	type MessageId,
	translatorFor,
	type Values,
} from '../../i18n/translator.ts';
import { type PageMessages, pageMessages } from './server/snapshot.ts';

const path = './page/texts.ts';
const { setMessages, t, tNodes } = (await import(path)) as {
	setMessages(loaded: PageMessages): void;
	t(id: MessageId, values?: Values): string;
	tNodes(id: MessageId, values: Record<string, unknown>): unknown[];
};
const ids = (Object.keys(catalogueOf('en')) as MessageId[]).filter((id) => id.startsWith('sandbox.'));

test.each(languages)('the page formats its messages in %s as the server does', (language: Language) => {
	setMessages(pageMessages(language));
	const say = translatorFor(language);
	for (const count of [0, 1, 2, 5, 12_345]) {
		const values = { count, min: count, max: count, at: count, length: count, text: count, name: 'Ada', file: 'a.png' };
		for (const id of ids) {
			const names = [...catalogueOf(language)[id].matchAll(/\{(\w+)/g)].map(([, name = '']) => name);
			const all = { ...Object.fromEntries(names.map((name) => [name, count])), ...values };
			expect(t(id, all), id).toBe(say(id, all));
		}
	}
});

test('elements take the place of their names', () => {
	setMessages(pageMessages('en'));
	const [name, command] = [{}, {}];
	expect(tNodes('sandbox.message.used', { name, command })).toEqual([name, ' used ', command]);
});
