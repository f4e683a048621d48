import { setTimeout as sleep } from 'node:timers/promises';
import type { Channel, Place } from '../../../domain/channel.ts';
import { translatorFor } from '../../../i18n/translator.ts';
import { tryAndLog } from '../../../log.ts';
import { SEEN_MS } from '../api/limits.ts';
import type { SlackRequester } from '../api/messages.ts';
import { channelIn } from '../outbound/channels.ts';
import type { Slack } from '../slack.ts';

/** As long as Slack takes replies to an action. https://docs.slack.dev/interactivity/handling-user-interaction#message_responses */
const TTL_MS = 30 * 60_000;
/** An acknowledgement waits no longer for the store. Slack itself waits 3 s. */
const MAX_STORING_MS = 800;
/** A request of which nothing is shown, and that its process has not renewed for this time, has lost it. */
const LOST_AFTER_MS = 5000;
const RENEWED_EVERY_MS = 2000;

const INDEX = 'asked';
/** How many requests are looked at in a sweep, of all that are not answered yet. */
const MAX_LOST = 1000;

/** The entry that says that something was delivered before. */
export const seenKey = (id: string): string => `seen:${id}`;

/** What is needed to answer a request that its process has left. */
export type PendingRequest = {
	place: Place;
	requester: SlackRequester;
	/** The `ts` of a message, which can be read again. An action cannot be run again: it is told that it was stopped. */
	message?: string;
	/** When its process was last known to go on with it, in Unix milliseconds. */
	at: number;
};

/**
 * Stores an action or a message of a person that is not answered yet; an action before it is acknowledged. Slack does not deliver it again, so
 * that the next process answers it when this one is killed. Paid requests are then left to the core.
 *
 * @returns `isFirst`: see `SlackActionContext`
 */
export async function storeAsked(
	{ space, serves, running, log }: Slack,
	{ id, ...asked }: Omit<PendingRequest, 'at'> & { id: string },
): Promise<{ isFirst: Promise<boolean> }> {
	// Nothing is stored about a workspace that is not served.
	if (!serves(asked.place)) return { isFirst: Promise.resolve(true) };
	const entry = () => ({ key: keyOf(id), value: { ...asked, at: Date.now() }, ttlMs: TTL_MS });
	const seen = { key: seenKey(`${asked.place.server}:${id}`), value: true, ttlMs: SEEN_MS };
	const index = [{ index: INDEX, member: id, ttlMs: TTL_MS }];
	const isFirst = space.commit({ once: seen.key, put: [seen, entry()], index }).then((result) => {
		if (result !== 'done') return false;
		running.add(id);
		// Other processes answer what is not renewed.
		const renewal = setInterval(() => {
			if (running.has(id)) void space.commit({ put: [entry()] }).catch(() => {});
			else clearInterval(renewal);
		}, RENEWED_EVERY_MS).unref();
		return true;
	});
	const stored = isFirst.catch((err: unknown) => log.error({ err }, 'A request could not be stored'));
	await Promise.race([stored, sleep(MAX_STORING_MS, undefined, { ref: false })]);
	return { isFirst };
}

/** Returns the channel of a request, with whose first message the request is answered: what follows is found by that message. */
export function answeredIn(slack: Slack, id: string, channel: Channel): Channel {
	const space = slack.space.keyv.namespace ?? '';
	return {
		...channel,
		announce: (...args) => ({
			...channel.announce?.(...args),
			remove: [{ space, key: keyOf(id) }],
			unindex: [{ space, index: INDEX, member: id }],
		}),
		post(reply, key, options) {
			// Its announcement has removed the request.
			if (options?.isAnnounced) slack.running.delete(id);
			return channel.post(reply, key, options).finally(() => removeAsked(slack, id));
		},
		openThread: (...args) => channel.openThread(...args).finally(() => removeAsked(slack, id)),
	};
}

/** Removes a request of this process that is answered, if it is still there. */
export const removeAsked = async (slack: Slack, id: string): Promise<void> =>
	slack.running.delete(id) ? remove(slack, id) : undefined;

/**
 * Answers what ended processes have left. Never rejects.
 *
 * @param hearAgain hands a message to the core as if it had just been written
 */
export async function answerLost(slack: Slack, hearAgain: HearAgain): Promise<void> {
	await tryAndLog(slack.log, 'Requests of an ended process could not be answered', async () => {
		const ids = await slack.space.members(INDEX, { limit: MAX_LOST });
		for (const id of ids) if (!slack.running.has(id)) await answer(slack, id, hearAgain);
	});
}

type HearAgain = (slack: Slack, asked: PendingRequest & { message: string }) => Promise<void>;

async function answer(slack: Slack, id: string, hearAgain: HearAgain): Promise<void> {
	const asked = await slack.space.keyv.get<PendingRequest>(keyOf(id));
	if (!asked) return remove(slack, id);
	if (Date.now() < asked.at + LOST_AFTER_MS) return;
	const { place, requester, message } = asked;
	if (message !== undefined) {
		// Once: it may be what has ended the process.
		if (!(await slack.claim(seenKey(`again:${id}`), SEEN_MS))) return;
		await remove(slack, id);
		return hearAgain(slack, { ...asked, message });
	}
	const t = translatorFor((await slack.people.person(place.server, requester.user)).locale);
	const text = t('errors.stopped', { cost: t('errors.cost.none') });
	// What the process has posted stays, and gets its files.
	await channelIn(slack, place, requester).post({ text, visibility: 'private' }, id, { ifAbsent: true });
	await remove(slack, id);
}

const remove = ({ space, log }: Slack, id: string) =>
	tryAndLog(log, 'An answered request could not be removed', async () => {
		await space.commit({ remove: [keyOf(id)], unindex: [{ index: INDEX, member: id }] });
	});

const keyOf = (id: string) => `asked:${id}`;
