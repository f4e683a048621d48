import type { CallOutcome, Job, Limit, TokenUsage } from '../domain/job.ts';
import type { Place } from '../domain/place.ts';
import { openStore } from '../store/open-store.ts';
import type { Space } from '../store/store.ts';
import type { Plan } from './caps.ts';
import { Ledger } from './ledger.ts';
import type { ReservationRequest } from './reserve.ts';
import type { Settings } from './settings.ts';
import { SettingsRepository } from './settings.ts';

export const PLACE: Place = { platform: 'test', server: 'club', channel: 'general' };
export const MODERATOR = { id: 'mod', name: 'Mod' };

/** A span that contains every time of the tests. */
export const EVER = { from: Date.UTC(2026, 0), to: Date.UTC(2027, 11) };

/** 20 November 2026, 12:00 UTC. */
const NOON = Date.UTC(2026, 10, 20, 12);

/** A request's fields that a test may choose, besides who makes it. */
type RequestOptions = { id?: string; server?: string; channel?: string; roles?: string[] } & Pick<
	ReservationRequest,
	'what' | 'checkPolicy' | 'settings'
>;

/** Creates a ledger on a store in memory, with a clock that a test can set, and shortcuts for what tests do with it. */
export async function createLedgerFixture(plan: Plan = { price: 30 }, retentionMs = 30 * 24 * 3600_000) {
	const space = (await openStore('memory:')).space('ledger');
	const clock = { now: NOON };
	const settings = new SettingsRepository(space, () => clock.now);
	const ledgerOf = (of: Plan, processId = 'this') =>
		new Ledger({ space, settings, plan: of, processId, now: () => clock.now, retentionMs });
	const ledger = ledgerOf(plan);
	let requests = 0;

	const changeSettings = (edit: Partial<Settings>) => changeThrough(settings, edit);

	const request = (person = 'ada', options: RequestOptions = {}, by = ledger) => {
		const { id = `job-${requests++}`, server = PLACE.server, channel = PLACE.channel, ...rest } = options;
		const place = { ...PLACE, server, channel };
		const message = { place, key: id };
		return by.reserve({ id, command: 'imagine', place, person: { id: person, name: person }, message, ...rest });
	};

	return {
		space,
		clock,
		settings,
		ledger,
		changeSettings,
		setCaps: (...limits: Limit[]) => changeSettings({ limits }),
		request,

		/** Returns the ledger of another process on the same store. */
		process: (id: string): Ledger => ledgerOf(plan, id),

		/** Starts another process, whose operator has set these caps. */
		restarted: (caps: Plan['caps']): Ledger => ledgerOf({ ...plan, caps }),

		/** Reserves a call that has to be granted. */
		async granted(...args: Parameters<typeof request>): Promise<Job> {
			const result = await request(...args);
			if (result === 'duplicate' || !('state' in result)) throw new Error(`Not granted: ${JSON.stringify(result)}`);
			return result;
		},

		/** Makes a request and returns the cap that denies it, such as `member day 2/2`, or any other result as it is. */
		async denied(...args: Parameters<typeof request>) {
			const result = await request(...args);
			return typeof result === 'object' && 'used' in result
				? `${result.denied.name} ${result.denied.period} ${result.used}/${result.denied.limit}`
				: result;
		},

		async sent(job: Job): Promise<Job> {
			const sent = await ledger.send(job);
			if (!sent) throw new Error(`${job.id} cannot be sent.`);
			return sent;
		},

		/** Settles a call. Returns the job as it is then, which an earlier settlement may have decided. */
		async settle(job: Job, outcome: CallOutcome, pictures: number, tokens?: TokenUsage, by = ledger): Promise<Job> {
			const answered = await by.answer(job, { kind: 'sentence', text: outcome }, { outcome, pictures, tokens });
			const stored = answered ?? (await by.find(job.id));
			if (!stored) throw new Error(`${job.id} is not stored.`);
			return stored;
		},

		/** Returns how much of a layer is used. */
		async used(name: string, period: string, person = 'ada'): Promise<number | undefined> {
			const status = await ledger.usageStatus(PLACE, { id: person });
			return status.find((layer) => layer.name === name && layer.period === period)?.used;
		},
	};
}

/** Returns a repository of another process on the same store. */
export const otherProcess = (space: Space) => new SettingsRepository(space, () => NOON);

export const changeThrough = (repository: SettingsRepository, edit: Partial<Settings>) =>
	repository.change(PLACE, MODERATOR, 'test', (before) => ({ ...before, ...edit }));
