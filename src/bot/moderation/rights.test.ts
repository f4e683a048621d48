import { afterEach, beforeEach, expect, test } from 'vitest';
import { ada, BotHarness, moderator } from '../../../test/harness/bot-harness.ts';
import type { Person } from '../../domain/channel.ts';
import type { Bot } from '../bot.ts';

const painter: Person = { ...ada, roles: ['painters'] };

let harness: BotHarness;
let bot: Bot;
beforeEach(async () => {
	harness = await BotHarness.create();
	bot = await harness.start();
	await answerTo('set', 'limits settings', moderator, { moderators: 'painters' });
});
afterEach(() => harness.close());

/** Returns the answer to a command. */
async function answerTo(id: string, command: string, person: Person, options: Record<string, unknown> = {}) {
	await bot.invoke({ id, command, options, person, channel: harness.channel });
	return harness.seen(id)?.text ?? '';
}

test('the members of a role moderate, in every process, and until the role is removed', async () => {
	const isAllowed = expect.stringContaining('Moderator role: painters');
	expect(await answerTo('one', 'limits show', painter)).toEqual(isAllowed);
	expect(await answerTo('two', 'limits show', { ...ada, roles: ['others'] })).toMatch(/Only moderators/);
	expect(await answerTo('three', 'limits show', { ...painter, mayModerate: false })).toMatch(/Only moderators/);
	const other = await harness.start();
	await other.invoke({
		...{ id: 'off', command: 'limits settings', options: { off: 'moderators' } },
		...{ person: moderator, channel: harness.channel },
	});
	expect(await answerTo('four', 'limits show', painter)).toMatch(/Only moderators/);
});

test('a role does not extend itself', async () => {
	const refused = expect.stringContaining("can't change `moderators`");
	expect(await answerTo('one', 'limits settings', painter, { moderators: 'others' })).toEqual(refused);
	expect(await answerTo('two', 'limits settings', painter, { off: 'moderators' })).toEqual(refused);
	expect(await answerTo('three', 'limits settings', painter, { cooldown: 0, at_once: 3 })).toMatch(/at once: 3/);
	expect(await answerTo('four', 'limits settings', moderator)).toMatch(/Moderator role: painters/);
});

test('a role exempts nobody from the rules of the platform’s own server', async () => {
	const screened: boolean[] = [];
	const screen = async (_: string, person: Person) => {
		screened.push(person.moderator);
		return undefined;
	};
	const channel = { ...harness.channel, screen };
	await bot.invoke({ ...harness.imagine(), person: painter, channel });
	const message = { place: channel.place, key: 'job' };
	const press = { person: painter, channel, message, attached: [], open: async () => {} };
	await bot.press({ ...press, id: 'again', button: 'again:1:job' });
	await bot.invoke({ ...harness.imagine('bad', { n: 99 }), person: painter, channel });
	const form = { command: 'imagine', options: { prompt: 'a pond', n: 1 }, form: 'reopen:1:bad' };
	await bot.invoke({ id: 'reopened', ...form, person: painter, channel });
	expect(screened).toEqual([false, false, false]);
	expect(harness.faulty.requests).toHaveLength(3);
});
