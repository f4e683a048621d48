import type { PageMessages } from '../server/snapshot.ts';
import { t } from './texts.ts';

/** Returns what a failed request rejects with: a sentence to show, and the HTTP status of its response. */
const failure = (sentence: string, status?: number) => Object.assign(new Error(sentence), { status });

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
	const headers = { ...init?.headers, ...(language && { 'Accept-Language': language }) };
	const response = await fetch(`/sandbox/api/${path}`, { ...init, headers }).catch(() => {
		throw failure(t('sandbox.error.unreachable'));
	});
	const answer = await response.json().catch(() => ({}));
	if (response.ok) return answer;
	throw failure(answer.error ?? t('sandbox.error.status', { status: response.status }), response.status);
}

const RECONNECT_MS = 1500;

/** Tries again while the bot does not answer, until it does or refuses. */
export async function persist<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
	for (;;) {
		try {
			return await ask();
		} catch (error) {
			const { status = 500 } = error as { status?: number };
			if (status < 500) throw error;
			await new Promise((resolve) => setTimeout(resolve, RECONNECT_MS));
		}
	}
}

/** Loads the messages of the page. Rejects when there is no such person. */
export const loadMessages = (as: string): Promise<PageMessages> => persist(() => get('texts', { as }));

export const get = <Answer>(path: string, query: Readonly<Record<string, string | number>>): Promise<Answer> =>
	request(`${path}?${new URLSearchParams(Object.entries(query).map(([key, value]) => [key, `${value}`]))}`);

export type Part = { part: string; file: File };

export async function send<Answer>(path: string, input: object, files: readonly Part[] = []): Promise<Answer> {
	const json = JSON.stringify(input);
	const headers = { 'Content-Type': 'application/json' };
	if (files.length === 0) return request(path, { method: 'POST', headers, body: json });
	const body = new FormData();
	body.append('input', json);
	for (const { part, file } of files) {
		// A folder that was dropped, or a file that has been deleted since, would look as if the server could not be reached.
		const beginning = file.slice(0, 1).arrayBuffer();
		await beginning.catch(() => {
			throw failure(t('sandbox.file.unreadable', { file: file.name }));
		});
		body.append(part, file, file.name || 'picture.png');
	}
	return request(path, { method: 'POST', body });
}

export const fileAddress = ({ id, name }: { id: string; name: string }): string =>
	`/sandbox/files/${id}/${encodeURIComponent(name)}`;

type Listener = {
	/** Called at each connection, since what happened before is not repeated. No event counts before it has resolved. */
	onOpen(): Promise<void>;
	onError(): void;
	events: Readonly<Record<string, (data: never) => void>>;
	onEvent(): void;
};

/** How long a tab that nobody looks at goes on listening, in milliseconds. */
const HIDDEN_MS = 5000;

/**
 * Listens to events. The browser reconnects by itself, except when it was refused, as during a restart of the bot. It opens six connections to
 * a host, after which no tab can send anything: those that are hidden for a while leave theirs to the others.
 */
export function listen(person: string, { onOpen, onError, events, onEvent }: Listener): void {
	let source: EventSource;
	let opened: Promise<void> | undefined;
	let timer = 0;
	const isHidden = () => document.visibilityState === 'hidden';
	const open = () => {
		source = new EventSource(`/sandbox/events?${new URLSearchParams({ as: person })}`);
		source.onopen = () => {
			opened = onOpen();
		};
		source.onerror = () => {
			onError();
			if (source.readyState === EventSource.CLOSED && !isHidden()) timer = window.setTimeout(open, RECONNECT_MS);
		};
		for (const [name, receive] of Object.entries(events))
			source.addEventListener(name, async ({ data }) => {
				await opened;
				receive(JSON.parse(data) as never);
				onEvent();
			});
	};
	const onVisibility = () => {
		clearTimeout(timer);
		if (isHidden()) timer = window.setTimeout(() => source.close(), HIDDEN_MS);
		else if (source.readyState === EventSource.CLOSED) open();
	};
	document.addEventListener('visibilitychange', onVisibility);
	open();
	onVisibility();
}
