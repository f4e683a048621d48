import { Budget } from '../budget.ts';
import type { Counters } from '../counters.ts';
import { ApiError } from '../http/api-error.ts';
import { checkModel } from '../models.ts';
import type { Payment, Quota } from '../quota.ts';
import type { Artist } from '../workers.ts';
import { composing } from './composing.ts';
import { editing } from './editing.ts';
import { generation, type Made, type Making } from './making.ts';
import { type Picture, type Reference, readReference } from './references.ts';
import { MAX_FORM_BYTES, readComposition, readEdit, readGeneration } from './requests.ts';

type Options = {
	artist: Artist;
	quota: Quota;
	counters: Counters;
	mostDrawings: number;
	now: () => Date;
};

/**
 * Pictures that requests bring, until they are drawn; each is copied a few times. Not the memory for files of the bot, which could wait
 * for an answer of the studio in the same process while it holds that.
 */
const bodyMemory = new Budget(MAX_FORM_BYTES);

/** Reads a body with pictures, and does the work with them, when there is memory for it. */
const withBody = (request: Request, work: () => Promise<Response>) =>
	bodyMemory.use(Number(request.headers.get('content-length')) || MAX_FORM_BYTES, request.signal, work);

type Asking = Awaited<ReturnType<typeof readEdit>>;

/** The three image endpoints. Whatever is refused for its input costs nothing. */
export function createImages({ artist, quota, counters, mostDrawings, now }: Options) {
	/** Pictures that are drawn or wait. */
	let admitted = 0;
	return {
		generate: async (request: Request) => answer(request, { ...(await readGeneration(request)), images: [] }),
		edit: (request: Request) => withBody(request, async () => answer(request, await readEdit(request))),
		compose: (request: Request) => withBody(request, async () => answer(request, await readComposition(request))),
	};

	/** Draws from words alone, edits one picture, or composes several, as clients of the images API expect. */
	async function answer(request: Request, { prompt, images, model, n, size }: Asking): Promise<Response> {
		const sharpText = checkModel(model, 'images') === 'beta';
		const pictures = await readReferences(images);
		const [picture, other] = pictures;
		const wish = { artist, prompt, size, sharpText, signal: request.signal };
		const making = await (other ? composing(wish, pictures) : picture ? editing(wish, picture) : generation(wish));
		const key = await keyOf(request.headers.get('authorization'), prompt, pictures);
		return make(request.signal, key, n ?? 1, making);
	}

	/** Pays for a call and makes its pictures; the same words by the same API key go on with the next variation. */
	async function make(left: AbortSignal, key: string, n: number, making: Making): Promise<Response> {
		// Ends with the client's leaving, or with the first variation that fails: then the others are for nothing.
		const end = new AbortController();
		const signal = AbortSignal.any([left, end.signal]);
		if (admitted + n > mostDrawings)
			throw ApiError.tooMany('Too many pictures are being drawn; try again in a moment.');
		admitted += n;
		let payment: Payment | undefined;
		let drawings: Promise<Made>[] = [];
		try {
			payment = await quota.take();
			const first = await takeVariations(counters, key, n);
			drawings = Array.from({ length: n }, (_, index) => making(first + index, signal));
			return imageResult(await Promise.all(drawings), now());
		} catch (error) {
			end.abort(error);
			await Promise.allSettled(drawings);
			if (payment) await quota.giveBack(payment);
			if (error instanceof ApiError) throw error;
			const details = { code: 'drawing_failed', cause: error };
			throw new ApiError(500, 'The picture could not be made; it was not counted.', details);
		} finally {
			admitted -= n;
		}
	}
}

/** How long the same words give further variations before they give the first one again. */
const REPEAT_TTL_MS = 7 * 24 * 3600_000;

/**
 * Takes the numbers of the next `n` variations, which no other call gets, and returns the first. A call that fails leaves a gap.
 * @throws ApiError 503
 */
async function takeVariations(counters: Counters, key: string, n: number): Promise<number> {
	for (;;) {
		const first = (await counters.get(key)) ?? 0;
		// Refused when another call has counted meanwhile: then the count is read again.
		if (await counters.add(key, n, { atMost: first + n, ttlMs: REPEAT_TTL_MS })) return first;
	}
}

/** A hash of what makes a request the same as an earlier one, so that neither API keys nor words are stored. */
async function keyOf(authorization: string | null, prompt: string, pictures: readonly Picture[]): Promise<string> {
	const words = JSON.stringify([authorization ?? '', prompt.trim().toLowerCase(), pictures.length]);
	const asked = Buffer.concat([Buffer.from(words), ...pictures.map(({ bytes }) => bytes)]);
	return `repeat:${Buffer.from(await crypto.subtle.digest('SHA-256', asked)).toString('base64url')}`;
}

/** Reads one after the other, so that the first fault is the one that is named. */
const readReferences = (references: readonly Reference[]): Promise<Picture[]> =>
	Array.fromAsync(references, (reference, index) =>
		readReference(reference, references.length > 1 ? `image ${index + 1}` : 'image'),
	);

/** Returns the image result `{created, data: [{b64_json, revised_prompt}]}`, with its length. */
export function imageResult(made: readonly Made[], created: Date): Response {
	const data = made.map(({ png, revisedPrompt }) => ({ b64_json: png.toBase64(), revised_prompt: revisedPrompt }));
	const body = Buffer.from(JSON.stringify({ created: Math.floor(created.getTime() / 1000), data }));
	return new Response(body, {
		headers: { 'content-type': 'application/json', 'content-length': String(body.length) },
	});
}
