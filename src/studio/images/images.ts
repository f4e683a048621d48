import { ApiError } from '../http/api-error.ts';
import { InputError } from '../input.ts';
import { checkModel } from '../models.ts';
import type { Quota } from '../quota.ts';
import type { Queue } from './queue.ts';
import { type Reference, readReference } from './references.ts';
import { readComposition, readEdit, readGeneration } from './requests.ts';
import { imageResult } from './result.ts';

/** Inputs of all ways to make a picture. `variation` counts from 0; the same request gives the same bytes. */
type Making = { variation: number; signal?: AbortSignal };

/** The hands that make PNGs. */
export type Hands = {
	draw(request: Making & { prompt: string; width: number; height: number; sharpText: boolean }): Promise<Uint8Array>;
	edit(request: Making & { image: Uint8Array; instruction: string; sharpText: boolean }): Promise<Uint8Array>;
	compose(
		request: Making & { images: readonly Uint8Array[]; prompt: string; width?: number; height?: number },
	): Promise<Uint8Array>;
};

type Options = {
	hands: Hands;
	quota: Quota;
	queue: Queue;
	now: () => Date;
};

const DEFAULT_SIZE = { width: 1024, height: 1024 };

/** The three image endpoints. Whatever is refused for its input costs nothing. */
export function createImages({ hands, quota, queue, now }: Options) {
	return {
		async generate(request: Request): Promise<Response> {
			const { prompt, size, n, model } = await readGeneration(request);
			const sharpText = isSharp(model);
			return make(request, n, (making) => hands.draw({ prompt, ...(size ?? DEFAULT_SIZE), sharpText, ...making }));
		},

		/** One picture is edited; several are composed, as clients of the images API expect. */
		async edit(request: Request): Promise<Response> {
			const { prompt, size, images: references, n, model } = await readEdit(request);
			const sharpText = isSharp(model);
			const images = await readReferences(references);
			const [image] = images;
			if (images.length > 1 || !image)
				return make(request, n, (making) => hands.compose({ images, prompt, ...size, ...making }));
			return make(request, n, (making) => hands.edit({ image, instruction: prompt, sharpText, ...making }));
		},

		async compose(request: Request): Promise<Response> {
			const { prompt, size, images: references, n, model } = await readComposition(request);
			checkModel(model, 'images');
			const images = await readReferences(references);
			return make(request, n, (making) => hands.compose({ images, prompt, ...size, ...making }));
		},
	};

	/** Reads one after the other, so that the first fault is the one that is named. */
	async function readReferences(references: readonly Reference[]): Promise<Uint8Array[]> {
		const images: Uint8Array[] = [];
		for (const [index, reference] of references.entries())
			images.push(await readReference(reference, references.length > 1 ? `image ${index + 1}` : 'image'));
		return images;
	}

	async function make(
		request: Request,
		n: number | null | undefined,
		hand: (making: Required<Making>) => Promise<Uint8Array>,
	): Promise<Response> {
		const variations = Array.from({ length: n ?? 1 }, (_, variation) => variation);
		// Ends with the client's leaving, or with the first variation that fails: then the others are for nothing.
		const end = new AbortController();
		const signal = AbortSignal.any([request.signal, end.signal]);
		const pictures = await queue.admit(variations.length, signal, async (inTurn) => {
			const payment = await quota.take();
			const drawings = variations.map((variation) => inTurn(() => hand({ variation, signal })));
			try {
				return await Promise.all(drawings);
			} catch (error) {
				end.abort(error);
				await Promise.allSettled(drawings);
				await quota.giveBack(payment);
				throw refusalOf(error, request.signal);
			}
		});
		return imageResult(pictures, now());
	}
}

function refusalOf(error: unknown, client: AbortSignal): ApiError {
	if (client.aborted) return new ApiError(499, 'The client left before the picture was drawn.');
	if (error instanceof InputError) return new ApiError(error.status, error.message, { code: 'invalid_image' });
	return new ApiError(500, 'The picture could not be made; it was not counted.', {
		code: 'drawing_failed',
		cause: error,
	});
}

function isSharp(model: string | null | undefined) {
	return checkModel(model, 'images') === 'beta';
}
