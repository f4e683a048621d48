import type { PriceRow } from '../../src/domain/job.ts';
import type { PauseRule } from '../../src/jobs/outcome.ts';
import type { Plan } from '../../src/usage/caps.ts';
import type { Random } from './engine/random.ts';
import { CHANNELS, LOG_CHANNEL, PEOPLE, PLATFORMS, SERVERS, type Server, SUBJECTS, ZONES } from './fixtures.ts';
import { inMoney, moderatorCommand } from './moderator-commands.ts';

type Author = { who: string; server: Server; channel: string };

export type CommandEvent = Author & { kind: 'command'; id: string; command: string; options: Record<string, unknown> };
export type PressEvent = Author & {
	kind: 'press';
	id: string;
	action: 'again' | 'collect' | 'cancel' | 'approve' | 'reject';
};

/** An event of a run, at a time in milliseconds. */
export type ScenarioEvent = { at: number } & (
	| CommandEvent
	| PressEvent
	/** `ms` is how long a process is suspended. */
	| { kind: 'kill' | 'stop' | 'suspend'; process: number; ms: number }
	| { kind: 'jump'; ms: number }
	/** The wall clock jumps to shortly before the end of the month in a time zone. */
	| { kind: 'jump-to-month-end'; zone: string; beforeMs: number }
);

/** Shortly before times that calendars often get wrong, in one time zone or the other. */
const STARTS = [
	'2026-11-20T23:58:00Z',
	'2026-11-30T23:57:00Z',
	'2026-12-01T04:57:00Z',
	'2026-12-31T23:57:00Z',
	'2028-02-28T23:58:00Z',
	'2028-03-01T04:58:00Z',
	// In New York, clocks go forward at 07:00 UTC, and back at 06:00 UTC on the first day of a month.
	'2026-03-08T06:58:00Z',
	'2026-03-08T04:58:00Z',
	'2026-03-09T03:57:00Z',
	'2026-11-01T05:57:00Z',
	'2026-11-01T03:57:00Z',
	'2026-11-02T04:57:00Z',
].map((text) => Date.parse(text));

/** The circumstances and the events of a run. */
export type Scenario = {
	/** The wall clock's first time, in Unix milliseconds. */
	start: number;
	/** How long events happen, in milliseconds. */
	durationMs: number;
	/** The number of processes. */
	processes: number;
	/** How long pictures cannot be posted in servers, in milliseconds. */
	textOnlyMs: number;
	picturesPerMessage: number;
	/** Ids of people who cannot be sent direct messages. */
	withoutDirectMessages: readonly string[];
	/** Whether the moderation log is on from the start. */
	hasModerationLog: boolean;
	/** How reviews of the pictures of `REVIEWED_CHANNEL` end without a decision; absent in runs without reviews. */
	review?: { hours: number; undecided: 'reject' | 'show' };
	/** When failed calls pause paid ones; absent in runs without pauses. */
	pauseRule?: PauseRule;
	/** The platforms that each of the processes runs. Later ones run all. */
	platforms: readonly (readonly string[])[];
	plan: Plan;
	/** Tables of what calls cost, of which each process has another one. Absent in runs without prices. */
	prices?: readonly (readonly PriceRow[])[];
	/** In no order. */
	events: ScenarioEvent[];
};

