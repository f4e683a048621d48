import { beforeEach, describe, expect, test } from 'vitest';
import type { Channel } from '../../domain/channel.ts';
import { Easel } from '../../easel.ts';
import { SentenceError } from '../../i18n/translator.ts';
import { createLog } from '../../log.ts';
import { ServiceError } from '../../service/errors.ts';
import type { Service } from '../../service/service.ts';
import { openStore } from '../../store/open-store.ts';
import type { CapReached } from '../../usage/caps.ts';
import type { Settings } from '../../usage/settings.ts';
import { MemberRates, Policy } from './policy.ts';

const ada = { id: 'ada', name: 'Ada', moderator: false };
const place = { platform: 'test', server: 'club', channel: 'general' };

let defaults: Settings;
let settings: Settings;
let policy: Policy;
/** What the moderation model flags; an error when it does not answer. */
let flagged: string[] | Error;
const moderate = async ({ text }: { text?: string }) => {
	asked++;
	if (text?.includes('badly')) return ['violence'];
	if (flagged instanceof Error) throw flagged;
	return flagged;
};
let channel: Pick<Channel, 'place' | 'refer' | 'screen' | 'when'>;
/** The cap that is reached, and why calls are paused. */
let state: { reached?: CapReached; paused?: SentenceError };
const PAUSED = new SentenceError('errors.paused', { minutes: 1 });
/** How often the moderation model was asked. */
let asked: number;

beforeEach(async () => {
	const log = await createLog({ level: 'silent', format: 'json', secrets: [] });
	const easel = new Easel({
		commands: [],
		store: await openStore('memory:'),
		service: { moderate: moderate as Service['moderate'] } as Service,
		...{ platforms: [], log, plan: { price: 0 }, now: () => 0 },
	});
	defaults = await easel.settings.get(place);
	settings = defaults;
	channel = { place, refer: (_, id) => `<${id}>`, when: String };
	[state, asked] = [{}, 0];
	easel.settings.get = async () => settings;
	easel.ledger.capReached = async () => state.reached;
	easel.failurePause.refusal = async () => state.paused;
	policy = new Policy(easel);
	flagged = [];
});

const set = (changes: Partial<Settings>) => {
	settings = { ...defaults, ...changes };
};
const check = async (text = 'a red fox', person: object = {}) => {
	const refused = await policy.check('pictures', { channel, person: { ...ada, ...person }, text });
	return { refused: refused?.message };
};

test('allows everything by default', async () => {
	expect(await check()).toEqual({ refused: undefined });
	expect(await policy.check('chat', { channel, person: ada, text: 'Hello' })).toBeUndefined();
});

describe('the moderation model', () => {
	test('refuses what it flags, in the categories of the server', async () => {
		flagged = ['violence/graphic'];
		expect(await check()).toEqual({
			refused: expect.stringMatching(/flagged this \(violence\/graphic\).*Nothing was counted/),
		});
		expect((await policy.check('chat', { channel, person: ada, text: 'Hello' }))?.message).toMatch(/flagged/);
		set({ moderationCategories: ['sexual'] });
		expect(await check()).toEqual({ refused: undefined });
		flagged = ['sexual/minors'];
		set({ moderationCategories: ['violence'] });
		expect(await check()).toEqual({ refused: expect.stringMatching(/flagged/) });
	});

	test('is missing as the server has set', async () => {
		flagged = new ServiceError('no-answer', 'The service did not answer.');
		expect(await check()).toEqual({ refused: undefined });
		set({ unmoderated: 'refuse' });
		expect(await check()).toEqual({ refused: expect.stringMatching(/does not answer right now/) });
	});

	test('is asked about pictures until the model refuses them', async () => {
		const images = [{ type: 'image/png', bytes: new Uint8Array(1) }];
		flagged = ['violence'];
		await expect(policy.checkInputs(settings, images)).rejects.toThrow(/flagged/);
		flagged = new ServiceError('request', 'Only texts.', { status: 400 });
		await policy.checkInputs({ ...settings, unmoderated: 'refuse' }, images);
		flagged = ['violence'];
		await policy.checkInputs(settings, images);
	});
});

