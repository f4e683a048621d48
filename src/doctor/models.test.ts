import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { readModels } from '../service/models.ts';
import { modelWarnings, watchModels } from './models.ts';

const NOW = Date.parse('2026-11-26T12:00:00Z');
const modelsOf = (...models: object[]) => readModels({ data: models });

describe('the end of a model', () => {
	test.each([
		{ shutdown_date: '2026-12-01' },
		{ shutdown_date: 1_796_083_200 },
		{ shutdown_date: 1_796_083_200_000 },
		{ deprecation_date: '2026-12-01T00:00:00Z' },
		{ deprecation: '2026-12-01T00:00:00+00:00' },
		{ deprecation: { fine_tune: 1, inference: 1_796_083_200 } },
		{ expiration_date: '2026-12-01', deprecation: null },
		{ retirement_date: '2026-12-01' },
		{ shutdownAt: 1_796_083_200 },
	])('is read from %j', (dates) => {
		const [warning] = modelWarnings({ IMAGE_MODEL: ['a'] }, modelsOf({ id: 'a', ...dates }), NOW);
		expect(warning).toEqual({
			...{ variable: 'IMAGE_MODEL', model: 'a', endsAt: Date.parse('2026-12-01') },
			message: 'The service says that a, which is the IMAGE_MODEL, ends on 2026-12-01, in 5 days.',
		});
	});

	test.each([
		{},
		{ shutdown_date: null },
		{ shutdown_date: 'soon' },
		{ deprecation: {} },
		{ deprecation: false },
		{ shutdown_date: -5 },
		{ expiration_date: 0 },
	])('is not known from %j', (dates) => {
		expect(modelWarnings({ IMAGE_MODEL: ['a'] }, modelsOf({ id: 'a', ...dates }), NOW)).toEqual([]);
	});

	test('may be over', () => {
		const [warning] = modelWarnings({ CHAT_MODEL: ['a'] }, modelsOf({ id: 'a', shutdown_date: '2026-11-20' }), NOW);
		expect(warning?.message).toBe('The service says that a, which is the CHAT_MODEL, ended on 2026-11-20.');
	});
});

test('a model that is not listed is named, unless the list is empty', () => {
	const configured = { IMAGE_MODEL: ['a'], IMAGE_MODELS: ['b', 'c'] };
	expect(modelWarnings(configured, modelsOf({ id: 'a' }, { id: 'c' }), NOW).map(({ message }) => message)).toEqual([
		'The service does not list b, which is the IMAGE_MODELS.',
	]);
	expect(modelWarnings(configured, [], NOW)).toEqual([]);
});

describe('the log', () => {
	beforeEach(() => void vi.useFakeTimers({ now: NOW }));
	afterEach(() => void vi.useRealTimers());

	test('warns after the start and each week, as far as the service lists models', async () => {
		const lines: string[] = [];
		const list = vi.fn(async (use: string) => {
			if (use === 'chat') throw new Error('no list');
			return modelsOf({ id: 'image', shutdown_date: '2026-12-01' });
		});
		const settings = { models: { image: 'image', chat: 'chat', embedding: 'embedding' }, imageModels: ['image'] };
		const stop = watchModels(settings, list, (line) => void lines.push(line));
		expect(list).not.toHaveBeenCalled();
		await vi.advanceTimersByTimeAsync(6 * 24 * 3600_000);
		const first = [
			'IMAGE_MODEL: The service says that image, which is the IMAGE_MODEL, ends on 2026-12-01, in 5 days.',
			'EMBEDDING_MODEL: The service does not list embedding, which is the EMBEDDING_MODEL.',
		];
		expect(lines).toEqual(first);
		await vi.advanceTimersByTimeAsync(24 * 3600_000 + 60_000);
		expect(lines.slice(2)).toEqual([
			'IMAGE_MODEL: The service says that image, which is the IMAGE_MODEL, ended on 2026-12-01.',
			first[1],
		]);
		stop();
		await vi.advanceTimersByTimeAsync(30 * 24 * 3600_000);
		expect([lines.length, list.mock.calls.length]).toEqual([4, 6]);
	});
});
