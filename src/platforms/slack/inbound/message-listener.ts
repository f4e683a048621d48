import type { App, Context } from '@slack/bolt';
import { type Channel, isPicture, type Upload } from '../../../domain/channel.ts';
import type { Person, Place } from '../../../domain/place.ts';
import type { Inbox, IncomingMessage, QuotedMessage } from '../../../domain/platform.ts';
import { KeyedQueue } from '../../../domain/queues.ts';
import type { Installation } from '../installation/installation.ts';
import { idOf } from '../outbound/message-records.ts';
import type { SlackRequester } from '../outbound/slack-requester.ts';
import { serverOf } from '../transport/app.ts';
import { mentionedCommand, withPictures } from './commands.ts';
import { type Inbound, placeIn, threadOf } from './context.ts';
import {
	decoderFor,
	markupOf,
	mentionedIn,
	type Readable,
	readMessage,
	shownFiles,
	withoutMentions,
} from './message-reader.ts';
import { type ThreadMessage, ThreadReader } from './thread-reader.ts';

/** A message as events have it. https://docs.slack.dev/reference/events/message */
type EventMessage = Readable & {
	subtype?: string | undefined;
	ts: string;
	thread_ts?: string | undefined;
	/** The author of the message that its thread begins with. */
	parent_user_id?: string | undefined;
	user?: string | undefined;
	/** The app that has written it. */
	app_id?: string | undefined;
	team?: string | undefined;
	user_team?: string | undefined;
};

/** The event `message`, with its subtypes, or `app_mention`. */
export type MessageEvent = EventMessage & {
	type: string;
	channel: string;
	channel_type?: string;
	/** The new version, in `message_changed`. */
	message?: EventMessage;
	/** The old version, in `message_changed` and `message_deleted`. */
	previous_message?: EventMessage;
	/** In `message_deleted`. */
	deleted_ts?: string;
};

/** The fields around an event. */
type EventEnvelope = {
	team_id?: string | null;
	event_id: string;
	/** This app. */
	api_app_id?: string;
	context_enterprise_id?: string | null;
	is_ext_shared_channel?: boolean;
};

/** A message of a person, with the installation that received it. */
type ReceivedMessage = {
	server: string;
	self: Installation;
	event: MessageEvent;
	requester: SlackRequester;
	/** The thread that it is a reply in. */
	thread: string | undefined;
	/** It mentions the bot. */
	isMention: boolean;
	/** Slackbot or an app has written it. */
	isApp: boolean;
};

/** Subtypes of messages that people and apps write. The others are notices of Slack's. */
const WRITTEN_SUBTYPES: ReadonlySet<string | undefined> = new Set([
	undefined,
	'file_share',
	'thread_broadcast',
	'bot_message',
]);

/** Registers the listeners for messages: those to the bot, those in threads, and their edits and deletions. */
export function registerMessages(app: App, inbound: Inbound): void {
	const listener = new MessageListener(inbound);
	app.event('message', ({ event, context, body }) => listener.handle(event as unknown as MessageEvent, context, body));
	app.event('app_mention', ({ event, context, body }) =>
		listener.handle(event as unknown as MessageEvent, context, body),
	);
}

/** Hands a message to the core. Resolves when it is answered. */
type Handler = () => Promise<void>;

class MessageListener {
	readonly #inbound: Inbound;
	readonly #threads: ThreadReader;
	/** Messages of one channel are handed over in their order. Their answers are written side by side. */
	readonly #queue = new KeyedQueue();

	constructor(inbound: Inbound) {
		this.#inbound = inbound;
		this.#threads = new ThreadReader(inbound);
	}