describe('refuses', () => {
	test('a blocked member', async () => {
		set({ blocked: ['ada'] });
		expect(await check()).toEqual({ refused: expect.stringMatching(/blocked/) });
		expect(await check('a fox', { id: 'bjorn' })).toEqual({ refused: undefined });
	});

	test('other channels than the allowed ones, and names at most ten of these', async () => {
		set({ allowedChannels: Array.from({ length: 11 }, (_, index) => `c${index}`) });
		expect(await check()).toEqual({ refused: expect.stringMatching(/<c0>.*<c9> …/) });
		channel.place = { ...place, channel: 'c10', thread: 't' };
		expect(await check()).toEqual({ refused: undefined });
	});

	test('members without an allowed role', async () => {
		set({ allowedRoles: ['artists'] });
		expect(await check()).toEqual({ refused: expect.stringContaining('<artists>') });
		expect(await check('a fox', { roles: ['artists'] })).toEqual({ refused: undefined });
	});

	test('banned words, without repeating them', async () => {
		set({ bannedWords: ['fox'] });
		expect(await check()).toEqual({ refused: expect.not.stringContaining('fox') });
	});

	test('a prompt that breaks the rules of the platform’s server', async () => {
		channel.screen = async (text) => (text.includes('fox') ? { name: 'Foxes', message: 'No foxes here.' } : undefined);
		expect(await check()).toEqual({ refused: 'No foxes here.' });
		expect(await check('a hare')).toEqual({ refused: undefined });
	});

	test('a second request during a cooldown, but not a chat turn', async () => {
		set({ cooldownSeconds: 60 });
		expect(await check()).toEqual({ refused: undefined });
		expect(await check()).toEqual({ refused: expect.stringContaining('60') });
		expect(await policy.check('chat', { channel, person: ada, text: 'Hello' })).toBeUndefined();
	});
});

describe('the moderation model is not asked', () => {
	const cap: CapReached = {
		denied: {
			name: 'member',
			unit: 'images',
			key: 'count',
			period: 'day',
			limit: 0,
			window: { id: '1', startsAt: 0, resetsAt: 0 },
		},
		used: 0,
	};
	const refusals: [string, () => void, RegExp][] = [
		['of a blocked member', () => set({ blocked: ['ada'] }), /blocked/],
		['in other channels', () => set({ allowedChannels: ['art'] }), /only in/],
		['without a role', () => set({ allowedRoles: ['artists'] }), /only for/],
		['with a banned word', () => set({ bannedWords: ['fox'] }), /banned/],
		['over a cap', () => Object.assign(state, { reached: cap }), /0 of 0/],
		['while calls are paused', () => Object.assign(state, { paused: PAUSED }), /paused/],
		[
			'against the rules of the server',
			() => Object.assign(channel, { screen: async () => ({ name: 'foxes' }) }),
			/foxes/,
		],
	];
	test.each(refusals)('about a request %s', async (_, refuse, sentence) => {
		refuse();
		for (let times = 0; times < 3; times++) {
			expect(await check()).toEqual({ refused: expect.stringMatching(sentence) });
			expect((await policy.check('chat', { channel, person: ada, text: 'a fox' }))?.message).toMatch(sentence);
		}
		expect(asked).toBe(0);
	});

	test('about requests during a cooldown, also at the same time', async () => {
		set({ cooldownSeconds: 60 });
		const all = await Promise.all(Array.from({ length: 40 }, () => check()));
		expect(all.filter(({ refused }) => refused)).toHaveLength(39);
		expect(asked).toBe(1);
	});

	test('about more than 20 requests of a person in a minute', async () => {
		const all = await Promise.all(Array.from({ length: 60 }, () => check()));
		expect(all.filter(({ refused }) => refused)).toHaveLength(40);
		expect(all.at(-1)).toEqual({ refused: expect.stringMatching(/many times.*Nothing was counted/) });
		expect(asked).toBe(20);
		expect(await check('a fox', { id: 'bjorn' })).toEqual({ refused: undefined });
	});

	test('about messages that are not for the bot', async () => {
		expect(await policy.check('message', { channel, person: ada, text: 'Hello, Bjorn' })).toBeUndefined();
		set({ bannedWords: ['fox'] });
		expect((await policy.check('message', { channel, person: ada, text: 'a fox' }))?.message).toMatch(/banned/);
		expect(asked).toBe(0);
	});
});

