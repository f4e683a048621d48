import { STATUS_CODES } from 'node:http';
import { oneLine } from '../domain/text.ts';
import { type AnswerHead, fieldsOf, headerOf, identifier, parsed } from './contents.ts';

/**
 * The reason why a call failed. Complete error answers, by what can be done about them:
 * - `key`: the operator sets another key; it is missing, wrong or not allowed (401, 403)
 * - `balance`: the operator tops up; plan and balance are used up (402)
 * - `content`: the person asks for something else; the service refuses this content
 * - `request`: the person or the operator changes the request; the service does not take it (other 4xx, 501, 505, a moved address)
 * - `busy`: asked again later, after `retryAfterSeconds` if given, it may work (408, 425, 429, 503)
 * - `failure`: the service or a gateway in front of it failed (every other 5xx)
 *
 * Without a complete and valid answer:
 * - `unreachable`: no connection could be made, also by a proxy (407), so that nothing was sent
 * - `no-answer`: the request was sent, and no answer began
 * - `cut-off`: an answer began and did not come to its end
 * - `invalid`: the answer is not what the interface promises
 * - `length`: the chat model stopped at its longest answer
 * - `address`: the pictures were made, and could not be fetched from the addresses in the answer
 */
export const SERVICE_ERROR_KINDS = [
	...(['key', 'balance', 'content', 'request', 'busy', 'failure'] as const),
	...(['unreachable', 'no-answer', 'cut-off', 'invalid', 'address', 'length'] as const),
];
export type ServiceErrorKind = (typeof SERVICE_ERROR_KINDS)[number];

/**
 * Fields that requests have for convenience, and the role `system` of messages: a service that refuses one is asked without it. Of the last
 * two, models take one or the other.
 */
export const OPTIONAL_FIELDS = [
	...(['stream', 'stream_options', 'encoding_format', 'response_format', 'safety_identifier'] as const),
	...(['tools', 'system', 'quality', 'background', 'max_tokens', 'max_completion_tokens'] as const),
];
export type OptionalField = (typeof OPTIONAL_FIELDS)[number];

type ServiceErrorFacts = {
	/** HTTP status, if an answer began. */
	status?: number;
	/** The service's own code, or for problems with the connection the system's or client's (`ECONNREFUSED`, `TIMEOUT`). */
	code?: string;
	/** The service's own id of the request. */
	requestId?: string;
	retryAfterSeconds?: number;
	/** The variable that the operator has to check: of the key, of an address that has moved, or of a proxy that refuses. */
	variable?: string;
	/** The option, of a `request`, or the field that the service does not take. */
	about?: 'size' | 'model' | OptionalField;
	/** The service's own message, shortened, without control characters. It may repeat what a person wrote. */
	detail?: string;
	/** Where the pictures are, for one more attempt. */
	addresses?: readonly string[];
	/** The reason of the signal that aborted the call. */
	cause?: unknown;
};

/**
 * Thrown when a call to the image service failed. The message is safe to log: it holds no key, prompt, address or picture. `detail` and
 * `addresses` are not, and are therefore not enumerable, so that loggers and serializers leave them out.
 */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the constructor assigns all of them.
export class ServiceError extends Error {
	override name = 'ServiceError';
	readonly kind: ServiceErrorKind;

	constructor(kind: ServiceErrorKind, message: string, { detail, addresses, cause, ...facts }: ServiceErrorFacts = {}) {
		super(message, cause === undefined ? {} : { cause });
		this.kind = kind;
		Object.assign(this, facts);
		Object.defineProperties(this, { detail: { value: detail }, addresses: { value: addresses } });
	}
}

export interface ServiceError extends Readonly<Omit<ServiceErrorFacts, 'cause'>> {}

/** Returns the error of an answer that has begun, with the service's id of the request, under the names that services use. */
export function failureOf(
	head: AnswerHead,
	kind: ServiceErrorKind,
	message: string,
	facts: ServiceErrorFacts = {},
): ServiceError {
	const id = headerOf(head, 'x-request-id') ?? headerOf(head, 'request-id') ?? headerOf(head, 'x-correlation-id');
	const requestId = identifier(id) ?? identifier(facts.requestId);
	return new ServiceError(kind, message, { status: head.status, ...facts, requestId });
}

/** Thrown by readers of answers when an answer is not what the interface promises. `reasonOf` turns it into a `ServiceError`. */
export class InvalidResponseError extends Error {
	override name = 'InvalidResponseError';
	readonly answer: unknown;
	readonly code: 'EMPTY' | undefined;

