import type { PageMessages } from '../server/snapshot.ts';
import { t } from './texts.ts';

/** A request that failed. The message is a sentence to show. */
class RequestError extends Error {
	/** The HTTP status; undefined without a response. */
	readonly status: number | undefined;

	constructor(sentence: string, status?: number) {
		super(sentence);
		this.status = status;
	}
}

/** Returns the id of an action: a request that is sent twice is carried out once. */
export const newId = (): string =>
	Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** The language of answers, BCP 47; the browser's when it is empty. */
let language = '';

export const setLanguage = (chosen: string): void => {
	language = chosen;
};

/** @param path below `/sandbox/api/` */
async function request<Answer>(path: string, init?: RequestInit): Promise<Answer> {
	let response: Response;
	try {
		const headers = { ...init?.headers, ...(language && { 'Accept-Language': language }) };
		response = await fetch(`/sandbox/api/${path}`, { ...init, headers });
	} catch {
		throw new RequestError(t('sandbox.error.unreachable'));
	}
	const answer = await response.json().catch(() => ({}));
	if (!response.ok)
		throw new RequestError(answer.error ?? t('sandbox.error.status', { status: response.status }), response.status);
	return answer;
}

const RECONNECT_MS = 1500;

/** Tries again while the bot does not answer, until it does or refuses. */
export async function persist<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
	for (;;) {
		try {
			return await ask();
		} catch (error) {
			if (error instanceof RequestError && error.status && error.status < 500) throw error;
			await new Promise((resolve) => setTimeout(resolve, RECONNECT_MS));
		}
	}
}

/** Loads the messages of the page. Rejects when there is no such person. */
export const loadMessages = (as: string): Promise<PageMessages> => persist(() => get('texts', { as }));

export const get = <Answer>(path: string, query: Readonly<Record<string, string | number>>): Promise<Answer> =>
	request(`${path}?${new URLSearchParams(Object.entries(query).map(([key, value]) => [key, `${value}`]))}`);

export const send = <Answer>(path: string, input: object): Promise<Answer> =>
	request(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(input) });

export type Part = { part: string; file: File };

export async function sendFiles<Answer>(path: string, input: object, files: readonly Part[]): Promise<Answer> {
	if (files.length === 0) return send(path, input);
	const body = new FormData();
	body.append('input', JSON.stringify(input));
	for (const { part, file } of files) {
		// A folder that was dropped, or a file that has been deleted since, would look as if the server could not be reached.
		await file
			.slice(0, 1)
			.arrayBuffer()
			.catch(() => {
				throw new RequestError(t('sandbox.file.unreadable', { file: file.name }));
			});
		body.append(part, file, file.name || 'picture.png');
	}
	return request(path, { method: 'POST', body });
}

export const fileAddress = ({ id, name }: { id: string; name: string }): string =>
	`/sandbox/files/${id}/${encodeURIComponent(name)}`;

const EVENTS = ['message', 'removed', 'thread', 'settings', 'form', 'typing', 'notice'] as const;
export type EventName = (typeof EVENTS)[number];

type Listener = { onOpen(): void; onEvent(name: EventName, data: unknown): void; onError(): void };

/** How long a tab that nobody looks at goes on listening, in milliseconds. */
const HIDDEN_MS = 5000;

/**
 * Listens to events. The browser reconnects by itself, except when it was refused, as during a restart of the bot. It opens six connections to
 * a host, after which no tab can send anything: those that are hidden for a while leave theirs to the others.
 * @param listener `onOpen` is called at each connection: what happened before is not repeated
 */
export function listen(person: string, listener: Listener): void {
	const source = new EventSource(`/sandbox/events?${new URLSearchParams({ as: person })}`);
	const ended = new AbortController();
	const again = () => listen(person, listener);
	source.onopen = listener.onOpen;
	source.onerror = () => {
		listener.onError();
		if (source.readyState !== EventSource.CLOSED) return;
		ended.abort();
		setTimeout(again, RECONNECT_MS);
	};
	for (const name of EVENTS) source.addEventListener(name, ({ data }) => listener.onEvent(name, JSON.parse(data)));
	let timer = 0;
	const onVisibility = () => {
		clearTimeout(timer);
		if (document.visibilityState === 'hidden') timer = window.setTimeout(leave, HIDDEN_MS);
	};
	const leave = () => {
		if (ended.signal.aborted) return;
		ended.abort();
		source.close();
		document.addEventListener('visibilitychange', again, { once: true });
	};
	document.addEventListener('visibilitychange', onVisibility, { signal: ended.signal });
	onVisibility();
}
