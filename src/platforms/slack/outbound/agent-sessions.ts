import type { Keyv } from 'keyv';
import type { Place } from '../../../domain/place.ts';
import { translatorFor } from '../../../i18n/translator.ts';
import type { Log } from '../../../log.ts';
import type { CallWithRetry } from '../api/call-with-retry.ts';
import { codeOf } from '../api/slack-errors.ts';
import type { MessageLocation } from '../api/slack-message.ts';
import type { People } from '../inbound/people.ts';

/** Slack's own sign that an answer is coming, and with it its own stop button; only where the app has the agent feature. */
export type AgentSessions = {
	/** An answer is being written in a thread. Nothing where there is none of this. */
	processing(place: Place, user?: string): Promise<void>;
	/** It is written, or something else is said there. Nothing where no answer is coming. */
	active(place: MessageLocation): Promise<void>;
	/** Whether people have Slack's stop button there. */
	hasStop(server: string): boolean;
	/** The button of ours that Slack's stands for in a thread: what is written down, and found in whatever process. */
	remember(place: MessageLocation, button: string): Promise<void>;
	remembered(place: MessageLocation): Promise<string | undefined>;
};

/** An answer takes no longer than this. */
const KEPT_MS = 3600_000;
/** Slack takes the sign back by itself after a while; it is given anew while it takes longer. */
const AGAIN_MS = 60_000;
/** Threads that are remembered as having something going on. */
const MOST = 1000;

/** What says that a whole workspace does not have this. https://docs.slack.dev/reference/methods/agents.sessions.setStatus */
const NOT_THERE: ReadonlySet<string> = new Set([
	...['feature_disabled', 'not_authorized', 'unknown_method', 'missing_scope', 'not_allowed_token_type'],
	...['no_permission', 'access_denied', 'method_deprecated', 'team_access_not_granted'],
]);

/** The session of an agent where the app is one; else the line that says that something is being written, where Slack has that. */
const WAYS = ['agents.sessions.setStatus', 'assistant.threads.setStatus'] as const;

const nameOf = ({ server, channel, thread }: MessageLocation) => `${server}:${channel}:${thread ?? ''}`;

function forgetOldest(map: Map<string, unknown>): void {
	for (const oldest of map.keys()) {
		if (map.size <= MOST) return;
		map.delete(oldest);
	}
}

/** A courtesy: whatever fails here, the answer comes all the same. */
export function createAgentSessions(options: {
	call: CallWithRetry;
	people: Pick<People, 'known'>;
	keyv: Keyv;
	log: Log;
	now?: () => number;
}): AgentSessions {
	const { call, people, keyv, log, now = Date.now } = options;
	/** The first of the ways that a workspace has not refused, by its index. */
	const ways = new Map<string, number>();
	/** Workspaces in which a session was shown. */
	const shown = new Set<string>();
	/** Threads in which something goes on, and since when that is shown. */
	const going = new Map<string, number>();
	/** What was written down last, so that it is not with every word. */
	const last = new Map<string, string>();

	async function show(place: MessageLocation & { thread: string }, status: 'processing' | 'active', user?: string) {
		const { server, channel, thread } = place;
		const where = { channel_id: channel, thread_ts: thread };
		for (let way = ways.get(server) ?? 0; way < WAYS.length; ways.set(server, ++way)) {
			try {
				if (way === 0) {
					await call(server, WAYS[0], (client) =>
						client.agents.sessions.setStatus({ ...where, status, ...(user && { initiator_user_id: user }) }),
					);
					shown.add(server);
				} else {
					const t = translatorFor(user && people.known(server, user)?.person.locale);
					// It goes by itself when something is said.
					if (status === 'processing')
						await call(server, WAYS[1], (client) =>
							client.assistant.threads.setStatus({ ...where, status: t('slack.writing') }),
						);
				}
				return;
			} catch (error) {
				const code = codeOf(error);
				if (code === undefined || !NOT_THERE.has(code))
					return void log.debug({ err: error }, 'Slack does not show that an answer is coming');
			}
		}
	}

	return {
		async processing(place, user) {
			const { server, channel, thread } = place;
			if (thread === undefined) return;
			const name = nameOf(place);
			const since = going.get(name);
			if (since !== undefined && now() - since < AGAIN_MS) return;
			going.delete(name);
			going.set(name, now());
			forgetOldest(going);
			await show({ server, channel, thread }, 'processing', user);
		},

		async active(place) {
			const { server, channel, thread } = place;
			if (thread === undefined || !going.delete(nameOf(place))) return;
			await show({ server, channel, thread }, 'active');
		},

		hasStop: (server) => shown.has(server) && (ways.get(server) ?? 0) === 0,

		async remember(place, button) {
			const name = nameOf(place);
			if (last.get(name) === button) return;
			await keyv.set(`stop:${name}`, button, KEPT_MS);
			last.delete(name);
			last.set(name, button);
			forgetOldest(last);
		},
		remembered: (place) => keyv.get<string>(`stop:${nameOf(place)}`),
	};
}