	/** @param answer the JSON of the answer, which may say what went wrong */
	constructor(message: string, answer?: unknown, code?: 'EMPTY') {
		super(message);
		this.answer = answer;
		this.code = code;
	}
}

/** Shorter keys are no secrets, and may be ordinary words. */
const MIN_KEY = 6;
/** Longest part of the service's own message that is kept, and the one in which words are looked for, in UTF-16 units. */
const DETAIL_LENGTH = 300;
const SEARCHED_LENGTH = 2000;

/**
 * The kinds that a complete error answer can have: the status that such an error in an answer with status 200 stands for, and the codes and
 * types by which services name it. The first that fits decides, whatever the message says. The words count in messages without such a code;
 * what is between quotes may be a prompt, and is not looked at.
 */
const ERRORS = {
	content: {
		sentence: 'The image service refuses this content',
		status: 400,
		// `1301` is Zhipu's, `1026` and `1027` are those of MiniMax, `504…` and `505…` of Volcano Engine, and those from `prohibited` are Google's.
		// https://docs.bigmodel.cn/cn/faq/api-code, https://platform.minimax.io/docs/api-reference/errorcode,
		// https://ai.google.dev/api/generate-content#FinishReason
		codes:
			/content[-_ ]?(policy|filter|violation|management)|(content|prompt)[-_ ]?(blocked|rejected)|banned|copyright|policy[-_ ]?violation|moderat(ion|ed)|guardrail|unsafe|safety|nsfw|sensitive|inspection|ResponsibleAI|prohibited|recitation|blocklist|spii|illegal\w*detected|infringement|^filtered$|^refusal$|^(1301|102[67]|50[45]1\d)$/i,
		words:
			/safety[ _](system|filter|check|polic|violation)|content[- ]?(polic|filter|management|moderation)|nsfw|moderated|(rejected|blocked) by (our )?moderation|moderation (system|polic|reason|has failed)|guardrail|(was|been|as|is) (flagged|sensitive(?! to))|deemed unsafe|moderator|copyright infringement|flagged (as|by|for)|(inappropriate|unsafe|prohibited|disallowed|forbidden|filtered|harmful|explicit|copyrighted)[ _](content|material|terms|words)|banned words|sensitive (content|words)|(violat\w+|against) (our|the|content|usage) [\w ]{0,30}(polic|guideline|terms|standards)|responsible ai|risk not pass|敏感|违规|違反|위반/i,
	},
	balance: {
		sentence: 'The image service says that plan and balance are used up',
		status: 402,
		codes:
			/insufficient[-_ ]?(user[-_ ]?)?(quota|balance|funds|credit)|billing|payment[-_ ]?required|budget[-_ ]?exceeded|credits|charge\w*exhaust|arrear|overdue|free[-_ ]?tier|^4006$/i,
		words:
			/insufficient (account )?(quota|balance|funds|credit)|\bbilling\b|payment (required|method)|(out of|more|any|enough|available|remaining) (credits?|api tokens)|budget has been exceeded|balance is (insufficient|too low)|(spend|spending|usage|monthly|free tier|daily request|total request) limits?\b|free allocation|(subscription|trial) (has )?(ended|expired)|unpaid|key limit exceeded|余额|额度|欠费/i,
	},
	busy: {
		sentence: 'The image service is busy',
		status: 429,
		codes:
			/(rate|request)[-_ ]?limit|too[-_ ]?many|overloaded|resource_exhausted|throttl|^busy$|unavailable|^(1039|504(29|30))$/i,
		words:
			/rate[- ]?limit|(qps|rpm|tpm)( request)? limit|too many (concurrent )?requests|concurrency limit|queue is full|high demand|is (currently |still )?loading|server is busy|no available channel|overloaded|(at|over) capacity|capacity (temporarily )?exceeded|负载|繁忙|频率|访问量过大/i,
	},
	key: {
		sentence: 'The image service does not accept the key',
		status: 401,
		codes:
			/(invalid|incorrect)[-_ ]?(api[-_ ]?)?key|key[-_ ]?(invalid|expired)|auth(entication|[-_]?failure|[-_]?error)|unauthorized|permission|^2049$/i,
		words:
			/(invalid|incorrect|wrong|missing|expired) (api[- ]key|authentication token)|(api key|access token) (is |has )?(not valid|invalid|missing|expired)|login fail/i,
	},
	request: {
		sentence: 'The image service does not take this request',
		status: 400,
		// Some services have those left out for whatever is wrong.
		codes:
			/^(invalid|unsupported|unknown|missing)[-_](?!(request|request_error|argument)$)|not[-_ ]?found|context[-_ ]?length|^2013$/i,
	},
	failure: { sentence: 'The image service failed' },
	invalid: { sentence: 'The image service gave an answer outside its interface' },
	unreachable: { sentence: 'A proxy does not pass requests on to the image service' },
} as const;

