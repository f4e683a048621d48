import type { App, Context, EnvelopedEvent } from '@slack/bolt';
import type { Channel, Person, Place } from '../../../domain/channel.ts';
import { once } from '../../../domain/findings.ts';
import type { IncomingMessage, QuotedMessage } from '../../../domain/platform.ts';
import { SentenceError, type Translate } from '../../../i18n/translator.ts';
import { tryAndLog } from '../../../log.ts';
import { failureMessageOf } from '../../shared/failure-message.ts';
import { messageBlocksOf } from '../api/blocks.ts';
import { SOON_MS, soon } from '../api/calls.ts';
import { SEEN_MS } from '../api/limits.ts';
import {
	type HistoryMessage,
	messageAt,
	messagesOf,
	placeIn,
	postEphemeral,
	postMessage,
	type SlackRequester,
	threadOf,
} from '../api/messages.ts';
import { type Installation, SingleWorkspace } from '../installation/workspaces.ts';
import { channelIn } from '../outbound/channels.ts';
import { idOf } from '../outbound/message-records.ts';
import type { Slack } from '../slack.ts';
import { acknowledge, serverOf } from '../transport/dispatch.ts';
import { answeredIn, type PendingRequest, removeAsked, seenKey, storeAsked } from './asked.ts';
import { referencesBy } from './commands.ts';
import { completeFiles, uploadOf } from './files.ts';
import {
	isWritten,
	markupOf,
	mentionedIn,
	quotedBefore,
	quotedMessage,
	readMessage,
	readThread,
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

/**
 * Returns a message that someone has written, with what it is to the bot of the installation that received it. Undefined for a message of the
 * bot itself, a notice of Slack's, and one of an app that does not mention the bot.
 */
async function receivedBy(slack: Slack, self: Installation, event: MessageEvent, envelope?: EnvelopedEvent) {
	const { server } = self;
	const { user, bot_id, app_id } = event;
	const isOfApp = bot_id && app_id && app_id === envelope?.api_app_id;
	if (isOfApp || user === self.botUser || bot_id === self.bot || !isWritten(event)) return undefined;
	const isApp = Boolean(bot_id) || user === SLACKBOT;
	const mentioned = mentionedIn(markupOf(event));
	const isMention = mentioned.includes(self.botUser);
	if (isApp && !isMention) return undefined;
	// The message of an app may not name the user that it writes as, such as one of a workflow.
	const app =
		user || !bot_id ? undefined : await soon(slack.call(server, 'bots.info', { bot: bot_id }, 0)).catch(() => {});
	const author = user ?? app?.bot?.user_id;
	if (!author) return undefined;
	const requester: SlackRequester = { user: author };
	return {
		id: messageId(event.channel, event.ts),
		...{ server, self, event, requester, isApp, isMention },
		/** The thread that it is a reply in. */
		thread: threadOf(event),
		/** It mentions the bot, or is in the direct messages with it. */
		addressed: isMention || isDirect(event),
		toOthers: mentioned.some((id) => id !== self.botUser && id !== user),
	};
}

type ReceivedMessage = NonNullable<Awaited<ReturnType<typeof receivedBy>>>;

/** What came of a message: it is answered when `handled` resolves. */
type Started = { handled: Promise<void> };

/** Reads a message, in the order of its channel, and hands it to the core. */
type Start = () => Started | Promise<Started>;

/** Registers the listeners for messages: those to the bot, those in threads, and their edits and deletions. */
export function registerMessages(app: App, slack: Slack): void {
	for (const name of ['message', 'app_mention'] as const)
		app.event(name, async ({ event: given, context, body: envelope }) => {
			const event = given as unknown as MessageEvent;
			await handOver(slack, event.channel, take(slack, event, envelope, context));
		});
}

/**
 * Hands the messages of one channel over in their order, while their answers are written side by side. Resolves when a message is answered.
 * Never rejects.
 *
 * @param taken what starts the message: it does not wait for others to be stored
 */
async function handOver({ queue, log }: Slack, channel: string, taken: Promise<Start | undefined>): Promise<void> {
	taken.catch(() => {});
	await tryAndLog(log, 'A message could not be handled', async () => {
		const started = await queue.run(channel, async () => (await taken)?.());
		await started?.handled;
	});
}

/** Stores what is to be answered. */
async function take(slack: Slack, given: MessageEvent, envelope: EnvelopedEvent, context: Context) {
	const owned = await ownerOf(slack, given, serverOf(context), envelope);
	if (!owned) return undefined;
	const { self, event } = owned;
	const isServed = slack.serves({ platform: 'slack', server: self.server });
	if (event.subtype === 'message_changed' || event.subtype === 'message_deleted')
		return isServed ? () => ({ handled: change(slack, self, event, envelope.event_id) }) : undefined;
	const message = await receivedBy(slack, self, event, envelope);
	if (!message) return undefined;
	if (isServed) return receive(slack, message, () => acknowledge(context));
	// Of the two events of a mention, one is answered.
	if (!message.addressed || event.type === 'app_mention') return undefined;
	return () => ({ handled: refuse(slack, message, (t) => t('servers.notServed')) });
}

/** Returns the installation that answers a message, and the message as if it had mentioned its bot in place of another one of Easel's. */
async function ownerOf(
	{ workspaces, serves }: Slack,
	event: MessageEvent,
	server: string,
	{ context_enterprise_id, is_ext_shared_channel }: Partial<EnvelopedEvent>,
): Promise<{ self: Installation; event: MessageEvent } | undefined> {
	const isShared = !isDirect(event) && (is_ext_shared_channel || context_enterprise_id);
	if (!isShared || workspaces instanceof SingleWorkspace || !serves({ platform: 'slack', server })) {
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

/** @param answerSlack acknowledges the event, when what is to be answered is stored */
async function receive(slack: Slack, message: ReceivedMessage, answerSlack: () => void): Promise<Start | undefined> {
	const { server, event, requester, thread, addressed } = message;
	const place = placeOf(server, event, thread);
	if (thread === undefined && !addressed) {
		// Its pictures may take long to read.
		answerSlack();
		const person = { id: requester.user };
		const uploads = (event.files ?? []).map((file) => uploadOf(slack, server, file, { person: person.id }));
		return () => ({ handled: slack.inbox().posted({ place, person, uploads }) });
	}
	// People who write at the same time are looked up together, and not one after the other in the queue of the channel.
	void slack.people.person(server, requester.user);
	// A message that is not for the bot may become so by an edit, and is then another one.
	const id = addressed ? message.id : `heard:${message.id}`;
	const { isFirst } = await storeAsked(slack, { id, place, requester, message: event.ts });
	answerSlack();
	if (!(await unlessSeen(slack, id, isFirst))) return undefined;
	return async () => {
		const { handled } = await read(slack, message);
		return { handled: handled.finally(() => removeAsked(slack, id)) };
	};
}

/**
 * Hands a message to the core that an ended process has not answered: as one of the thread that it would have been answered in, since that
 * process may have begun there. What the core has received before it ignores.
 */
export async function hearAgain(slack: Slack, asked: PendingRequest & { message: string }): Promise<void> {
	const { place, message: ts } = asked;
	const found = await messageAt(slack, { ...place, ts });
	const message = found && (await receivedAs(slack, place, found));
	if (!message) return;
	const { handled } = await read(slack, { ...message, thread: message.thread ?? (place.direct ? undefined : ts) });
	await handled;
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
	const { space, log, inbox } = slack;
	await tryAndLog(log, 'What was written meanwhile could not be read', async () => {
		const before = await space.keyv.get<number>(CONNECTED);
		await space.keyv.set(CONNECTED, Date.now(), MAX_AGE_MS);
		if (before === undefined || Date.now() - before < LOST_AFTER_MS) return;
		for (const { place } of await inbox().talks('slack'))
			await tryAndLog(log, 'A conversation could not be read', () => hearMissed(slack, place, before));
	});
}

async function hearMissed(slack: Slack, place: Place, since: number): Promise<void> {
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
async function receivedAs(slack: Slack, { server, channel }: Place, found: HistoryMessage) {
	const event = { ...found, type: 'message', channel } as MessageEvent;
	const owned = await ownerOf(slack, event, server, { is_ext_shared_channel: true });
	return owned && receivedBy(slack, owned.self, owned.event);
}

/** Reads a message, and hands it to the core. Where reading fails, one that is addressed to the bot is answered with a sentence. */
async function read(slack: Slack, message: ReceivedMessage): Promise<Started> {
	try {
		return { handled: slack.inbox().hear(await incomingMessage(slack, message)) };
	} catch (error) {
		if (!(error instanceof SentenceError)) slack.log.error({ err: error }, 'A message could not be read');
		if (!message.addressed) return { handled: Promise.resolve() };
		return { handled: refuse(slack, message, (t) => failureMessageOf(error, t)) };
	}
}

async function incomingMessage(slack: Slack, message: ReceivedMessage): Promise<IncomingMessage> {
	const { people } = slack;
	const { id, server, event, self, requester, thread, addressed, isApp, isMention, toOthers } = message;
	const above = once(() => readThread(slack, { server, channel: event.channel, thread: thread ?? event.ts }, event.ts));
	// An `app_mention` may lack the files of its message. https://github.com/slackapi/bolt-python/issues/925
	const isPartial = event.type === 'app_mention' && !event.files;
	const whole = isPartial ? (await above().catch(() => [])).find(({ ts }) => ts === event.ts) : undefined;
	const [known, words, shown] = await Promise.all([
		people.person(server, requester.user),
		readMessage(people, server, whole ?? event, self),
		repliedToBy(slack, message, above),
	]);
	const person: Person = isApp ? { ...known, app: true, moderator: false, mayModerate: false } : known;
	const attached = await completeFiles(slack, server, words.files);
	// A command in a message, such as “@Easel edit make it night”, is answered in a thread.
	const typedIn = thread ?? (isDirect(event) ? undefined : event.ts);
	return {
		...{ id, text: words.text, toBot: words.toBot, person, addressed, toOthers },
		uploads: attached.map((file) => uploadOf(slack, server, file, { person: requester.user })),
		channel: replyChannel(slack, message, thread),
		typed: addressed
			? {
					text: withoutMentions(markupOf(event), self),
					mentions: isMention,
					references: referencesBy(words.decode),
					channel: answeredIn(slack, id, replyChannel(slack, message, typedIn)),
				}
			: undefined,
		repliedTo: shown ?? (words.forwarded && { ...words.forwarded, uploads: [] }),
		before: thread === undefined ? undefined : async () => quotedBefore(slack, server, await above(), event.ts),
	};
}

/**
 * Returns true the first time for an id, in any process; while the store fails, the first time in this one. Slack delivers an event
 * again, and a mention in two events. The core itself handles no request twice, and says a sentence about the store.
 *
 * @param claim whether the store has it for the first time
 */
async function unlessSeen({ seen, log }: Slack, id: string, claim: Promise<boolean>): Promise<boolean> {
	let isFirst: boolean;
	try {
		isFirst = await claim;
	} catch (error) {
		log.error({ err: error }, 'Whether a message was delivered before could not be looked up');
		isFirst = !seen.has(id);
	}
	// Without a pause since it was looked up: the two events of a mention come at the same time.
	if (isFirst) seen.set(id, true);
	return isFirst;
}

/** Says why a message is not answered, and stores nothing. */
async function refuse(slack: Slack, message: ReceivedMessage, sentence: (t: Translate) => string): Promise<void> {
	const { server, event, requester, thread } = message;
	const text = sentence(slack.people.translator(server, requester.user));
	const place = placeOf(server, event, thread);
	if (place.direct) await postMessage(slack, place, messageBlocksOf(text, [], []));
	else await postEphemeral(slack, place, { text }, requester);
}

/**
 * Returns the message that a thread begins with, which a message there replies to, if it shows files. Without a mention, only a direct
 * message of the bot counts: below others, people chat.
 */
async function repliedToBy(slack: Slack, message: ReceivedMessage, above: () => Promise<readonly ThreadMessage[]>) {
	const { server, event, thread, isMention, addressed } = message;
	const { records, log } = slack;
	if (thread === undefined || !addressed) return undefined;
	const why = 'The message that a thread begins with could not be looked up';
	return tryAndLog(log, why, async (): Promise<QuotedMessage | undefined> => {
		const key = await records.keyOf(idOf(event.channel, thread));
		const own = key === undefined ? undefined : await records.find(key);
		if (own && !own.covered) {
			const images = (own.images ?? []).map(({ file }) => uploadOf(slack, server, { id: file }, { key }));
			return images.length > 0 ? { author: '', text: '', uploads: images, own: true } : undefined;
		}
		if (!own && !isMention) return undefined;
		const first = (await above()).find(({ ts }) => ts === thread);
		if (!first || (await shownFiles(slack, first)).length === 0) return undefined;
		return quotedMessage(slack, server, first);
	});
}

/**
 * Reports an edited or deleted message, but for changes that the core need not know, such as an edit of the bot's own.
 *
 * @param eventId the event's id, by which a repeated delivery is recognized: it would undo later edits
 */
async function change(slack: Slack, self: Installation, event: MessageEvent, eventId: string): Promise<void> {
	const { records, people, inbox } = slack;
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
	if (!after) return inbox().changed({ id, place });
	const claim = `event:${server}:${eventId}`;
	if (!(await unlessSeen(slack, claim, slack.claim(seenKey(claim), SEEN_MS)))) return;
	return inbox().changed({ id, place, text: (await readMessage(people, server, after, self)).text });
}

/**
 * Returns the channel that a message is answered in.
 *
 * @param where the thread to answer in; the channel by default
 */
function replyChannel(slack: Slack, message: ReceivedMessage, where: string | undefined): Channel {
	const { server, event, requester, thread } = message;
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
