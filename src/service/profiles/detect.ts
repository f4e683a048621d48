import type { ProfileName } from './profiles.ts';

/** Longest wait for each answer, in milliseconds. */
const TIMEOUT_MS = 5000;

/** Statuses by which a service says that an address does not exist, or that it exists and refuses an empty request. */
const ABSENT = [404, 405, 501];
const PRESENT = [400, 415, 422];

type Answer = { status: number; headers: Readonly<Record<string, string | string[] | undefined>>; body: unknown };

/**
 * Finds out which API a service has, by requests that cost nothing: documents, and requests for pictures without a prompt.
 *
 * @param baseUrl `/v1/…` is added to it
 * @returns undefined when the service does not say: it cannot be reached, does not accept the key, or answers in another way
 */
export async function detectProfile(baseUrl: string, apiKey: string | undefined): Promise<ProfileName | undefined> {
	const base = baseUrl.replace(/(?<!\/)\/+$/, '');
	const { request } = await import('undici');
	async function ask(path: string, body?: object): Promise<Answer> {
		const headers: Record<string, string> = { accept: 'application/json', 'user-agent': 'easel' };
		if (apiKey !== undefined) headers['authorization'] = `Bearer ${apiKey}`;
		if (body) headers['content-type'] = 'application/json';
		const answer = await request(base + path, {
			method: body ? 'POST' : 'GET',
			headers,
			body: body ? JSON.stringify(body) : null,
			signal: AbortSignal.timeout(TIMEOUT_MS),
		});
		const text = await readShort(answer.body);
		return { status: answer.statusCode, headers: answer.headers, body: parse(text) };
	}
	try {
		const models = await ask('/v1/models');
		const byModels = profileOfModels(models);
		if (byModels) return byModels;
		const [localai, sglang] = await Promise.all([ask('/.well-known/localai.json'), ask('/models')]);
		if (localai.status === 200 && Object(localai.body) === localai.body) return 'localai';
		if (/"pipeline_name"/.test(JSON.stringify(sglang.body) ?? '')) return 'sglang';
		const compose = await ask('/v1/images/compose', {});
		if (PRESENT.includes(compose.status)) return 'easel';
		if (!ABSENT.includes(compose.status)) return undefined;
		const edits = await ask('/v1/images/edits', {});
		if (PRESENT.includes(edits.status)) return 'openai';
		return ABSENT.includes(edits.status) ? 'openai-generations' : undefined;
	} catch {
		return undefined;
	}
}

/** Recognizes services by their list of models. */
function profileOfModels({ headers, body }: Answer): ProfileName | undefined {
	if (Object.keys(headers).some((name) => name.startsWith('x-litellm-'))) return 'litellm';
	if (Array.isArray(body)) return 'together';
	const { data } = Object(body) as { data?: unknown };
	const ids = Array.isArray(data) ? data.map((model) => Object(model).id) : [];
	// The published model of Easel's own interface.
	if (ids.includes('alpha-image')) return 'easel';
	return ids.includes('sd-cpp-local') ? 'sd-server' : undefined;
}

/** Longest answer that is read, in bytes. A list of models is far shorter. */
const MAX_BYTES = 4 * 1024 * 1024;

async function readShort(body: AsyncIterable<Uint8Array>): Promise<string> {
	const chunks: Uint8Array[] = [];
	let bytes = 0;
	for await (const chunk of body) {
		bytes += chunk.length;
		if (bytes > MAX_BYTES) throw new RangeError('The answer is too long');
		chunks.push(chunk);
	}
	return Buffer.concat(chunks).toString();
}

function parse(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
