import { setTimeout as sleep } from 'node:timers/promises';
import type { Channel } from '../../../domain/channel.ts';
import type { Place } from '../../../domain/place.ts';
import { translatorFor } from '../../../i18n/translator.ts';
import { channelIn } from '../outbound/channels.ts';
import type { SlackRequester } from '../outbound/ephemeral.ts';
import type { Slack } from '../slack.ts';
import { SEEN_MS, seenKey } from './context.ts';

/** As long as Slack takes replies to an action. https://docs.slack.dev/interactivity/handling-user-interaction#message_responses */
const TTL_MS = 30 * 60_000;
/** An acknowledgement waits no longer for the store. Slack itself waits 3 s. */
const MAX_STORING_MS = 800;
/** A request of which nothing is shown after this time has lost its process. */
const LOST_AFTER_MS = 5000;

const INDEX = 'asked';
const PAGE = 100;

/** What is needed to answer a request without running it. */
type Asked = {
	server: string;
	place: Place;
	requester: SlackRequester;
	/** Unix milliseconds. */
	at: number;
};

/**
 * Stores an action of a person that is not answered yet, before it is acknowledged: Slack does not deliver it again, so that the next
 * process answers it when this one is killed. Requests that the core has taken over have a message of their own, and are left to it.
 *
 * @returns `isFirst`: see `SlackActionContext`
 */
export async function storeAsked(
	{ space, serves, running, log }: Slack,
	{ id, server, place, requester }: Omit<Asked, 'at'> & { id: string },
): Promise<{ isFirst: Promise<boolean> }> {
	// Nothing is stored about a workspace that is not served.
	if (!serves(place)) return { isFirst: Promise.resolve(true) };
	const value: Asked = { server, place, requester, at: Date.now() };
	const seen = { key: seenKey(`${server}:${id}`), value: true, ttlMs: SEEN_MS };
	const put = [seen, { key: keyOf(id), value, ttlMs: TTL_MS }];
	const index = [{ index: INDEX, member: id, ttlMs: TTL_MS }];
	const isFirst = space.commit({ once: seen.key, put, index }).then((result) => {
		if (result === 'done') running.add(id);
		return result === 'done';
	});
	const stored = isFirst.catch((err: unknown) => log.error({ err }, 'A request could not be stored'));
	const late = new AbortController();
	await Promise.race([stored, sleep(MAX_STORING_MS, undefined, { signal: late.signal }).catch(() => {})]);
	late.abort();
	return { isFirst };
}

/** Returns the channel of a request, with whose first message the request is answered: what follows is found by that message. */
export function answeredIn(slack: Slack, id: string, channel: Channel): Channel {
	const space = slack.space.keyv.namespace ?? '';
	return {
		...channel,
		announce(...args) {
			const announced = channel.announce?.(...args);
			const removal = { remove: [{ space, key: keyOf(id) }], unindex: [{ space, index: INDEX, member: id }] };
			return announced && { ...announced, ...removal };
		},
		// Its announcement has removed the request.
		post: (reply, key, options) =>
			channel.post(reply, key, options).finally(() => removeAsked(slack, id, options?.isAnnounced)),
		openThread: (...args) => channel.openThread(...args).finally(() => removeAsked(slack, id)),
	};
}

/** Removes a request of this process that is answered, if it is still there. */
export async function removeAsked(slack: Slack, id: string, isRemoved = false): Promise<void> {
	if (slack.running.delete(id) && !isRemoved) await remove(slack, id);
}

/** Answers what ended processes have left. Never rejects. */
export async function answerLost(slack: Slack): Promise<void> {
	try {
		for (let after: string | undefined; ; ) {
			const ids = await slack.space.members(INDEX, { limit: PAGE, ...(after !== undefined && { after }) });
			for (const id of ids) if (!slack.running.has(id)) await answer(slack, id);
			after = ids.at(-1);
			if (ids.length < PAGE) return;
		}
	} catch (error) {
		slack.log.warn({ err: error }, 'Requests of an ended process could not be answered');
	}
}

async function answer(slack: Slack, id: string): Promise<void> {
	const asked = await slack.space.keyv.get<Asked>(keyOf(id));
	if (!asked) return remove(slack, id);
	if (Date.now() < asked.at + LOST_AFTER_MS || (await slack.records.find(id))) return;
	const { server, place, requester } = asked;
	const t = translatorFor((await slack.people.person(server, requester.user)).locale);
	const text = t('errors.stopped', { cost: t('errors.cost.none') });
	await channelIn(slack, place, requester).post({ text, visibility: 'private' }, id, { ifAbsent: true });
	await remove(slack, id);
}

async function remove({ space, log }: Slack, id: string): Promise<void> {
	await space
		.commit({ remove: [keyOf(id)], unindex: [{ index: INDEX, member: id }] })
		.catch((err: unknown) => log.warn({ err }, 'An answered request could not be removed'));
}

const keyOf = (id: string) => `asked:${id}`;
