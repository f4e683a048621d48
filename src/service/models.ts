import { oneLine } from '../domain/text.ts';
import { fieldsOf, textOf } from './contents.ts';
import { InvalidResponseError } from './errors.ts';

/** The most models that are read of a list, and the longest name of one. The longest public list has some hundred. */
const MAX_MODELS = 2000;
const MAX_MODEL_NAME = 100;
/** How deep a list may be in an answer. */
const MAX_DEPTH = 3;

/** The latest time that a date can have. */
const MAX_TIME = 8.64e15;

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

/** Entries that are no models are left out. Together's list has nothing around it, others have it under another name. */
export function readModels(answer: unknown): ListedModel[] {
	let list = answer;
	for (let depth = 0; depth < MAX_DEPTH && !Array.isArray(list); depth++) {
		const { data, models, result } = fieldsOf(list);
		list = data ?? models ?? result;
	}
	if (!Array.isArray(list)) throw new InvalidResponseError('it is not a list of models', answer);
	return list.slice(0, MAX_MODELS).flatMap((one) => modelOf(one) ?? []);
}

/** Reads a model as OpenAI, OpenRouter, Mistral and others list it; of some, there is the name alone, or it has another name. */
function modelOf(entry: unknown): ListedModel | undefined {
	const fields = fieldsOf(typeof entry === 'string' ? { id: entry } : entry);
	const id = ['id', 'model', 'modelname', 'name'].map((name) => textOf(fields[name])).find(Boolean);
	if (id === undefined || id.length > MAX_MODEL_NAME || oneLine(id) !== id) return undefined;
	const { capabilities, tags, supportedparameters } = fields;
	const { inputmodalities = fields['inputmodalities'], outputmodalities } = fieldsOf(fields['architecture']);
	const { vision, functioncalling } = fieldsOf(capabilities);
	const parameters = namesIn(supportedparameters);
	const { resolution } = fieldsOf(supportedparameters);
	return {
		// Gemini's names say what they are.
		id: id.replace(/^models\//, ''),
		gives: namesIn(outputmodalities),
		endsAt: endOf(fields),
		takesTools: parameters?.includes('tools') ?? flagIn(functioncalling),
		resolutions: parameters || !supportedparameters ? undefined : (namesIn(fieldsOf(resolution)['values']) ?? []),
		takesPictures:
			namesIn(inputmodalities)?.includes('image') ??
			flagIn(vision) ??
			([capabilities, tags].flat().includes('vision') || undefined),
	};
}

const flagIn = (value: unknown) => (typeof value === 'boolean' ? value : undefined);
const namesIn = (value: unknown) =>
	Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : undefined;

/** Fields that say when a model ends, as OpenAI, LiteLLM, OpenRouter, Mistral, Azure and others name them. */
const ENDS = /^(shutdown|deprecation|expir(ation|es)|retire(ment|s)|sunset|endoflife|eol)(date|at|on)?$/;

/** Returns a day in Unix milliseconds: from a text, from seconds, or as Azure has it. Everything else says nothing. */
function endOf(fields: Record<string, unknown>): number | undefined {
	const said = Object.keys(fields).filter((name) => ENDS.test(name));
	const times = said.map((name) => {
		const value = fieldsOf(fields[name])['inference'] ?? fields[name];
		// What is too much for a day in seconds is in milliseconds.
		if (typeof value === 'number') return value < 1e11 ? value * 1000 : value;
		return Date.parse(textOf(value) ?? '');
	});
	return times.find((time) => time > 0 && time <= MAX_TIME);
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
