import {
	type APIApplicationCommandBasicOption,
	type APIApplicationCommandOption,
	type RESTPostAPIApplicationCommandsJSONBody,
	ApplicationCommandOptionType as Type,
} from 'discord.js';
import { expect, test } from 'vitest';
import { commands } from '../../../commands/index.ts';
import { describeCommands } from '../../bot/declaration/options.ts';
import { PROFILES } from '../../service/profiles.ts';
import { commandsJson } from './registration.ts';

const declared = describeCommands(commands, PROFILES.easel.capabilities);

test('every command is registered once, `limits set` under `limits`, with the entries of the message menu', () => {
	const json = commandsJson(declared);
	const typed = json.flatMap((command) => {
		const options = ('options' in command ? command.options : undefined) ?? [];
		const subcommands = (options as APIApplicationCommandOption[]).filter(({ type }) => type === Type.Subcommand);
		return subcommands.length > 0 ? subcommands.map(({ name }) => `${command.name} ${name}`) : [command.name];
	});
	expect(typed).toEqual([...declared.map(({ name }) => name), 'Edit image', 'Compose images', 'About this picture']);
});

test('a service without edits and compositions has neither their commands nor their menu entries', () => {
	const capabilities = { ...PROFILES.easel.capabilities, edit: false, compose: false };
	const names = commandsJson(describeCommands(commands, capabilities)).map(({ name }) => name);
	expect(names).toContain('imagine');
	for (const name of ['edit', 'compose', 'Edit image', 'Compose images']) expect(names).not.toContain(name);
});

test('commands for moderators need Manage Server, and are for servers only', () => {
	const limits = find('limits');
	expect(limits).toMatchObject({ default_member_permissions: '32', contexts: [0], integration_types: [0] });
	expect(find('imagine')).not.toHaveProperty('default_member_permissions');
});

test('options have their limits, pictures their file type, and models autocompletion', () => {
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

test('names and descriptions are localized', () => {
	expect(find('imagine')).toMatchObject({
		name_localizations: { de: 'zeichne' },
		options: expect.arrayContaining([
			expect.objectContaining({
				description_localizations: expect.objectContaining({ de: 'Beschreibung des Bildes' }),
			}),
		]),
	});
});

function find(name: string): RESTPostAPIApplicationCommandsJSONBody {
	const command = commandsJson(declared).find((one) => one.name === name);
	if (!command) throw new Error(`There is no /${name}`);
	return command;
}

const options = (name: string) => (find(name) as { options: APIApplicationCommandBasicOption[] }).options;
