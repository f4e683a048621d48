import type { ServiceUsage } from '../domain/job.ts';

/** The one reader of what services answer: a whole answer, or an event of a stream, in any dialect. */

/**
 * A picture in an answer: the texts that may be its base64, or a data URL, those that may be its address, and the entry that they are from,
 * which may say why it is empty.
 */
export type PictureTexts = { texts: readonly string[]; addresses: readonly string[]; entry: unknown };

export const isHeld = ({ texts, addresses }: PictureTexts): boolean => texts.length + addresses.length > 0;

/** What a model says, without its reasoning, and draws. */
type Said = { words: string; pictures: PictureTexts[] };

export type Contents = Said & {
	/** Whether an event before has brought words, and any of words or calls in pieces. What repeats them all by then adds none. */
	hasSaid: boolean;
	isInPieces: boolean;
	/** Whether it is the answer of a chat model. */
	isChat: boolean;
	/** Whether there is sound, a video or a file, and whether there is what nobody knows. */
	hasMedia: boolean;
	hasUnknown: boolean;
	/** The calls of tools, as they are. */
	calls: unknown[];
	/** Why the model has stopped, or a filter has, and the service's own sentence about it. */
	reason?: string;
	isBlocked: boolean;
	explanation?: unknown;
	/** An error in place of an answer. */
	error?: unknown;
	/** What the call has used, for `readUsage`. Streams tell it in pieces. */
	usage: object;
	model?: unknown;
	quality?: unknown;
};

/** Returns the fields of what may be an object. Services write their names in different ways: here, they are in lower case, without `_`. */
export function fieldsOf(value: unknown): Record<string, unknown> {
	const fields: Record<string, unknown> = {};
	if (isObject(value) && !Array.isArray(value))
		for (const [name, one] of Object.entries(value)) fields[name.toLowerCase().replaceAll('_', '')] = one;
	return fields;
}

/**
 * Reads chat completions, responses, the images API, the answers of Gemini, Claude, Cohere and Ollama, and what gateways wrap them in.
 * https://developers.openai.com/api/reference/resources/chat · https://developers.openai.com/api/reference/resources/images ·
 * https://ai.google.dev/api/generate-content · https://platform.claude.com/docs/en/api/messages · https://docs.ollama.com/api/chat
 * @param contents of the events before, which these are added to
 */
export function readContents(value: unknown, contents = noContents()): Contents {
	if (isObject(value)) add(contents, contents, value, Array.isArray(value) ? 'image' : 'answer', MAX_DEPTH);
	contents.hasSaid ||= contents.words !== '';
	return contents;
}

/** Returns what the events of a stream are added to. */
export const noContents = (): Contents => ({
	...{ words: '', pictures: [], calls: [], usage: {} },
	...{ hasSaid: false, isInPieces: false, isChat: false, hasMedia: false, hasUnknown: false, isBlocked: false },
});

/** Yields the texts of an answer, wherever they are. */
export function* textsIn(value: unknown, depth = MAX_DEPTH): Generator<string> {
	if (typeof value === 'string') yield value;
	else if (isObject(value) && depth > 0) for (const one of Object.values(value)) yield* textsIn(one, depth - 1);
}

/** What a value is, unless it says so itself. `part`: one of several that a message has. */
type Kind = 'answer' | 'choice' | 'text' | 'part' | 'image' | 'audio';

type Within = { name: string; is: Kind; rank: number };

/**
 * Fields that answers, messages and their parts have their contents in, and what these are; of `text`, and of some others, also texts. The
 * last two texts repeat the others, for AiHubMix and those that follow it. https://docs.aihubmix.com/en/api/Gemini-Guides
 */
const WITHIN = new Map<string, Within>(
	Object.entries<string>({
		choice: 'choices',
		answer: 'candidates delta token contentblock message response',
		text: 'content parts text value refusal transcript generatedtext multimodcontent multimodalcontent',
		audio: 'audio',
		image:
			'data images artifacts predictions output outputs result results item image imageurls imagebase64 ' +
			'binarydatabase64 resultimage base64 imgs files',
	})
		.flatMap(([is, names]) => names.split(' ').map((name) => ({ name, is: is as Kind })))
		.map((row, rank) => [row.name, { ...row, rank }]),
);