type ErrorAnswerKind = keyof typeof ERRORS;

/** The kinds that words tell, and those that codes name. */
const SAID = ['content', 'balance', 'busy', 'key'] as const;
const NAMED = [...SAID, 'request'] as const;
type SaidKind = (typeof SAID)[number];
type NamedKind = (typeof NAMED)[number];

/**
 * Tells whether the status of a complete answer says that the work was not done. With others above 499, services fail, or gateways in front of
 * them. Where the address has moved, the service did not look at the request, and redirects are never followed.
 */
export const isRefusal = (status: number): boolean =>
	(status >= 400 && status < 500) || [500, 501, 503, 505, 301, 307, 308].includes(status);

/** What was asked: with which key, by which variables of the operator, and with which words of a person. */
export type Asked = { apiKey?: string; variables?: { address: string; key: string }; prompt?: string };

/** The content of an error, whichever common shape it has, with the status that it names. */
type ErrorBody = Partial<Record<'message' | 'code' | 'type' | 'param' | 'requestId', string>> &
	Partial<Record<'status' | 'retryAfterSeconds', number>>;

/**
 * Returns the error that a complete answer stands for. Some services repeat the key that they refuse, or the words.
 * @param assumed the status of an error within a successful answer, if it names none
 */
export function errorOf(head: AnswerHead, error: ErrorBody, asked: Asked = {}, assumed = head.status): ServiceError {
	const { apiKey, variables, prompt = '' } = asked;
	// Local servers take any word for a key.
	const withoutKey = (text = '') => (apiKey && apiKey.length >= MIN_KEY ? text.replaceAll(apiKey, '…') : text);
	const isError = head.status < 200 || head.status > 299;
	// A prompt of one word is not looked for: it may be one of the service's own.
	const { message = '' } = error;
	const own = prompt.includes(' ') ? message.replaceAll(prompt, '') : message;
	const words = own.slice(0, SEARCHED_LENGTH).replaceAll(QUOTES, '');
	const byCode = kindOfCode(error);
	const byWords = SAID.find((one) => ERRORS[one].words.test(words));
	const named = byCode ?? byWords;
	const stated = byCode === 'content' ? undefined : error.status;
	const status = isError ? head.status : (stated ?? (named && ERRORS[named].status) ?? assumed);
	const kind = kindOf(status, byCode, byWords, error.retryAfterSeconds === undefined);
	const hasMoved = status >= 300 && status <= 399;
	// Proxies are asked for encrypted connections before there is an answer.
	const proxy = status === 407 ? 'HTTP_PROXY' : undefined;
	const about = optionOf(error);
	return failureOf(head, kind, `${ERRORS[kind].sentence} (status ${status}).`, {
		status,
		code: hasMoved ? 'MOVED' : identifier(withoutKey(error.code ?? error.type)),
		variable: proxy ?? (hasMoved ? variables?.address : kind === 'key' ? variables?.key : undefined),
		requestId: error.requestId,
		retryAfterSeconds: secondsToWait(head) ?? error.retryAfterSeconds,
		about: kind === 'request' || kind === 'key' || (about !== 'size' && about !== 'model') ? about : undefined,
		detail: oneLine(withoutKey(error.message), DETAIL_LENGTH) || undefined,
	});
}

/** Returns what a reader of an answer has thrown; an `InvalidResponseError` as what the answer says, or as `invalid`. */
export function reasonOf(error: unknown, head: AnswerHead, asked: Asked): unknown {
	if (!(error instanceof InvalidResponseError)) return error;
	const said = readError(error.answer);
	// A status alone is none of an error: pictures may still be made.
	if (said.message !== undefined || kindOfCode(said) || isErrorObject(error.answer)) {
		const { data, choices } = fieldsOf(error.answer);
		// What was accepted only may still be made.
		const isWhole = head.status !== 202 && typeof error.answer === 'object' && !data && !choices;
		const isError = isWhole || isErrorObject(error.answer);
		return errorOf(head, said, asked, isError ? 500 : undefined);
	}
	const message = `The image service's answer can't be used: ${error.message}.`;
	return failureOf(head, 'invalid', message, { code: error.code });
}

