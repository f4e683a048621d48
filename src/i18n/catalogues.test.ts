import { IntlMessageFormat } from 'intl-messageformat';
import { describe, expect, test } from 'vitest';
import { commands } from '../../commands/index.ts';
import { ACTIONS } from '../bot/declaration/actions.ts';
import { describeCommands } from '../bot/declaration/available-commands.ts';
import { messageMenu } from '../domain/message-menu.ts';
import { easelProfile } from '../service/profiles/easel.ts';
import { en, type Message } from './en.ts';
import { readSources } from './sources.fixture.ts';
import { catalogues, type Language, languages } from './translator.ts';

const declared = describeCommands(commands, easelProfile.capabilities);
const { sayings, refinements, texts } = readSources();
const others = languages.filter((language) => language !== 'en');
const listed: ReadonlySet<string> = new Set(en);

/** Shown instead of what is typed, so it keeps to what can be typed on Discord. */
const names = new Set(
	declared.flatMap(({ name, fields }) => [...name.split(' '), ...fields.map((field) => field.name)]),
);
const choices = declared.flatMap(({ fields }) =>
	fields.flatMap((field) => (field.kind === 'choice' && field.name !== 'language' ? field.choices : [])),
);
const descriptions = declared.flatMap(({ description, fields }) => [
	description,
	...fields.map((field) => field.description),
]);
const hints = easelProfile.capabilities.models.flatMap(({ hint }) => hint ?? []);

const buttonLabels = Object.values(ACTIONS).flatMap(({ label }) =>
	typeof label === 'string' ? [label] : Object.values(label),
);
const menuEntries = messageMenu(declared).map(({ name }) => name);

/** Placeholders, and of those that choose words, how and among what. */
function argumentsOf(text: string): Map<string, { plural: boolean; options: Set<string> }> {
	const found = new Map<string, { plural: boolean; options: Set<string> }>();
	const visit = (elements: ReturnType<IntlMessageFormat['getAst']>): void => {
		for (const element of elements) {
			if (!('value' in element) || element.type === 0) continue;
			const known = found.get(element.value) ?? { plural: false, options: new Set() };
			found.set(element.value, known);
			if (!('options' in element)) continue;
			if ('pluralType' in element) known.plural = true;
			else for (const option of Object.keys(element.options)) known.options.add(option);
			for (const { value } of Object.values(element.options)) visit(value);
		}
	};
	visit(new IntlMessageFormat(text, 'en', undefined, { ignoreTag: true }).getAst());
	return found;
}

/** The choices by number that a text has, each as its categories. */
function pluralsOf(text: string): string[][] {
	const found: string[][] = [];
	const visit = (elements: ReturnType<IntlMessageFormat['getAst']>): void => {
		for (const element of elements) {
			if (!('options' in element)) continue;
			if ('pluralType' in element) found.push(Object.keys(element.options));
			for (const { value } of Object.values(element.options)) visit(value);
		}
	};
	visit(new IntlMessageFormat(text, 'en', undefined, { ignoreTag: true }).getAst());
	return found;
}

describe('the English list', () => {
	test('has each sentence once', () => {
		expect(en.filter((message, index) => en.indexOf(message) !== index)).toEqual([]);
	});

	test('has nothing that nobody says', () => {
		const said = new Set([...texts, ...names, ...choices]);
		expect(en.filter((message) => !said.has(message))).toEqual([]);
	});

	test('has every name, description, choice and refinement of the commands, and the entries of message menus', () => {
		const all = [...names, ...choices, ...descriptions, ...refinements, ...hints, ...menuEntries];
		expect(all.filter((text) => !listed.has(text))).toEqual([]);
	});

	test('is said with all its values', () => {
		const lacking = sayings.filter(
			({ message, values }) => values && [...argumentsOf(message).keys()].some((name) => !values.includes(name)),
		);
		expect(lacking).toEqual([]);
	});
});

describe.each(others)('%s', (language: Language) => {
	const catalogue: Partial<Record<Message, string>> = catalogues[language];
	const translated = en.flatMap((message) => {
		const text = catalogue[message];
		return text === undefined ? [] : [[message, text] as const];
	});
	const faulty = (isRight: (message: string, text: string) => boolean) =>
		translated.filter(([message, text]) => !isRight(message, text));

	test('lacks nothing', () => {
		expect(en.filter((message) => !catalogue[message])).toEqual([]);
	});

	test('has the placeholders of the English, and the same choices', () => {
		expect(
			translated.flatMap(([message, text]) => {
				try {
					expect(argumentsOf(text)).toEqual(argumentsOf(message));
					return [];
				} catch {
					return [text];
				}
			}),
		).toEqual([]);
	});

	test('has every plural form that the language has', () => {
		const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
		const lacking = faulty(
			(message, text) =>
				!pluralsOf(message).some((forms) => forms.includes('one')) ||
				pluralsOf(text).every((forms) => pluralCategories.every((category) => forms.includes(category))),
		);
		expect(lacking).toEqual([]);
	});

	test('keeps what is typed as it is, and what is bold or a link', () => {
		const marks = (text: string) =>
			(text.match(/`[^`]*`|\*+|\/(?:usage|models|imagine|edit)\b|\]\(\{\w+\}\)/g) ?? []).sort();
		expect(faulty((message, text) => marks(message).join() === marks(text).join())).toEqual([]);
	});

	test('fits: descriptions, button labels, form titles', () => {
		const long = (all: Iterable<string>, most: number) =>
			[...all].map((message) => catalogue[message as Message] ?? '').filter((text) => text.length > most);
		const become = (property: string) =>
			sayings
				.filter((one) => one.property === property && !one.where.startsWith('src/usage/'))
				.map((one) => one.message);
		// https://docs.discord.com/developers/interactions/application-commands#application-command-object
		expect(long(descriptions, 100)).toEqual([]);
		// https://docs.slack.dev/reference/block-kit/block-elements/button-element
		expect(long([...become('label'), ...buttonLabels], 75)).toEqual([]);
		// https://docs.slack.dev/reference/views/modal-views
		expect(long([...become('title'), ...menuEntries], 24)).toEqual([]);
	});

	test('has names that can be typed on Discord, no two alike where they are beside each other', () => {
		const local = (name: string) => catalogue[name as Message] ?? name;
		// https://docs.discord.com/developers/interactions/application-commands#application-command-object-application-command-naming
		const unfit = [...names]
			.map(local)
			.filter((name) => !/^[-_'\p{L}\p{N}]{1,32}$/u.test(name) || name !== name.toLowerCase());
		expect(unfit).toEqual([]);
		const besides = [
			[...new Set(declared.map(({ name }) => name.split(' ')[0] ?? ''))],
			declared.flatMap(({ name }) => name.split(' ')[1] ?? []),
			...declared.map(({ fields }) => fields.map(({ name }) => name)),
		];
		for (const group of besides) expect(new Set(group.map(local)).size, group.map(local).join()).toBe(group.length);
	});
});
