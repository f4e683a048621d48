import sharp from 'sharp';
import type { RecordedRequest } from '../service.ts';
import { checkChat } from './chat-checks.ts';
import { checkFields, EDIT_FIELDS, GENERATION_FIELDS, type Refusal, refusal } from './fields.ts';
import { type FormPart, readForm } from './form.ts';
import { IMAGE_TYPES, isSoundPicture } from './pictures.ts';

export type StrictOptions = { key: string; imageModels: readonly string[] };

const MAX_IMAGE_BYTES = 50_000_000;
/** Fields of forms that are numbers. */
const NUMBERS = ['n', 'partial_images', 'output_compression'];
const MAX_MASK_BYTES = 4_000_000;

/**
 * Checks a request as OpenAI does before it draws anything: key, address, fields, models and pictures.
 * https://github.com/openai/openai-openapi
 */
export async function refusalOf(request: RecordedRequest, options: StrictOptions): Promise<Refusal | undefined> {
	const { method, path, headers, body } = request;
	if (headers.authorization !== `Bearer ${options.key}`)
		return refusal('invalid_api_key', null, 'Incorrect API key provided.', 401);
	const type = headers['content-type'] ?? '';
	if (method === 'GET') return path === '/v1/models' ? undefined : notFound(path);
	switch (path) {
		case '/v1/images/generations':
			return checkGeneration(body, type, options);
		case '/v1/images/edits':
			return type.startsWith('multipart/form-data')
				? checkEditForm(readForm(body, type), options)
				: checkEditJson(body, type, options);
		case '/v1/chat/completions': {
			const fields = parseJson(body, type);
			return isRefusal(fields) ? fields : checkChat(fields);
		}
		case '/v1/embeddings':
			return undefined;
		default:
			return notFound(path);
	}
}

const notFound = (path: string) => refusal(null, null, `Invalid URL (POST ${path})`, 404);

function parseJson(body: Buffer, type: string): Record<string, unknown> | Refusal {
	if (!type.startsWith('application/json')) return refusal('unsupported_content_type', null);
	try {
		return JSON.parse(String(body)) as Record<string, unknown>;
	} catch {
		return refusal(null, null, 'We could not parse the JSON body of your request.');
	}
}

const isRefusal = (value: Record<string, unknown> | Refusal): value is Refusal => typeof value.status === 'number';

function checkModel({ model }: Readonly<Record<string, unknown>>, { imageModels }: StrictOptions): Refusal | undefined {
	return imageModels.includes(String(model))
		? undefined
		: refusal('model_not_found', 'model', `The model '${model}' does not exist.`, 404);
}

function checkGeneration(body: Buffer, type: string, options: StrictOptions): Refusal | undefined {
	const fields = parseJson(body, type);
	if (isRefusal(fields)) return fields;
	return checkFields(fields, GENERATION_FIELDS) ?? checkModel(fields, options);
}

/** In JSON, pictures are objects in `images`, each with an address or the id of a file. */
async function checkEditJson(body: Buffer, type: string, options: StrictOptions): Promise<Refusal | undefined> {
	const fields = parseJson(body, type);
	if (isRefusal(fields)) return fields;
	const { images, moderation: _, ...others } = fields;
	const wrong = checkFields(others, EDIT_FIELDS) ?? checkModel(others, options);
	if (wrong) return wrong;
	if (!Array.isArray(images) || images.length === 0 || images.length > 16)
		return refusal('missing_required_parameter', 'images');
	for (const { image_url: url, file_id: file } of images as { image_url?: string; file_id?: string }[]) {
		const base64 = /^data:image\/(?:png|jpeg|webp);base64,(.*)$/s.exec(url ?? '')?.[1];
		if (file !== undefined || base64 === undefined || !(await isSoundPicture(Buffer.from(base64, 'base64'))))
			return refusal('invalid_image_file', 'images');
	}
	return undefined;
}

async function checkEditForm(parts: readonly FormPart[], options: StrictOptions): Promise<Refusal | undefined> {
	const isFile = ({ name }: FormPart) => /^(?:image(?:\[\])?|mask|markup)$/.test(name);
	const fields: Record<string, unknown> = {};
	for (const { name, bytes } of parts.filter((part) => !isFile(part))) {
		if (Object.hasOwn(fields, name)) return refusal('duplicate_parameter', name);
		const text = String(bytes);
		fields[name] = NUMBERS.includes(name) ? Number(text) : name === 'stream' ? text === 'true' : text;
	}
	const wrong = checkFields(fields, EDIT_FIELDS) ?? checkModel(fields, options);
	const images = parts.filter(({ name }) => name === 'image' || name === 'image[]');
	const mask = parts.find(({ name }) => name === 'mask');
	return wrong ?? (await checkImageParts(images)) ?? (mask && checkMask(mask, images[0]!));
}

/** A mask is a PNG below 4 MB with transparency, of the size of the first picture. */
async function checkMask({ bytes }: FormPart, first: FormPart): Promise<Refusal | undefined> {
	if (bytes.length >= MAX_MASK_BYTES || !(await isSoundPicture(bytes, 'image/png')))
		return refusal('invalid_image_file', 'mask');
	const [mask, picture] = await Promise.all([sharp(bytes).metadata(), sharp(first.bytes).metadata()]);
	const hasSize = mask.width === picture.width && mask.height === picture.height;
	return hasSize && mask.hasAlpha ? undefined : refusal('invalid_mask_image_format', 'mask');
}

/** One picture is `image` or `image[]`, several are `image[]`. https://github.com/openai/openai-ruby/issues/311 */
async function checkImageParts(images: readonly FormPart[]): Promise<Refusal | undefined> {
	const names = new Set(images.map(({ name }) => name));
	if (images.length === 0) return refusal('missing_required_parameter', 'image');
	if (names.size > 1 || (names.has('image') && images.length > 1)) return refusal('duplicate_parameter', 'image');
	if (images.length > 16) return refusal('too_many_images', 'image');
	for (const [index, { filename, type, bytes }] of images.entries()) {
		if (filename === undefined) return refusal('invalid_type', `image[${index}]`);
		if (bytes.length >= MAX_IMAGE_BYTES) return refusal('image_too_large', 'image');
		if (type === undefined) return refusal('missing_file_mimetype', 'image');
		if (!IMAGE_TYPES.includes(type)) return refusal('unsupported_file_mimetype', 'image');
		if (!(await isSoundPicture(bytes, type))) return refusal('invalid_image_file', 'image');
	}
	return undefined;
}