/**
 * The kinds that codes and words tell, and the one of all other errors, by status or its first digit. Why a key is not allowed is often a matter of
 * money, and some gateways have status 500 for whatever happens behind them.
 * 301, 307 and 308 point elsewhere and are never followed, because the key goes to the configured service alone; 302 and 303 are how some
 * servers answer a POST that they carried out. https://www.rfc-editor.org/rfc/rfc9110#name-status-codes
 */
const CHOICES: Readonly<Record<number, Choice>> = {
	2: { others: 'failure' },
	3: { others: 'invalid' },
	...{ 301: { others: 'request' }, 307: { others: 'request' }, 308: { others: 'request' } },
	4: { codes: ['content', 'balance'], words: SAID, others: 'request' },
	400: { codes: SAID, words: SAID, others: 'request' },
	401: { codes: ['balance'], words: ['balance'], others: 'key' },
	403: { codes: ['content', 'balance'], words: SAID, others: 'key' },
	429: { codes: ['content', 'balance'], words: ['balance'], others: 'busy' },
	...{ 402: { others: 'balance' }, 407: { others: 'unreachable' }, 451: { others: 'content' } },
	...{ 408: { others: 'busy' }, 425: { others: 'busy' }, 503: { others: 'busy' }, 529: { others: 'busy' } },
	5: { codes: ['content'], others: 'failure' },
	500: { codes: ['content', 'balance', 'busy'], words: ['busy'], others: 'failure' },
	...{ 501: { others: 'request' }, 505: { others: 'request' } },
};
type Choice = { codes?: readonly NamedKind[]; words?: readonly SaidKind[]; others: ErrorAnswerKind };

/** Sorts errors by what can be done about them: by status, then by code, then by words. @param isLasting it names no time after which it ends */
function kindOf(
	status: number,
	named: NamedKind | undefined,
	said: SaidKind | undefined,
	isLasting: boolean,
): ErrorAnswerKind {
	const { codes = [], words = [], others = 'invalid' } = CHOICES[status] ?? CHOICES[Math.floor(status / 100)] ?? {};
	if (named && codes.includes(named)) return named;
	// A limit per minute is over soon, whatever its message says of plans.
	const mayBeSaid = (named === undefined || named === 'key') && (status !== 429 || isLasting);
	return mayBeSaid && said && words.includes(said) ? said : others;
}

/** Returns the kind that the code names, or else the type. */
export function kindOfCode({ code = '', type = '' }: ErrorBody): NamedKind | undefined {
	const [byCode, byType] = [code, type].map((label) => NAMED.find((kind) => ERRORS[kind].codes.test(label)));
	return byType === 'content' ? byType : (byCode ?? byType);
}

/** Apostrophes within words are no quotes. */
const QUOTES = /"[^"]*"|“[^“”]*”|„[^“”]*[“”]|«[^«»]*»|「[^「」]*」|`[^`]*`|(?<!\w)'[^']*'(?!\w)/g;

/** Those that are no ordinary words. */
const FIELD_NAMES = new RegExp(`\\b(?:${OPTIONAL_FIELDS.filter((name) => name.includes('_')).join('|')})\\b`);

/** How services refuse fields, and the role `system`, without their names. */
const REFUSALS: Readonly<Partial<Record<OptionalField, RegExp>>> = {
	// https://docs.apiyi.com/en/live/2026-10/gpt-image-2-transparent-shutdown.md
	background: /\btransparent background/i,
	// Ollama, OpenRouter, Groq, vLLM, and llama.cpp with a status of 500.
	// https://github.com/ollama/ollama/issues/9680 · https://github.com/vllm-project/vllm/issues/9991
	tools:
		/support (for )?(tool|function)s?\b|(tool|function)[-_ ](us|call)\w*\W{0,3} (is|are) not\b|\b(tools|tool[-_ ]choice) (param|requires|not)/i,
	// Gemma at Google and in vLLM, and OpenAI's first models that reason. https://github.com/agno-agi/agno/issues/3505 ·
	// https://github.com/vllm-project/vllm/pull/2964 · https://github.com/janhq/jan/issues/4392
	system:
		/\b(system|developer)\W? (role|message|prompt|instruction)s? (is |are )?(not|unsupported)\b|support \W?system\b/i,
	// https://github.com/charmbracelet/crush/issues/1216
	stream: /(support|verified to) stream|stream(ing)? (must be|(is|are) not|not) (false|supported|allowed|implemented)/i,
};

