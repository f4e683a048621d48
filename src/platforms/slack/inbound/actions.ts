import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BlockAction, MessageShortcut, ViewSubmitAction } from '@slack/bolt';
import type { Channel, Person, Place } from '../../../domain/channel.ts';
import type { Invocation, Request } from '../../../domain/platform.ts';
import { SentenceError, type Translate, translatorFor } from '../../../i18n/translator.ts';
import { tryAndLog } from '../../../log.ts';
import { failureMessageOf } from '../../shared/failure-message.ts';
import { soon } from '../api/calls.ts';
import { SEEN_MS } from '../api/limits.ts';
import { placeIn } from '../api/messages.ts';
import { channelIn, findDirect } from '../outbound/channels.ts';
import { postEphemeral, type SlackRequester } from '../outbound/replies.ts';
import type { Slack } from '../slack.ts';

/** As long as Slack takes replies to an action. https://docs.slack.dev/interactivity/handling-user-interaction#message_responses */
const TTL_MS = 30 * 60_000;
/** An acknowledgement waits no longer for the store. Slack itself waits 3 s. */
const MAX_STORING_MS = 800;
/** A request of which nothing is shown, and that its process has not renewed for this time, has lost it. */
const LOST_AFTER_MS = 5000;
const RENEWED_EVERY_MS = 2000;

const INDEX = 'asked';
const PAGE = 100;

/** The entry that says that something was delivered before. */
export const seenKey = (id: string): string => `seen:${id}`;

/** A command, a press, a choice from a menu, or a form: who sent it, and from where. It may lack the place, which is found later. */
type Action = {
	/** The id of the action, the same for every delivery. */
	id: string;
	server: string;
	requester: SlackRequester;
	/** What Slack calls the requester. */
	name: string;
	place?: Place | undefined;
};

export type SlackActionContext = Action & {
	place: Place;
	person: Person;
	/** In the language of the person. */
	t: Translate;
	/** False for an action that was delivered before. Rejects while the store fails, which a form need not wait for. */
	isFirst: Promise<boolean>;
};

type Interaction = Pick<BlockAction | MessageShortcut | ViewSubmitAction, 'user'> &
	Partial<Pick<BlockAction, 'response_url'>> & { channel?: { name?: string } };

export const requesterOf = ({ user, channel, response_url: responseUrl }: Interaction): SlackRequester => ({
	user: user.id,
	responseUrl,
	isTalk: isTalk(channel?.name),
});

/** Tells whether the name of a channel is that of a group conversation. https://docs.slack.dev/reference/objects/conversation-object */
export const isTalk = (channelName = ''): boolean => channelName.startsWith('mpdm-');

/** Shortens a trigger id, which has any length but is the same for every delivery, to a part of a message key. */
export const digest = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 32);

/** Stores an action, acknowledges it, and then runs it. Never rejects: the requester gets a sentence about what failed. */
export async function runAction(
	slack: Slack,
	action: Action,
	acknowledge: () => Promise<void>,
	work: (context: SlackActionContext) => Promise<void>,
): Promise<void> {
	const { id, server, requester, name } = action;
	// Meanwhile the action is stored and acknowledged: Slack opens a form for three seconds.
	const lookUp = slack.people.person(server, requester.user, name);
	const asked = { id, server, requester, place: action.place ?? placeIn(server, requester.user) };
	const { isFirst } = await storeAsked(slack, asked);
	await acknowledge();
	const [person, place] = await Promise.all([lookUp, resolvedPlace(slack, action)]);
	const t = translatorFor(person.locale);
	const context = { ...action, person, t, isFirst, place };
	try {
		// Nothing is stored about a workspace that is not served.
		if (!slack.serves(place)) await postEphemeral(slack, place, { text: t('servers.notServed') }, requester);
		else await work(context);
	} catch (error) {
		if (!(error instanceof SentenceError)) slack.log.error({ err: error }, 'An action failed');
		await tryAndLog(slack.log, 'The reply to a failed action could not be posted', () =>
			replyTo(slack, context, failureMessageOf(error, t)),
		);
	}
	if (await isFirst.catch(() => false)) await removeAsked(slack, id);
}

export async function replyTo(slack: Slack, { id, place, requester }: SlackActionContext, text: string): Promise<void> {
	await channelIn(slack, place, requester).post({ text, visibility: 'private' }, id, { withoutStore: true });
}

/** Returns an action as the core takes it; undefined for one that was delivered before. */
export async function requestOf(slack: Slack, context: SlackActionContext): Promise<Request | undefined> {
	const { id, person, requester, place, isFirst } = context;
	if (!(await isFirst)) return undefined;
	return { id, person, channel: answeredIn(slack, id, channelIn(slack, place, requester)) };
}

/** Hands a command to the core, unless it was delivered before. */
export async function invokeCommand(
	slack: Slack,
	context: SlackActionContext,
	invocation: Pick<Invocation, 'command' | 'options' | 'form' | 'attached'>,
): Promise<void> {
	const request = await requestOf(slack, context);
	if (request) await slack.inbox().invoke({ ...request, ...invocation });
}

/**
 * Returns the place of an action, marked as direct if it is the direct messages with the bot, and not those of other people. A press on the
 * home page, which is in no channel, is answered in direct messages.
 */
async function resolvedPlace(slack: Slack, { server, requester, place }: Action): Promise<Place> {
	if (place?.direct || (place && !place.channel.startsWith('D'))) return place;
	const found = findDirect(slack, { platform: 'slack', server }, { id: requester.user });
	const direct = (await soon(found).catch(() => undefined))?.place;
	if (!place) return direct ?? placeIn(server, requester.user);
	return direct?.channel === place.channel ? { ...place, direct: true } : place;
}

/** What is needed to answer a request that its process has left. */
export type PendingRequest = {
	server: string;
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
	const seen = { key: seenKey(`${asked.server}:${id}`), value: true, ttlMs: SEEN_MS };
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
		for (let after: string | undefined; ; ) {
			const ids = await slack.space.members(INDEX, { limit: PAGE, after });
			for (const id of ids) if (!slack.running.has(id)) await answer(slack, id, hearAgain);
			after = ids.at(-1);
			if (ids.length < PAGE) return;
		}
	});
}

type HearAgain = (slack: Slack, asked: PendingRequest & { message: string }) => Promise<void>;

async function answer(slack: Slack, id: string, hearAgain: HearAgain): Promise<void> {
	const asked = await slack.space.keyv.get<PendingRequest>(keyOf(id));
	if (!asked) return remove(slack, id);
	if (Date.now() < asked.at + LOST_AFTER_MS) return;
	const { server, place, requester, message } = asked;
	if (message !== undefined) {
		// Once: it may be what has ended the process.
		if (!(await slack.claim(seenKey(`again:${id}`), SEEN_MS))) return;
		await remove(slack, id);
		return hearAgain(slack, { ...asked, message });
	}
	const t = translatorFor((await slack.people.person(server, requester.user)).locale);
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