/** Fields that repeat in the end what the others beside them have brought piece by piece. */
const REPEATING: Readonly<Record<string, string>> = { text: 'delta', generatedtext: 'token' };

/** Types of what a model writes for itself or for a tool, and of drafts; of events that repeat what came before; and of those that end a stream. */
const OWN = /think|reason|summary|signature|arguments|tool(?!-call)|function|json_delta|partial_image|audio\.delta/i;
const TOOL = /tool|function/i;
/** Those of the responses API and of Claude that are the call of a tool, or a piece of its arguments. */
const CALL = /^(function_call|tool_use|input_json_delta)$/;
const REPEATED = /\.(done|completed)$/;
const ENDS = /^(message_stop|message-end|response\.(completed|incomplete))$/;

/** Tells whether an event is the last one of its stream. */
export function isEnd(event: unknown): boolean {
	const { type } = Object(event) as { type?: unknown };
	return typeof type === 'string' && ENDS.test(type);
}

/** The most calls of tools in one message, or fragments of them in one event, and the deepest contents. */
const MAX_CALLS = 16;
const MAX_DEPTH = 12;

function add(contents: Contents, to: Said, value: unknown, kind: Kind, depth: number): void {
	if (value === null || value === undefined || depth === 0) return;
	if (Array.isArray(value)) {
		for (const one of value) add(contents, to, one, kind === 'text' ? 'part' : kind, depth - 1);
		return;
	}
	if (typeof value !== 'object' && kind !== 'image') {
		to.words += value;
		return;
	}
	const fields = fieldsOf(value);
	const type = textOf(fields['type']) ?? '';
	const isOwn = type !== '' && OWN.test(type);
	contents.hasUnknown ||= isOwn && kind === 'part' && TOOL.test(type);
	if (isOwn && CALL.test(type)) addCalls(contents, value);
	if (fields['thought'] === true || isOwn) return;
	// Of the fields that are there: a stream has several objects for each token.
	const within: Within[] = [];
	for (const name of Object.keys(fields)) {
		FACTS.get(name)?.(contents, fields[name]);
		const contained = WITHIN.get(name);
		if (contained) within.push(contained);
	}
	const isLast = Array.isArray(fields['choices']) && fields['choices'].length === 0 && readUsage(contents.usage);
	if (isEnd(value) || isLast) contents.reason ??= 'stop';
	if (kind === 'choice' && (fields['error'] || FAILED.test(contents.reason ?? ''))) contents.error = value;
	const isRepeated = contents.hasSaid && REPEATED.test(type);
	const isOther = kind === 'choice' && Number(fields['index']) > 0;
	const said = isRepeated || isOther ? { words: '', pictures: to.pictures } : to;
	const before = said.pictures.length;
	let isLeaf = true;
	if (within.length > 1) within.sort((one, other) => one.rank - other.rank);
	for (const { name, is } of within) {
		const held = fields[name];
		if (held === undefined || (Array.isArray(held) && held.length === 0)) continue;
		const isText =
			is === 'text' || name === 'delta' || name === 'response' || (name === 'message' && kind === 'choice');
		if (!isObject(held) && !isText) continue;
		isLeaf = false;
		contents.isChat ||= is !== 'image';
		// The same pictures may stand in several lists. Beside choices, there are those that a search has found.
		const hasChoices = is === 'image' && [fields['choices'], fields['candidates']].flat().some(isObject);
		if (hasChoices || (is === 'image' && said.pictures.length > before)) continue;
		const { words } = said;
		const calls = contents.calls.length;
		const isOnceMore =
			(name === 'message' && kind === 'choice' && contents.isInPieces) ||
			((words !== '' || contents.hasSaid) && isObject(fields[REPEATING[name] ?? ''])) ||
			(words !== '' && name.startsWith('multi'));
		add(contents, isOnceMore ? { words: '', pictures: said.pictures } : said, held, is, depth - 1);
		if (isOnceMore) contents.calls.splice(calls);
		contents.isInPieces ||= name === 'delta' && said === to && (said.words !== words || contents.calls.length > calls);
	}
	if (isLeaf || kind === 'audio') addLeaf(contents, said, value, kind);
}

