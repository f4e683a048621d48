import { RESTJSONErrorCodes as Code } from 'discord.js';
import { LRUCache } from 'lru-cache';
import { THREAD_LOCKED } from './discord-errors.ts';
import { HttpResponse } from './http-response.ts';

/** How long a refusal is remembered, in case the event of a changed permission was lost. */
const FRESH_MS = 5 * 60_000;
const MAX_REFUSALS = 5000;

/** A request about a channel: with files or not, a post needs other permissions. */
type Kind = 'channel' | 'messages' | 'files' | 'typing';

type ChannelRequest = { channel: string; kind: Kind; isPost: boolean };

/** The refusals that apply to each kind of request: nothing can be posted where no text can be. */
const APPLYING: Readonly<Record<Kind, readonly Kind[]>> = {
	channel: ['channel'],
	messages: ['channel', 'messages'],
	files: ['channel', 'messages', 'files'],
	typing: ['channel', 'messages', 'typing'],
};

/** The request to send. `hasFiles`: its body contains files. */
export type OutgoingRequest = { method: string; url: string; hasFiles: boolean };

/**
 * The channels in which Discord has refused a post for a missing permission. The same refusal is given again, without a request, for
 * some minutes or until a permission changes, since Discord counts refused requests.
 */
export class KnownRefusals {
	readonly #serverOf: (channel: string) => string | undefined;
	/** The bodies of refusals, by channel and kind. */
	readonly #bodies = new LRUCache<string, string>({ max: MAX_REFUSALS, ttl: FRESH_MS });

	/** @param serverOf returns undefined for a channel that is not cached */
	constructor(serverOf: (channel: string) => string | undefined) {
		this.#serverOf = serverOf;
	}

	/** Returns the response that Discord gave to such a request. */
	find(request: OutgoingRequest): HttpResponse | undefined {
		const read = parse(request);
		if (!read) return undefined;
		const body = APPLYING[read.kind].map((kind) => this.#bodies.get(`${read.channel} ${kind}`)).find(Boolean);
		return body === undefined
			? undefined
			: new HttpResponse(403, { 'content-type': 'application/json' }, Buffer.from(body));
	}

	/** Remembers a response of Discord's, if it refuses a post, or access to the channel. */
	async learn(request: OutgoingRequest, response: HttpResponse): Promise<void> {
		const read = response.status === 403 ? parse(request) : undefined;
		if (!read) return;
		const body = await response.text();
		const kind = refusedKind(codeOf(body), read);
		if (kind) this.#bodies.set(`${read.channel} ${kind}`, body);
	}

	/** Forgets the refusals in a server whose permissions have changed, and in channels whose server is not known. */
	forgetServer(server: string): void {
		for (const key of this.#bodies.keys()) {
			const own = this.#serverOf(channelIn(key));
			if (own === undefined || own === server) this.#bodies.delete(key);
		}
	}

	/** Forgets the refusals in a channel or thread. */
	forgetChannel(channel: string): void {
		for (const kind of Object.keys(APPLYING)) this.#bodies.delete(`${channel} ${kind}`);
	}
}

const channelIn = (key: string) => key.split(' ')[0] ?? '';

/** Only requests that need no permission besides those to see the channel, or to post in it, say something about others. */
function refusedKind(code: unknown, { kind, isPost }: ChannelRequest): Kind | undefined {
	if (code === Code.MissingAccess) return 'channel';
	if (isPost && (code === Code.MissingPermissions || code === THREAD_LOCKED)) return kind;
	return undefined;
}

/** Returns undefined for other requests, such as edits. */
function parse({ method, url, hasFiles }: OutgoingRequest): ChannelRequest | undefined {
	const [, channel, rest] = /\/channels\/(\d+)(\/\w+)?$/.exec(new URL(url).pathname) ?? [];
	if (channel === undefined) return undefined;
	if (method === 'GET' && rest === undefined) return { channel, kind: 'channel', isPost: false };
	if (method !== 'POST') return undefined;
	if (rest === '/typing') return { channel, kind: 'typing', isPost: true };
	return rest === '/messages' ? { channel, kind: hasFiles ? 'files' : 'messages', isPost: true } : undefined;
}

function codeOf(body: string): unknown {
	try {
		return (JSON.parse(body) as { code?: unknown }).code;
	} catch {
		return undefined;
	}
}
