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
	const headers: HeadersInit = language ? { 'Accept-Language': language } : {};
	const response = await fetch(`/sandbox/api/${path}`, { ...init, headers }).catch(() => {
		throw failure(t('sandbox.error.unreachable'));
	});
	const answer = await response.json().catch(() => ({}));
	if (response.ok) return answer;
	throw failure(answer.error ?? t('sandbox.error.status', { status: response.status }), response.status);
}

/** The pause before another try, in milliseconds. */
export const RETRY_MS = 1500;

/** Tries again while the bot does not answer, until it does or refuses. */
export async function persist<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
	for (;;) {
		try {
			return await ask();
		} catch (error) {
			const { status = 500 } = error as { status?: number };
			if (status < 500) throw error;
			await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
		}
	}
}

export const get = <Answer>(path: string, query: Readonly<Record<string, string | number>>): Promise<Answer> =>
	request(`${path}?${new URLSearchParams(Object.entries(query).map(([key, value]) => [key, `${value}`]))}`);

export type Part = { part: string; file: File };

export async function send<Answer>(path: string, input: object, files: readonly Part[] = []): Promise<Answer> {
	const body = new FormData();
	body.append('input', JSON.stringify(input));
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