type Fact = (contents: Contents, held: unknown) => void;

/** What fields say about an answer, whichever part of it they belong to. */
const FACTS = new Map(
	Object.entries<Fact>({
		'finishreason donereason stopreason incompletedetails': addReason,
		'usage usagemetadata': (contents, held) => Object.assign(contents.usage, fieldsOf(held)),
		'done stop': (contents, held) => {
			if (held === true) contents.reason ??= 'stop';
		},
		// xAI and Ideogram say that a picture is not safe; fal, Stability and Vertex that a filter has found something.
		'respectmoderation isimagesafe': (contents, held) => {
			contents.isBlocked ||= held === false;
		},
		'hasnsfwconcepts finishreasons raifilteredreason': (contents, held) => {
			contents.explanation ??= held;
			contents.isBlocked ||= [held].flat().some((one) => one === true || textOf(one) !== undefined);
		},
		'model modelversion': keepsAs('model'),
		quality: keepsAs('quality'),
		finishmessage: keepsAs('explanation'),
		promptfeedback(contents, held) {
			const { blockreason, blockreasonmessage } = fieldsOf(held);
			contents.isBlocked ||= blockreason !== undefined;
			contents.explanation ??= blockreasonmessage;
			addReason(contents, blockreason);
		},
		'toolcalls functioncall': addCalls,
	}).flatMap(([names, add]) => names.split(' ').map((name) => [name, add] as const)),
);

/** Keeps what is said first. */
function keepsAs(name: 'model' | 'quality' | 'explanation'): Fact {
	return (contents, held) => {
		contents[name] ??= held;
	};
}

function addCalls(contents: Contents, held: unknown): void {
	contents.isChat = true;
	contents.calls.push(...[held ?? []].flat().slice(0, MAX_CALLS));
}

function addReason(contents: Contents, held: unknown): void {
	const { type, reason } = fieldsOf(held);
	contents.reason = textOf(held) ?? textOf(type ?? reason) ?? (isCount(held) ? `${held}` : contents.reason);
}

/** Reasons by which services say that they failed. https://docs.bigmodel.cn/api-reference · https://api-docs.deepseek.com/api/create-chat-completion */
const FAILED = /error|insufficient|abort|malformed/i;

/** Adds a picture, or notes what else a part is. */
function addLeaf(contents: Contents, said: Said, part: unknown, kind: Kind): void {
	const { types, texts, addresses } = heldBy(part);
	const held = [...texts, ...addresses];
	const named = [...types, ...held.flatMap((text) => /^data:([\w/+.-]{1,100})/i.exec(text)?.[1] ?? [])].join(' ');
	if (kind === 'image' || (held.length > 0 && /image|^$/i.test(named) && kind !== 'audio'))
		said.pictures.push({ texts, addresses, entry: part });
	else if (/audio|video|file|document|application|^$/i.test(named) && held.length > 0) contents.hasMedia = true;
	else if (kind === 'part') contents.hasUnknown = true;
}

/** Fields by which parts say what they are, and that have their bytes, an address, or an object with these. */
const TYPES = /^(type|mime|(mime|media|content)type)$/;
const BYTES = /b64|base64|^(result|image|data|filedata|resultimage|generatedimage)$/;
const ADDRESSES = /ur[il]$|^(link|sample|output)$/;
/** Fields that have a smaller picture, or the same one once more. */
const LESSER = /thumb|preview|download/;
const HOLDERS = /^(imageurl|videourl|inputaudio|inlinedata|filedata|file|source|image)$/;

