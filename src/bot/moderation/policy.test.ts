import { beforeEach, describe, expect, test } from 'vitest';
import type { Channel } from '../../domain/channel.ts';
import { createLog } from '../../log.ts';
import { ServiceError } from '../../service/errors.ts';
import { openStore } from '../../store/open-store.ts';
import type { Settings } from '../../usage/settings/settings.ts';
import { SettingsRepository } from '../../usage/settings/settings-repository.ts';
import { Policy } from './policy.ts';
import { SecondOpinion } from './second-opinion.ts';

const ada = { id: 'ada', name: 'Ada', moderator: false };
const place = { platform: 'test', server: 'club', channel: 'general' };

let defaults: Settings;
let settings: Settings;
let policy: Policy;
/** What the moderation model flags; an error when it does not answer. */
let flagged: string[] | Error;
const moderate = async () => {
	if (flagged instanceof Error) throw flagged;
	return flagged;
};
let channel: Pick<Channel, 'place' | 'refer' | 'screen'>;

beforeEach(async () => {
	const log = await createLog({ level: 'silent', format: 'json', secrets: [] });
	defaults = await new SettingsRepository((await openStore('memory:')).space('ledger'), Date.now).get(place);
	settings = defaults;
	channel = { place, refer: (_, id) => `<${id}>` };
	policy = new Policy({
		settings: { get: async () => settings },
		opinion: new SecondOpinion({ service: { moderate }, log, stopping: AbortSignal.any([]) }),
		failurePause: { refusal: async () => undefined },
		log,
		now: () => 0,
	});
	flagged = [];
});

const set = (changes: Partial<Settings>) => {
	settings = { ...defaults, ...changes };
};
const check = (text = 'a red fox', person: object = {}) =>
	policy.checkPictures({ channel, person: { ...ada, ...person }, text });

test('allows everything by default', async () => {
	expect(await check()).toEqual({ settings });
	expect(await policy.checkChat({ channel, person: ada, text: 'Hello' })).toBeUndefined();
});

describe('the second opinion', () => {
	test('refuses what it flags, in the categories of the server', async () => {
		flagged = ['violence/graphic'];
		expect(await check()).toEqual({
			refused: expect.stringMatching(/flagged this \(violence\/graphic\).*Nothing was counted/),
		});
		expect(await policy.checkChat({ channel, person: ada, text: 'Hello' })).toMatch(/flagged/);
		set({ moderationCategories: ['sexual'] });
		expect(await check()).toEqual({ settings });
		flagged = ['sexual/minors'];
		set({ moderationCategories: ['violence'] });
		expect(await check()).toEqual({ refused: expect.stringMatching(/flagged/) });
	});

	test('is missing as the server has set', async () => {
		flagged = new ServiceError('no-answer', 'The service did not answer.');
		expect(await check()).toEqual({ settings });
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
		expect(await check('a fox', { id: 'bjorn' })).toEqual({ settings });
	});

	test('other channels than the allowed ones, and names at most ten of these', async () => {
		set({ allowedChannels: Array.from({ length: 11 }, (_, index) => `c${index}`) });
		expect(await check()).toEqual({ refused: expect.stringMatching(/<c0>.*<c9> …/) });
		channel.place = { ...place, channel: 'c10', thread: 't' };
		expect(await check()).toEqual({ settings });
	});

	test('members without an allowed role', async () => {
		set({ allowedRoles: ['artists'] });
		expect(await check()).toEqual({ refused: expect.stringContaining('<artists>') });
		expect(await check('a fox', { roles: ['artists'] })).toEqual({ settings });
	});

	test('banned words, without repeating them', async () => {
		set({ bannedWords: ['fox'] });
		expect(await check()).toEqual({ refused: expect.not.stringContaining('fox') });
	});

	test('a prompt that breaks the rules of the platform’s server', async () => {
		channel.screen = async (text) => (text.includes('fox') ? 'No foxes here.' : undefined);
		expect(await check()).toEqual({ refused: 'No foxes here.' });
		expect(await check('a hare')).toEqual({ settings });
	});

	test('a second request during a cooldown, but not a chat turn', async () => {
		set({ cooldownSeconds: 60 });
		expect(await check()).toEqual({ settings });
		expect(await check()).toEqual({ refused: expect.stringContaining('60') });
		expect(await policy.checkChat({ channel, person: ada, text: 'Hello' })).toBeUndefined();
	});
});

test('allows a request when the rules of the platform’s server cannot be applied', async () => {
	channel.screen = () => Promise.reject(new Error('Discord is down'));
	expect(await check()).toEqual({ settings });
});

test('checks again by the settings at the time of the reservation', async () => {
	const checker = policy.checkerOf('pictures', { channel, person: ada, text: 'a red fox' });
	expect(checker(defaults)).toBeUndefined();
	expect(checker({ ...defaults, blocked: ['ada'] })).toMatch(/blocked/);
});
