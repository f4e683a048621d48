import { describe, expect } from 'vitest';
import { test } from '../../../../test/harness/discord-platform.fixture.ts';

const MIB = 2 ** 20;

describe.for([
	['by default', {}, 20 * MIB],
	['in a boosted server', { fileBytes: 50 * MIB }, 50 * MIB],
	[
		'in a server whose features name it, without a tier',
		{ fileBytes: 100 * MIB, features: ['TIERLESS_BOOSTING', 'MAX_FILE_SIZE_50_MB', 'MAX_FILE_SIZE_100_MB'] },
		100 * MIB,
	],
] as const)('the upload limit of a file %s', ([, server, bytes]) => {
	test.override({ fakeOptions: { servers: [{ members: { ada: {} }, ...server }] } });

	test('applies to what the bot posts on its own', async ({ discord, easel }) => {
		const platform = await easel.start({});
		const place = { platform: 'discord', server: discord.world.server().id, channel: discord.world.channel().id };
		expect((await platform.channel(place))?.limits.pictureBytes).toBe(bytes);
	});
});
