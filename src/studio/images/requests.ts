import { z } from 'zod';
import { ApiError } from '../http/api-error.ts';
import { isForm, isJson, readForm, readJson } from '../http/body.ts';
import { body, flag, integer, missingOr, parse, text } from '../http/fields.ts';
import { MAX_INPUT_BYTES } from '../input.ts';
import { model } from '../models.ts';
import type { Reference } from './references.ts';

/** Longest prompt for a picture from words alone; the published interface names none, so twice that of an edit. */
const MAX_PROMPT = 4000;
/** Longest prompt for an edit or a composition, as published. */
const MAX_INSTRUCTION = 2000;
const MAX_VARIATIONS = 4;
const MIN_SIDE = 64;
const MAX_SIDE = 2048;

/** Room for everything beside the pictures: an escaped prompt, part headers, SDKs' extra fields. */
const MAX_FIELD_BYTES = 256 * 1024;

/** `<w>x<h>`; `auto`, which SDKs send, is no wish. */
const size = z
	.string({ error: 'size must be a string.' })
	.transform((value, context) => {
		if (value === 'auto') return undefined;
		const [width = 0, height = 0] = /^(\d{1,5})x(\d{1,5})$/.exec(value)?.slice(1).map(Number) ?? [];
		if (Math.min(width, height) >= MIN_SIDE && Math.max(width, height) <= MAX_SIDE) return { width, height };
		context.addIssue(`size must be WIDTHxHEIGHT such as 1024x1024, each side from ${MIN_SIDE} to ${MAX_SIDE}.`);
		return z.NEVER;
	})
	.nullish();

/** Fields of all three calls. Other fields of the SDKs (user, quality, background…) are ignored. */
const common = {
	model: model.nullish(),
	n: integer('n', 1, MAX_VARIATIONS).nullish(),
	response_format: z
		.literal('b64_json', { error: 'response_format can only be b64_json: pictures are answered, not kept at a URL.' })
		.nullish(),
	stream: flag('stream')
		.refine((value) => !value, 'Pictures are not streamed; leave stream out.')
		.nullish(),
};

const reference = z.custom<Reference>(
	(value) => typeof value === 'string' || value instanceof File,
	'A picture must be a file, or a string of base64 or a data URL.',
);

const NOT_ONE = 'An edit takes exactly one image; use /v1/images/compose for two or three.';

const generation = body({ ...common, prompt: text('prompt', MAX_PROMPT), size });

const edit = body({
	...common,
	prompt: text('prompt', MAX_INSTRUCTION),
	image: z.union([z.array(reference).length(1, NOT_ONE), reference.transform((one) => [one])], {
		error: missingOr('image', NOT_ONE),
	}),
	mask: z.null('Masks are not taken; say in the prompt what is to change.').optional(),
});

const composition = body({
	...common,
	prompt: text('prompt', MAX_INSTRUCTION),
	size,
	images: z
		.array(reference, { error: missingOr('images', 'images must be an array of pictures.') })
		.min(2, 'A composition takes two or three images.')
		.max(3, 'A composition takes two or three images.'),
});

export async function readGeneration(request: Request) {
	return parse(generation, await readJson(request, MAX_FIELD_BYTES));
}

export async function readEdit(request: Request) {
	return parse(edit, await readFields(request, 1, 'image'));
}

export async function readComposition(request: Request) {
	return parse(composition, await readFields(request, 3, 'images'));
}

/** Either input format as one plain object, its pictures (up to `pictures`) under `name`. */
async function readFields(request: Request, pictures: number, name: string): Promise<unknown> {
	if (isJson(request)) return readJson(request, MAX_FIELD_BYTES + pictures * Math.ceil((MAX_INPUT_BYTES * 4) / 3));
	if (!isForm(request)) throw new ApiError(415, 'The body must be multipart/form-data or JSON.');
	return fromForm(await readForm(request, MAX_FIELD_BYTES + pictures * MAX_INPUT_BYTES), name);
}

/** One picture comes as `image`; several as `image` repeated or, from SDKs, as `image[]`. */
function fromForm(form: FormData, name: string): Record<string, unknown> {
	const images = [...form.getAll('image'), ...form.getAll('image[]')];
	const others = [...new Set(form.keys())].filter((key) => key !== 'image' && key !== 'image[]');
	return Object.fromEntries([
		...(images.length > 0 ? [[name, images]] : []),
		// A repeated field becomes an array, which the schema refuses in every field that it knows.
		...others.map((key) => [key, form.getAll(key).length > 1 ? form.getAll(key) : typed(key, form.get(key))]),
	]);
}

/** A form knows text alone. What is not a number or flag stays as it is, for the schema to refuse. */
function typed(key: string, value: unknown) {
	if (key === 'n' && typeof value === 'string' && /^\d{1,9}$/.test(value)) return Number(value);
	if (key === 'stream' && (value === 'true' || value === 'false')) return value === 'true';
	return value;
}
