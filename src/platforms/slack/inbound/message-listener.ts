import type { App, Context, EnvelopedEvent } from '@slack/bolt';
import type { Channel, Person, Place } from '../../../domain/channel.ts';
import type { Inbox, IncomingMessage, QuotedMessage } from '../../../domain/platform.ts';
import { SentenceError, type Translate } from '../../../i18n/translator.ts';
import { tryAndLog } from '../../../log.ts';
import { failureMessageOf } from '../../shared/failure-message.ts';
import { messageBlocksOf } from '../api/blocks.ts';
import { SOON_MS, soon } from '../api/calls.ts';
import { type HistoryMessage, messageAt, messagesOf, placeIn, postMessage, threadOf } from '../api/messages.ts';
import type { Installation } from '../installation/workspaces.ts';
import { channelIn } from '../outbound/channels.ts';
import { idOf } from '../outbound/message-records.ts';
import { postEphemeral, type SlackRequester } from '../outbound/replies.ts';
import type { Slack } from '../slack.ts';
import { acknowledge, serverOf } from '../transport/dispatch.ts';
import { answeredIn, type PendingRequest, removeAsked, SEEN_MS, seenKey, storeAsked } from './actions.ts';
import { referencesBy } from './commands.ts';
import { completeFiles, uploadOf } from './files.ts';
import {
	type Decode,
	isWritten,
	markupOf,
	mentionedIn,
	messagesAbove,
	quotedMessage,
	readMessage,
	shownFiles,
	type ThreadMessage,
	withoutMentions,
} from './message-reader.ts';

/** A message as events have it. https://docs.slack.dev/reference/events/message */
type EventMessage = ThreadMessage & { ts: string };

/** The event `message`, with its subtypes, or `app_mention`. */
type MessageEvent = EventMessage & {
	type: string;
	channel: string;
	message?: EventMessage;
	/** The old version, in `message_changed` and `message_deleted`. */
	previous_message?: EventMessage;
	deleted_ts?: string;
};

/** The author of Slack's own messages. */
const SLACKBOT = 'USLACKBOT';

/** The direct messages of other people bring no events. */
const isDirect = ({ channel }: Pick<MessageEvent, 'channel'>): boolean => channel.startsWith('D');

/** A message that someone has written, and what it is to the bot of the installation that received it. */
type ReceivedMessage = {
	id: string;
	server: string;
	self: Installation;
	event: MessageEvent;
	requester: SlackRequester;
	/** The thread that it is a reply in. */
	thread: string | undefined;
	/** It mentions the bot. */
	isMention: boolean;
	/** It mentions the bot, or is in the direct messages with it. */
	addressed: boolean;
	toOthers: boolean;
	/** Slackbot or an app has written it. */
	isApp: boolean;
};

/** Returns undefined for a message of the bot itself, a notice of Slack's, and one of an app that does not mention the bot. */
async function receivedBy(
	slack: Slack,
	self: Installation,
	event: MessageEvent,
	{ api_app_id }: Partial<EnvelopedEvent> = {},
): Promise<ReceivedMessage | undefined> {
	const { server } = self;
	const { user, bot_id, app_id } = event;
	const isOwn = user === self.botUser || bot_id === self.bot || (bot_id && app_id && app_id === api_app_id);
	if (isOwn || !isWritten(event)) return undefined;
	const isApp = Boolean(bot_id) || user === SLACKBOT;
	const mentioned = mentionedIn(markupOf(event));
	const isMention = mentioned.includes(self.botUser);
	if (isApp && !isMention) return undefined;
	const toOthers = mentioned.some((id) => id !== self.botUser && id !== user);
	const author = user ?? (bot_id && (await userOf(slack, server, bot_id)));
	if (!author) return undefined;
	const id = messageId(event.channel, event.ts);
	const addressed = isMention || isDirect(event);
	const about = { thread: threadOf(event), isMention, addressed, toOthers, isApp };
	return { id, server, self, event, requester: { user: author }, ...about };
}

