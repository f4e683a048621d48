import { z } from 'zod';
import { ApiError } from '../http/api-error.ts';
import { isForm, isJson, readForm, readJson } from '../http/body.ts';
import { filled, parse } from '../http/fields.ts';
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
const USUAL_SIZE = { width: 1024, height: 1024 };

/** Room for everything beside the pictures: an escaped prompt, part headers, SDKs' extra fields. */
const MAX_FIELD_BYTES = 256 * 1024;

/** `<w>x<h>`; `auto`, which SDKs send, is no wish. */
const size = z
	.string()
	.transform((value, context) => {
		if (value === 'auto') return USUAL_SIZE;
		const [width = 0, height = 0] = /^(\d{1,5})x(\d{1,5})$/.exec(value)?.slice(1).map(Number) ?? [];
		if (Math.min(width, height) >= MIN_SIDE && Math.max(width, height) <= MAX_SIDE) return { width, height };
		context.addIssue(`size must be WIDTHxHEIGHT such as 1024x1024, each side from ${MIN_SIDE} to ${MAX_SIDE}.`);
		return z.NEVER;
	})
	.nullish()
	.transform((value) => value ?? USUAL_SIZE);

/** Fields of all three calls. Other fields of the SDKs (user, quality, background…) are ignored. */
const common = {
	model: model.nullish(),
	n: z.int().min(1).max(MAX_VARIATIONS).nullish(),
	size,
	response_format: z
		.literal('b64_json', { error: 'response_format can only be b64_json: pictures are answered, not kept at a URL.' })
		.nullish(),
	stream: z.literal(false, { error: 'Pictures are not streamed; leave stream out.' }).nullish(),
};

/** A file, a string, or as OpenAI's edits in JSON have it, an object with a data URL. */
const reference = z.preprocess(
	(value) => Object(value).image_url ?? value,
	z.custom<Reference>(
		(value) => typeof value === 'string' || value instanceof File,
		'A picture must be a file, or a string of base64 or a data URL.',
	),
);

/** Most pictures of one request. */
const MAX_PICTURES = 3;
/** The longest form. */
export const MAX_FORM_BYTES = MAX_FIELD_BYTES + MAX_PICTURES * MAX_INPUT_BYTES;

const generation = z.object({ ...common, prompt: filled(MAX_PROMPT) });

const withPictures = (least: number, wrongCount: string) =>
	z.object({
		...common,
		prompt: filled(MAX_INSTRUCTION),
		images: z.array(reference, { error: wrongCount }).min(least, wrongCount).max(MAX_PICTURES, wrongCount),
		mask: z.null('Masks are not taken; say in the prompt what is to change.').optional(),
	});
const edit = withPictures(1, 'An edit takes one image, or two or three to compose.');
const composition = withPictures(2, 'A composition takes two or three images.');

export const readGeneration = async (request: Request) => parse(generation, await readJson(request, MAX_FIELD_BYTES));
export const readEdit = async (request: Request) => parse(edit, await readFields(request));
export const readComposition = async (request: Request) => parse(composition, await readFields(request));

/** Returns either input format as one plain object, its pictures under `images`, whichever name they came by. */
async function readFields(request: Request): Promise<unknown> {
	if (isJson(request)) {
		const fields = await readJson(request, MAX_FIELD_BYTES + MAX_PICTURES * Math.ceil((MAX_INPUT_BYTES * 4) / 3));
		const { image, images = image, ...others } = Object(fields) as { image?: unknown; images?: unknown };
		return { ...others, ...(images !== undefined && { images: isOne(images) ? [images] : images }) };
	}
	if (!isForm(request)) throw new ApiError(415, 'The body must be multipart/form-data or JSON.');
	return fromForm(await readForm(request, MAX_FORM_BYTES));
}

/** Whether this is one picture instead of an array. What is neither is left to the schema. */
const isOne = (images: unknown) => typeof images === 'string' || Object(images).image_url !== undefined;

/** The names that clients give to the parts with pictures. */
const PICTURE_PARTS = ['image', 'image[]', 'images[]'];

function fromForm(form: FormData): Record<string, unknown> {
	const images = PICTURE_PARTS.flatMap((name) => form.getAll(name));
	const others = [...new Set(form.keys())].filter((key) => !PICTURE_PARTS.includes(key));
	const fields = others.map((key) => {
		const [value, ...more] = form.getAll(key);
		// A repeated field becomes an array, which the schema refuses in every field that it knows.
		return [key, more.length > 0 ? [value, ...more] : typed(key, value)];
	});
	return { ...Object.fromEntries(fields), ...(images.length > 0 && { images }) };
}

/** A form knows text alone. What is not a number or flag stays as it is, for the schema to refuse. */
function typed(key: string, value: unknown) {
	if (key === 'n' && typeof value === 'string' && /^\d{1,9}$/.test(value)) return Number(value);
	if (key === 'stream' && (value === 'true' || value === 'false')) return value === 'true';
	return value;
}
