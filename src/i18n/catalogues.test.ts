import { IntlMessageFormat } from 'intl-messageformat';
import { describe, expect, test } from 'vitest';
import { commands } from '../../commands/index.ts';
import { readSources } from '../../test/harness/message-uses.ts';
import { ACTIONS } from '../bot/declaration/actions.ts';
import { describeCommands } from '../bot/declaration/options.ts';
import { messageMenu } from '../domain/command.ts';
import { PROFILES } from '../service/profiles.ts';
import { catalogueOf, type Language, languages, type MessageId, translatorFor } from './translator.ts';

const en = catalogueOf('en');
const ids = Object.keys(en) as MessageId[];

const declared = describeCommands(commands, PROFILES.easel.capabilities);
const { uses, ids: used } = readSources();

/** Names that people type, or see in place of what they type. */
const names = new Set(
	declared.flatMap(({ name, fields }) => [...name.split(' '), ...fields.map((field) => field.name)]),
);
const choices = declared.flatMap(({ fields }) =>
	fields.flatMap((field) => (field.kind === 'choice' && field.name !== 'language' ? field.choices : [])),
);
/** A field that only forms have. */
const formFields = ['which', 'alt_text', 'reason', 'calls'];
const typedNames = [...names, ...choices, ...formFields].map((name) => `names.${name}`);
const descriptions = declared.flatMap(({ description, fields }) => [
	description,
	...fields.map((field) => field.description),
]) as MessageId[];
const buttonLabels = Object.values(ACTIONS).flatMap(({ label }): MessageId[] =>
	typeof label === 'string' ? [label] : Object.values(label),
);
const menuEntries = messageMenu(declared).map(({ name }) => name);

const elementsOf = (text: string) => new IntlMessageFormat(text, 'en', undefined, { ignoreTag: true }).getAst();
type Elements = ReturnType<typeof elementsOf>;

type Argument = { number: boolean; plural: boolean; options: Set<string> };

/** The placeholders of a text: whether they are formatted as numbers, and how they select words. */
function argumentsOf(text: string): Map<string, Argument> {
	const found = new Map<string, Argument>();
	const visit = (elements: Elements): void => {
		for (const element of elements) {
			if (!('value' in element) || element.type === 0) continue;
			const known = found.get(element.value) ?? { number: false, plural: false, options: new Set() };
			found.set(element.value, known);
			if (element.type === 2) known.number = true;
			if (!('options' in element)) continue;
			if ('pluralType' in element) known.plural = true;
			else for (const option of Object.keys(element.options)) known.options.add(option);
			for (const { value } of Object.values(element.options)) visit(value);
		}
	};
	visit(elementsOf(text));
	return found;
}

/** The categories of each plural in a text. */
function pluralsOf(text: string): string[][] {
	const found: string[][] = [];
	const visit = (elements: Elements): void => {
		for (const element of elements) {
			if (!('options' in element)) continue;
			if ('pluralType' in element) found.push(Object.keys(element.options));
			for (const { value } of Object.values(element.options)) visit(value);
		}
	};
	visit(elementsOf(text));
	return found;
}

describe('message ids', () => {
	test('are all used', () => {
		const needed = new Set([...used, ...typedNames]);
		expect(ids.filter((id) => !needed.has(id))).toEqual([]);
	});

	test('exist for every name and choice of the commands', () => {
		expect(typedNames.filter((id) => !Object.hasOwn(en, id))).toEqual([]);
	});

	test('are an area and a meaning, and none is the area of another', () => {
		const area = /^[a-z]+(?:\.[a-z][\w-]*)+$/i;
		expect(ids.filter((id) => !area.test(id) || ids.some((other) => other.startsWith(`${id}.`)))).toEqual([]);
	});

	test('are used with exactly the values that the message has', () => {
		const wrong = uses.filter(
			({ id, values }) => values && values.toSorted().join() !== [...argumentsOf(en[id]).keys()].sort().join(),
		);
		expect(wrong).toEqual([]);
	});
});

test('French has no-break spaces where its punctuation must not begin a line', () => {
	const texts = Object.entries(catalogueOf('fr')).map(([id, text]) => ({ id, text: text.replaceAll(/`[^`]*`/g, '') }));
	expect(texts.filter(({ text }) => / [:;?!%»]|« /.test(text))).toEqual([]);
});

describe.each(languages)('%s', (language: Language) => {
	const catalogue = catalogueOf(language);
	const faulty = (isRight: (english: string, text: string) => boolean) =>
		ids.filter((id) => !isRight(en[id], catalogue[id]));

	test('has the ids of the English catalogue in the same order', () => {
		expect(Object.keys(catalogue)).toEqual(ids);
		expect(ids.filter((id) => !catalogue[id].trim())).toEqual([]);
	});

	test('fits: descriptions, button labels, form titles', () => {
		const t = translatorFor(language);
		const long = (all: Iterable<MessageId>, most: number) =>
			[...all].map((id) => t(id)).filter((text) => text.length > most);
		const become = (property: string) =>
			uses.filter((use) => use.property === property && !use.where.startsWith('src/usage/')).map(({ id }) => id);
		// https://docs.discord.com/developers/interactions/application-commands#application-command-object
		expect(long(descriptions, 100)).toEqual([]);
		// https://docs.slack.dev/reference/block-kit/block-elements/button-element
		expect(long([...become('label'), ...buttonLabels], 75)).toEqual([]);
		// https://docs.slack.dev/reference/views/modal-views
		expect(long([...become('title'), ...menuEntries], 24)).toEqual([]);
	});

	test('has every plural form of the language', () => {
		const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
		const lacking = faulty(
			(english, text) =>
				!pluralsOf(english).some((forms) => forms.includes('one')) ||
				pluralsOf(text).every((forms) => pluralCategories.every((category) => forms.includes(category))),
		);
		expect(lacking).toEqual([]);
	});

	test('has typed names that Discord accepts, without duplicates in a command or a group', () => {
		const { nameOf } = translatorFor(language);
		// https://docs.discord.com/developers/interactions/application-commands#application-command-object-application-command-naming
		const unfit = [...names]
			.map(nameOf)
			.filter((name) => !/^[-_'\p{L}\p{N}]{1,32}$/u.test(name) || name !== name.toLowerCase());
		expect(unfit).toEqual([]);
		const groups = [
			[...new Set(declared.map(({ name }) => name.split(' ')[0] ?? ''))],
			...Map.groupBy(
				declared.map(({ name }) => name.split(' ')).filter(([, subcommand]) => subcommand),
				([group]) => group,
			)
				.values()
				.map((group) => group.map(([, subcommand = '']) => subcommand)),
			...declared.map(({ fields }) => fields.map(({ name }) => name)),
		];
		for (const group of groups) expect(new Set(group.map(nameOf)).size, group.map(nameOf).join()).toBe(group.length);
	});

	test('has the placeholders of the English messages, and the same options', () => {
		expect(faulty(sameArguments)).toEqual([]);
	});

	test('keeps code, bold text, command names and links', () => {
		const marks = (text: string) =>
			(text.match(/`[^`]*`|\*+|\/(?:usage|models|imagine|edit)\b|\]\(\{\w+\}\)/g) ?? []).sort();
		expect(faulty((english, text) => marks(english).join() === marks(text).join())).toEqual([]);
	});
});

function sameArguments(one: string, other: string): boolean {
	const shape = (text: string) =>
		[...argumentsOf(text)]
			.map(([name, { number, plural, options }]) => `${name} ${number || plural} ${plural} ${[...options].sort()}`)
			.sort()
			.join('\n');
	return shape(one) === shape(other);
}