/** Returns what a part says of its type, and the texts that may be its content, base64 before addresses. A text is its own. */
export function heldBy(part: unknown, depth = 3): { types: string[]; texts: string[]; addresses: string[] } {
	if (typeof part === 'string') return { types: [], texts: [part], addresses: [] };
	const fields = Object.entries(fieldsOf(part)).sort(
		([one], [other]) => Number(LESSER.test(one)) - Number(LESSER.test(other)),
	);
	const under = (keys: RegExp) => fields.flatMap(([name, one]) => (keys.test(name) ? (textOf(one) ?? []) : []));
	const holders = depth > 1 ? fields.filter(([name, one]) => HOLDERS.test(name) && isObject(one)) : [];
	const within = holders.map(([, one]) => heldBy(one, depth - 1));
	return {
		types: [...under(TYPES), ...within.flatMap(({ types }) => types)],
		texts: [...under(BYTES), ...within.flatMap(({ texts }) => texts)],
		addresses: [...under(ADDRESSES), ...within.flatMap(({ addresses }) => addresses)],
	};
}

/**
 * Reads what a call has used: tokens, for pictures (`input_tokens`), for chat (`prompt_tokens`) or in Gemini's `usageMetadata`; those of text
 * among its input; and what it costs in USD where the service says so.
 * https://github.com/openai/openai-openapi (ImagesResponse) · https://openrouter.ai/docs/use-cases/usage-accounting
 */
export function readUsage(usage: object): ServiceUsage | undefined {
	const { inputtokens, outputtokens, prompttokens, completiontokens, cost, ...rest } = fieldsOf(usage);
	const input = inputtokens ?? prompttokens ?? rest['prompttokencount'];
	const output = outputtokens ?? completiontokens ?? Number(rest['totaltokencount']) - Number(input);
	const tokens = isCount(input) && isCount(output) ? { input, output } : undefined;
	const { texttokens: text } = fieldsOf(rest['inputtokensdetails']);
	const isCost = typeof cost === 'number' && cost >= 0 && cost < MAX_COST_USD;
	if (!tokens && !isCost) return undefined;
	return {
		...(tokens && { tokens }),
		...(isCount(text) && { textTokens: text }),
		// Rounded up, but for what the arithmetic of floating point adds.
		...(isCost && { cost: Math.ceil(Math.round(cost * 1e9) / 1e3) }),
	};
}

/** More than any call costs. */
const MAX_COST_USD = 10_000;

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;
const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
/** Returns a text that is not empty, nor what programs write where there is none. */
export function textOf(value: unknown): string | undefined {
	if (typeof value !== 'string') return undefined;
	// Bounded: at most 10 characters.
	return value.length > 10 || !/^[\s#-]*(null|none|undefined)?$/i.test(value) ? value : undefined;
}

/** Status and headers of an answer; header names are lower case. */
export type AnswerHead = { status: number; headers: Readonly<Record<string, string | readonly string[] | undefined>> };

/** Returns the value of a header, or the first of several. */
export const headerOf = (head: AnswerHead, name: string): string | undefined => [head.headers[name]].flat()[0];

/** Returns a code or id if it is safe in a log line. */
export function identifier(value: string | undefined): string | undefined {
	return value !== undefined && /^[\w.:/+=-]{1,128}$/.test(value) ? value : undefined;
}

/** The names of fields by which an object becomes no text and no number, and letters of them in escapes, which nobody needs. */
const UNTEXTUAL = ['toString', 'valueOf', '\\u004', '\\u005', '\\u006', '\\u007'];

/** Returns undefined for what is no JSON. Everything in it can be made a text and a number. */
export function parsed(text: string): unknown {
	const isOdd = UNTEXTUAL.some((one) => text.includes(one));
	const kept = (name: string, value: unknown) => (name === 'toString' || name === 'valueOf' ? undefined : value);
	try {
		return JSON.parse(text, isOdd ? kept : undefined);
	} catch {
		return undefined;
	}
}
