import type { Context, MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { z } from 'zod';
import type { CommandDescription } from '../../../domain/command.ts';
import type { TryOut } from '../../../domain/findings.ts';
import type { Inbox } from '../../../domain/platform.ts';
import { MemoryBudget } from '../../../domain/queues.ts';
import { type Translate, translatorFor, type Values } from '../../../i18n/translator.ts';
import type { OpenForms } from '../../shared/open-forms.ts';
import { PEOPLE } from './directory.ts';
import type { EventHub } from './events.ts';
import { FILE_BYTES } from './limits.ts';
import { isVisibleTo, type SandboxStore, type StoredFile } from './store.ts';

export type SandboxContext = {
	/** With the pictures of the message that a form was opened from. */
	openForms: OpenForms<{ command: string; files: readonly StoredFile[] }>;
	commands: readonly CommandDescription[];
	store: SandboxStore;
	hub: EventHub;
	tryOut?: TryOut;
	/** Undefined while the platform takes no events. */
	inbox?: Inbox;
	onError: (error: unknown) => void;
};

/**
 * Thrown for a request that cannot be carried out. Its sentence is a message when people can cause the error at the page, and
 * plain English when only a program can.
 */
export class BadRequest extends Error {
	readonly status: 400 | 403 | 404 | 409 | 413 | 415 | 503;
	readonly messageIn: (t: Translate) => string;

	constructor(status: BadRequest['status'], idOrText: string, values?: Values) {
		super(translatorFor('en').declared(idOrText, values));
		this.status = status;
		this.messageIn = (t) => t.declared(idOrText, values);
	}
}

/** What a page asks for: the fields of its request, what is done, and the status of the response where it is not 200. */
export type Action<Fields extends z.ZodObject = z.ZodObject> = {
	fields: Fields;
	status?: ContentfulStatusCode;
	hasFiles?: true;
	run(context: SandboxContext, input: z.output<Fields> & Locale, files: readonly FormFile[]): Promise<object>;
};

type Locale = { locale?: string | undefined };

export const action = <Fields extends z.ZodObject>(declared: Action<Fields>): Action => declared as Action;

/** What is in the output of programs that people paste, and shows nothing. */
const CONTROL = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/g;

/** People cause only the errors of texts; the others name the field, in English, for programs. */
export const text = (what: string, max: number) =>
	z
		.string()
		.max(max, `${what} can have at most ${max} characters.`)
		.transform((value) => value.replace(CONTROL, '').toWellFormed());

export const name = z.string().regex(/^[\w.-]{1,64}$/);
const number = z.int().positive();
export const person = z.object({ as: name });
export const at = person.extend({ channel: name });
export const onMessage = at.extend({ number });
/** The page makes one id for each action: a request that is sent twice is carried out once. */
export const id = z.string().regex(/^[\w-]{8,40}$/);
export const commandName = z.string().max(64);

export const page = person.extend({
	before: z.coerce.number().pipe(number).optional(),
	limit: z.coerce.number().pipe(number.max(100)).default(50),
});
export const suggestion = person.extend({
	...{ command: commandName, option: name },
	typed: text('The text', 100).default(''),
});

type Actor = z.output<typeof at> & Locale;

/** Returns the channel or thread of a request, and its person with the rights they have there now. @throws BadRequest when it is closed to them */
export async function authorize({ store }: SandboxContext, { as, channel: id, locale }: Actor) {
	const channel = await store.channel(id);
	if (!channel || (channel.onlyFor ?? as) !== as) throw new BadRequest(404, 'There is no such channel.');
	const person = await store.person(as, channel.server);
	if (!person) throw new BadRequest(404, 'There is no such person.');
	return { channel, person: { ...person, locale } };
}

/** Returns the channel and person as `authorize` does, with a message there. @throws BadRequest when this person sees no such message */
export async function authorizeAt(context: SandboxContext, actor: Actor & { number: number }) {
	const { channel, person } = await authorize(context, actor);
	const message = await context.store.get(channel.id, actor.number);
	if (!message || !isVisibleTo(message, person.id)) throw new BadRequest(404, 'sandbox.server.noMessage');
	return { channel, person, message };
}

/** @throws BadRequest while the platform takes no events */
export function openInbox({ inbox }: SandboxContext): Inbox {
	if (!inbox) throw new BadRequest(503, 'sandbox.server.starting');
	return inbox;
}

/** Returns the id of a person. @throws BadRequest when there is no such person */
export function knownPerson(id: string): string {
	if (!PEOPLE.some((person) => person.id === id)) throw new BadRequest(404, 'There is no such person.');
	return id;
}

/** Returns the delivery id of a request: a request that is sent twice is one event. */
export const deliveryId = (person: string, requestId: string): string => `d:${person}:${requestId}`;

/** @throws BadRequest with the first error; of a union, the error of a text is the one for people */
export function parse<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
	const { success, data, error } = schema.safeParse(input);
	if (success) return data;
	const [issue] = error.issues;
	const reported = issue?.code === 'invalid_union' ? issue.errors.flat() : [issue];
	const sentence = reported.find((one) => one?.message.endsWith('.'))?.message;
	const where = issue?.path.join('.') || 'input';
	throw new BadRequest(400, sentence ?? `“${where.slice(0, 80)}” is not valid.`);
}

