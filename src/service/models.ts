import * as z from 'zod';
import { oneLine } from '../domain/text.ts';
import { fieldsOf, textOf } from './contents.ts';
import { InvalidResponseError } from './errors.ts';

/** The most models that are read of a list, and the longest name of one. The longest public list has some hundred. */
const MAX_MODELS = 2000;
const MAX_MODEL_NAME = 100;

/** What a list may say in another way, or not at all. */
const said = <T extends z.ZodType>(schema: T) => schema.optional().catch(undefined);
const Names = z.array(z.string());

/** What is too much for a day in seconds is in milliseconds. */
const inMilliseconds = (time: number) => (time < 1e11 ? time * 1000 : time);

/** A day in Unix milliseconds: as text, in seconds, or as Azure has it. Everything else says nothing. */
const Day = said(
	z
		.unknown()
		.transform((value) => Object(value).inference ?? value)
		.pipe(z.union([z.int().transform(inMilliseconds), z.string().transform((text) => Date.parse(text))]))
		.pipe(z.int().min(1).max(8.64e15)),
);
/**
 * Whether a model takes pictures and tools, as OpenRouter, Mistral, or labels such as `vision` say it, which resolutions its pictures have, by OpenRouter's list
 * of image models; and when it ends, by the names of OpenAI, LiteLLM, OpenRouter, and of Mistral and Azure.
 */
const Model = z.object({
	id: z.string(),
	architecture: said(z.object({ input_modalities: Names, output_modalities: Names.optional() })),
	input_modalities: said(Names),
	capabilities: said(z.object({ vision: z.boolean().optional(), function_calling: z.boolean().optional() })),
	labels: z.array(z.unknown()),
	supported_parameters: said(z.union([Names, z.object({ resolution: z.object({ values: Names }).optional() })])),
	...{ shutdown_date: Day, deprecation_date: Day, expiration_date: Day, deprecation: Day },
});
/** Finds the list: Together's has nothing around it, others have it under another name. */
function listIn(answer: unknown, depth = 3): unknown[] | undefined {
	if (Array.isArray(answer) || depth === 0) return Array.isArray(answer) ? answer : undefined;
	const { data, models, result } = fieldsOf(answer);
	return listIn(data ?? models ?? result, depth - 1);
}

/** Returns a model as the schema has it: some lists have names alone, or names of another name. */
function modelOf(entry: unknown): unknown {
	const { id, model, modelname, name, capabilities, tags } = fieldsOf(entry);
	const labels = [capabilities, tags].flat();
	return typeof entry === 'string'
		? { id: entry, labels }
		: { ...Object(entry), id: id ?? model ?? modelname ?? name, labels };
}

/**
 * A model in a service's list, with what the list says of it: whether it takes pictures and tools, the kinds of its output, the resolutions of
 * its pictures (`2K`), and when it ends, in Unix milliseconds.
 */
export type ListedModel = {
	id: string;
	takesPictures?: boolean;
	takesTools?: boolean;
	gives?: readonly string[];
	resolutions?: readonly string[];
	endsAt?: number;
};

/** Entries that are no models are left out. */
export function readModels(answer: unknown): ListedModel[] {
	const list = listIn(answer);
	if (!list) throw new InvalidResponseError('it is not a list of models', answer);
	const models = list.slice(0, MAX_MODELS).flatMap((one) => Model.safeParse(modelOf(one)).data ?? []);
	return models
		.filter(({ id }) => id.length <= MAX_MODEL_NAME && oneLine(id) === id && id !== '')
		.map(({ id, architecture, input_modalities, capabilities, labels, supported_parameters: parameters, ...days }) => ({
			// Gemini's names say what they are.
			id: id.replace(/^models\//, ''),
			gives: architecture?.output_modalities,
			endsAt: Object.values(days).find((day) => day !== undefined),
			takesTools: Array.isArray(parameters) ? parameters.includes('tools') : capabilities?.function_calling,
			resolutions: Array.isArray(parameters) ? undefined : parameters && (parameters.resolution?.values ?? []),
			takesPictures:
				(architecture?.input_modalities ?? input_modalities)?.includes('image') ??
				capabilities?.vision ??
				(labels.includes('vision') || undefined),
		}));
}

/**
 * Returns the query of the next page of a list, as Claude's API and Google's have it. https://platform.claude.com/docs/en/api/models-list ·
 * https://ai.google.dev/api/models
 */
export function nextPage(answer: unknown): string | undefined {
	const { hasmore, lastid, nextpagetoken } = fieldsOf(answer);
	const [last, token] = [textOf(lastid), textOf(nextpagetoken)];
	if (hasmore === true && last) return `after_id=${encodeURIComponent(last)}`;
	return token && `pageToken=${encodeURIComponent(token)}`;
}

/** How long a list is used, and how long a service that gave none is left alone, in milliseconds. */
const LISTED_MS = 3600_000;
const FAILED_MS = 60_000;

/** Longest wait for a list that an answer depends on. */
const LIST_MS = 5000;

/** The list of a service, read again when it is old. */
export class ModelList {
	readonly #list: (signal: AbortSignal) => Promise<readonly ListedModel[]>;
	#until = 0;
	#models: Promise<readonly ListedModel[]> = Promise.resolve([]);

	constructor(list: (signal: AbortSignal) => Promise<readonly ListedModel[]>) {
		this.#list = list;
	}

	/** Never rejects. */
	async find(model: string): Promise<ListedModel | undefined> {
		if (performance.now() >= this.#until) {
			this.#until = performance.now() + LISTED_MS;
			this.#models = this.#list(AbortSignal.timeout(LIST_MS)).catch(() => {
				this.#until = performance.now() + FAILED_MS;
				return [];
			});
		}
		return (await this.#models).findLast(({ id }) => id === model);
	}
}
