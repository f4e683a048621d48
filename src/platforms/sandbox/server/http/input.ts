import { z } from 'zod';
import { BadRequest } from '../context.ts';
import { EMULATED_PLATFORMS } from '../limits.ts';

/** The requests of pages. Only a program can cause these errors, so they are in English. */

/** Discord's limit for a text option: https://docs.discord.com/developers/interactions/application-commands */
const OPTION_LENGTH = 6000;

const CONTROL = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/;

function text(what: string, max: number) {
	return z
		.string(`${what} is not text.`)
		.max(max, `${what} can have at most ${max} characters.`)
		.refine((value) => value.isWellFormed(), `${what} contains a lone surrogate.`)
		.refine((value) => !CONTROL.test(value), `${what} contains control characters.`);
}

const name = (what: string) => z.string(`${what} is missing.`).regex(/^[\w.-]{1,64}$/, `${what} is not a valid name.`);
const number = (what: string) => z.int(`${what} is not a whole number.`).positive(`${what} is not a positive number.`);

/** The page makes one id for each action: a request that is sent twice is carried out once. */
const id = z
	.string('The id of this request is missing.')
	.regex(/^[\w-]{8,40}$/, 'The id of this request must have 8 to 40 letters, digits, - or _.');

const as = name('The person');
const channel = name('The channel');
const onMessage = { as, channel, number: number('The message') };

export const person = z.object({ as });
export const stream = z.object({ as, since: z.string().max(64).default('') });
export const page = z.object({
	as,
	before: z.coerce.number('“before” is not a number.').pipe(number('“before”')).optional(),
	limit: z.coerce
		.number('“limit” is not a number.')
		.pipe(number('“limit”').max(100, '“limit” can be at most 100.'))
		.default(50),
});
/** The limit of the text's length depends on the emulated platform and is checked later. */
export const message = z.object({
	as,
	channel,
	id,
	text: text('The message', 12_000),
	replyTo: number('The message that is answered').optional(),
});
const commandName = z.string('The command is missing.').max(64, 'There is no such command.');
/** The text after a command. */
export const typed = z.object({ as, channel, command: commandName, text: text('The command', 12_000) });
export const command = z.object({
	as,
	channel,
	id,
	command: commandName,
	options: z
		.record(
			name('The option'),
			z.union([text('An option', OPTION_LENGTH), z.number(), z.boolean(), z.array(text('A choice', 100)).max(25)], {
				// A union reports the errors of all its members. The one of the text is the most helpful.
				error: ({ input }) =>
					typeof input === 'string'
						? (text('An option', OPTION_LENGTH).safeParse(input).error?.issues[0]?.message ??
							'An option is not a text.')
						: 'An option must be a text, a number, true, false or a list of choices.',
			}),
			'The options are missing.',
		)
		.refine((options) => Object.keys(options).length <= 25, 'A command can have at most 25 options.'),
	form: text('The form', 200).optional(),
});
export const press = z.object({
	...onMessage,
	id,
	button: z
		.string('The button is missing.')
		.min(1, 'The button is missing.')
		.max(100, 'There is no such button.')
		.regex(/^[\w:.-]+$/, 'There is no such button.'),
});
export const thread = z.object({ ...onMessage, title: text('The title', 100).default('') });
export const target = z.object(onMessage);
export const edit = z.object({ ...onMessage, text: text('The message', 12_000) });
export const suggestion = z.object({
	as,
	command: z.string().max(64),
	option: name('The option'),
	typed: text('The typed text', 100).default(''),
});
export const emulation = z.object({
	platform: z.enum(EMULATED_PLATFORMS, `The platform must be one of ${EMULATED_PLATFORMS.join(', ')}.`),
});
export const moderator = z.object({
	server: name('The server'),
	person: name('The person'),
	moderator: z.boolean('“moderator” must be true or false.'),
});

/** @throws BadRequest with the first error */
export function parse<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
	const result = schema.safeParse(input);
	if (result.success) return result.data;
	const issue = result.error.issues[0];
	throw new BadRequest(400, issue?.path.length ? issue.message : 'The request does not have the expected fields.');
}

export type MessageInput = z.output<typeof message>;
export type CommandInput = z.output<typeof command>;
export type PressInput = z.output<typeof press>;
