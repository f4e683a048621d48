import { t } from './texts.js';

/** A request that failed. The message is a sentence to show. */
export class RequestError extends Error {
	/** @param {string} sentence @param {number} [status] undefined without a response */
	constructor(sentence, status) {
		super(sentence);
		this.status = status;
	}
}

/** Makes the id of an action: a request that is sent twice is carried out once. */
export function newId() {
	return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The language of answers, BCP 47; the browser's when it is empty. */
let language = '';

/** @param {string} chosen */
export const setLanguage = (chosen) => {
	language = chosen;
};

/**
 * @param {string} path below `/sandbox/api/`
 * @param {RequestInit} [init]
 * @returns {Promise<any>}
 */
async function request(path, init) {
	let response;
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

/** Loads the messages of the page. Tries again while the bot does not answer. @returns {Promise<any>} */
export async function loadMessages() {
	for (;;) {
		try {
			return await request('texts');
		} catch (error) {
			if (error instanceof RequestError && error.status && error.status < 500) throw error;
			await new Promise((resolve) => setTimeout(resolve, RECONNECT_MS));
		}
	}
}

/** @param {string} path @param {Record<string, string | number>} query */
export const get = (path, query) =>
	request(`${path}?${new URLSearchParams(Object.entries(query).map(([k, v]) => [k, `${v}`]))}`);

/** @param {string} path @param {object} input @param {'POST' | 'PUT'} [method] */
export const send = (path, input, method = 'POST') =>
	request(path, { method, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(input) });

/**
 * @param {string} path
 * @param {object} input
 * @param {{ part: string, file: File }[]} files
 */
export function sendFiles(path, input, files) {
	if (files.length === 0) return send(path, input);
	const body = new FormData();
	body.append('input', JSON.stringify(input));
	for (const { part, file } of files) body.append(part, file, file.name || 'picture.png');
	return request(path, { method: 'POST', body });
}

/** @param {{ id: string, name: string }} file */
export const fileAddress = ({ id, name }) => `/sandbox/files/${id}/${encodeURIComponent(name)}`;

export const RECONNECT_MS = 1500;

const EVENTS = ['message', 'removed', 'thread', 'settings', 'form', 'typing', 'notice', 'reset'];

/**
 * Listens to events since `cursor`, until the returned function is called. The browser reconnects by itself, except when it was
 * refused, as during a restart of the bot.
 * @param {string} person
 * @param {string} cursor
 * @param {(name: string, data: any) => void} onEvent
 * @param {(isOnline: boolean) => void} onConnection
 */
export function listen(person, cursor, onEvent, onConnection) {
	let last = cursor;
	let timer = 0;
	/** @type {EventSource} */
	let source;
	function open() {
		source = new EventSource(`/sandbox/events?${new URLSearchParams({ as: person, since: last })}`);
		source.onopen = () => onConnection(true);
		source.onerror = () => {
			onConnection(false);
			if (source.readyState === EventSource.CLOSED) timer = window.setTimeout(open, RECONNECT_MS);
		};
		for (const name of EVENTS)
			source.addEventListener(name, (event) => {
				if (event.lastEventId) last = event.lastEventId;
				onEvent(name, JSON.parse(event.data));
			});
	}
	open();
	return () => {
		clearTimeout(timer);
		source.close();
	};
}
