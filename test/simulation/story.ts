import type { Person } from '../../src/domain/person.ts';
import type { Random } from './random.ts';

/** People of both servers; `mo` moderates. */
export const PEOPLE: readonly Person[] = [
	{ id: 'ada', name: 'Ada', moderator: false, roles: ['artist'] },
	{ id: 'ben', name: 'Ben', moderator: false, roles: ['artist', 'patron'] },
	{ id: 'cleo', name: 'Cleo', moderator: false },
	{ id: 'mo', name: 'Mo', moderator: true },
];

export const ZONES = { greenwich: 'UTC', manhattan: 'America/New_York' } as const;
export type Server = keyof typeof ZONES;
export const SERVERS = Object.keys(ZONES) as Server[];
const CHANNELS = ['lobby', 'studio'];
/** Where moderators see every picture. */
export const LOG = 'log';

/** What is asked for. */
const THINGS = ['pond', 'fox', 'tower'];

/** What happens in a run, at which moment (milliseconds), in no order. */
export type Event = { at: number } & (
	| {
			kind: 'command';
			id: string;
			command: string;
			options: Record<string, unknown>;
			who: string;
			server: Server;
			channel: string;
	  }
	| { kind: 'press'; id: string; action: 'again' | 'collect'; who: string; server: Server; channel: string }
	| { kind: 'kill' | 'stop' | 'pause'; process: number; ms: number }
	| { kind: 'jump'; ms: number }
	| { kind: 'to-boundary'; zone: string; beforeMs: number }
);

/** Shortly before something that calendars trip over, in one zone or the other. */
const STARTS = [
	'2026-11-20T23:58:00Z',
	'2026-11-30T23:57:00Z',
	'2026-12-01T04:57:00Z',
	'2026-12-31T23:57:00Z',
	'2028-02-28T23:58:00Z',
	'2028-03-01T04:58:00Z',
	// Clocks go forward in New York at 07:00 UTC, and back at 06:00 UTC, which is the first of a month.
	'2026-03-08T06:58:00Z',
	'2026-03-08T04:58:00Z',
	'2026-03-09T03:57:00Z',
	'2026-11-01T05:57:00Z',
	'2026-11-01T03:57:00Z',
	'2026-11-02T04:57:00Z',
].map((text) => Date.parse(text));

export type Story = {
	/** Where the wall clock starts, Unix milliseconds. */
	start: number;
	/** How long things happen, milliseconds. */
	lasts: number;
	processes: number;
	/** For how long pictures can't be posted in servers, milliseconds. */
	wordsOnlyMs: number;
	/** How many pictures one message takes. */
	picturesPerMessage: number;
	/** People who take no direct messages. */
	closed: readonly string[];
	/** Moderators see every picture from the beginning. */
	logs: boolean;
	/** Each process on a machine of its own, as process 1; else all on one, told apart by number. */
	containers: boolean;
	plan: { imagesPerMonth?: number; price: number };
	events: Event[];
};

