import { oneLine } from '../domain/text.ts';
import { ServiceError, type ServiceErrorFacts, type ServiceErrorKind } from './errors.ts';
import { type AnswerHead, identifier, requestIdOf } from './http/head.ts';
import { secondsToWait } from './http/retry-after.ts';

/** Longest part of the service's own message that is kept, in UTF-16 units. */
const DETAIL_LENGTH = 300;

const CONTENT = /content[-_ ]?(policy|filter|violation)|moderation|safety|nsfw|sensitive[-_ ]?content/i;
const BALANCE = /insufficient[-_ ](quota|balance|funds|credits?)|billing|payment[-_ ]required|out[-_ ]of[-_ ]credits?/i;

/** The content of an error's body, whichever common shape it has. */
export type ErrorBody = { message?: string; code?: string; type?: string; param?: string; requestId?: string };

/**
 * Returns the error that a complete answer with a status outside 2xx stands for.
 * @param body its body, or the beginning of a long one; it may be HTML or nothing
 */
export function errorOf(head: AnswerHead, body: string): ServiceError {
	const error = readErrorBody(body);
	const facts: ServiceErrorFacts = {
		status: head.status,
		code: identifier(error.code ?? error.type),
		requestId: requestIdOf(head) ?? identifier(error.requestId),
		retryAfterSeconds: secondsToWait(head),
		detail: error.message === undefined ? undefined : clean(error.message) || undefined,
	};
	const kind = kindOf(head.status, error);
	const about = kind === 'request' || kind === 'key' ? optionOf(error) : undefined;
	return new ServiceError(kind, `${SENTENCES[kind]} (status ${head.status}).`, { ...facts, about });
}

const SENTENCES: Record<ErrorAnswerKind, string> = {
	key: 'The image service does not accept the key',
	balance: 'The image service says that plan and balance are used up',
	content: 'The image service refuses this content',
	request: 'The image service does not take this request',
	busy: 'The image service is busy',
	failure: 'The image service failed',
	invalid: 'The image service gave an answer outside its interface',
};

/** The kinds that a complete answer with a status outside 2xx can have. */
type ErrorAnswerKind = Exclude<ServiceErrorKind, 'unreachable' | 'no-answer' | 'cut-off' | 'address' | 'length'>;

/**
 * Sorts statuses by what can be done about them. 301, 307 and 308 point elsewhere and are never followed, because the key goes to the
 * configured service alone; 302 and 303 are how some servers answer a POST that they carried out.
 * https://www.rfc-editor.org/rfc/rfc9110#name-status-codes
 */
function kindOf(status: number, { code, type, message }: ErrorBody): ErrorAnswerKind {
	const words = [code, type, message].join(' ');
	if (status >= 400 && status < 500) {
		if (status === 402) return 'balance';
		if (status === 408 || status === 425) return 'busy';
		if (status === 451) return 'content';
		if ((status === 403 || status === 429) && BALANCE.test(words)) return 'balance';
		// OpenAI's hard limit. The message of other refusals may name a bill that a person wrote about.
		if (status === 400 && BALANCE.test(code ?? '')) return 'balance';
		if (status === 429) return 'busy';
		if (status !== 401 && CONTENT.test(words)) return 'content';
		if (status === 401 || status === 403 || status === 407) return 'key';
		return 'request';
	}
	if (status === 301 || status === 307 || status === 308 || status === 501 || status === 505) return 'request';
	if (status === 503) return 'busy';
	return status >= 500 ? 'failure' : 'invalid';
}

/** Returns the option that a service does not take. Azure's models are deployments. */
function optionOf({ param, code = '' }: ErrorBody): ServiceError['about'] {
	if (param === 'stream' || param === 'partial_images') return 'stream';
	if (param === 'size' || /^(invalid|unsupported)_(image_)?size$/i.test(code)) return 'size';
	return param === 'model' || /^(model_not_found|DeploymentNotFound)$/i.test(code) ? 'model' : undefined;
}

/** Reads `{error: {message, code, type}}`, `{error: "…"}`, `{message}`, `{detail}`, arrays of these, HTML's title, or bare text. */
export function readErrorBody(body: string): ErrorBody {
	const text = body.trim();
	if (text.startsWith('<')) {
		const title = /<title[^<>]*>([^<]*)/i.exec(text)?.[1]?.trim();
		return title ? { message: title } : {};
	}
	let parsed: unknown;
	try {
		parsed = JSON.parse(text);
	} catch {
		return text ? { message: text } : {};
	}
	return fromJson(parsed, 4);
}

function fromJson(value: unknown, depth: number): ErrorBody {
	if (typeof value === 'string') return { message: value };
	if (typeof value !== 'object' || value === null || depth === 0) return {};
	if (Array.isArray(value)) return fromJson(value[0], depth - 1);
	const { error, errors, detail, message, msg, title, code, type, param, request_id } = value as Record<
		string,
		unknown
	>;
	const body: ErrorBody = { ...fromJson(error ?? errors ?? detail, depth - 1) };
	const text = [message, msg, typeof error === 'string' ? undefined : title].find((one) => typeof one === 'string');
	if (typeof text === 'string') body.message ??= text;
	if (isLabel(code)) body.code ??= String(code);
	if (isLabel(type)) body.type ??= String(type);
	if (typeof param === 'string') body.param ??= param;
	if (typeof request_id === 'string') body.requestId ??= request_id;
	return body;
}

function isLabel(value: unknown): value is string | number {
	return typeof value === 'string' || typeof value === 'number';
}

/** Returns the text on one line, shortened for people. */
export const clean = (text: string) => oneLine(text, DETAIL_LENGTH);
