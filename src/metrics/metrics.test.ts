import { Registry } from 'prom-client';
import { describe, expect, test } from 'vitest';
import { BotHarness } from '../../test/fakes/bot-harness.ts';
import { openStore } from '../store/open-store.ts';
import { StoreError } from '../store/store.ts';
import { createDeploymentGauges } from './deployment-gauges.ts';
import { createMetrics } from './metrics.ts';

const create = () => createMetrics({ platforms: ['discord', 'slack'], commands: ['imagine', 'edit'] });

/** Returns the samples of one metric, without its comments. */
async function samplesOf(text: Promise<string>, name: string): Promise<string[]> {
	return (await text).split('\n').filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
}

describe('metrics', () => {
	test('count the requests that Discord refuses, by status', async () => {
		const { text, onInvalidDiscordRequest } = create();
		for (const status of [401, 403, 403]) onInvalidDiscordRequest(status);
		expect(await samplesOf(text(), 'easel_discord_invalid_requests_total')).toEqual([
			'easel_discord_invalid_requests_total{status="401"} 1',
			'easel_discord_invalid_requests_total{status="403"} 2',
			'easel_discord_invalid_requests_total{status="429"} 0',
		]);
	});

	test('start at 0 for every combination of their labels', async () => {
		const { text } = create();
		const lines = async (name: string) => (await samplesOf(text(), name)).length;
		expect(await lines('easel_requests_total')).toBe(2 * (2 + 3) * 13);
		expect(await lines('easel_calls_total')).toBe(2 * 3);
		expect(await lines('easel_service_calls_total')).toBe(8 * 16);
		expect(await samplesOf(text(), 'easel_rate_limit_waits_total')).toEqual([
			'easel_rate_limit_waits_total{platform="discord"} 0',
			'easel_rate_limit_waits_total{platform="slack"} 0',
		]);
	});

	test('have no label that comes from outside', async () => {
		const metrics = create();
		const count = async () => (await metrics.text()).split('\n').filter((line) => line.startsWith('easel_')).length;
		const observeAll = (name: string) => {
			// As if a type had been evaded somewhere.
			const any = name as never;
			metrics.observe({ platform: name, command: name, outcome: any, seconds: 1 });
			metrics.ledgerObserver.settled(any, any);
			metrics.ledgerObserver.capReached(any, any);
			metrics.observeService(any, any, 1);
			metrics.observeStore(any, 1, true);
			metrics.onInvalidDiscordRequest(Number(name.length));
			metrics.onRateLimitWait(name, 1);
		};
		observeAll('nonsense');
		const before = await count();
		for (let index = 0; index < 100; index++) observeAll(`nonsense "${index}"\n`);
		expect(await count()).toBe(before);
		expect(await metrics.text()).not.toContain('nonsense');
		expect(await metrics.text()).toContain(
			'easel_requests_total{platform="other",command="other",outcome="other"} 101',
		);
	});

	test('follow requests, calls, caps, the queue and the lease of a bot', async () => {
		const harness = await BotHarness.create();
		const metrics = createMetrics({ platforms: ['test'], commands: ['imagine'] });
		const { observe, ledgerObserver } = metrics;
		const bot = await harness.start({ observe, ledgerObserver, plan: { imagesPerMonth: 1, price: 0 } });
		metrics.watch({ bot, platforms: [harness.platform], store: harness.store });
		for (const id of ['first', 'second']) await bot.invoke(harness.imagine(id));
		await bot.invoke({ ...harness.imagine('third'), command: 'https://evil.test' });
		const text = await metrics.text();
		for (const line of [
			'easel_requests_total{platform="test",command="imagine",outcome="succeeded"} 1',
			'easel_requests_total{platform="test",command="imagine",outcome="refused"} 1',
			'easel_calls_total{kind="pictures",outcome="succeeded"} 1',
			'easel_caps_reached_total{kind="pictures",scope="plan"} 1',
			'easel_plan_used_calls 1',
			'easel_plan_included_calls 1',
			'easel_overage_spent_dollars 0',
			'easel_open_jobs 0',
			'easel_calls_paused 0',
			'easel_call_pauses_total 0',
			'easel_queue_waiting 0',
			'easel_lease_held 1',
			'easel_lease_losses_total 0',
			'easel_store_reachable 1',
			'easel_backup_last_success_timestamp_seconds 0',
		])
			expect(text.split('\n')).toContain(line);
		expect(text).not.toContain('evil');
		await harness.close();
	});

	test('say that the store does not answer, and leave out what it would tell', async () => {
		const registry = new Registry();
		createDeploymentGauges(registry, () => Promise.reject(new StoreError('Gone')));
		expect(await samplesOf(registry.metrics(), 'easel_store_reachable')).toEqual(['easel_store_reachable 0']);
		expect(await samplesOf(registry.metrics(), 'easel_plan_used_calls')).toEqual([]);
	});

	test('measure the operations of a store, each once', async () => {
		const metrics = create();
		const store = await openStore('memory:', undefined, metrics.observeStore);
		const { keyv, files, commit } = store.space('test');
		await keyv.set('a', 1);
		await keyv.getMany(['a', 'b']);
		await keyv.delete('a');
		await commit({ put: [{ key: 'b', value: 2 }] });
		await files.put('file', new Uint8Array(1));
		const counts = await samplesOf(metrics.text(), 'easel_store_operation_duration_seconds_count');
		expect(counts.filter((line) => !line.endsWith(' 0')).sort()).toEqual([
			'easel_store_operation_duration_seconds_count{operation="commit"} 2',
			'easel_store_operation_duration_seconds_count{operation="delete"} 1',
			'easel_store_operation_duration_seconds_count{operation="file_put"} 1',
			'easel_store_operation_duration_seconds_count{operation="get"} 1',
		]);
		await store.close();
	});
});