test('context is checked at once, and in parts only where something is flagged', async () => {
	const texts = Array.from({ length: 32 }, (_, index) => `message ${index}`);
	expect(await policy.checkContext(place, texts)).toEqual(texts.map(() => true));
	expect(asked).toBe(1);
	texts[20] = 'said badly';
	expect(await policy.checkContext(place, texts)).toEqual(texts.map((_, index) => index !== 20));
	expect(asked).toBeLessThan(15);
	flagged = new ServiceError('no-answer', 'The service did not answer.');
	expect(await policy.checkContext(place, ['a', 'b'])).toEqual([true, true]);
	set({ unmoderated: 'refuse' });
	await expect(policy.checkContext(place, ['a', 'b'])).rejects.toThrow(/does not answer right now/);
});

test('a search is refused to a blocked person, while calls are paused, and after 20 in a minute', async () => {
	const search = () => policy.check('search', { channel, person: ada });
	set({ blocked: ['ada'] });
	expect((await search())?.message).toMatch(/blocked/);
	set({});
	state = { paused: PAUSED };
	expect((await search())?.message).toMatch(/paused/);
	state = {};
	const all = await Promise.all(Array.from({ length: 60 }, search));
	expect(all.filter((refused) => refused === undefined)).toHaveLength(20);
});

test('allows a request when the rules of the platform’s server cannot be applied', async () => {
	channel.screen = () => Promise.reject(new Error('Discord is down'));
	expect(await check()).toEqual({ refused: undefined });
});

test('checks again by the settings at the time of the reservation', async () => {
	const checker = policy.checkerOf('pictures', { channel, person: ada, text: 'a red fox' });
	expect(checker(defaults)).toBeUndefined();
	expect(checker({ ...defaults, blocked: ['ada'] })?.message).toMatch(/blocked/);
});

const COOLDOWN = { count: 1, seconds: 60 };

test('a member waits until the cooldown is over, and attempts do not extend it', () => {
	let now = 0;
	const rates = new MemberRates(() => now);
	expect(rates.take('ada', COOLDOWN)).toBe(0);
	now = 30_500;
	expect(rates.take('ada', COOLDOWN)).toBe(30);
	now = 60_000;
	expect(rates.wait('ada', COOLDOWN)).toBe(0);
	expect(rates.take('ada', COOLDOWN)).toBe(0);
	expect(rates.take('ada', COOLDOWN)).toBe(60);
	expect(rates.take('bjorn', COOLDOWN)).toBe(0);
});

test('a rate allows its requests at once, and then one whenever its share of the time is over', () => {
	let now = 1_000_000;
	const rates = new MemberRates(() => now);
	const burst = (count: number) =>
		Array.from({ length: count }, () => rates.take('ada', { count: 20, seconds: 60 })).filter((wait) => wait === 0);
	expect(burst(60)).toHaveLength(20);
	now += 2999;
	expect(burst(1)).toHaveLength(0);
	now += 1;
	expect(burst(2)).toHaveLength(1);
	now += 3_600_000;
	expect(burst(60)).toHaveLength(20);
});

test('without a cooldown nothing is remembered', () => {
	const rates = new MemberRates(() => 0);
	expect(rates.take('ada', { count: 1, seconds: 0 })).toBe(0);
	expect(rates.take('ada', COOLDOWN)).toBe(0);
});