/** Hands a message to the core. Resolves when it is answered. */
type Handler = () => Promise<void>;

/** Reads a message, in the order of its channel. */
type Prepare = () => Promise<Handler | undefined>;

/** The context of messages that the core receives. */
type Hearing = Slack & { core: Inbox };

/** An event about a message, in its envelope. */
type Delivered = { event: MessageEvent; envelope: EnvelopedEvent; context: Context };

/** Registers the listeners for messages: those to the bot, those in threads, and their edits and deletions. */
export function registerMessages(app: App, slack: Slack): void {
	for (const name of ['message', 'app_mention'] as const)
		app.event(name, async ({ event: given, context, body: envelope }) => {
			const event = given as unknown as MessageEvent;
			const core = slack.inbox();
			if (!core) return;
			// People who mention the bot at the same time are looked up together, and not one after the other in the queue of the channel.
			if (event.user && !event.bot_id && mentionedIn(markupOf(event)).includes(context.botUserId ?? ''))
				void slack.people.person(serverOf(context), event.user);
			await handOver(slack, event.channel, take({ ...slack, core }, { event, envelope, context }));
		});
}

/**
 * Hands the messages of one channel over in their order, while their answers are written side by side. Resolves when a message is answered.
 * Never rejects.
 *
 * @param taken what prepares the message: it does not wait for others to be stored
 */
async function handOver({ queue, log }: Slack, channel: string, taken: Promise<Prepare | undefined>): Promise<void> {
	taken.catch(() => {});
	await tryAndLog(log, 'A message could not be handled', async () => {
		const prepared = await queue.run(channel, async () => {
			const handler = await (await taken)?.();
			return { handled: handler?.() };
		});
		await prepared.handled;
	});
}

/** Stores what is to be answered. */
async function take(slack: Hearing, { event: given, envelope, context }: Delivered): Promise<Prepare | undefined> {
	const owned = await ownerOf(slack, given, serverOf(context), envelope);
	if (!owned) return undefined;
	const { self, event } = owned;
	const { server } = self;
	const isServed = slack.serves({ platform: 'slack', server });
	if (event.subtype === 'message_changed' || event.subtype === 'message_deleted')
		return isServed ? async () => () => change(slack, self, event, envelope.event_id) : undefined;
	const message = await receivedBy(slack, self, event, envelope);
	if (!message) return undefined;
	if (isServed) return receive(slack, message, () => acknowledge(context));
	// Of the two events of a mention, one is answered.
	if (!message.addressed || event.type === 'app_mention') return undefined;
	return async () => () => refuse(slack, message, (t) => t('servers.notServed'));
}

/** Returns the installation that answers a message, and the message as if it had mentioned its bot in place of another one of Easel's. */
async function ownerOf(
	{ workspaces, serves }: Slack,
	event: MessageEvent,
	server: string,
	{ context_enterprise_id, is_ext_shared_channel }: Partial<EnvelopedEvent>,
): Promise<{ self: Installation; event: MessageEvent } | undefined> {
	const isShared = !isDirect(event) && (is_ext_shared_channel || context_enterprise_id);
	if (!isShared || !serves({ platform: 'slack', server })) {
		const self = await workspaces.of(server);
		return self && { self, event };
	}
	const message = event.message ?? event.previous_message ?? event;
	const { ts, thread_ts = ts, user, parent_user_id } = message;
	const users = [parent_user_id, user, ...mentionedIn(markupOf(message))].filter((id) => id !== undefined);
	const owner = await workspaces.ownerOf({ server, thread: `${event.channel}:${thread_ts}`, users });
	if (!owner) return undefined;
	const { self, bots } = owner;
	const text = bots.reduce((json, bot) => json.replaceAll(bot, self.botUser), JSON.stringify(event));
	return { self, event: bots.some((bot) => bot !== self.botUser) ? (JSON.parse(text) as MessageEvent) : event };
}

