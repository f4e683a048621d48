import { expect, test } from 'vitest';
import { createMetrics } from './metrics.ts';

test('counts the requests that Discord refuses, by status', async () => {
	const { registry, onInvalidDiscordRequest } = createMetrics();
	for (const status of [401, 403, 403]) onInvalidDiscordRequest(status);
	const text = await registry.metrics();
	expect(text).toContain('easel_discord_invalid_requests_total{status="401"} 1');
	expect(text).toContain('easel_discord_invalid_requests_total{status="403"} 2');
});
