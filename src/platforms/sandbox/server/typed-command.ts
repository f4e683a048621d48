import type { Field } from '../../../domain/command.ts';
import type { MessageId } from '../../../i18n/catalogues.ts';
import { type Translate, translatorFor } from '../../../i18n/translator.ts';
import { type References, readTypedOptions } from '../../shared/typed-options.ts';
import { type Actor, authorize, BadRequest, type SandboxContext } from './context.ts';
import { PEOPLE, SERVERS } from './directory.ts';

type Read = { options: Record<string, string | number | boolean>; problem?: string };

/** Reads the options of a command as a person types them. */
export async function readOptions(
	context: SandboxContext,
	input: Actor & { command: string; text: string },
): Promise<Read> {
	const { channel } = await authorize(context, input);
	const command = context.commands.find(({ name }) => name === input.command);
	if (!command) throw new BadRequest(404, 'There is no such command.');
	const t = translatorFor(input.locale);
	const named = namesOn(channel.server);
	const { options, left } = readTypedOptions(command.fields, input.text, referencesTo(named));
	const read: Read = { options: {} };
	const refuse = (field: Field, text: string) => {
		read.problem ??= t('sandbox.command.noValue', { text, field: field.name, hint: hintOf(t, field) });
	};
	for (const field of command.fields) {
		const typed = options[field.name];
		const value = typed === undefined ? undefined : readValue(field, typed, named);
		if (value !== undefined) read.options[field.name] = value;
		else if (typed !== undefined) refuse(field, typed);
	}
	const open = command.fields.find(({ name, kind }) => kind !== 'picture' && !(name in read.options));
	if (left !== '' && open) refuse(open, left);
	else if (left !== '') read.problem ??= t('sandbox.command.noWords', { command: command.name });
	return read;
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

const HINTS: Readonly<Partial<Record<Field['kind'], MessageId>>> = {
	channel: 'sandbox.hint.channel',
	flag: 'sandbox.hint.flag',
	person: 'sandbox.hint.person',
	role: 'sandbox.hint.role',
};

/** Returns what can be given for a field, to complete a sentence. */
function hintOf(t: Translate, field: Field): string {
	if (field.kind === 'choice') return field.choices.join(', ');
	if (field.kind === 'integer') return t('sandbox.hint.integer', { min: field.min, max: field.max });
	return t(HINTS[field.kind] ?? 'sandbox.hint.text');
}
