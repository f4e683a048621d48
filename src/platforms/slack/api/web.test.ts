import { pino } from 'pino';
import { expect, test } from 'vitest';
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
