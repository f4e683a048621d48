import type { Job } from '../../src/domain/job.ts';
import type { Place } from '../../src/domain/place.ts';
import type { Debit } from '../../src/domain/receipt.ts';
import { timedMember } from '../../src/store/pages.ts';
import { type Change, type Store, StoreError } from '../../src/store/store.ts';
import { serverLayers } from '../../src/usage/caps/layers.ts';
import { DEFAULT_SETTINGS } from '../../src/usage/settings/settings.ts';
import { closingChange, sendingChange, settlement } from '../../src/usage/settlement.ts';
import { counterStep } from '../../src/usage/windows/counters.ts';

export const PLATFORM = 'bench';
/** The server that is measured. It has made every tenth of the earlier pictures. */
export const CLUB = { platform: PLATFORM, server: 'club' };
/** Has made every tenth of the earlier pictures too, all of them in one month. */
export const CROWD = { platform: PLATFORM, server: 'crowd' };
const OTHER_SERVERS = 98;
const CHANNELS = 10;
const MEMBERS = 200;

const EARLIER_MONTHS = 24;
const CROWDED_MONTH = 12;
/** The pictures of the running month, in the measured server alone, however many earlier ones there are. */
const THIS_MONTH = 300;

const DAY_MS = 24 * 3600_000;

const MAX_TRIES = 20;

const PICTURES_PER_COMMIT = 500;
/** As long as an operator can wish for: every earlier picture still has all of its entries. */
export const KEEP_ALL_MS = 3660 * DAY_MS;

type Picture = { server: { platform: string; server: string }; number: number; at: number };

/** Writes ended, delivered pictures of the months before this one, and some of this month. */
export async function writeEarlierPictures(store: Store, count: number): Promise<void> {
	const [from, to] = [monthsAgo(EARLIER_MONTHS), monthsAgo(0)];
	const crowded = { from: monthsAgo(CROWDED_MONTH), to: monthsAgo(CROWDED_MONTH - 1) };
	const within = (start: number, end: number, share: number) => Math.floor(start + (end - start) * share);
	const ofThisMonth = Array.from({ length: THIS_MONTH }, (_, number) => ({
		...{ server: CLUB, number },
		at: within(to, Date.now(), number / THIS_MONTH),
	}));
	await write(store, changesOf(ofThisMonth));
	for (let start = 0; start < count; start += PICTURES_PER_COMMIT) {
		const pictures = Array.from({ length: Math.min(PICTURES_PER_COMMIT, count - start) }, (_, index): Picture => {
			const number = start + index;
			const server = serverOf(number);
			const span = server === CROWD ? crowded : { from, to };
			return { server, number, at: within(span.from, span.to, number / count) };
		});
		await write(store, changesOf(pictures));
	}
}

/** Writes ended pictures as version 1 did: without indexes and without times to live. */
export async function writeVersion1(store: Store, count: number): Promise<void> {
	const lasting = ({ put = [], add = [] }: Change): Change => ({
		put: put.map(({ key, value }) => ({ key, value })),
		add: add.map(({ key, by }) => ({ key, by })),
	});
	for (let start = 0; start < count; start += PICTURES_PER_COMMIT) {
		const numbers = Array.from({ length: Math.min(PICTURES_PER_COMMIT, count - start) }, (_, index) => start + index);
		const changes = changesOf(
			numbers.map((number) => ({ server: serverOf(number), number, at: Date.now() - DAY_MS + number })),
		);
		await write(store, { ledger: lasting(changes.ledger), requests: lasting(changes.requests), search: {} });
	}
}

async function write(store: Store, { ledger, requests, search }: ReturnType<typeof changesOf>): Promise<void> {
	await insist(() => store.space('ledger').commit(ledger));
	await insist(() => store.space('requests').commit(requests));
	await insist(() => store.space('search').commit(search));
}

/** Tries again when the disk is too busy for so many writes. A commit that is made twice only changes counters. */
async function insist(commit: () => Promise<unknown>): Promise<void> {
	for (let tries = 1; ; tries++) {
		try {
			await commit();
			return;
		} catch (error) {
			if (!(error instanceof StoreError) || tries === MAX_TRIES) throw error;
		}
	}
}

const monthsAgo = (months: number): number => {
	const now = new Date();
	return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months);
};

/** The month of all pictures of `CROWD`, such as `2025-11`. */
export const crowdedMonth = () => new Date(monthsAgo(CROWDED_MONTH)).toISOString().slice(0, 7);

function serverOf(number: number) {
	if (number % 10 === 0) return CLUB;
	if (number % 10 === 1) return CROWD;
	return { platform: PLATFORM, server: `server-${number % OTHER_SERVERS}` };
}

export const memberOf = (number: number) => ({ id: `m${number % MEMBERS}`, name: `Member ${number % MEMBERS}` });
export const channelOf = (server: Pick<Place, 'platform' | 'server'>, number: number): Place => ({
	...server,
	channel: `c${number % CHANNELS}`,
});

/** Returns an id that is as long as Discord's. */
export const idOf = (at: number, number: number) => `${at}${String(number % 1e6).padStart(6, '0')}`;

/** A stored request of usual length. */
export const requestOf = ({ command, person, place }: Job) => ({
	command,
	options: { prompt: 'A lighthouse on a cliff in a storm, painted in oil, with a small boat far out on the sea', n: 1 },
	inputs: {},
	person,
	place,
});

/** Returns what remains of pictures whose jobs have gone through every state. */
function changesOf(pictures: readonly Picture[]): { ledger: Change; requests: Change; search: Change } {
	const debits: Debit[] = [];
	const puts: NonNullable<Change['put']>[number][] = [];
	const index: NonNullable<Change['index']>[number][] = [];
	const requests: NonNullable<Change['put']>[number][] = [];
	const found: NonNullable<Change['index']>[number][] = [];
	for (const picture of pictures) {
		const job = jobOf(picture);
		const { settled, change } = settlement({ ...job, state: 'sent' }, 'succeeded', 1, job.at + 20_000);
		const changes = [sendingChange(job), change, closingChange(settled, 'delivered')];
		const latest = new Map(changes.flatMap(({ put = [] }) => put).map((entry) => [entry.key, entry]));
		puts.push(...latest.values());
		index.push(...changes.flatMap((each) => each.index ?? []));
		debits.push(...job.debits);
		requests.push({ key: job.id, value: requestOf(job), ttlMs: KEEP_ALL_MS });
		const { platform, server } = job.place;
		found.push({ index: `${platform}/${server}`, member: timedMember(job.at, job.id), ttlMs: KEEP_ALL_MS });
	}
	const sums = [...Map.groupBy(debits, ([key]) => key)].map(([key, each]): Debit => [key, each.length]);
	const add = sums.map((debit) => counterStep(debit, Date.now(), KEEP_ALL_MS));
	return { ledger: { add, put: puts, index }, requests: { put: requests }, search: { index: found } };
}

function jobOf({ server, number, at }: Picture): Job {
	const place = channelOf(server, number);
	const person = memberOf(number);
	const id = idOf(at, number);
	const layers = serverLayers(DEFAULT_SETTINGS, place, person, at);
	return {
		...{ id, command: 'imagine', place, person, at },
		...{ state: 'reserved', debits: layers.map(({ key }) => [key, 1] as const), cost: 0 },
		...{ answer: { place, key: id }, process: crypto.randomUUID(), claims: 0 },
	};
}
