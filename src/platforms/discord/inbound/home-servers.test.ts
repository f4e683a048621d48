import type { APIGuildMember } from 'discord.js';
import { Keyv } from 'keyv';
import { pino } from 'pino';
import { expect, test, vi } from 'vitest';
import { createMessageRecords } from '../api/message-records.ts';
import { createHomeServers } from './home-servers.ts';

const log = pino({ level: 'silent' });
const api = { member: async () => ({ roles: ['painters'] }) as APIGuildMember };

test('whoever asks now here, now there, in different processes, comes under where they asked last', async () => {
	const keyv = new Keyv();
	const [here, there] = [0, 1].map(() => createHomeServers({ records: createMessageRecords(keyv), api, log }));
	for (const [homes, server] of [
		[here, 'atelier'],
		[there, 'gallery'],
		[here, 'atelier'],
	] as const) {
		homes?.remember('ada', server);
		await vi.waitFor(async () => {
			expect(await here?.of('ada')).toEqual({ server, roles: ['painters'] });
			expect(await there?.of('ada')).toEqual({ server, roles: ['painters'] });
		});
	}
});
