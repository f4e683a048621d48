import { describe, expect, test } from 'vitest';
import { BotHarness } from '../../test/harness/bot-harness.ts';
import { openStore } from '../store/open-store.ts';
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

	test('start at 0 where alerts and rates need the first event', async () => {
		const { text } = create();
		const started = async (name: string) => samplesOf(text(), name);
		expect(await started('easel_requests_total')).toHaveLength(2 * (2 + 3));
		expect(await started('easel_requests_total')).toContain(
			'easel_requests_total{platform="slack",command="message",outcome="unanswered"} 0',
		);
		expect(await started('easel_calls_total')).toHaveLength(2 * 3);
		expect(await started('easel_caps_reached_total')).toHaveLength(2 * 8);
		expect(await started('easel_service_calls_total')).toEqual(
			expect.arrayContaining([
				'easel_service_calls_total{call="compose",outcome="no-answer"} 0',
				'easel_service_calls_total{call="chat",outcome="balance"} 0',
			]),
		);
		expect(await started('easel_rate_limit_waits_total')).toEqual([
			'easel_rate_limit_waits_total{platform="discord"} 0',
			'easel_rate_limit_waits_total{platform="slack"} 0',
		]);
	});

	test('have no label that comes from outside', async () => {
		const { observe, text } = create();
		const count = async () => (await text()).split('\n').filter((line) => line.startsWith('easel_')).length;
		const request = (command: string) => observe({ platform: 'slack', command, outcome: 'refused', seconds: 1 });
		request('nonsense');
		const before = await count();
		for (let index = 0; index < 100; index++) request(`nonsense "${index}"\n`);
		expect(await count()).toBe(before);
		expect(await text()).not.toContain('nonsense');
		expect(await text()).toContain('easel_requests_total{platform="slack",command="unknown",outcome="refused"} 101');
	});

	test('follow requests, calls, caps, the queue and the lease of a bot', async () => {
		const harness = await BotHarness.create();
		const metrics = createMetrics({ platforms: ['test'], commands: ['imagine'] });
		const { observe, ledgerObserver } = metrics;
		const bot = await harness.start({ observe, ledgerObserver, plan: { imagesPerMonth: 1, price: 0 } });
		metrics.watch(bot.easel);
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
		const harness = await BotHarness.create();
		const metrics = createMetrics({ platforms: ['test'], commands: ['imagine'] });
		const bot = await harness.start({ plan: { imagesPerMonth: 1, price: 0 } });
		metrics.watch(bot.easel);
		await harness.close();
		const text = metrics.text();
		expect(await samplesOf(text, 'easel_store_reachable')).toEqual(['easel_store_reachable 0']);
		expect(await samplesOf(text, 'easel_plan_used_calls')).toEqual([]);
		expect(await samplesOf(text, 'easel_queue_running')).toEqual(['easel_queue_running 0']);
		expect(await samplesOf(text, 'easel_platform_state')).toHaveLength(1);
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
