import type { REST } from 'discord.js';
import { expect } from 'vitest';
import { COMMANDS } from '../../../test/harness/commands.ts';
import { test } from '../../../test/harness/discord-platform.fixture.ts';
import { ensureRegistered, registerCommands, registeredDiffers } from './registration.ts';

test('registers commands in one idempotent request, globally or in one server', async ({ discord, rest }) => {
	expect(await registeredDiffers({ rest, commands: COMMANDS })).toBe(false);
	const fewer = COMMANDS.slice(1);
	expect(await registeredDiffers({ rest, commands: fewer })).toBe(true);
	expect(await registerCommands({ rest, commands: fewer })).toBe(8);
	expect(await registeredDiffers({ rest, commands: fewer })).toBe(false);
	const guild = discord.world.server().id;
	await registerCommands({ rest, commands: COMMANDS, guild });
	expect(discord.commands(guild).map(({ name }) => name)).toContain('imagine');
});

test('ignores what Discord adds to registered commands, and their order', async ({ rest }) => {
	const reordered = async (...request: Parameters<REST['get']>) => {
		const answer = (await rest.get(...request)) as Record<string, unknown>[];
		if (!Array.isArray(answer)) return answer;
		return answer.reverse().map((command) => ({
			...command,
			...{ version: '2', dm_permission: true, a_property_of_the_future: 7, nsfw: false },
			...(Array.isArray(command['contexts']) && { contexts: [...command['contexts']].reverse() }),
		}));
	};
	const discord = { get: reordered } as REST;
	expect(await registeredDiffers({ rest: discord, commands: COMMANDS })).toBe(false);
	expect(await registeredDiffers({ rest: discord, commands: COMMANDS.slice(1) })).toBe(true);
});

test('registers commands that differ once, also when two processes start', async ({ discord, rest, log, logged }) => {
	const keys = new Set<string>();
	const claim = async (key: string) => keys.size < keys.add(key).size;
	const writes = () => discord.requests.filter(({ method }) => method === 'PUT').length;
	const before = writes();
	const start = (register: boolean, commands = COMMANDS) => ensureRegistered({ rest, commands, register, claim, log });
	await start(true);
	expect(writes()).toBe(before);
	const fewer = COMMANDS.slice(1);
	await start(false, fewer);
	expect([writes() - before, logged]).toEqual([
		0,
		[expect.stringMatching(/DISCORD_REGISTER is off: run npm run register/)],
	]);
	await Promise.all([start(true, fewer), start(true, fewer)]);
	expect(writes()).toBe(before + 1);
	await start(true, fewer);
	expect(writes()).toBe(before + 1);
	expect(discord.commands()).toHaveLength(8);
});