/** Returns the user that an app writes as, where its message does not name it, such as one of a workflow. */
async function userOf({ call }: Slack, server: string, bot: string): Promise<string | undefined> {
	const info = await soon(call(server, 'bots.info', { bot }, 0)).catch(() => undefined);
	return info?.bot?.user_id;
}

async function receive(
	slack: Hearing,
	message: ReceivedMessage,
	answerSlack: () => void,
): Promise<Prepare | undefined> {
	const { server, event, requester, thread, addressed } = message;
	if (thread === undefined && !addressed) {
		// Its pictures may take long to read.
		answerSlack();
		return async () => () => reportPosted(slack, message);
	}
	// A message that is not for the bot may become so by an edit, and is then another one.
	const id = addressed ? message.id : `heard:${message.id}`;
	const asked = { id, server, place: placeOf(server, event, thread), requester, message: event.ts };
	const { isFirst } = await storeAsked(slack, asked);
	answerSlack();
	if (!(await unlessSeen(slack, id, isFirst))) return undefined;
	return async () => {
		const handler = await read(slack, message);
		return () => Promise.resolve(handler?.()).finally(() => removeAsked(slack, id));
	};
}

/**
 * Hands a message to the core that an ended process has not answered: as one of the thread that it would have been answered in, since that
 * process may have begun there. What the core has received before it ignores.
 */
export async function hearAgain(
	slack: Slack,
	{ server, place, message: ts }: PendingRequest & { message: string },
): Promise<void> {
	const core = slack.inbox();
	const found = await messageAt(slack, { ...place, server, ts });
	if (!core || !found) return;
	const hearing = { ...slack, core };
	const message = await receivedAs(hearing, { ...place, server }, found);
	const thread = message?.thread ?? (place.direct ? undefined : ts);
	if (message) await (await read(hearing, { ...message, thread }))?.();
}

/** The time without events after which some may be lost. Slack delivers them again for six minutes. */
const LOST_AFTER_MS = 5 * 60_000;
/** Messages that are older are not answered any more. */
const MAX_AGE_MS = 24 * 3600_000;
const MISSED_PAGES = [{ limit: 100, maxWaitMs: SOON_MS }];
/** Of one conversation, so many messages are heard, the latest. */
const MAX_HEARD = 20;
const CONNECTED = 'connected:events';

/**
 * Notes that events arrive, and where none has arrived for long, in any process, hears what people wrote meanwhile in the latest
 * conversations. Never rejects.
 */
export async function catchUp(slack: Slack): Promise<void> {
	const { space, log } = slack;
	const core = slack.inbox();
	if (!core) return;
	await tryAndLog(log, 'What was written meanwhile could not be read', async () => {
		const before = await space.keyv.get<number>(CONNECTED);
		await space.keyv.set(CONNECTED, Date.now(), MAX_AGE_MS);
		if (before === undefined || Date.now() - before < LOST_AFTER_MS) return;
		for (const { place } of await core.talks('slack'))
			await tryAndLog(log, 'A conversation could not be read', () => hearMissed({ ...slack, core }, place, before));
	});
}

async function hearMissed(slack: Hearing, place: Place, since: number): Promise<void> {
	const missed: HistoryMessage[] = [];
	const range = { oldest: (since / 1000).toFixed(6) };
	for await (const message of messagesOf(slack, place, range, MISSED_PAGES)) missed.push(message);
	// The first message of a thread comes in any case.
	const later = missed.filter(({ ts }) => Number(ts) > since / 1000).toSorted((a, b) => Number(a.ts) - Number(b.ts));
	for (const found of later.slice(-MAX_HEARD)) {
		const received = receivedAs(slack, place, found);
		const taken = received.then((message) => message && receive(slack, message, () => {}));
		// It ends with the answer, before which the core hears further messages.
		void handOver(slack, place.channel, taken);
	}
}

