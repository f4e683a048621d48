import { Budget } from '../budget.ts';
import { ApiError } from '../http/api-error.ts';
import { InputError } from '../input.ts';
import { checkModel } from '../models.ts';
import type { Quota } from '../quota.ts';
import type { Artist } from '../workers.ts';
import { composing } from './composing.ts';
import { editing } from './editing.ts';
import { generation, type Made, type Making } from './making.ts';
import type { Queue } from './queue.ts';
import { type Picture, type Reference, readReference } from './references.ts';
import type { Asked, Repeats } from './repeats.ts';
import { MAX_FORM_BYTES, readComposition, readEdit, readGeneration } from './requests.ts';
import { imageResult } from './result.ts';

type Options = {
	artist: Artist;
	quota: Quota;
	repeats: Repeats;
	queue: Queue;
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

const DEFAULT_SIZE = { width: 1024, height: 1024 };

/** The three image endpoints. Whatever is refused for its input costs nothing. */
export function createImages({ artist, quota, repeats, queue, now }: Options) {
	return {
		async generate(request: Request): Promise<Response> {
			const { prompt, size, n, model } = await readGeneration(request);
			const making = generation(artist, prompt, size ?? DEFAULT_SIZE, isSharp(model));
			return make(request, n ?? 1, { words: prompt, pictures: [] }, making);
		},

		/** One picture is edited; several are composed, as clients of the images API expect. */
		edit: (request: Request): Promise<Response> =>
			withBody(request, async () => {
				const fields = await readEdit(request);
				const sharpText = isSharp(fields.model);
				const pictures = await readReferences(fields.images);
				const [picture] = pictures;
				if (pictures.length > 1 || !picture) return compose(request, fields, pictures, sharpText);
				const making = await editing(artist, picture, fields.prompt, sharpText, request.signal);
				return make(request, fields.n ?? 1, { words: fields.prompt, pictures: bytesOf(pictures) }, making);
			}),

		compose: (request: Request): Promise<Response> =>
			withBody(request, async () => {
				const fields = await readComposition(request);
				const sharpText = isSharp(fields.model);
				return compose(request, fields, await readReferences(fields.images), sharpText);
			}),
	};

	/** Reads one after the other, so that the first fault is the one that is named. */
	async function readReferences(references: readonly Reference[]): Promise<Picture[]> {
		const pictures: Picture[] = [];
		for (const [index, reference] of references.entries())
			pictures.push(await readReference(reference, references.length > 1 ? `image ${index + 1}` : 'image'));
		return pictures;
	}

	async function compose(
		request: Request,
		{ prompt, size, n }: Awaited<ReturnType<typeof readComposition>>,
		pictures: readonly Picture[],
		sharpText: boolean,
	) {
		const making = await composing(artist, pictures, prompt, size ?? DEFAULT_SIZE, sharpText, request.signal);
		return make(request, n ?? 1, { words: prompt, pictures: bytesOf(pictures) }, making);
	}

	/** Pays for a call and makes its pictures; the same words by the same key go on with the next variation. */
	async function make(request: Request, n: number, what: Omit<Asked, 'authorization'>, making: Making) {
		const asked = { ...what, authorization: request.headers.get('authorization') ?? '' };
		// Ends with the client's leaving, or with the first variation that fails: then the others are for nothing.
		const end = new AbortController();
		const signal = AbortSignal.any([request.signal, end.signal]);
		const made = await queue.admit(n, signal, async (inTurn) => {
			const payment = await quota.take();
			let drawings: Promise<Made>[] = [];
			try {
				const first = await repeats.take(asked, n);
				drawings = Array.from({ length: n }, (_, index) => inTurn(() => making(first + index, signal)));
				return await Promise.all(drawings);
			} catch (error) {
				end.abort(error);
				await Promise.allSettled(drawings);
				await quota.giveBack(payment);
				throw refusalOf(error, request.signal);
			}
		});
		return imageResult(made, now());
	}
}

const bytesOf = (pictures: readonly Picture[]) => pictures.map(({ bytes }) => bytes);

function refusalOf(error: unknown, client: AbortSignal): Error {
	if (client.aborted) return new ApiError(499, 'The client left before the picture was drawn.');
	if (error instanceof ApiError) return error;
	if (error instanceof InputError) return new ApiError(error.status, error.message, { code: 'invalid_image' });
	return new ApiError(500, 'The picture could not be made; it was not counted.', {
		code: 'drawing_failed',
		cause: error,
	});
}

function isSharp(model: string | null | undefined) {
	return checkModel(model, 'images') === 'beta';
}
