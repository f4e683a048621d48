import { ApplicationCommandOptionType as Type } from 'discord.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { commands } from '../../../../commands/index.ts';
import { describeCommands } from '../../../bot/declaration/options.ts';
import type { Upload } from '../../../domain/channel.ts';
import type { CommandDescription, Field } from '../../../domain/command.ts';
import { PROFILES } from '../../../service/profiles.ts';
import { readCommand, readFocused } from './command-options.ts';
import type { AttachmentData } from './message-reader.ts';

const declared = describeCommands(commands, PROFILES.easel.capabilities);

const uploadOf = ({ url, filename }: AttachmentData): Upload => ({
	name: `${filename} ${url}`,
	read: async () => new Uint8Array(),
});

test('reads every command and its options as they were sent', () => {
	fc.assert(
		fc.property(
			fc
				.constantFrom(...declared)
				.chain((command) => fc.record(valuesFor(command), { requiredKeys: [] }).map((values) => ({ command, values }))),
			({ command, values }) => {
				const read = readCommand(dataOf(command, values), uploadOf, () => undefined);
				expect(read.command).toBe(command.name);
				const names = Object.fromEntries(
					Object.entries(read.options).map(([name, value]) => [name, isUpload(value) ? value.name : value]),
				);
				expect(names).toEqual(values);
			},
		),
	);
});

test('reads the option that is being typed into', () => {
	const model = { type: Type.String as const, name: 'model', value: 'be', focused: true };
	expect(readFocused({ name: 'imagine', options: [model] })).toEqual({
		command: 'imagine',
		option: 'model',
		typed: 'be',
	});
	const set = { type: Type.Subcommand as const, name: 'set', options: [model] };
	expect(readFocused({ name: 'limits', options: [set] })).toMatchObject({ command: 'limits set', option: 'model' });
	expect(readFocused({ name: 'imagine', options: [{ ...model, focused: false }] })).toBeUndefined();
});

const isUpload = (value: unknown): value is Upload => typeof value === 'object' && value !== null && 'read' in value;

/** Generates values by field names; a picture is represented by its name. */
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

/** The data that Discord sends for these values. */
function dataOf({ name, fields }: CommandDescription, values: Readonly<Record<string, unknown>>) {
	const [command = '', subcommand] = name.split(' ');
	const given = fields.filter((field) => values[field.name] !== undefined);
	const attachments = Object.fromEntries(
		given
			.filter(({ kind }) => kind === 'picture')
			.map((field) => [`1${field.name}`, { url: `1${field.name}`, filename: `${field.name}.png` }]),
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
	} as unknown as Parameters<typeof readCommand>[0];
}
