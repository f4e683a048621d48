import {
	type APIApplicationCommandBasicOption,
	type APIApplicationCommandOption,
	type APIAttachment,
	type RESTPostAPIApplicationCommandsJSONBody,
	ApplicationCommandOptionType as Type,
} from 'discord.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { commands } from '../../../../commands/index.ts';
import { describeCommands } from '../../../bot/declaration/available-commands.ts';
import type { CommandDescription, Field } from '../../../domain/command.ts';
import type { Upload } from '../../../domain/reply.ts';
import { easelProfile } from '../../../service/profiles/easel.ts';
import { choicesOf, commandsJson, completions, focusedOption, readOptions } from './commands.ts';

const declared = describeCommands(commands, easelProfile.capabilities);

const uploadOf = ({ id, filename }: APIAttachment): Upload => ({
	name: `${filename} ${id}`,
	read: async () => new Uint8Array(),
});

test('every declared command is there once, `limits set` under `limits`, and two entries of the message menu', () => {
	const json = commandsJson(declared);
	const typed = json.flatMap((command) => {
		const options = ('options' in command ? command.options : undefined) ?? [];
		const subcommands = (options as APIApplicationCommandOption[]).filter(({ type }) => type === Type.Subcommand);
		return subcommands.length > 0 ? subcommands.map(({ name }) => `${command.name} ${name}`) : [command.name];
	});
	expect(typed).toEqual([...declared.map(({ name }) => name), 'Edit image', 'Compose images']);
});

test('a service without edits and compositions has neither their commands nor their menu entries', () => {
	const capabilities = { ...easelProfile.capabilities, edit: false, compose: false };
	const names = commandsJson(describeCommands(commands, capabilities)).map(({ name }) => name);
	expect(names).toContain('imagine');
	for (const name of ['edit', 'compose', 'Edit image', 'Compose images']) expect(names).not.toContain(name);
});

test('only moderators see what is for them, and nothing can be asked outside of a server', () => {
	const limits = find('limits');
	expect(limits).toMatchObject({ default_member_permissions: '32', contexts: [0], integration_types: [0] });
	expect(find('imagine')).not.toHaveProperty('default_member_permissions');
});

test('inputs have their bounds, pictures their kind of file, and models are completed', () => {
	expect(options('imagine')).toEqual(
		expect.arrayContaining([
			expect.objectContaining({ name: 'prompt', type: Type.String, required: true, min_length: 1, max_length: 2000 }),
			expect.objectContaining({ name: 'n', type: Type.Integer, min_value: 1, max_value: 4 }),
			expect.objectContaining({ name: 'model', autocomplete: true }),
			expect.objectContaining({ name: 'private', type: Type.Boolean }),
		]),
	);
	expect(options('edit')[0]).toMatchObject({ name: 'image', type: Type.Attachment, file_types: ['image'] });
});

test('names and descriptions can be in other languages', () => {
	const german: Record<string, string> = { imagine: 'zeichne', 'What to draw': 'Was zu zeichnen ist' };
	const [imagine] = commandsJson(declared, (text) => (german[text] === undefined ? undefined : { de: german[text] }));
	expect(imagine).toMatchObject({
		name_localizations: { de: 'zeichne' },
		options: expect.arrayContaining([
			expect.objectContaining({ description_localizations: { de: 'Was zu zeichnen ist' } }),
		]),
	});
});

test('what somebody types into them is read back as it was', () => {
	fc.assert(
		fc.property(
			fc
				.constantFrom(...declared)
				.chain((command) => fc.record(valuesFor(command), { requiredKeys: [] }).map((values) => ({ command, values }))),
			({ command, values }) => {
				const read = readOptions(typedIn(command, values), uploadOf);
				expect(read.command).toBe(command.name);
				const names = Object.fromEntries(
					Object.entries(read.options).map(([name, value]) => [name, isUpload(value) ? value.name : value]),
				);
				expect(names).toEqual(values);
			},
		),
	);
});

test('completions are those that hold what was typed, as many as Discord shows', () => {
	const [, size] = declared.find(({ name }) => name === 'imagine')?.fields ?? [];
	expect(completions(size, '1536')).toEqual(['1536x1024', '1024x1536']);
	expect(completions(undefined, '')).toEqual([]);
	expect(choicesOf(Array.from({ length: 30 }, (_, index) => `model-${index}`))).toHaveLength(25);
	expect(choicesOf(['', 'x'.repeat(101), 'beta'])).toEqual([{ name: 'beta', value: 'beta' }]);
	expect(focusedOption([{ type: Type.String, name: 'model', value: 'be', focused: true }])).toEqual({
		option: 'model',
		typed: 'be',
	});
});

function find(name: string): RESTPostAPIApplicationCommandsJSONBody {
	const command = commandsJson(declared).find((one) => one.name === name);
	if (!command) throw new Error(`There is no /${name}`);
	return command;
}

const options = (name: string) => (find(name) as { options: APIApplicationCommandBasicOption[] }).options;

const isUpload = (value: unknown): value is Upload => typeof value === 'object' && value !== null && 'read' in value;

/** What a person could give, by field names; pictures are told by their names. */
const valuesFor = ({ fields }: CommandDescription) =>
	Object.fromEntries(fields.map((field) => [field.name, valueFor(field)]));

function valueFor(field: Field): fc.Arbitrary<string | number | boolean> {
	switch (field.kind) {
		case 'choice':
			return fc.constantFrom(...field.choices);
		case 'integer':
			return fc.integer({ min: field.min, max: field.max });
		case 'flag':
			return fc.boolean();
		case 'picture':
			return fc.constant(`${field.name}.png 1${field.name}`);
		default:
			return fc.string({ minLength: 1, maxLength: 20 });
	}
}

/** What Discord makes of it. */
function typedIn({ name, fields }: CommandDescription, values: Readonly<Record<string, unknown>>) {
	const [command = '', subcommand] = name.split(' ');
	const given = fields.filter((field) => values[field.name] !== undefined);
	const attachments = Object.fromEntries(
		given
			.filter(({ kind }) => kind === 'picture')
			.map((field) => [`1${field.name}`, { id: `1${field.name}`, filename: `${field.name}.png` }]),
	);
	const types = { text: 3, choice: 3, choices: 3, integer: 4, flag: 5, person: 6, channel: 7, role: 8, picture: 11 };
	const typed = given.map((field) => ({
		name: field.name,
		type: types[field.kind],
		value: field.kind === 'picture' ? `1${field.name}` : values[field.name],
	}));
	return {
		name: command,
		options: subcommand ? [{ name: subcommand, type: Type.Subcommand, options: typed }] : typed,
		resolved: { attachments },
	} as unknown as Parameters<typeof readOptions>[0];
}
