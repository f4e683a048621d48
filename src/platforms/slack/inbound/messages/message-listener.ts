import type { App } from '@slack/bolt';
import type { Inbox } from '../../../../domain/platform.ts';
import { KeyedQueue } from '../../../../domain/queues.ts';
import type { Log } from '../../../../log.ts';
import type { Installations } from '../../installation/installation.ts';
import type { CoveredPictures } from '../../outbound/covered-pictures.ts';
import type { MessageIndex } from '../../outbound/message-index.ts';
import { serverOf } from '../../transport/app.ts';
import { picturesOf } from '../actions/action-message.ts';
import type { MessageFiles } from '../files/message-files.ts';
import type { SlackFile } from '../files/slack-file.ts';
import { threadOf } from '../place.ts';
import { isMessageChange, type MessageChangeOptions, reportChange } from './message-changes.ts';
import { type MessageCommandOptions, messageCommand } from './message-commands.ts';
import {
	type EventEnvelope,
	incomingMessageId,
	isDirect,
	type MessageEvent,
	type ReceivedMessage,
	receivedMessageOf,
} from './message-event.ts';
import { mentionedIn, readableText } from './message-text.ts';
import { replyChannel } from './reply-channel.ts';

type MessageListenerOptions = MessageCommandOptions &
	MessageChangeOptions & {
		installations: Installations;
		index: Pick<MessageIndex, 'keyOf' | 'find'>;
		coveredPictures: CoveredPictures;
		messageFiles: MessageFiles;
		inbox: () => Inbox | undefined;
		log: Log;
	};

/** Hands a message to the core. Resolves when it is answered. */
type Handler = () => Promise<void>;

/** Registers the listeners for messages: those to the bot, those in threads, and their edits and deletions. */
export function registerMessages(app: App, options: MessageListenerOptions): void {
	const listener = new MessageListener(options);
	app.event('message', ({ event, context, body }) =>
		listener.handle(event as unknown as MessageEvent, serverOf(context), body),
	);
	app.event('app_mention', ({ event, context, body }) =>
		listener.handle(event as unknown as MessageEvent, serverOf(context), body),
	);
}

class MessageListener {
	readonly #options: MessageListenerOptions;
	/** Messages of one channel are handed over in their order. Their answers are written side by side. */
	readonly #queue = new KeyedQueue();

	constructor(options: MessageListenerOptions) {
		this.#options = options;
	}

	async handle(event: MessageEvent, server: string, envelope: EventEnvelope): Promise<void> {
		const { inbox: currentInbox, log } = this.#options;
		const inbox = currentInbox();
		if (!inbox) return;
		try {
			const prepared = await this.#queue.run(`${server}:${event.channel}`, async () => {
				const handler = await this.#prepare(event, server, envelope, inbox);
				return { handled: handler?.() };
			});
			await prepared.handled;
		} catch (error) {
			log.error({ err: error }, 'A message could not be handled');
		}
	}

	async #prepare(
		event: MessageEvent,
		server: string,
		envelope: EventEnvelope,
		inbox: Inbox,
	): Promise<Handler | undefined> {
		const self = await this.#options.installations.of(server);
		if (!self) return undefined;
		if (isMessageChange(event)) return () => reportChange(this.#options, server, self, event, envelope.event_id, inbox);
		const message = receivedMessageOf(event, server, self, envelope);
		return message && this.#receive(message, inbox);
	}

	async #receive(message: ReceivedMessage, inbox: Inbox): Promise<Handler | undefined> {
		const { channels, people, files, messageFiles, dedupe } = this.#options;
		const { server, event, self, requester } = message;
		const { text = '' } = event;
		const thread = threadOf(event);
		const mentioned = mentionedIn(text);
		const addressed = isDirect(event) || mentioned.includes(self.botUser);
		if (thread === undefined && !addressed) return undefined;
		const id = incomingMessageId(event.channel, event.ts);
		if (!(await dedupe.firstHere(`message:${server}:${id}`))) return undefined;

		const [person, attached] = await Promise.all([
			people.person(server, requester.user),
			messageFiles.of(server, event),
		]);
		const shown = await this.#picturesAbove(message, mentioned.includes(self.botUser)).catch((error: unknown) => {
			this.#options.log.warn({ err: error }, 'The message that a thread begins with could not be looked up');
			return [];
		});
		const inCommand = attached.length === 0 && shown.length === 1 ? shown : attached;
		const command = messageCommand(this.#options, { ...message, event: { ...event, files: inCommand } }, person, inbox);
		if (command) return command;
		const toOthers = mentioned.some((user) => user !== self.botUser && user !== requester.user);
		const incoming = {
			id,
			text: await readableText(people, server, text, self),
			person,
			addressed,
			uploads: attached.map((file) => files.upload(server, file)),
			channel: replyChannel(channels, message, thread),
			...(toOthers && { toOthers }),
			...(shown.length > 0 && {
				repliedTo: { author: '', text: '', uploads: shown.map((file) => files.upload(server, file)) },
			}),
		};
		return () => inbox.hear(incoming);
	}

	/**
	 * Returns the pictures of the message that a thread begins with, which a message there replies to. Without a mention, only a direct
	 * message of the bot counts: below others, people chat.
	 */
	async #picturesAbove({ server, event }: ReceivedMessage, isMention: boolean): Promise<SlackFile[]> {
		const { index, messageFiles, coveredPictures } = this.#options;
		const thread = threadOf(event);
		if (thread === undefined || !(isMention || isDirect(event))) return [];
		const key = await index.keyOf(event.channel, thread);
		const own = key === undefined ? undefined : await index.find(key);
		if (own && own.covered === undefined) return (own.images ?? []).map(({ file }) => ({ id: file }));
		if (!own && !isMention) return [];
		return picturesOf(coveredPictures, await messageFiles.first(server, event.channel, thread));
	}
}