/** A file of a multipart form. `part` is the name of its option, or `file`. */
export type FormFile = { part: string; name: string; bytes: Uint8Array };

const UPLOAD_BYTES = 64 * 2 ** 20;
/** Bodies with files that are read at the same time; each is in memory three times while it is parsed. The largest one is read alone. */
const ALL_UPLOADS_BYTES = 24 * 2 ** 20;
const JSON_BYTES = 64 * 1024;
const MAX_FILES = 10;

const limited = (maxSize: number, ...why: [string, Values?]) =>
	bodyLimit({ maxSize, onError: () => Promise.reject(new BadRequest(413, ...why)) });

export const small = limited(JSON_BYTES, 'The request is too long.');
const large = limited(UPLOAD_BYTES, 'sandbox.server.uploadTooLarge', { max: Math.floor(UPLOAD_BYTES / 1e6) });

/** Returns the limit of bodies that may have files: of each, and of all large ones together, which wait for each other. */
export function createUploadLimit(): MiddlewareHandler {
	const memory = new MemoryBudget(ALL_UPLOADS_BYTES);
	return (c, next) => {
		// A body without a length may be as long as any.
		const length = Number(c.req.header('content-length') ?? UPLOAD_BYTES);
		const proceed = () => large(c, next);
		return length <= JSON_BYTES ? proceed() : memory.use(length, undefined, proceed);
	};
}

/** Reads JSON, or a form whose part `input` is JSON and whose other parts are files. */
async function readBody({ req }: Context): Promise<{ input: unknown; files: readonly FormFile[] }> {
	const type = req.header('content-type') ?? '';
	if (type.startsWith('application/json')) return { input: await req.json(), files: [] };
	if (!type.startsWith('multipart/form-data')) throw new BadRequest(415, 'This address takes JSON.');
	const form = await req.formData();
	const files: FormFile[] = [];
	for (const [part, value] of form) {
		if (typeof value === 'string') continue;
		if (!/^\w{1,64}$/.test(part)) throw new BadRequest(400, 'A file is for an option that does not exist.');
		if (value.size > FILE_BYTES)
			throw new BadRequest(413, 'sandbox.server.fileTooLarge', { max: Math.floor(FILE_BYTES / 1e6) });
		files.push({ part, name: value.name, bytes: new Uint8Array(await value.arrayBuffer()) });
	}
	if (files.length > MAX_FILES) throw new BadRequest(413, 'sandbox.server.tooManyFiles', { max: MAX_FILES });
	const input = String(form.get('input'));
	if (input.length > JSON_BYTES) throw new BadRequest(413, 'The form’s part “input” is too long.');
	return { input: JSON.parse(input), files };
}

/** @throws BadRequest when the body is cut off or neither JSON nor a form, or exceeds its limit */
export const read = (c: Context) =>
	readBody(c).catch((error: unknown) => {
		throw error instanceof BadRequest ? error : new BadRequest(400, 'The request cannot be read.');
	});
