import type { Place } from '../domain/channel.ts';
import type { CallOutcome, Job, Limit, Quote, TokenUsage, Unit } from '../domain/job.ts';
import type { Easel } from '../easel.ts';
import { openStore } from '../store/open-store.ts';
import type { Space, Store } from '../store/store.ts';
import { type Plan, usageStatus } from './caps.ts';
import { receiptsOf } from './jobs.ts';
import type { Lease } from './lease.ts';
import { Ledger, type ReservationRequest } from './ledger.ts';
import { type Settings, SettingsRepository } from './settings.ts';
import { isReported } from './totals.ts';
import { findMismatches } from './windows.ts';

export const PLACE: Place = { platform: 'test', server: 'club', channel: 'general' };
export const MODERATOR = { id: 'mod', name: 'Mod' };

/** A span that contains every time of the tests. */
export const EVER = { from: Date.UTC(2026, 0), to: Date.UTC(2027, 11) };

const RETENTION_MS = 30 * 24 * 3600_000;

/** 20 November 2026, 12:00 UTC. */
const NOON = Date.UTC(2026, 10, 20, 12);

/** A request's fields that a test may choose, besides who makes it. */
type RequestOptions = { id?: string; server?: string; channel?: string; roles?: string[] } & Pick<
	ReservationRequest,
	'what' | 'checkPolicy' | 'settings' | 'quote'
>;

/** Returns as much of the context as a ledger needs, with the ledger, on a store. */
export function createLedgerContext(store: Store, given: Partial<Easel> = {}, processId = 'this'): Easel {
	const { now = Date.now } = given;
	const settings = new SettingsRepository(store.space('ledger'), now);
	const lease = { processId } as Partial<Lease> as Lease;
	const defaults = { plan: { price: 30 }, retentionMs: RETENTION_MS };
	const easel = { store, settings, lease, now, ...defaults, ...given } as Easel;
	easel.ledger = new Ledger(easel);
	return easel;
}

/** Creates a ledger on a store in memory, with a clock that a test can set, and shortcuts for what tests do with it. */
export async function createLedgerFixture(plan: Plan = { price: 30 }, retentionMs = RETENTION_MS) {
	const store = await openStore('memory:');
	const space = store.space('ledger');
	const clock = { now: NOON };
	const now = () => clock.now;
	const easelOf = (of: Plan, processId = 'this') =>
		createLedgerContext(store, { plan: of, now, retentionMs }, processId);
	const easel = easelOf(plan);
	const { settings, ledger } = easel;
	let requests = 0;

	const changeSettings = (edit: Partial<Settings>) => changeThrough(settings, edit);

	const request = (person = 'ada', options: RequestOptions = {}, by = ledger) => {
		const { id = `job-${requests++}`, server = PLACE.server, channel = PLACE.channel, ...rest } = options;
		const place = { ...PLACE, server, channel };
		const message = { place, key: id };
		return by.reserve({ id, command: 'imagine', place, person: { id: person, name: person }, message, ...rest });
	};

	return {
		easel,
		space,
		clock,
		settings,
		ledger,
		changeSettings,
		setCaps: (...limits: Limit[]) => changeSettings({ limits }),
		request,

		process: (id: string): Ledger => easelOf(plan, id).ledger,

		/** Starts another process, whose operator has set these caps. */
		restarted: (caps: Plan['caps']): Easel => easelOf({ ...plan, caps }),

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
		async settle(
			job: Job,
			outcome: CallOutcome,
			pictures: number,
			tokens?: TokenUsage,
			by = ledger,
			paid?: number,
		): Promise<Job> {
			const answered = await by.answer(job, { kind: 'sentence', text: outcome }, { outcome, pictures, tokens, paid });
			const stored = answered ?? (await by.find(job.id));
			if (!stored) throw new Error(`${job.id} is not stored.`);
			return stored;
		},

		verify: () => findMismatches(space, easel),

		receipts: async () => (await Array.fromAsync(receiptsOf(space, PLACE, EVER))).filter(isReported),

		async used(name: string, period: string, person = 'ada', unit: Unit = 'images'): Promise<number | undefined> {
			const status = await usageStatus(easel, await settings.get(PLACE), PLACE, { id: person });
			const isThis = (layer: (typeof status)[number]) => layer.name === name && layer.period === period;
			return status.find((layer) => isThis(layer) && (name === 'overage' || layer.unit === unit))?.used;
		},
	};
}

/** Returns what a call may cost, in micro-USD. */
export const quoted = (most: number): Quote => ({
	...{ most, call: { model: 'some', n: 1, inputs: 0 }, rows: [{ usd_per_call: most }] },
});

/** Returns a repository of another process on the same store. */
export const otherProcess = (space: Space) => new SettingsRepository(space, () => NOON);

export const changeThrough = (repository: SettingsRepository, edit: Partial<Settings>) =>
	repository.change(PLACE, MODERATOR, 'test', (before) => ({ ...before, ...edit }));
