import { describe, expect, test } from 'vitest';
import { commands } from '../../../commands/index.ts';
import { SPACES } from '../../collections.ts';
import type { Page } from '../../domain/channel.ts';
import type { CallOutcome } from '../../domain/job.ts';
import { Easel } from '../../easel.ts';
import { createLog } from '../../log.ts';
import { PROFILES } from '../../service/profiles.ts';
import type { Service } from '../../service/service.ts';
import { openStore } from '../../store/open-store.ts';
import type { Settings } from '../../usage/settings.ts';
import { TRIED_DAYS, tryRule } from './try-rule.ts';

const DAY_MS = 24 * 3600_000;
const NOW = Date.UTC(2026, 10, 26, 12);
const server = { platform: 'test', server: 'club' };
const show: Page = { place: { ...server, channel: 'general' }, refer: (_, id) => `<${id}>`, when: String };

/** A request as it was made, in Unix milliseconds. */
type Made = {
	id: string;
	at: number;
	end: number;
	person: string;
	channel: string;
	prompt: string;
	outcome: CallOutcome;
};

async function createClub() {
	let clock = 0;
	const easel = new Easel({
		...{ commands, platforms: [], plan: { price: 0 }, now: () => clock, store: await openStore('memory:') },
		log: await createLog({ level: 'silent', format: 'json', secrets: [] }),
		service: { capabilities: PROFILES.easel.capabilities } as Service,
		retentionMs: 100 * DAY_MS,
	});
	return {
		easel,
		at: (time: number) => {
			clock = time;
		},
	};
}

type Club = Awaited<ReturnType<typeof createClub>>;

/** Makes requests as people do, and returns those that are refused. */
async function make({ easel, at }: Club, made: readonly Made[]): Promise<string[]> {
	const refused: string[] = [];
	const open = new Map<string, Parameters<Easel['ledger']['end']>[0]>();
	const events = made.flatMap((one) => [
		{ time: one.at, run: () => ask(one) },
		{ time: one.end, run: () => end(one) },
	]);
	async function ask({ id, person, channel: name, prompt }: Made): Promise<void> {
		const channel = { ...show, place: { ...server, channel: name } };
		const { place } = channel;
		const who = { id: person, name: person, moderator: false };
		const settings = await easel.settings.get(place);
		if (await easel.policy.check('pictures', { channel, person: who, text: prompt }, settings))
			return void refused.push(id);
		const request = {
			id,
			command: 'imagine',
			place,
			person: { id: person, name: person },
			message: { place, key: id },
			request: { options: { prompt }, inputs: {} },
		};
		const job = await easel.ledger.reserve({ ...request, settings });
		if (typeof job !== 'object' || !('state' in job)) return void refused.push(id);
		open.set(id, job);
	}
	async function end({ id, outcome }: Made): Promise<void> {
		const job = open.get(id);
		if (job) await easel.ledger.end(job, { outcome, pictures: outcome === 'succeeded' ? 1 : 0 });
	}
	for (const { time, run } of events.sort((one, other) => one.time - other.time)) {
		at(time);
		await run();
	}
	at(NOW);
	return refused;
}

/** Everything that is stored. */
async function entriesOf({ store }: Easel): Promise<string[]> {
	const all = await Promise.all(SPACES.map((name) => Array.fromAsync(store.space(name).list(''))));
	return all.flat().map((entry) => JSON.stringify(entry));
}

/** Returns the requests of some people in six weeks, the same for a seed. */
function history(seed: number): Made[] {
	let state = seed * 7919 + 17;
	const random = (below: number) => {
		state = (state * 48271) % 2147483647;
		return state % below;
	};
	const pick = <One>(list: readonly One[]) => list[random(list.length)] as One;
	const times = Array.from({ length: 120 }, () => NOW - random(45 * DAY_MS)).sort((one, other) => one - other);
	// Some follow each other closely.
	return times.map((time, index) => {
		const at = index % 4 === 0 ? time : (times[index - (index % 4)] ?? time) + (index % 4) * (1 + random(40_000));
		return {
			...{ id: `call-${index}`, at, end: at + random(60_000), person: pick(['ada', 'bjorn', 'cleo']) },
			...{ channel: pick(['general', 'gallery']), prompt: pick(['a red fox', 'an owl', 'two foxes at night']) },
			outcome: pick(['succeeded', 'succeeded', 'failed', 'unknown'] as const),
		};
	});
}

const RULES: Readonly<Record<string, Partial<Settings>>> = {
	'a cap of a day for each member': { limits: [{ scope: 'member', period: 'day', images: 1 }] },
	'a cap of a month for the server': { limits: [{ scope: 'server', period: 'month', images: 20 }] },
	'a cap for a channel': { limits: [{ scope: 'channel', target: 'gallery', period: 'month', images: 5 }] },
	'a cap for one member': { limits: [{ scope: 'member', target: 'ada', period: 'day', images: 0 }] },
	'banned words': { bannedWords: ['fox'] },
	'a cooldown': { cooldownSeconds: 30 },
	'an allowed channel': { allowedChannels: ['general'] },
};

describe.each(Object.keys(RULES))('a rule that is tried: %s', (name) => {
	test.each([1, 2, 3])('refuses what it would have refused, and stores nothing (history %i)', async (seed) => {
		const rule = RULES[name] as Partial<Settings>;
		const made = history(seed).filter(({ at }) => at <= NOW);
		const lived = await createClub();
		expect(await make(lived, made)).toEqual([]);
		const before = await entriesOf(lived.easel);
		const trial = await tryRule(lived.easel, show, 'pictures', (settings) => ({ ...settings, ...rule }));
		expect(await entriesOf(lived.easel)).toEqual(before);

		const ruled = await createClub();
		await ruled.easel.settings.change(server, { id: 'mod', name: 'Mod' }, 'test', (settings) => ({
			...settings,
			...rule,
		}));
		// What was made before the first month that counts is no longer looked at.
		const from = Date.UTC(2026, 9, 1);
		const counted = made.filter(({ at }) => at >= from);
		const refused = await make(ruled, counted);
		const isLooked = (id: string) => (counted.find((one) => one.id === id)?.at ?? 0) >= NOW - TRIED_DAYS * DAY_MS;
		expect(trial.affected.map(({ id }) => id)).toEqual(refused.filter(isLooked));
		expect(trial.total).toBe(made.filter(({ id }) => isLooked(id)).length);
		expect(trial.unknown).toBe(0);
	});
});

test('requests whose words are no longer kept are unknown', async () => {
	const club = await createClub();
	await make(club, history(4));
	const all = history(4).filter(({ at }) => at >= NOW - TRIED_DAYS * DAY_MS);
	for (const { id } of all.slice(0, 5)) await club.easel.requests.forget(id);
	const trial = await tryRule(club.easel, show, 'pictures', (settings) => ({ ...settings, bannedWords: ['fox'] }));
	expect(trial.unknown).toBe(5);
	expect(trial.affected.length).toBeLessThan(trial.total);
});

test('pictures that would have waited for a moderator are those of the channel', async () => {
	const club = await createClub();
	await make(club, history(5));
	const trial = await tryRule(club.easel, show, 'pictures', (settings) => ({
		...settings,
		reviewChannels: ['gallery'],
	}));
	expect(trial.affected.every(({ place }) => place.channel === 'gallery')).toBe(true);
	expect(trial.affected.length).toBeGreaterThan(0);
});
