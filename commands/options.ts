import { z } from 'zod';
import type { RequestSummary } from '../src/bot/declaration/command.ts';
import { NAMED_SIZES, partsOfSize } from '../src/domain/channel.ts';
import { MAX_PROMPT_CHARACTERS } from '../src/domain/text.ts';
import type { MessageId } from '../src/i18n/translator.ts';
import { QUALITIES } from '../src/service/service.ts';

/** The shortest and the longest side of a picture, in pixels. */
const SIDE = { min: 64, max: 4096 };

/** The side of a square with as many pixels as a ratio gets, and the step of its sides. */
const PIXELS = 1024;
const STEP = 16;

export const prompt = (description: MessageId) =>
	z
		.string()
		.trim()
		.min(1)
		.max(MAX_PROMPT_CHARACTERS)
		.refine((text) => text.isWellFormed(), 'options.errors.malformed')
		.refine((text) => !/[^\P{Cc}\n\r\t]/u.test(text), 'options.errors.control')
		.describe(description);

export const size = z
	.string()
	.trim()
	.toLowerCase()
	.max(14)
	.overwrite(withUsualSigns)
	.overwrite(sizeOfRatio)
	.overwrite(inOrder)
	.refine(isSize, { error: 'options.errors.size', params: SIDE })
	.describe('options.size')
	.meta({ suggests: 'sizes' })
	.optional();

/** Returns a size with the signs that are read here: people also write `1920 × 1080`, `16x9` and `16/9`. */
function withUsualSigns(text: string): string {
	return text
		.normalize('NFKC')
		.replace(/(?<!\d)(\d{1,4}) ?[x×*:/] ?(\d{1,4})(?:px)?/, (_, width: string, height: string) => {
			const isRatio = Math.max(Number(width), Number(height)) < SIDE.min;
			return `${width}${isRatio ? ':' : 'x'}${height}`;
		});
}

/** Returns the size of about a megapixel that has a ratio (`16:9`), in steps that models can draw; other texts as they are. */
function sizeOfRatio(text: string): string {
	const [width = 0, height = 0] = /^(\d{1,2}):(\d{1,2})$/.exec(text)?.slice(1).map(Number) ?? [];
	if (width === 0 || height === 0) return text;
	const side = (ratio: number) => Math.round((PIXELS * Math.sqrt(ratio)) / STEP) * STEP;
	return `${side(width / height)}x${side(height / width)}`;
}

/** Returns a size with a resolution (`2k 16:9`, `wide 4k`, `2k`) as it is stored, with the resolution last; other texts as they are. */
function inOrder(text: string): string {
	const words = text.split(' ');
	const resolution = words.find((word) => word === '2k' || word === '4k');
	if (!resolution) return text;
	return [...words.filter((word) => word !== resolution), resolution.toUpperCase()].join(' ');
}

function isSize(text: string): boolean {
	const { shape, resolution } = partsOfSize(text);
	if (Object.hasOwn(NAMED_SIZES, shape)) return true;
	if (resolution) return sizeOfRatio(shape) !== shape;
	const sides = /^(\d{2,4})x(\d{2,4})$/.exec(text)?.slice(1).map(Number);
	return sides?.every((side) => side >= SIDE.min && side <= SIDE.max) ?? false;
}

/** Up to four variations, made in one call. Some services make fewer. */
export const n = z.int().min(1).max(4).describe('options.n').meta({ counts: 'pictures' }).optional();

/** The service knows the models; only characters that no name has are refused here. */
export const modelName = (description: MessageId) =>
	z
		.string()
		.trim()
		.max(100)
		.refine((text) => /^[\w.:/-]+$/.test(text), 'options.errors.model')
		.describe(description);

export const model = modelName('options.model').meta({ suggests: 'models' }).optional();

/** How finely a picture is drawn, where one of the service's models can be told so: its price differs by it. */
export const quality = z.enum(QUALITIES).describe('options.quality').meta({ needs: 'quality' }).optional();

/** Where the model cannot draw it, Easel cuts a flat background out. */
export const background = z.enum(['transparent']).describe('options.background').optional();

export const isPrivate = z.boolean().describe('options.private').optional();

type SharedOptions = {
	prompt: string;
	size?: string;
	n?: number;
	quality?: string;
	background?: string;
	model?: string;
	private?: boolean;
};

/** Describes a request by the options that the picture commands share. */
export const summaryOf = ({ n: count = 1, private: isPrivate = false, ...options }: SharedOptions): RequestSummary => {
	const { prompt, model, size, quality, background } = options;
	return { prompt, private: isPrivate, count, model, size, quality, background };
};

/** As `summaryOf`, for commands with a size. */
export const sizedSummaryOf = ({ size = 'square', ...options }: SharedOptions): RequestSummary =>
	summaryOf({ size, ...options });