	async handle(event: MessageEvent, context: Context, envelope: EventEnvelope): Promise<void> {
		const { inbox: currentInbox, people, log } = this.#inbound;
		const server = serverOf(context);
		const inbox = currentInbox();
		if (!inbox) return;
		// People who mention the bot at the same time are looked up together, and not one after the other in the queue of the channel.
		const { user, bot_id } = event;
		if (user && !bot_id && mentionedIn(markupOf(event)).includes(context.botUserId ?? ''))
			void people.person(server, user);
		try {
			const prepared = await this.#queue.run(event.channel, async () => {
				const handler = await this.#prepare(event, server, envelope, inbox);
				return { handled: handler?.() };
			});
			await prepared.handled;
		} catch (error) {
			log.error({ err: error }, 'A message could not be handled');
		}
	}

	async #prepare(
		given: MessageEvent,
		named: string,
		envelope: EventEnvelope,
		inbox: Inbox,
	): Promise<Handler | undefined> {
		const owned = await this.#ownerOf(given, named, envelope);
		if (!owned) return undefined;
		const { self, event } = owned;
		const { server } = self;
		const { subtype, bot_id, app_id, user_team, team } = event;
		if (subtype === 'message_changed' || subtype === 'message_deleted')
			return () => this.#change(server, self, event, envelope.event_id, inbox);
		const isOwn = event.user === self.botUser || bot_id === self.bot || (bot_id && app_id === envelope.api_app_id);
		if (!WRITTEN_SUBTYPES.has(subtype) || isOwn) return undefined;
		const isApp = bot_id !== undefined || event.user === SLACKBOT;
		const isMention = mentionedIn(markupOf(event)).includes(self.botUser);
		if (isApp && !isMention) return undefined;
		const user = event.user ?? (bot_id && (await this.#userOf(server, bot_id)));
		if (!user) return undefined;
		const requester = { user, team: user_team ?? team ?? envelope.team_id ?? '' };
		return this.#receive({ server, self, event, requester, thread: threadOf(event), isMention, isApp }, inbox);
	}

	/** Returns the installation that answers a message, and the message as if it had mentioned its bot in place of another one of Easel's. */
	async #ownerOf(
		event: MessageEvent,
		server: string,
		{ context_enterprise_id, is_ext_shared_channel }: EventEnvelope,
	): Promise<{ self: Installation; event: MessageEvent } | undefined> {
		const { installations } = this.#inbound;
		if (isDirect(event) || !(is_ext_shared_channel || context_enterprise_id)) {
			const self = await installations.of(server);
			return self && { self, event };
		}
		const message = event.message ?? event.previous_message ?? event;
		const { ts, thread_ts = ts, user, parent_user_id } = message;
		const users = [parent_user_id, user, ...mentionedIn(markupOf(message))].filter((id) => id !== undefined);
		const owner = await installations.ownerOf({ server, thread: `${event.channel}:${thread_ts}`, users });
		if (!owner) return undefined;
		const { self, bots } = owner;
		const text = bots.reduce((json, bot) => json.replaceAll(bot, self.botUser), JSON.stringify(event));
		return { self, event: bots.some((bot) => bot !== self.botUser) ? (JSON.parse(text) as MessageEvent) : event };
	}

	/** Returns the user that an app writes as, where its message does not name it, such as one of a workflow. */
	async #userOf(server: string, bot: string): Promise<string | undefined> {
		const { call, log } = this.#inbound;
		try {
			const options = { maxWaitMs: 0, idempotent: true };
			return (await call(server, 'bots.info', (client) => client.bots.info({ bot }), options)).bot?.user_id;
		} catch (error) {
			log.debug({ err: error }, 'An app cannot be looked up');
			return undefined;
		}
	}

	async #receive(message: ReceivedMessage, inbox: Inbox): Promise<Handler | undefined> {
		const { people, files, dedupe } = this.#inbound;
		const { server, event, self, requester, thread, isMention, isApp } = message;
		const addressed = isMention || isDirect(event);
		if (thread === undefined && !addressed) return isApp ? undefined : () => this.#posted(message, inbox);
		const id = incomingMessageId(event.channel, event.ts);
		// A message that is not for the bot may become so by an edit, and is then claimed as such.
		if (!(await dedupe.firstHere(`${addressed ? 'message' : 'heard'}:${server}:${id}`))) return undefined;

		const above = this.#threads.above(message);
		// An `app_mention` may lack the files of its message. https://github.com/slackapi/bolt-python/issues/925
		const whole = event.type === 'app_mention' && !event.files ? ((await above.self()) ?? event) : event;
		const [known, read, shown] = await Promise.all([
			people.person(server, requester.user),
			readMessage(people, server, whole, self),
			this.#repliedTo(message, above.first),
		]);
		const person: Person = isApp ? { ...known, app: true, moderator: false, mayModerate: false } : known;
		const attached = await files.complete(server, read.files);
		const uploads = attached.map((file) => files.upload(server, file, { person: requester.user }));
		const { forwarded } = read;
		const repliedTo = shown ?? (forwarded && { ...forwarded, uploads: [] });
		const context = {
			...(repliedTo && { repliedTo }),
			...(thread !== undefined && { before: above.before }),
		};
		const command = await this.#command(message, person, uploads, context, inbox);
		if (command) return command;
		const toOthers = mentionedIn(markupOf(event)).some((user) => user !== self.botUser && user !== requester.user);
		const incoming: IncomingMessage = {
			id,
			text: read.text,
			person,
			addressed,
			uploads,
			channel: this.#replyChannel(message, thread),
			...(toOthers && { toOthers }),
			...context,
		};
		return () => inbox.hear(incoming);
	}

	/** Reports the pictures of a message that is not for the bot. */
	async #posted({ server, event, requester }: ReceivedMessage, inbox: Inbox): Promise<void> {
		const { user: id } = requester;
		const uploads = (event.files ?? []).map((file) => this.#inbound.files.upload(server, file, { person: id }));
		await inbox.posted({ place: placeOf(server, event, undefined), person: { id }, uploads });
	}

	/**
	 * Returns what runs the command in a message to the bot, such as “@Easel edit make it night”. It is answered in a thread. Returns
	 * undefined for messages without a command.
	 */
	async #command(
		message: ReceivedMessage,
		person: Person,
		uploads: readonly Upload[],
		{ repliedTo, before }: Pick<IncomingMessage, 'repliedTo' | 'before'>,
		inbox: Inbox,
	): Promise<Handler | undefined> {
		const { commands, people } = this.#inbound;
		const { server, event, self, thread, isMention } = message;
		if (!isMention && !isDirect(event)) return undefined;
		const text = withoutMentions(markupOf(event), self);
		const called = mentionedCommand(commands, text, await decoderFor(people, server, text));
		if (!called) return undefined;
		const attached = uploads.filter(isPicture);
		const isLacking = attached.length === 0 && called.command.fields.some(({ kind }) => kind === 'picture');
		const pictures = isLacking ? await pictureAbove(repliedTo, before) : attached;
		const found = withPictures(called, pictures, person.locale);
		const id = incomingMessageId(event.channel, event.ts);
		const answeredIn = thread ?? (isDirect(event) ? undefined : event.ts);
		if (typeof found === 'string')
			return async () => {
				await this.#replyChannel(message, answeredIn).post({ text: found, visibility: 'private' }, id);
			};
		const { options, isComplete, isPrivate } = found;
		const command = found.command.name;
		// In direct messages, “edit this sentence” is part of the chat, and the chat needs no command.
		if (!isMention && (!isComplete || command === 'chat')) return undefined;
		const channel = this.#replyChannel(message, answeredIn, { needsDirectMessage: isPrivate });
		return () => inbox.invoke({ id, command, options, person, channel });
	}

	/**
	 * Returns the message that a thread begins with, which a message there replies to, if it shows files. Without a mention, only a direct
	 * message of the bot counts: below others, people chat.
	 */
	async #repliedTo(
		{ server, event, thread, isMention }: ReceivedMessage,
		first: () => Promise<ThreadMessage | undefined>,
	): Promise<QuotedMessage | undefined> {
		const { index, files, coveredPictures, log } = this.#inbound;
		if (thread === undefined || !(isMention || isDirect(event))) return undefined;
		try {
			const key = await index.keyOf(idOf(event.channel, thread));
			const own = key === undefined ? undefined : await index.find(key);
			if (own && own.covered === undefined) {
				const images = (own.images ?? []).map(({ file }) => files.upload(server, { id: file }, { key }));
				return images.length > 0 ? { author: '', text: '', uploads: images, own: true } : undefined;
			}
			if (!own && !isMention) return undefined;
			const message = await first();
			if (!message || (await shownFiles(coveredPictures, message)).length === 0) return undefined;
			return await this.#threads.quoted(server, message);
		} catch (error) {
			log.warn({ err: error }, 'The message that a thread begins with could not be looked up');
			return undefined;
		}
	}

	/**
	 * Reports an edited or deleted message. The core keeps messages of threads and direct messages only; a message of a channel is
	 * reported as the first one of its thread.
	 *
	 * @param eventId the event's id, by which a repeated delivery is recognized: it would undo later edits
	 */
	async #change(server: string, self: Installation, event: MessageEvent, eventId: string, inbox: Inbox): Promise<void> {
		const { channels, people, dedupe } = this.#inbound;
		const before = event.previous_message;
		const after = event.subtype === 'message_changed' ? event.message : undefined;
		const ts = after?.ts ?? event.deleted_ts ?? before?.ts;
		if (ts === undefined) return;
		const thread = threadOf({ ...before, ...after, ts }) ?? (isDirect(event) ? undefined : ts);
		const place = placeOf(server, event, thread);
		const isDeleted = after === undefined || after.subtype === 'tombstone';
		const isOwn = (before?.user ?? after?.user) === self.botUser || before?.bot_id === self.bot;
		if (isOwn && isDeleted) return inbox.changed({ id: (await channels.handleOf(place, ts)).key, place });
		if (isOwn || before?.bot_id || after?.bot_id) return;
		const id = incomingMessageId(event.channel, ts);
		if (isDeleted) return inbox.changed({ id, place });
		// Slack also reports its own additions, such as the preview of a link.
		if (after.text === before?.text) return;
		if (!(await dedupe.first(`event:${server}:${eventId}`))) return;
		return inbox.changed({ id, place, text: (await readMessage(people, server, after, self)).text });
	}

	/**
	 * Returns the channel that a message is answered in.
	 *
	 * @param thread the thread to answer in; the channel by default
	 */
	#replyChannel(
		{ server, event, requester }: ReceivedMessage,
		thread: string | undefined,
		more: Pick<SlackRequester, 'needsDirectMessage'> = {},
	): Channel {
		const { channels } = this.#inbound;
		const reader = { ...requester, ...more };
		const channel = channels.channel(placeOf(server, event, thread), reader);
		if (threadOf(event) !== undefined || isDirect(event)) return channel;
		const parent = channels.channel(placeOf(server, event, undefined), reader);
		return {
			...channel,
			// A public thread begins with the message itself.
			openThread: async (title, options) =>
				options?.private
					? parent.openThread(title, options)
					: channels.channel(placeOf(server, event, event.ts), reader),
			// Ephemeral messages are not shown in a thread that has no replies yet.
			// https://docs.slack.dev/reference/methods/chat.postEphemeral
			post: (reply, key, options) => (reply.visibility === 'private' ? parent : channel).post(reply, key, options),
		};
	}
}

