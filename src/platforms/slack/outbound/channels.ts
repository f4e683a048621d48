import { randomUUID } from 'node:crypto';
import type { Channel, Person, Place } from '../../../domain/channel.ts';
import { quoted } from '../../../domain/text.ts';
import { translatorFor } from '../../../i18n/translator.ts';
import { mention, messageBlocksOf } from '../api/blocks.ts';
import { directPlace, isPublic, openDirect, postLink, postMessage, type SlackRequester } from '../api/messages.ts';
import { isRefused, unless } from '../api/slack-errors.ts';
import type { KnownPerson } from '../people.ts';
import type { Slack } from '../slack.ts';
import { OwnMessage, translateErrors } from './posts.ts';

/**
 * Returns a channel, without checking that the bot can post there.
 *
 * @param requester the person whose request is answered: the reader of private replies
 */
export function channelIn(slack: Slack, place: Place, requester?: SlackRequester): Channel {
	const { server } = place;
	return {
		place,
		limits: slack.limits,
		post: (reply, key, options) => new OwnMessage(slack, place, key, requester).post(reply, options),
		announce: (key, isPrivate) => new OwnMessage(slack, place, key, requester).announcement(isPrivate),
		openThread: (title, { private: isPrivate = false } = {}) =>
			translateErrors(slack, place, requester, () => openThread(slack, place, title, isPrivate, requester)),
		isVisibleToEveryone: async () => !place.direct && isPublic(slack, server, place.channel),
		typing: () => showTyping(slack, place, requester),
		when: (at) => localTime(at, requester && slack.people.cached(server, requester.user)),
		refer: mention,
	};
}

/** See `Platform.channel`. Undefined where the app is not installed. */
export const findChannel = async (slack: Slack, place: Place): Promise<Channel | undefined> =>
	(await isInstalled(slack, place)) ? channelIn(slack, place) : undefined;

/** Returns the direct messages with a person; undefined when Slack refuses them. */
export async function findDirect(
	slack: Slack,
	place: Pick<Place, 'platform' | 'server'>,
	{ id }: Pick<Person, 'id'>,
): Promise<Channel | undefined> {
	const { server } = place;
	if (!(await isInstalled(slack, place))) return undefined;
	const direct = await openDirect(slack, server, id).catch(unless(isRefused));
	if (direct === undefined) return undefined;
	return channelIn(slack, directPlace(server, direct), { user: id });
}

const isInstalled = async ({ workspaces }: Slack, { platform, server }: Pick<Place, 'platform' | 'server'>) =>
	platform === 'slack' && (await workspaces.of(server)) !== undefined;

/** Shows in a thread that an answer is being written. https://docs.slack.dev/reference/methods/assistant.threads.setStatus */
async function showTyping(slack: Slack, { server, channel, thread }: Place, requester?: SlackRequester): Promise<void> {
	const key = `${server}:${channel}:${thread}`;
	if (thread === undefined || slack.typing.has(key)) return;
	slack.typing.set(key, true);
	const status = slack.people.translator(server, requester?.user)('slack.writing');
	// Answers do not depend on it, and some workspaces do not have it.
	const args = { channel_id: channel, thread_ts: thread, status };
	await slack.call(server, 'assistant.threads.setStatus', args).catch(() => {});
}

async function openThread(
	slack: Slack,
	place: Place,
	title: string,
	isPrivate: boolean,
	requester?: SlackRequester,
): Promise<Channel> {
	const { server } = place;
	const isMoved = isPrivate && requester && !place.direct;
	const home = isMoved
		? directPlace(server, await openDirect(slack, server, requester.user))
		: { ...place, thread: undefined };
	const first = await postMessage(slack, home, messageBlocksOf(`💬 ${quoted(title)}`, [], []), randomUUID());
	// A thread cannot contain another: the requester gets a link to the new one.
	if (requester && (isMoved || place.thread !== undefined)) {
		const t = slack.people.translator(server, requester.user);
		await postLink(slack, place, t('slack.directIntro'), first, requester);
	}
	return channelIn(slack, { ...home, thread: first.ts }, requester);
}

/**
 * Returns a point in time as text in the language and time zone of the person who asked, with the zone's name; in English and UTC for
 * an unknown person. Slack's own date markup, which every reader sees in their zone, does not work in Markdown blocks.
 *
 * @param at Unix milliseconds
 */
function localTime(at: number, known: KnownPerson | undefined): string {
	const { person, timeZone = 'UTC' } = known ?? {};
	const date = { day: 'numeric', month: 'short', year: 'numeric' } as const;
	const time = { hour: 'numeric', minute: '2-digit', timeZone, timeZoneName: 'short' } as const;
	return new Intl.DateTimeFormat(translatorFor(person?.locale).language, { ...date, ...time }).format(at);
}
