import { webApi } from '@slack/bolt';
import type { Place } from '../../../domain/place.ts';
import type { Reply } from '../../../domain/reply.ts';
import type { Log } from '../../../log.ts';
import { messageBlocksOf } from '../api/blocks.ts';
import type { CallWithRetry } from '../api/call-with-retry.ts';
import type { RateLimiter } from '../api/rate-limiter.ts';
import { codeOf, isOutcomeUnknown } from '../api/slack-errors.ts';
import type { MessageLocation, SlackMessage } from '../api/slack-message.ts';
import type { Web } from '../api/web.ts';
import type { Installations } from '../installation/installation.ts';
import type { AgentSessions } from './agent-sessions.ts';

/** Messages that Slack shows while they are written. All calls for one message follow one another. */
export type Streams = {
	/**
	 * Begins one for a reply that is growing; undefined when it is to be posted like any other: outside of threads, where nobody is
	 * known to write it for, and where Slack refuses. To be asked of every growing reply that is posted, since it is from here that
	 * Slack's own stop button knows what to stop.
	 */
	start(place: Place, to: { user: string; team: string } | undefined, reply: Reply): Promise<SlackMessage | undefined>;
	/**
	 * Adds what is new to it, or ends it with a reply that is not growing; false when the message is to be updated like any other, as
	 * is one that was never a stream. While a workspace has more to say than Slack takes, growing replies are left out: the last
	 * brings everything. Rejects when Slack can't be reached.
	 */
	write(where: SlackMessage, reply: Reply): Promise<boolean>;
	/** Ends what another process has left unended: for a message of ours that can't be updated (`streaming_state_conflict`). */
	stop(where: SlackMessage): Promise<void>;
};

/**
 * A stream takes no more than this, however it is called: 10.6 to 11.3 kB are seen to be its end, of 12,000 characters that are
 * documented for one call. https://docs.slack.dev/reference/methods/chat.appendStream
 */
const MOST_BYTES = 9000;
/** Slack ends a stream about five minutes after its start, also one that is written to. https://github.com/slackapi/node-slack-sdk/issues/2702 */
const MOST_MS = 4 * 60_000;
/** Long after Slack has ended it. */
const DEAD_MS = 10 * 60_000;
/** Who would have to wait longer for the first words, or for the next ones, gets them in another way. */
const LONGEST_WAIT_MS = 3000;
/** So many updates are kept for answers that end. */
const KEPT_UPDATES = 5;
/** Clocks differ. */
const CLOCKS_DIFFER_MS = 60_000;

/** The stream has ended, or is gone: there is nothing left to stop. */
const OVER: ReadonlySet<string> = new Set([
	...['message_not_in_streaming_state', 'stopped_by_user', 'message_not_found', 'channel_not_found'],
	...['message_not_owned_by_app', 'cant_update_message'],
]);

/** A message as histories have it; the library does not know that they tell of streams. */
type Read = { ts?: string; user?: string; bot_id?: string; streaming_state?: string };

/** A stream that is not known to have ended. */
type Stream = {
	where: SlackMessage;
	/** What of the text Slack is known to have. */
	sent: string;
	startedAt: number;
	/** It shows a button of ours, which only an update takes away. */
	hasButton: boolean;
	/** Nothing is added to it any more: it is stopped, and the message is updated from then on. */
	given: boolean;
	/** The latest reply to be written; what was asked for before and is not done yet is part of it. */
	latest: Reply;
	/** Everything that is done with it, one after the other. */
	turn: Promise<unknown>;
};

const nameOf = ({ server, channel, ts }: SlackMessage) => `${server}:${channel}:${ts}`;
const threadOf = ({ server, channel, thread }: Place) => `${server}:${channel}:${thread}`;
const bytesOf = (text: string) => Buffer.byteLength(text);

/**
 * Messages that grow by what is added to them. What is refused, dies, or is not known to have been done, makes the message one that
 * is updated as a whole: so nothing is lost, and nothing is there twice.
 */