/** Returns the picture that a command without one is about: the only one of the message that it replies to, or the newest one above it. */
async function pictureAbove(
	repliedTo: QuotedMessage | undefined,
	before: IncomingMessage['before'],
): Promise<readonly Upload[]> {
	const shown = repliedTo?.uploads.filter(isPicture) ?? [];
	if (shown.length > 0) return shown.length === 1 ? shown : [];
	const newest = ((await before?.()) ?? []).map(({ uploads }) => uploads.filter(isPicture)).findLast(isFilled) ?? [];
	return newest.length === 1 ? newest : [];
}

const isFilled = ({ length }: { length: number }) => length > 0;

/** The author of Slack's own messages. */
const SLACKBOT = 'USLACKBOT';

/** Returns the id of a message. Ids of channels are unique across workspaces. */
const incomingMessageId = (channel: string, ts: string): string => `${channel}.${ts}`;

/** Returns whether an event is from the direct messages with the bot. */
export const isDirect = ({ channel_type }: Pick<MessageEvent, 'channel_type'>): boolean => channel_type === 'im';

/** Returns the place of an event: its channel, or a thread of it. */
const placeOf = (
	server: string,
	event: Pick<MessageEvent, 'channel' | 'channel_type'>,
	thread: string | undefined,
): Place => ({ ...placeIn(server, event.channel, thread), ...(isDirect(event) && { direct: true as const }) });
