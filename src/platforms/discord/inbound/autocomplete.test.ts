import { expect, test } from 'vitest';
import { DiscordError } from '../../../../packages/fakes/src/discord/api/errors.ts';
import { eventually } from '../../../../packages/fakes/src/eventually.ts';
import { test as discordTest } from '../../../../test/harness/discord-platform.fixture.ts';
import { choicesOf } from './command-options.ts';

discordTest('suggestions that come too late are no failure', async ({ discord, easel, logged }) => {
	await easel.start({ suggest: async () => ['1536x1024'] });
	const expired = { answer: new DiscordError(404, 10062, 'Unknown interaction') };
	discord.faults.add({ path: /callback$/ }, expired);
	void discord.user('ada').suggest('imagine', 'size', '1536');
	await eventually(() => expect(discord.requests.some(({ status }) => status === 404)).toBe(true));
	expect(await discord.user('ada').suggest('imagine', 'size', '1536')).not.toEqual([]);
	expect(logged).toEqual([]);
});

test('choices are at most 25, and those that Discord accepts', () => {
	expect(choicesOf(Array.from({ length: 30 }, (_, index) => `model-${index}`))).toHaveLength(25);
	expect(choicesOf(['', 'x'.repeat(101), 'beta'])).toEqual([{ name: 'beta', value: 'beta' }]);
});