/** Makes up what happens in a run. */
export function tell(random: Random): Story {
	const lasts = random.between(90_000, 420_000);
	const processes = random.between(1, 3);
	const events: Event[] = [];
	const some = (least: number, most: number, make: (index: number) => Event) => {
		for (let index = 0, count = random.between(least, most); index < count; index += 1) events.push(make(index));
	};
	const at = () => random.between(0, lasts);
	const scene = () => ({ who: random.pick(PEOPLE).id, server: random.pick(SERVERS), channel: random.pick(CHANNELS) });
	const hasJumps = random.chance(0.6);
	const hasModerators = random.chance(0.7);
	// Some runs are a rush on few counters, some take their time.
	const rush = random.chance(0.3);
	const wordsOnlyMs = random.chance(0.2) ? random.between(30_000, lasts) : 0;

	some(8, 28, (index) => {
		const options = {
			prompt: `${random.pick(THINGS)} ${index}`,
			...(random.chance(0.3) && { n: random.between(1, 3) }),
			...(random.chance(0.2) && { private: true }),
		};
		const moment = rush ? random.between(20_000, 30_000) : at();
		return { at: moment, kind: 'command', id: `draw-${index}`, command: 'imagine', options, ...scene() };
	});
	some(0, 5, (index) => ({
		at: at(),
		kind: 'press',
		id: `press-${index}`,
		action: random.pick(['again', 'collect']),
		...scene(),
	}));
	some(0, wordsOnlyMs > 0 ? 15 : 3, (index) => ({
		at: at(),
		kind: 'command',
		id: `usage-${index}`,
		command: 'usage',
		options: {},
		...scene(),
	}));
	some(hasModerators ? 1 : 0, hasModerators ? 8 : 0, (index) => {
		const order = random.pick([setLimit, setLimit, clearLimit, overage, rules, serverRule, serverRule])(random);
		return { at: at(), kind: 'command', id: `order-${index}`, ...order, ...scene(), who: 'mo' };
	});
	some(0, 3, () => ({
		at: at(),
		kind: random.pick(['kill', 'kill', 'stop', 'pause', 'pause', 'pause']),
		process: random.between(0, processes - 1),
		ms: random.between(1000, 90_000),
	}));
	if (hasJumps) {
		some(0, 3, () => ({
			at: at(),
			kind: 'jump',
			ms: random.pick([-2000, -500, 1000, 45_000, 3_600_000, 86_400_000]),
		}));
		some(0, 2, () => ({
			at: at(),
			kind: 'to-boundary',
			zone: random.pick(Object.values(ZONES)),
			beforeMs: random.between(0, 8000),
		}));
	}
	return {
		start: random.pick(STARTS) + random.between(0, 150_000),
		lasts,
		processes,
		wordsOnlyMs,
		picturesPerMessage: random.pick([1, 2, 10]),
		closed: random.chance(0.5) ? PEOPLE.map(({ id }) => id).filter(() => random.chance(0.5)) : [],
		logs: random.chance(0.5),
		containers: random.chance(0.5),
		plan: { price: 30, ...(random.chance(0.6) && { imagesPerMonth: random.between(0, 12) }) },
		events,
	};
}

type Order = { command: string; options: Record<string, unknown> };

function capOf(random: Random): Record<string, unknown> {
	const period = random.pick(['day', 'month']);
	const scope = random.pick(['server', 'server', 'channel', 'role', 'member']);
	if (scope === 'channel') return { scope, period, channel: random.pick(CHANNELS) };
	if (scope === 'role') return { scope, period, role: random.pick(['artist', 'patron']) };
	if (scope === 'member') return { scope, period, ...(random.chance(0.5) && { member: random.pick(PEOPLE).id }) };
	return { scope, period };
}

const setLimit = (random: Random): Order => ({
	command: 'limits set',
	options: { ...capOf(random), images: random.between(0, 8) },
});
const clearLimit = (random: Random): Order => ({ command: 'limits clear', options: capOf(random) });
const overage = (random: Random): Order => ({
	command: 'limits overage',
	options: { usd: random.pick(['0', '0.05', '0.10', '0.30']) },
});
const rules = (random: Random): Order => ({
	command: 'limits settings',
	options: random.pick([
		{ at_once: random.between(1, 3) },
		{ cooldown: random.between(0, 20) },
		{ notices: 'lobby' },
		{ log: LOG },
		{ log: LOG },
	]),
});

/** Who may ask for what where, or no longer. */
function serverRule(random: Random): Order {
	const some = random.pick([
		['block', 'unblock', { member: random.pick(PEOPLE).id }],
		['allow', 'disallow', random.chance(0.5) ? { channel: random.pick(CHANNELS) } : { role: 'artist' }],
		['ban', 'unban', { words: random.pick(THINGS) }],
	] as const);
	const [rule, no, options] = some;
	return { command: `limits ${random.chance(0.6) ? rule : no}`, options };
}

/** Caps that a run starts with. */
export function firstOrders(random: Random): Order[] {
	return Array.from({ length: random.between(0, 4) }, () => random.pick([setLimit, setLimit, overage])(random));
}