/** Returns a message of a history as if it had just been written. */
async function receivedAs(
	slack: Slack,
	{ server, channel }: Omit<Place, 'platform'>,
	found: HistoryMessage,
): Promise<ReceivedMessage | undefined> {
	const event = { ...found, type: 'message', channel } as MessageEvent;
	const owned = await ownerOf(slack, event, server, { is_ext_shared_channel: true });
	return owned && receivedBy(slack, owned.self, owned.event);
}

/** Reads a message for the core. Where that fails, one that is addressed to the bot is answered with a sentence. */
const read = (slack: Hearing, message: ReceivedMessage): Promise<Handler | undefined> =>
	prepared(slack, message).catch((error: unknown) => {
		if (!(error instanceof SentenceError)) slack.log.error({ err: error }, 'A message could not be read');
		return message.addressed ? () => refuse(slack, message, (t) => failureMessageOf(error, t)) : undefined;
	});

async function prepared(slack: Hearing, message: ReceivedMessage): Promise<Handler> {
	const { people, core } = slack;
	const { id, server, event, self, requester, thread, addressed, isApp, toOthers } = message;
	const above = messagesAbove(slack, message);
	// An `app_mention` may lack the files of its message. https://github.com/slackapi/bolt-python/issues/925
	const whole = event.type === 'app_mention' && !event.files ? ((await above.self()) ?? event) : event;
	const [known, words, shown] = await Promise.all([
		people.person(server, requester.user),
		readMessage(people, server, whole, self),
		repliedToBy(slack, message, above.first),
	]);
	const person: Person = isApp ? { ...known, app: true, moderator: false, mayModerate: false } : known;
	const attached = await completeFiles(slack, server, words.files);
	const uploads = attached.map((file) => uploadOf(slack, server, file, { person: requester.user }));
	const repliedTo = shown ?? (words.forwarded && { ...words.forwarded, uploads: [] });
	const before = thread === undefined ? undefined : above.before;
	const channel = replyChannel(slack, message, thread);
	const { text, toBot } = words;
	const typed = addressed ? typedIn(slack, message, words.decode) : undefined;
	return () => core.hear({ id, text, toBot, typed, person, addressed, toOthers, uploads, channel, repliedTo, before });
}

/** A command in a message, such as “@Easel edit make it night”, is answered in a thread. */
function typedIn(slack: Slack, message: ReceivedMessage, decode: Decode): IncomingMessage['typed'] {
	const { id, event, self, thread, isMention: mentions } = message;
	const where = thread ?? (isDirect(event) ? undefined : event.ts);
	const channel = answeredIn(slack, id, replyChannel(slack, message, where));
	return { text: withoutMentions(markupOf(event), self), mentions, references: referencesBy(decode), channel };
}

/** Reports the pictures of a message that is not for the bot. */
async function reportPosted(slack: Hearing, { server, event, requester }: ReceivedMessage): Promise<void> {
	const person = { id: requester.user };
	const uploads = (event.files ?? []).map((file) => uploadOf(slack, server, file, { person: person.id }));
	await slack.core.posted({ place: placeOf(server, event, undefined), person, uploads });
}

/**
 * Returns true the first time for an id, in any process; while the store fails, the first time in this one. Slack delivers an event
 * again, and a mention in two events. The core itself handles no request twice, and says a sentence about the store.
 *
 * @param claim whether the store has it for the first time
 */
async function unlessSeen({ seen, log }: Slack, id: string, claim: Promise<boolean>): Promise<boolean> {
	let first: boolean;
	try {
		first = await claim;
	} catch (error) {
		log.error({ err: error }, 'Whether a message was delivered before could not be looked up');
		first = !seen.has(id);
	}
	if (first) seen.set(id, true);
	return first;
}

/** Says why a message is not answered, and stores nothing. */
async function refuse(
	slack: Slack,
	{ server, event, requester, thread }: ReceivedMessage,
	sentence: (t: Translate) => string,
): Promise<void> {
	const text = sentence(slack.people.translator(server, requester.user));
	const place = placeOf(server, event, thread);
	if (place.direct) await postMessage(slack, place, messageBlocksOf(text, [], []));
	else await postEphemeral(slack, place, { text }, requester);
}

