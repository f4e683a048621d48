import { webApi } from '@slack/bolt';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { startSlack } from '../../../../packages/fakes/src/slack/index.ts';
import type { Installation } from '../installation/installation.ts';
import { Web } from './web.ts';

const log = pino({ level: 'silent' });
const installations = { of: async (server: string) => ({ server, botToken: `xoxb-${server}` }) as Installation };

test('the client of a workspace is used again, until 1,000 others were used since', async () => {
	const web = new Web({ installations, apiUrl: 'http://127.0.0.1:9/api/', log });
	const first = await web.of('T0');
	expect(await web.of('T0')).toBe(first);
	for (let number = 1; number <= 1000; number++) await web.of(`T${number}`);
	expect(await web.of('T0')).not.toBe(first);
});

test('a call rejects with the errors of the library', async () => {
	const slack = await startSlack();
	try {
		const web = new Web({
			installations: { of: async (server) => ({ server, botToken: slack.botToken }) as Installation },
			apiUrl: slack.apiUrl,
			log,
		});
		const client = await web.of('T1');
		expect(await client.auth.test()).toMatchObject({ ok: true });
		const failure = () => client.auth.test().catch((error: unknown) => error);
		slack.faults.refuse('auth.test', 'fatal_error');
		expect(await failure()).toMatchObject({ name: 'WebAPIPlatformError', data: { error: 'fatal_error' } });
		slack.faults.limit('auth.test', { seconds: 7 });
		expect(await failure()).toMatchObject({ name: 'WebAPIRateLimitedError', retryAfter: 7 });
		slack.faults.serverError('auth.test');
		expect(await failure()).toMatchObject({ name: 'WebAPIHTTPError', statusCode: 503 });
		slack.faults.die('auth.test');
		expect(await failure()).toBeInstanceOf(webApi.WebAPIRequestError);
	} finally {
		await slack.close();
	}
});
