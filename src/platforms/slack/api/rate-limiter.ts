/** Keeps each method to its tier in each workspace, for whoever calls it. */
export type RateLimiter = {
	/** Resolves when the method may be called. With `channel`, also when something may be posted there again: once a second. */
	(server: string, method: string, channel?: string): Promise<void>;
	/** Milliseconds until it might be called, were it asked for now. */
	ahead(server: string, method: string, channel?: string): number;
	/** How many calls of it could be made at once. */
	spare(server: string, method: string): number;
	/** Slack has said to wait (429): the method is not called in this workspace before. */
	pushBack(server: string, method: string, ms: number): void;
};

/** Calls a minute, in each workspace, of every method by itself. https://docs.slack.dev/apis/web-api/rate-limits#web */
const TIERS = { 1: 1, 2: 20, 3: 50, 4: 100 } as const;

/** The tier is on each method's page: https://docs.slack.dev/reference/methods. Who is not named here is of tier 3. */
const METHODS: Readonly<Record<string, keyof typeof TIERS>> = {
	'chat.startStream': 2,
	'chat.appendStream': 4,
	'chat.stopStream': 2,
	'chat.update': 3,
	'chat.delete': 3,
	'chat.postEphemeral': 4,
	'conversations.history': 3,
	'conversations.replies': 3,
	'files.getUploadURLExternal': 4,
	'files.completeUploadExternal': 4,
	'files.info': 4,
	'users.info': 4,
	'users.list': 2,
	'usergroups.users.list': 2,
	'views.open': 4,
	'views.publish': 4,
	'views.update': 4,
	'agents.sessions.setStatus': 3,
};

/** “Generally, 1 per second per channel”, and “several hundred messages per minute” a workspace: the same page. */
const POST = 'chat.postMessage';
const POSTS_A_MINUTE = 300;
const POST_APART_MS = 1000;
/** Short bursts are allowed there. */
const POST_BURST = 3;

/** This share of what a minute takes may come at once; the rest is spread over the minute, so that neither goes beyond it. */
const BURST = 1 / 5;
const MINUTE_MS = 60_000;

/** Channels that nothing was posted to for a while are forgotten from so many on. */
const MOST_CHANNELS = 1000;

/** A tier's calls, evenly spread but for a burst: all that is known of the past is when it will have been worked off. */
type Meter = { everyMs: number; burst: number; until: number };

/**
 * @param times what all times are multiplied by: a Slack in tests keeps its own in a part of a minute
 * @param now milliseconds of a clock that never goes back, the one of timers
 */
export function createRateLimiter(times = 1, now: () => number = () => performance.now()): RateLimiter {
	const methods = new Map<string, Meter>();
	const channels = new Map<string, Meter>();

	function methodMeter(server: string, method: string): Meter {
		const name = `${server}:${method}`;
		const known = methods.get(name);
		if (known) return known;
		const perMinute = method === POST ? POSTS_A_MINUTE : TIERS[METHODS[method] ?? 3];
		const burst = Math.max(1, Math.floor(perMinute * BURST));
		const meter = { everyMs: (MINUTE_MS * times) / Math.max(1, perMinute - burst), burst, until: 0 };
		methods.set(name, meter);
		return meter;
	}

	function channelMeter(server: string, channel: string): Meter {
		const name = `${server}:${channel}`;
		const known = channels.get(name);
		if (known) return known;
		if (channels.size >= MOST_CHANNELS)
			for (const [other, { until }] of channels) if (until <= now()) channels.delete(other);
		const meter = { everyMs: POST_APART_MS * times, burst: POST_BURST, until: 0 };
		channels.set(name, meter);
		return meter;
	}

	const metersOf = (server: string, method: string, channel?: string) => [
		methodMeter(server, method),
		...(method === POST && channel !== undefined ? [channelMeter(server, channel)] : []),
	];

	const ahead = (server: string, method: string, channel?: string): number =>
		Math.max(
			0,
			...metersOf(server, method, channel).map(({ until, everyMs, burst }) => until - now() - everyMs * (burst - 1)),
		);

	async function turn(server: string, method: string, channel?: string): Promise<void> {
		const at = now() + ahead(server, method, channel);
		// Taken at once, so that whoever asks next comes after.
		for (const meter of metersOf(server, method, channel)) meter.until = Math.max(meter.until, at) + meter.everyMs;
		for (let ms = at - now(); ms > 0; ms = at - now())
			await new Promise((resolve) => setTimeout(resolve, Math.ceil(ms)));
	}

	return Object.assign(turn, {
		ahead,
		spare(server: string, method: string): number {
			const { until, everyMs, burst } = methodMeter(server, method);
			return Math.max(0, Math.floor(burst - Math.max(0, until - now()) / everyMs));
		},
		pushBack(server: string, method: string, ms: number) {
			const meter = methodMeter(server, method);
			// From then on, one after the other: Slack has counted more than we have.
			meter.until = Math.max(meter.until, now() + ms + meter.everyMs * (meter.burst - 1));
		},
	});
}