/** Creates a random scenario. */
export function createScenario(random: Random): Scenario {
	const durationMs = random.between(90_000, 420_000);
	const processes = random.between(1, 3);
	const events: ScenarioEvent[] = [];
	const add = (min: number, max: number, create: (index: number) => ScenarioEvent) => {
		for (let index = 0, count = random.between(min, max); index < count; index += 1) events.push(create(index));
	};
	const at = () => random.between(0, durationMs);
	const author = (): Author => ({
		who: random.pick(PEOPLE).id,
		server: random.pick(SERVERS),
		channel: random.pick(CHANNELS),
	});
	const hasJumps = random.chance(0.6);
	const hasModerators = random.chance(0.7);
	// In some runs most requests come within a few seconds.
	const isRush = random.chance(0.3);
	const textOnlyMs = random.chance(0.2) ? random.between(30_000, durationMs) : 0;

	add(8, 28, (index) => {
		const options = {
			prompt: `${random.pick(SUBJECTS)} ${index}`,
			...(random.chance(0.3) && { n: random.between(1, 3) }),
			...(random.chance(0.2) && { private: true }),
		};
		const time = isRush ? random.between(20_000, 30_000) : at();
		return { at: time, kind: 'command', id: `draw-${index}`, command: 'imagine', options, ...author() };
	});
	add(0, 5, (index) => {
		const time = at();
		const action = random.pick(['again', 'collect'] as const);
		return { at: time, kind: 'press', id: `press-${index}`, action, ...author() };
	});
	add(0, textOnlyMs > 0 ? 15 : 3, (index) => {
		return { at: at(), kind: 'command', id: `usage-${index}`, command: 'usage', options: {}, ...author() };
	});
	add(hasModerators ? 1 : 0, hasModerators ? 8 : 0, (index) => {
		const call = moderatorCommand(random);
		return { at: at(), kind: 'command', id: `order-${index}`, ...call, ...author(), who: 'mo' };
	});
	add(0, 3, () => ({
		at: at(),
		kind: random.pick(['kill', 'kill', 'stop', 'suspend', 'suspend', 'suspend'] as const),
		process: random.between(0, processes - 1),
		ms: random.between(1000, 90_000),
	}));
	if (hasJumps) {
		const jumps = [-2000, -500, 1000, 45_000, 3_600_000, 86_400_000];
		add(0, 3, () => ({ at: at(), kind: 'jump', ms: random.pick(jumps) }));
		add(0, 2, () => {
			const time = at();
			const zone = random.pick(Object.values(ZONES));
			return { at: time, kind: 'jump-to-month-end', zone, beforeMs: random.between(0, 8000) };
		});
	}
	events.push(...cancellations(random.fork('stops'), events));
	const review = reviewOf(random.fork('reviews'));
	if (review) events.push(...decisions(random.fork('decisions'), durationMs));
	const pauseRule = pauseRuleOf(random.fork('pauses'));
	const prices = pricesOf(random.fork('prices'));
	if (prices) priceEvents(random.fork('money'), events);
	const runsAll = random.chance(0.6);
	return {
		start: random.pick(STARTS) + random.between(0, 150_000),
		durationMs,
		processes,
		textOnlyMs,
		picturesPerMessage: random.pick([1, 2, 10]),
		withoutDirectMessages: random.chance(0.5) ? PEOPLE.map(({ id }) => id).filter(() => random.chance(0.5)) : [],
		hasModerationLog: random.chance(0.5),
		...(review && { review }),
		...(pauseRule && { pauseRule }),
		...(prices && { prices }),
		platforms: Array.from({ length: processes }, () => (runsAll ? PLATFORMS : [random.pick(PLATFORMS)])),
		plan: withMoneyCaps(prices && random.fork('operator'), {
			price: 30,
			...(random.chance(0.6) && { imagesPerMonth: random.between(0, 12) }),
			...(random.chance(0.3) && {
				caps: {
					...(random.chance(0.6) && { serverPerDay: random.between(1, 8) }),
					...(random.chance(0.6) && { serverPerMonth: random.between(1, 12) }),
					...(random.chance(0.6) && { memberPerDay: random.between(1, 6) }),
				},
			}),
		}),
		events,
	};
}

/** Cancels some of the requests, by the person who asked or a moderator, mostly while they wait or run. */
function cancellations(random: Random, events: readonly ScenarioEvent[]): ScenarioEvent[] {
	const requests = events.filter(
		(event): event is ScenarioEvent & CommandEvent => 'command' in event && event.command === 'imagine',
	);
	return requests
		.filter(() => random.chance(0.2))
		.map(({ at, who, server, channel }, index) => ({
			...{
				at: at + random.between(1000, 12_000),
				kind: 'press',
				id: `cancel-${index}`,
				action: 'cancel',
				server,
				channel,
			},
			who: random.chance(0.2) ? 'mo' : who,
		}));
}

/** Reviews in a part of the runs: some end during the run, others only when the clock jumps. */
const reviewOf = (random: Random): Scenario['review'] =>
	random.chance(0.35)
		? { hours: random.pick([0.02, 0.05, 2]), undecided: random.pick(['reject', 'show'] as const) }
		: undefined;

/** The weights of calls in a part of the runs, in tables that differ from process to process. */
const pricesOf = (random: Random): Scenario['prices'] =>
	random.chance(0.5)
		? Array.from({ length: 3 }, () => [
				{ quality: 'low', usd_per_picture: random.between(1, 30_000) },
				{ quality: 'high', usd_per_picture: random.between(1, 60_000) },
				{ usd_per_picture: random.between(0, 40_000) },
			])
		: undefined;

/** Gives requests a quality, and puts money beside or in place of calls in the commands of moderators. */
function priceEvents(random: Random, events: ScenarioEvent[]): void {
	for (const event of events) {
		if (event.kind !== 'command') continue;
		const quality = random.pick([undefined, 'low', 'high']);
		if (event.command === 'imagine' && quality) event.options = { ...event.options, quality };
		Object.assign(event, inMoney(random, event));
	}
}

/** The operator's caps in money, in a part of the runs with prices. */
const withMoneyCaps = (random: Random | undefined, plan: Plan): Plan =>
	random?.chance(0.4)
		? {
				...plan,
				caps: {
					...plan.caps,
					...(random.chance(0.6) && { serverUsdPerMonth: random.between(0, 300_000) }),
					...(random.chance(0.6) && { memberUsdPerDay: random.between(0, 150_000) }),
				},
			}
		: plan;

/** Few failures pause calls in a part of the runs, so that some of the requests come during a pause. */
const pauseRuleOf = (random: Random): Scenario['pauseRule'] =>
	random.chance(0.4) ? { failures: 1, pauseMs: random.pick([60_000, 120_000]) } : undefined;

/** Decisions of moderators, some of them at the same time. */
const decisions = (random: Random, durationMs: number): ScenarioEvent[] =>
	Array.from({ length: random.between(2, 12) }, (_, index) => ({
		at: random.between(20_000, durationMs),
		kind: 'press',
		id: `decision-${index}`,
		action: random.pick(['approve', 'approve', 'reject'] as const),
		who: 'mo',
		server: random.pick(SERVERS),
		channel: LOG_CHANNEL,
	}));
