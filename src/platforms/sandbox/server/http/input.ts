import type { Context, MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { z } from 'zod';
import { MemoryBudget } from '../../../../domain/queues.ts';
import type { Values } from '../../../../i18n/translator.ts';
import { BadRequest, type SandboxContext } from '../context.ts';
import { FILE_BYTES } from '../limits.ts';

/** What a page asks for: the fields of its request, what is done, and the status of the response where it is not 200. */
export type Action<Fields extends z.ZodObject = z.ZodObject> = {
	fields: Fields;
	status?: ContentfulStatusCode;
	hasFiles?: true;
	run(
		context: SandboxContext,
		input: z.output<Fields> & { locale?: string },
		files: readonly FormFile[],
	): Promise<object>;
};

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
/** The person who does something, and where. */
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

const MEBIBYTE = 2 ** 20;
const UPLOAD_BYTES = 64 * MEBIBYTE;
/** Bodies with files that are read at the same time; each is in memory three times while it is parsed. The largest one is read alone. */
const ALL_UPLOADS_BYTES = 24 * MEBIBYTE;
const JSON_BYTES = 64 * 1024;
const MAX_FILES = 10;

const limited = (maxSize: number, ...why: [string, Values?]) =>
	bodyLimit({
		maxSize,
		onError: () => Promise.reject(new BadRequest(413, ...why)),
	});

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
export async function read(c: Context): Promise<{ input: unknown; files: readonly FormFile[] }> {
	const type = c.req.header('content-type') ?? '';
	if (type.startsWith('application/json')) return { input: parseJson(await readBody(c.req.text())), files: [] };
	if (!type.startsWith('multipart/form-data')) throw new BadRequest(415, 'This address takes JSON.');
	const form = await readBody(c.req.formData());
	const files: FormFile[] = [];
	for (const [part, value] of form) {
		if (typeof value === 'string') continue;
		if (!/^\w{1,64}$/.test(part)) throw new BadRequest(400, 'A file is for an option that does not exist.');
		if (value.size > FILE_BYTES)
			throw new BadRequest(413, 'sandbox.server.fileTooLarge', { max: Math.floor(FILE_BYTES / 1e6) });
		files.push({ part, name: value.name, bytes: new Uint8Array(await value.arrayBuffer()) });
	}
	if (files.length > MAX_FILES) throw new BadRequest(413, 'sandbox.server.tooManyFiles', { max: MAX_FILES });
	const input = form.get('input');
	if (typeof input !== 'string') throw new BadRequest(400, 'The form has no part “input”.');
	if (input.length > JSON_BYTES) throw new BadRequest(413, 'The form’s part “input” is too long.');
	return { input: parseJson(input), files };
}

/** @throws BadRequest when the body is cut off or no form, or exceeds its limit */
const readBody = <Body>(body: Promise<Body>): Promise<Body> =>
	body.catch((error: unknown) => {
		throw error instanceof BadRequest ? error : new BadRequest(400, 'The request cannot be read.');
	});

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		throw new BadRequest(400, 'The request is not JSON.');
	}
}
