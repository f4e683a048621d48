import { describe, expect, it } from 'vitest';
import { plainArtist, refusalOf, startStudio } from '../test/studio.fixture.ts';

describe('the key', () => {
	it('may be any while none is configured, but there must be one', async () => {
		const { url, call } = await startStudio();
		expect((await call('/v1/models')).status).toBe(200);
		for (const authorization of ['', 'Bearer', 'Bearer ', 'Basic c2s6', 'Bearer two words']) {
			const answer = await fetch(`${url}/v1/models`, { headers: { authorization } });
			expect(answer.headers.get('www-authenticate')).toBe('Bearer');
			expect(await refusalOf(answer)).toMatchObject({ status: 401, code: 'invalid_api_key' });
		}
	});

	it('must be the configured one at every address', async () => {
		const { call } = await startStudio({ apiKey: 'the-right-one' });
		const as = (key: string) => ({ headers: { authorization: `Bearer ${key}` } });
		expect((await call('/v1/models', as('the-right-one'))).status).toBe(200);
		expect((await call('/v1/models', { headers: { authorization: 'bearer the-right-one' } })).status).toBe(200);
		for (const path of ['/v1/models', '/v1/images/generations', '/api/v1/images/generations', '/v1/nothing']) {
			expect(await refusalOf(await call(path, as('the-wrong-one')))).toMatchObject({ status: 401 });
		}
	});
});

describe('addresses', () => {
	it('lists the five models and shows each', async () => {
		const { call } = await startStudio();
		const list = (await (await call('/v1/models')).json()) as { object: string; data: { id: string }[] };
		expect(list.object).toBe('list');
		expect(list.data.map(({ id }) => id)).toEqual([
			'alpha-image',
			'beta',
			'alpha3.6-35b',
			'alpha3-embedding',
			'alpha-moderation',
		]);
		for (const model of list.data) expect(await (await call(`/v1/models/${model.id}`)).json()).toEqual(model);
		expect(await refusalOf(await call('/v1/models/gamma'))).toMatchObject({ status: 404, code: 'model_not_found' });
	});

	it('answers 404 and 405 in the common convention', async () => {
		const { call } = await startStudio();
		for (const path of ['/v1', '/v1/', '/v1/images', '/api/v1/images/edits', '/elsewhere']) {
			expect(await refusalOf(await call(path))).toMatchObject({ status: 404, code: 'not_found' });
		}
		const wrong = await call('/v1/images/edits');
		expect(wrong.headers.get('allow')).toBe('POST');
		expect(await refusalOf(wrong)).toMatchObject({ status: 405, code: 'method_not_allowed' });
		expect((await call('/v1/models', { method: 'DELETE' })).headers.get('allow')).toBe('GET');
		expect((await call('/v1/models', { method: 'HEAD' })).status).toBe(200);
	});

	it('names every answer, each differently', async () => {
		const { call, post } = await startStudio(plainArtist());
		const answers = await Promise.all([
			call('/v1/models'),
			call('/v1/nothing'),
			call('/elsewhere'),
			call('/v1/models', { headers: { authorization: '' } }),
			post('/v1/images/generations', { prompt: 'a fox' }),
			post('/v1/images/generations', {}),
			post('/v1/chat/completions', { messages: [{ role: 'user', content: 'hi' }], stream: true }),
		]);
		const ids = answers.map((answer) => answer.headers.get('x-request-id'));
		expect(ids.every((id) => /^req_[0-9a-f]{32}$/.test(id ?? ''))).toBe(true);
		expect(new Set(ids).size).toBe(ids.length);
		await Promise.all(answers.map((answer) => answer.arrayBuffer()));
	});
});

describe('faults of its own', () => {
	it('are reported under the id that was answered, and told without detail', async () => {
		const fault = new Error('The brush broke over "a secret prompt".');
		const reported: [unknown, string][] = [];
		const { post, used } = await startStudio({
			...plainArtist({ draw: () => Promise.reject(fault) }),
			report: (...fault) => reported.push(fault),
		});
		const answer = await post('/v1/images/generations', { prompt: 'a secret prompt' });
		expect(reported).toEqual([[fault, answer.headers.get('x-request-id')]]);
		const refusal = await refusalOf(answer);
		expect(refusal).toMatchObject({ status: 500, type: 'server_error', code: 'drawing_failed' });
		expect(refusal.message).not.toContain('secret');
		expect(await used()).toBe(0);
	});

	it('refuse to draw what cannot be counted', async () => {
		const plain = plainArtist();
		const gone = () => Promise.reject(new Error('gone'));
		const { post } = await startStudio({ ...plain, counters: { get: gone, add: gone } });
		const refusal = await refusalOf(await post('/v1/images/generations', { prompt: 'a fox' }));
		expect(refusal).toMatchObject({ status: 503, code: 'store_unavailable' });
		expect(plain.asked).toEqual([]);
	});
});
