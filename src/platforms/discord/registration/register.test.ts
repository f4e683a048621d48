import { expect } from 'vitest';
import { COMMANDS } from '../../../../test/fakes/commands.ts';
import { test } from '../../../../test/harness/discord-platform.fixture.ts';
import { registerCommands, registeredDiffers } from './register.ts';

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