/**
 * Returns the message that a thread begins with, which a message there replies to, if it shows files. Without a mention, only a direct
 * message of the bot counts: below others, people chat.
 */
async function repliedToBy(
	slack: Slack,
	{ server, event, thread, isMention, addressed }: ReceivedMessage,
	first: () => Promise<ThreadMessage | undefined>,
): Promise<QuotedMessage | undefined> {
	const { records, log } = slack;
	if (thread === undefined || !addressed) return undefined;
	return tryAndLog(log, 'The message that a thread begins with could not be looked up', async () => {
		const key = await records.keyOf(idOf(event.channel, thread));
		const own = key === undefined ? undefined : await records.find(key);
		if (own && !own.covered) {
			const images = (own.images ?? []).map(({ file }) => uploadOf(slack, server, { id: file }, { key }));
			return images.length > 0 ? { author: '', text: '', uploads: images, own: true } : undefined;
		}
		if (!own && !isMention) return undefined;
		const message = await first();
		if (!message || (await shownFiles(slack, message)).length === 0) return undefined;
		return quotedMessage(slack, server, message);
	});
}

/**
 * Reports an edited or deleted message, but for changes that the core need not know, such as an edit of the bot's own.
 *
 * @param eventId the event's id, by which a repeated delivery is recognized: it would undo later edits
 */
async function change(slack: Hearing, self: Installation, event: MessageEvent, eventId: string): Promise<void> {
	const { records, people, core } = slack;
	const { server } = self;
	const before = event.previous_message;
	const edited = event.subtype === 'message_changed' ? event.message : undefined;
	const ts = edited?.ts ?? event.deleted_ts ?? before?.ts;
	if (ts === undefined) return;
	const after = edited?.subtype === 'tombstone' ? undefined : edited;
	const isOwn = (before?.user ?? edited?.user) === self.botUser || before?.bot_id === self.bot;
	if (!isOwn && (before?.bot_id || edited?.bot_id)) return;
	// Slack also reports its own additions, such as the preview of a link.
	if (after && (isOwn || after.text === before?.text)) return;
	// A message of a channel counts as the first one of its thread.
	const place = placeOf(server, event, threadOf({ ...before, ...edited, ts }) ?? (isDirect(event) ? undefined : ts));
	const id = isOwn ? (await records.handleOf(place, ts)).key : messageId(event.channel, ts);
	if (!after) return core.changed({ id, place });
	const claim = `event:${server}:${eventId}`;
	if (!(await unlessSeen(slack, claim, slack.claim(seenKey(claim), SEEN_MS)))) return;
	return core.changed({ id, place, text: (await readMessage(people, server, after, self)).text });
}

/**
 * Returns the channel that a message is answered in.
 *
 * @param where the thread to answer in; the channel by default
 */
function replyChannel(
	slack: Slack,
	{ server, event, requester, thread }: ReceivedMessage,
	where: string | undefined,
): Channel {
	const at = (place?: string) => channelIn(slack, placeOf(server, event, place), requester);
	const channel = at(where);
	if (thread !== undefined || isDirect(event)) return channel;
	const parent = at();
	return {
		...channel,
		// A public thread begins with the message itself.
		openThread: async (title, options) => (options?.private ? parent.openThread(title, options) : at(event.ts)),
		// Ephemeral messages are not shown in a thread that has no replies yet.
		// https://docs.slack.dev/reference/methods/chat.postEphemeral
		post: (reply, key, options) => (reply.visibility === 'private' ? parent : channel).post(reply, key, options),
	};
}

/** Returns the id of a message. Ids of channels are unique across workspaces. */
const messageId = (channel: string, ts: string): string => `${channel}.${ts}`;

const placeOf = (server: string, event: Pick<MessageEvent, 'channel'>, thread: string | undefined): Place => ({
	...placeIn(server, event.channel, thread),
	...(isDirect(event) && { direct: true as const }),
});
