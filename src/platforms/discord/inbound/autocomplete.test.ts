import { expect, test } from 'vitest';
import { commands } from '../../../../commands/index.ts';
import { DiscordError } from '../../../../packages/fakes/src/discord/api/errors.ts';
import { eventually } from '../../../../packages/fakes/src/eventually.ts';
import { test as discordTest } from '../../../../test/harness/discord-platform.fixture.ts';
import { describeCommands } from '../../../bot/declaration/options.ts';
import { PROFILES } from '../../../service/profiles.ts';
import { choicesOf, completions } from './command-options.ts';

discordTest('suggestions that come too late are no failure', async ({ discord, easel, logged }) => {
	await easel.start({});
	const expired = { answer: new DiscordError(404, 10062, 'Unknown interaction') };
	discord.faults.add({ path: /callback$/ }, expired);
	void discord.user('ada').suggest('imagine', 'size', '1536');
	await eventually(() => expect(discord.requests.at(-1)?.status).toBe(404));
	expect(await discord.user('ada').suggest('imagine', 'size', '1536')).not.toEqual([]);
	expect(logged).toEqual([]);
});

const imagine = describeCommands(commands, PROFILES.easel.capabilities).find(({ name }) => name === 'imagine');

test('completions are the values that contain what was typed', () => {
	const [, size] = imagine?.fields ?? [];
	expect(completions(size, '1536')).toEqual(['1536x1024', '1024x1536']);
	expect(completions(undefined, '')).toEqual([]);
});

test('choices are at most 25, and those that Discord accepts', () => {
	expect(choicesOf(Array.from({ length: 30 }, (_, index) => `model-${index}`))).toHaveLength(25);
	expect(choicesOf(['', 'x'.repeat(101), 'beta'])).toEqual([{ name: 'beta', value: 'beta' }]);
});
