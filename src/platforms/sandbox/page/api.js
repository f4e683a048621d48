/** A refusal whose message is a sentence to show. */
export class Refusal extends Error {
	/** @param {string} sentence @param {number} [status] none when no answer came */
	constructor(sentence, status) {
		super(sentence);
		this.status = status;
	}
}

/** Names one thing that a person does, so that sending it twice does it once. */
export function newId() {
	return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** What answers are to be in; as the browser asks for while it is empty. */
let language = '';

/** @param {string} chosen BCP 47, or nothing */
export const speak = (chosen) => {
	language = chosen;
};

/**
 * @param {string} path below `/sandbox/api/`
 * @param {RequestInit} [init]
 * @returns {Promise<any>}
 */
async function call(path, init) {
	let response;
	try {
		const headers = { ...init?.headers, ...(language && { 'Accept-Language': language }) };
		response = await fetch(`/sandbox/api/${path}`, { ...init, headers });
	} catch {
		throw new Refusal('Easel can’t be reached; nothing was sent.');
	}
	const answer = await response.json().catch(() => ({}));
	if (!response.ok)
		throw new Refusal(answer.error ?? `Easel answered with status ${response.status}.`, response.status);
	return answer;
}

/** @param {string} path @param {Record<string, string | number>} query */
export const get = (path, query) =>
	call(`${path}?${new URLSearchParams(Object.entries(query).map(([k, v]) => [k, `${v}`]))}`);

/** @param {string} path @param {object} input @param {'POST' | 'PUT'} [method] */
export const send = (path, input, method = 'POST') =>
	call(path, { method, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(input) });

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
	return call(path, { method: 'POST', body });
}

/** @param {{ id: string, name: string }} file */
export const fileAddress = ({ id, name }) => `/sandbox/files/${id}/${encodeURIComponent(name)}`;

export const RECONNECT_MS = 1500;

/**
 * Events since `cursor`, until the returned function is called. The browser reconnects by itself unless it was refused
 * (as during a restart of the bot); then this does.
 * @param {string} as
 * @param {string} cursor
 * @param {(name: string, data: any) => void} heard
 * @param {(online: boolean) => void} online
 */
export function listen(as, cursor, heard, online) {
	let last = cursor;
	let timer = 0;
	/** @type {EventSource} */
	let source;
	function open() {
		source = new EventSource(`/sandbox/events?${new URLSearchParams({ as, since: last })}`);
		source.onopen = () => online(true);
		source.onerror = () => {
			online(false);
			if (source.readyState === EventSource.CLOSED) timer = window.setTimeout(open, RECONNECT_MS);
		};
		for (const name of ['message', 'removed', 'thread', 'settings', 'form', 'typing', 'reset'])
			source.addEventListener(name, (event) => {
				if (event.lastEventId) last = event.lastEventId;
				heard(name, JSON.parse(event.data));
			});
	}
	open();
	return () => {
		clearTimeout(timer);
		source.close();
	};
}
