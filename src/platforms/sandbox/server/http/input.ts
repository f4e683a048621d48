import { z } from 'zod';
import { MAX_ACTION_ID } from '../../../../domain/command.ts';
import { BadRequest } from '../context.ts';
import { EMULATED_PLATFORMS } from '../limits.ts';

/** The requests of pages. People cause only the errors of texts; the others name the field, in English, for programs. */

/** Discord's limit for a text option: https://docs.discord.com/developers/interactions/application-commands */
const OPTION_LENGTH = 6000;
const MESSAGE_LENGTH = 12_000;

const CONTROL = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/;

const text = (what: string, max: number) =>
	z
		.string()
		.max(max, `${what} can have at most ${max} characters.`)
		.refine((value) => value.isWellFormed(), `${what} contains a lone surrogate.`)
		.refine((value) => !CONTROL.test(value), `${what} contains control characters.`);

const name = z.string().regex(/^[\w.-]{1,64}$/);
const number = z.int().positive();
const at = { as: name, channel: name };
const onMessage = { ...at, number };
/** The page makes one id for each action: a request that is sent twice is carried out once. */
const id = z.string().regex(/^[\w-]{8,40}$/);
const commandName = z.string().max(64);
const option = z.union([
	text('An option', OPTION_LENGTH),
	z.number(),
	z.boolean(),
	z.array(text('A choice', 100)).max(25),
]);

export const person = z.object({ as: name });
export const page = z.object({
	as: name,
	before: z.coerce.number().pipe(number).optional(),
	limit: z.coerce.number().pipe(number.max(100)).default(50),
});
/** The limit of the text's length depends on the emulated platform and is checked later. */
export const message = z.object({ ...at, id, text: text('The message', MESSAGE_LENGTH), replyTo: number.optional() });
export const edit = z.object({ ...onMessage, text: text('The message', MESSAGE_LENGTH) });
export const command = z.object({
	...{ ...at, id, command: commandName },
	options: z.record(name, option).refine((options) => Object.keys(options).length <= 25),
	form: text('The form', 200).optional(),
});
export const press = z.object({ ...onMessage, id, button: z.string().min(1).max(MAX_ACTION_ID) });
export const thread = z.object({ ...onMessage, title: text('The title', 100).default('') });
export const target = z.object(onMessage);
export const suggestion = z.object({
	as: name,
	command: commandName,
	option: name,
	typed: text('The text', 100).default(''),
});
const TOKENS = ['DISCORD_TOKEN', 'SLACK_BOT_TOKEN', 'SLACK_APP_TOKEN'] as const;
const SERVICE = ['SERVICE_BASE_URL', 'SERVICE_API_KEY', 'IMAGE_MODEL', 'CHAT_MODEL'] as const;
/** What the page offers to connect. */
export const connection = z.object({
	variables: z.partialRecord(z.enum([...TOKENS, ...SERVICE]), text('A value', 1000)),
});
export const emulation = z.object({ platform: z.enum(EMULATED_PLATFORMS) });
export const moderator = z.object({ server: name, person: name, moderator: z.boolean() });

/** @throws BadRequest with the first error */
export function parse<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
	const result = schema.safeParse(input);
	if (result.success) return result.data;
	const [issue] = result.error.issues;
	// A union reports the errors of each of its members. That of a text is the one for people.
	const found = issue?.code === 'invalid_union' ? (issue.errors.flat().find(isSentence) ?? issue) : issue;
	const where = issue?.path.join('.') || 'input';
	throw new BadRequest(400, found && isSentence(found) ? found.message : `“${where.slice(0, 80)}” is not valid.`);
}

const isSentence = ({ message: words }: { message: string }) => words.endsWith('.');

export type MessageInput = z.output<typeof message>;
export type CommandInput = z.output<typeof command>;
export type PressInput = z.output<typeof press>;