/** Returns the option that a service does not take. Azure's models are deployments. */
function optionOf({ param = '', code = '', message = '' }: ErrorBody): ServiceError['about'] {
	const said = message.slice(0, SEARCHED_LENGTH);
	const owner = param === 'partial_images' ? 'stream' : param.startsWith('tool') ? 'tools' : param;
	const named = owner || FIELD_NAMES.exec(said)?.[0];
	const field =
		OPTIONAL_FIELDS.find((one) => one === named) ?? OPTIONAL_FIELDS.find((one) => REFUSALS[one]?.test(said));
	if (field) return field;
	if (param === 'size' || /^(invalid|unsupported)_(image_)?size$|^size_not_supported$/i.test(code)) return 'size';
	return param === 'model' || /^(model_not_found|DeploymentNotFound)$/i.test(code) ? 'model' : undefined;
}

/** Tells whether a message says that the service does not know the address, whatever its status. */
export const isAbsence = (message = ''): boolean => /^(invalid|unknown|unexpected) (url|endpoint)\b/i.test(message);

const FAILED = /^(error|failure|([\w.]{1,60}\.)?failed)$/i;

/** Tells whether JSON says that it is an error, whatever status or event it came with. */
export function isErrorObject(value: unknown): boolean {
	const { error, type, object, status, state, result, success } = Object(
		Array.isArray(value) ? value[0] : value,
	) as Record<string, unknown>;
	const isError = typeof error === 'object' ? Object.values(error ?? {}).some(Boolean) : Boolean(error);
	return isError || success === false || [type, object, status, state, result].some((one) => FAILED.test(String(one)));
}

/** Reads `{error: {message, code, type}}`, `{error: "…"}`, `{message}`, `{detail}`, arrays and texts of these, pages, and bare text. */
export function readError(value: unknown): ErrorBody {
	const fields = [...fieldsWithin(value)];
	const all = (...names: string[]) =>
		names.flatMap((name) => fields.flatMap(([field, one]) => (field === name ? [one] : [])));
	const text = (...names: string[]) => all(...names).find(isText);
	// Google's code is the status, and its details have the reason.
	const label = (...names: string[]) =>
		all(...names)
			.map((one) => (typeof one === 'number' ? `${one}` : one))
			.find(isText);
	// Gateways say of a whole answer that it is one.
	const said = all('message', 'reason').filter((one): one is string => isText(one) && !/^(success\w*|ok)$/i.test(one));
	return {
		// Many frameworks have the name of the status beside what they say.
		message: said.find((one) => !Object.values(STATUS_CODES).includes(one)) ?? said[0],
		code:
			text('reason') ??
			label('code', 'statuscode', 'errorcode', 'errcode') ??
			text('status', 'name') ??
			said.find((one) => /^[a-z]+(_[a-z]+)+$/i.test(one)),
		type: all('reasons').length > 0 ? 'moderation' : label('type'),
		// FastAPI gives the path to a field.
		param: text('param') ?? all('loc').find(Array.isArray)?.findLast(isText),
		requestId: text('requestid'),
		status: all('code', 'status', 'statuscode', 'errorcode')
			.map(Number)
			// In an answer that has come, those of gateways are codes alone.
			.find((status) => status >= 400 && isRefusal(status)),
		retryAfterSeconds: retryAfterSeconds(
			label('retrydelay', 'retryafter', 'retryafterseconds', 'estimatedtime') ?? WAIT.exec(text('message') ?? '')?.[1],
		),
	};
}

/** The time to wait that a message names: *Please try again in 7m12.5s.* */
const WAIT = /\b(?:(?:again|retry|available) (?:in|after)|wait) ((?:\d[\d.]{0,9} ?(?:ms|[hms])[a-z]{0,8} ?){1,3})/i;

/**
 * Fields whose values are errors themselves, or texts of them, the most telling first: MiniMax has its error in `base_resp`, Volcano Engine in
 * `ResponseMetadata`, OpenAI that of a stream in `response`, Azure the filter in `innererror`, and OpenRouter what a provider said, and why it
 * has refused itself, in `metadata`. https://openrouter.ai/docs/api-reference/errors
 */
