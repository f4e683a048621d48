import type { Field } from '../../../domain/command.ts';
import { type References, readTypedOptions } from '../../shared/typed-options.ts';
import { type Actor, authorize, BadRequest, type SandboxContext } from './context.ts';
import { PEOPLE, SERVERS } from './directory.ts';

/** A typed text that is no value of its field, or that belongs to none. */
export type TypedProblem = { text: string; field?: string };

/** Reads the options of a command as a person types them. Returns the first problem, too. */
export async function readOptions(
	context: SandboxContext,
	input: Actor & { command: string; text: string },
): Promise<{ options: Record<string, string | number | boolean>; problem?: TypedProblem | undefined }> {
	const { channel } = await authorize(context, input);
	const command = context.commands.find(({ name }) => name === input.command);
	if (!command) throw new BadRequest(404, 'There is no such command.');
	const named = namesOn(channel.server);
	const typed = readTypedOptions(command.fields, input.text, referencesTo(named));
	const problems: TypedProblem[] = [];
	const options: Record<string, string | number | boolean> = {};
	for (const field of command.fields) {
		const text = typed.options[field.name];
		const value = text === undefined ? undefined : readValue(field, text, named);
		if (value !== undefined) options[field.name] = value;
		else if (text !== undefined) problems.push({ text, field: field.name });
	}
	const open = command.fields.find(({ name, kind }) => kind !== 'picture' && !(name in options));
	if (typed.left !== '') problems.push({ text: typed.left, field: open?.name });
	return { options, problem: problems[0] };
}

type Names = Readonly<Record<'person' | 'channel' | 'role', readonly { id: string; name: string }[]>>;

function namesOn(id: string): Names {
	const { channels, roles } = SERVERS.find((server) => server.id === id) ?? { channels: [], roles: [] };
	return { person: PEOPLE, channel: channels, role: roles };
}

const MARKS = { person: '@', channel: '#', role: '@' };

/** Returns how people name each other, channels and roles: with or without their mark. */
function referencesTo(names: Names): References {
	const find = (kind: keyof Names, text: string) =>
		names[kind].find(({ id, name }) => id === text || name.toLowerCase() === text.toLowerCase())?.id;
	return {
		mentioned: (kind, word) => (word.startsWith(MARKS[kind]) ? find(kind, word.slice(1)) : undefined),
		named: (kind, value) => find(kind, value) ?? value,
		plain: (text) => text,
	};
}

function readValue(field: Field, text: string, names: Names): string | number | boolean | undefined {
	switch (field.kind) {
		case 'choice':
			return field.choices.find((choice) => choice.toLowerCase() === text.toLowerCase());
		case 'integer':
			return /^-?\d{1,15}$/.test(text) ? Number(text) : undefined;
		case 'flag':
			if (/^(true|yes|on|1)$/i.test(text)) return true;
			return /^(false|no|off|0)$/i.test(text) ? false : undefined;
		case 'person':
		case 'channel':
		case 'role':
			return names[field.kind].find(({ id }) => id === text)?.id;
		default:
			return text;
	}
}