export function createStreams(options: {
	web: Web;
	call: CallWithRetry;
	limiter: RateLimiter;
	sessions: AgentSessions;
	installations: Installations;
	log: Log;
	/** Milliseconds of a clock that never goes back. */
	now?: () => number;
}): Streams {
	const { web, call, limiter, sessions, installations, log, now = () => performance.now() } = options;
	const streams = new Map<string, Stream>();
	/** Threads in which a stream may have been started, and since when; Unix milliseconds. */
	const unsure = new Map<string, number>();

	/** Looks for a stream that was perhaps started: in a thread, one answer is written at a time. */
	async function unended({ server, channel, thread = '' }: Place, since: number): Promise<SlackMessage | undefined> {
		const oldest = ((since - CLOCKS_DIFFER_MS) / 1000).toFixed(6);
		const { messages = [] } = await call(
			server,
			'conversations.replies',
			(client) => client.conversations.replies({ channel, ts: thread, oldest, inclusive: true, limit: 100 }),
			{ idempotent: true },
		);
		const self = await installations.of(server);
		const found = (messages as Read[]).findLast(
			({ user, bot_id, streaming_state }) =>
				streaming_state === 'in_progress' && (user === self?.botUser || bot_id === self?.bot),
		);
		return found?.ts === undefined ? undefined : { server, channel, ts: found.ts, thread };
	}

	function begin(where: SlackMessage, reply: Reply, more: Pick<Stream, 'sent' | 'hasButton' | 'given'>): SlackMessage {
		const stream = { where, startedAt: now(), latest: reply, turn: Promise.resolve(), ...more };
		// Who wrote one may have been ended before it was.
		for (const [name, { startedAt }] of streams) if (now() - startedAt > DEAD_MS) streams.delete(name);
		streams.set(nameOf(where), stream);
		return where;
	}

	/** The message is not known to say what was sent: it is updated as a whole. */
	const adopt = (where: SlackMessage, reply: Reply) => begin(where, reply, { sent: '', hasButton: true, given: true });

	/** Slack's stop button stands for the one that is under what grows, however it grows. */
	async function remember(place: MessageLocation, { growing, buttons: [stop] = [] }: Reply): Promise<void> {
		if (growing === undefined || !stop || place.thread === undefined || !sessions.hasStop(place.server)) return;
		await sessions
			.remember(place, stop.id)
			.catch((error: unknown) => log.warn({ err: error }, 'Slack’s stop button does not know what it stops'));
	}

	async function start(place: Place, to: { user: string; team: string } | undefined, reply: Reply) {
		const { server, channel, thread, direct } = place;
		const { growing, buttons = [] } = reply;
		if (growing === undefined || thread === undefined) return undefined;
		const [stop] = buttons;
		const hasStop = sessions.hasStop(server);
		await remember(place, reply);
		const isDirect = direct || channel.startsWith('D');
		const wait = Math.max(limiter.delayMs(server, 'chat.startStream'), limiter.delayMs(server, 'chat.stopStream'));
		if ((!isDirect && !to) || bytesOf(growing) > MOST_BYTES || wait > LONGEST_WAIT_MS) return undefined;

		const before = unsure.get(threadOf(place));
		if (before !== undefined) {
			const there = await unended(place, before);
			unsure.delete(threadOf(place));
			if (there) return adopt(there, reply);
		}
		const since = Date.now();
		const hasButton = stop !== undefined && !hasStop;
		for (const [name, at] of unsure) if (since - at > DEAD_MS) unsure.delete(name);
		await limiter.wait(server, 'chat.startStream');
		try {
			const client = await web.of(server);
			const { ts } = await client.chat.startStream({
				channel,
				thread_ts: thread,
				...(!isDirect && to && { recipient_user_id: to.user, recipient_team_id: to.team }),
				chunks: [
					...(hasButton ? [{ type: 'blocks' as const, blocks: messageBlocksOf('', [], buttons).blocks }] : []),
					{ type: 'markdown_text', text: growing },
				],
			});
			if (!ts) throw new Error('Slack started a stream and does not say which');
			return begin({ server, channel, ts, thread }, reply, { sent: growing, hasButton, given: false });
		} catch (error) {
			refusedFor(server, 'chat.startStream', error);
			if (!isOutcomeUnknown(error)) return undefined;
			// It may be there: then it must not be posted once more.
			unsure.set(threadOf(place), since);
			const there = await unended(place, since);
			unsure.delete(threadOf(place));
			return there && adopt(there, reply);
		}
	}

	function refusedFor(server: string, method: string, error: unknown): void {
		if (error instanceof webApi.WebAPIRateLimitedError) limiter.block(server, method, error.retryAfter * 1000);
		log.debug({ err: error, slack: codeOf(error), method }, 'Slack does not let a stream go on');
	}

	/** Ends it, whatever it says. Rejects when Slack can't be reached, and it may still be open. */
	async function stop({ server, channel, ts }: SlackMessage): Promise<void> {
		try {
			await call(server, 'chat.stopStream', (client) => client.chat.stopStream({ channel, ts }), {
				idempotent: true,
			});
		} catch (error) {
			const code = codeOf(error);
			if (code === undefined) throw error;
			// Of any other refusal, the update that comes will tell.
			if (!OVER.has(code)) log.warn({ slack: code }, 'Slack does not end a stream');
		}
	}

	/** From here on the message is updated like any other. */
	async function giveUp(stream: Stream): Promise<false> {
		stream.given = true;
		await stop(stream.where);
		streams.delete(nameOf(stream.where));
		return false;
	}

	async function grow(stream: Stream, growing: string): Promise<boolean> {
		const { where, sent } = stream;
		const { server, channel, ts } = where;
		const fits = () => bytesOf(growing) <= MOST_BYTES && now() - stream.startedAt < MOST_MS;
		if (!growing.startsWith(sent) || !fits()) return giveUp(stream);
		const text = growing.slice(sent.length);
		if (text === '' || limiter.delayMs(server, 'chat.appendStream') > LONGEST_WAIT_MS) return true;
		await limiter.wait(server, 'chat.appendStream');
		if (!fits()) return giveUp(stream);
		try {
			const client = await web.of(server);
			await client.chat.appendStream({ channel, ts, chunks: [{ type: 'markdown_text', text }] });
			stream.sent = growing;
			return true;
		} catch (error) {
			refusedFor(server, 'chat.appendStream', error);
			// Nothing was done, and soon it may be: what is missing comes with the next words.
			if (error instanceof webApi.WebAPIRateLimitedError && error.retryAfter * 1000 <= LONGEST_WAIT_MS) return true;
			return giveUp(stream);
		}
	}

	/** The rest of the text, and the buttons; false where an update has to make the message whole. */
	async function finish(stream: Stream, { text, buttons = [], pictures }: Reply): Promise<boolean> {
		const { where, sent, hasButton, startedAt } = stream;
		const { server, channel, ts } = where;
		const rest = text.slice(sent.length);
		const isAll = !hasButton && !pictures && text.startsWith(sent) && !NAMED.test(rest);
		if (!isAll || bytesOf(text) > MOST_BYTES || now() - startedAt > MOST_MS) return giveUp(stream);
		await limiter.wait(server, 'chat.stopStream');
		try {
			const client = await web.of(server);
			const { message } = await client.chat.stopStream({
				channel,
				ts,
				...(rest !== '' && { chunks: [{ type: 'markdown_text', text: rest }] }),
				...(buttons.length > 0 && { blocks: messageBlocksOf('', [], buttons).blocks }),
			});
			streams.delete(nameOf(where));
			return says(message?.text, text);
		} catch (error) {
			refusedFor(server, 'chat.stopStream', error);
			return giveUp(stream);
		}
	}

	async function step(stream: Stream, reply: Reply): Promise<boolean> {
		if (stream.given) return giveUp(stream);
		if (reply.growing === undefined) return finish(stream, reply);
		// What has come meanwhile goes along; and when the last has come, it brings everything.
		const { growing } = stream.latest;
		return growing === undefined || grow(stream, growing);
	}

	return {
		start,

		async write(where, reply) {
			if (reply.growing === undefined) void sessions.active(where);
			void remember(where, reply);
			const stream = streams.get(nameOf(where));
			if (!stream) return reply.growing !== undefined && limiter.available(where.server, 'chat.update') <= KEPT_UPDATES;
			stream.latest = reply;
			// It may have been given up while this one waited for its turn.
			const mine = stream.turn.then(() => streams.get(nameOf(where)) === stream && step(stream, reply));
			stream.turn = mine.catch(() => {});
			return mine;
		},

		stop,
	};
}

/** Somebody by their id, which is spelled out by an update. */
const NAMED = /<[@#!]/;

/** Whether what stands is what was written, as far as that can be told from how Slack writes it. */
function says(standing: string | undefined, text: string): boolean {
	if (standing === undefined) return true;
	return lettersOf(standing) === lettersOf(text);
}

const lettersOf = (text: string) =>
	text
		.replace(/&(amp|lt|gt);/g, '')
		.replace(/<[^<>\n]*\|([^<>\n]*)>/g, '$1')
		.replace(/[^\p{L}\p{N}]+/gu, '');