const WITHIN = (
	'errordescription error errors response baseresp responsemetadata innererror metadata raw ' +
	'message errormessage msg statusmsg errormsg errmsg err detail description title details fault faultstring failurereason raifilteredreason'
).split(' ');
/** The most entries of a list, and the deepest error, that are looked at. */
const MAX_ENTRIES = 10;
const MAX_DEPTH = 8;

/** Yields the fields of an error, those within first. A text is a message, unless it ends in the JSON of an error. */
function* fieldsWithin(value: unknown, depth = MAX_DEPTH): Generator<[name: string, value: unknown]> {
	if (depth === 0 || value === undefined) return;
	if (typeof value === 'string') {
		const text = value.trim();
		const start = /^[[{"]|^null$|^\d+$/.test(text) ? 0 : Math.max(0, text.indexOf('{'));
		const json = parsed(text.slice(start));
		const [, title] = /<(?:title|message|h1)[^<>]*>([^<]*)/i.exec(text) ?? [];
		if (json !== undefined) yield* fieldsWithin(json, depth - 1);
		const isPage = /^<(!doctype|\?xml|html|head|title|body|h1|center)\b/i.test(text);
		if (json === undefined || start > 0) yield ['message', isPage ? title?.trim() : text];
	} else if (Array.isArray(value)) {
		for (const one of value.slice(0, MAX_ENTRIES)) yield* fieldsWithin(one, depth - 1);
	} else {
		const fields = fieldsOf(value);
		for (const name of WITHIN) yield* fieldsWithin(fields[name], depth - 1);
		for (const field of Object.entries(fields)) if (!WITHIN.includes(field[0])) yield field;
	}
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** What is no time to wait, but a date in seconds, or from a thousand times as much on, in milliseconds. */
const UNIX_SECONDS = 1e9;

const UNITS: Readonly<Record<string, number>> = { ms: 0.001, s: 1, '': 1, m: 60, h: 3600, d: 86_400 };

/**
 * Reads the seconds to wait: a number of seconds, a date, also in Unix time, or a duration such as `850ms`, `1m30s` and `2 minutes`. Everything else
 * counts as absent.
 * https://www.rfc-editor.org/rfc/rfc9110#field.retry-after · https://cloud.google.com/apis/design/errors#retry_info
 */
export function retryAfterSeconds(value: string | undefined, now = Date.now()): number | undefined {
	const text = value?.trim().slice(0, 100) ?? '';
	const parts = [...text.matchAll(/(?<!\d)(\d+(?:\.\d+)?) ?(ms|[smhd]|$)[a-z]{0,8} ?/gi)];
	const isDuration = parts.length > 0 && parts.map(([part]) => part).join('') === text;
	const seconds = parts.reduce(
		(sum, [, amount, unit = '']) => sum + Number(amount) * (UNITS[unit.toLowerCase()] ?? 0),
		0,
	);
	if (isDuration && seconds < UNIX_SECONDS) return seconds;
	// Every HTTP date begins with a weekday; Date.parse alone would take "-1" for a year.
	const written = /^([A-Z]|\d{4}-)/i.test(text) ? Date.parse(text) : Number.NaN;
	const date = isDuration ? seconds * (seconds < 1000 * UNIX_SECONDS ? 1000 : 1) : written;
	return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now) / 1000));
}

/**
 * Returns the seconds after which a service answers again: from `retry-after-ms`, `retry-after`, or the limits that are used up
 * (`x-ratelimit-remaining-images: 0` with `x-ratelimit-reset-images: 1m30s`). https://github.com/openai/openai-java/issues/1039 ·
 * https://openrouter.ai/docs/api_reference/limits
 */
function secondsToWait(head: AnswerHead): number | undefined {
	const after = (name: string, unit = '') => retryAfterSeconds(`${headerOf(head, name) ?? ''}${unit}`);
	const isUsedUp = (name: string) => /^(?:x-)?ratelimit-remaining/.test(name) && headerOf(head, name) === '0';
	const waits = Object.keys(head.headers)
		.filter(isUsedUp)
		.flatMap((name) => after(name.replace('remaining', 'reset')) ?? []);
	const longest = waits.length > 0 ? Math.max(...waits) : undefined;
	return after('retry-after-ms', 'ms') ?? after('retry-after') ?? longest;
}
