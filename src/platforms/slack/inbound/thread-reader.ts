import { setTimeout as sleep } from 'node:timers/promises';
import type { QuotedMessage } from '../../../domain/platform.ts';
import type { Inbound } from './context.ts';
import { type Readable, readMessage, shownFiles } from './message-reader.ts';

/** Unlisted apps may read one history a minute, with 15 messages: what does not come soon is left out. */
const MAX_WAIT_MS = 1500;
const PAGE_SIZE = 200;
const MAX_PAGES = 3;
/** How many messages before another one are told of it, with the first of its thread. */
const MAX_BEFORE = 15;

/** A message of a thread. */
export type ThreadMessage = Readable & {
	ts?: string;
	user?: string;
	subtype?: string;
	username?: string;
	bot_profile?: { name?: string };
};

/** A message, and where it was written. */
type Below = { server: string; event: { channel: string; ts: string }; thread: string | undefined };

/** Reads the messages of threads. What Slack does not return soon is left out. */
export class ThreadReader {
	readonly #inbound: Pick<Inbound, 'call' | 'people' | 'files' | 'coveredPictures' | 'installations' | 'log'>;

	constructor(inbound: Pick<Inbound, 'call' | 'people' | 'files' | 'coveredPictures' | 'installations' | 'log'>) {
		this.#inbound = inbound;
	}

	/** Returns what is above a message, which is read once, when it is first needed. */
	above({ server, event: { channel, ts }, thread }: Below) {
		let read: Promise<readonly ThreadMessage[]> | undefined;
		const messages = () => {
			read ??= this.#read(server, channel, thread ?? ts, ts);
			return read;
		};
		return {
			/** The message itself. */
			self: async () => (await messages()).find((message) => message.ts === ts),
			/** The message that its thread begins with. */
			first: async () => (await messages()).find((message) => message.ts === thread),
			/** See `IncomingMessage.before`. */
			before: async (): Promise<readonly QuotedMessage[]> => {
				const earlier = (await messages()).filter((message) => message.ts !== ts && isSaid(message));
				const [root, ...others] = earlier;
				const told = root ? [root, ...others.slice(1 - MAX_BEFORE)] : [];
				return Promise.all(told.map((message) => this.quoted(server, message)));
			},
		};
	}

	/** Returns a message as the core takes it. */
	async quoted(server: string, message: ThreadMessage): Promise<QuotedMessage> {
		const { installations, people, files, coveredPictures } = this.#inbound;
		const self = await installations.of(server);
		const { user, username, bot_profile, bot_id } = message;
		const own = self !== undefined && (user === self.botUser || bot_id === self.bot);
		const [read, shown, author] = await Promise.all([
			readMessage(people, server, message, { botUser: self?.botUser ?? '' }),
			shownFiles(coveredPictures, message),
			username ?? bot_profile?.name ?? (user === undefined ? '' : people.nameOf(server, 'person', user)),
		]);
		const { text, forwarded } = read;
		return {
			author: author ?? '',
			text: forwarded ? `${text}\n\n${forwarded.author}: ${forwarded.text}` : text,
			uploads: shown.map((file) => files.upload(server, file, own ? undefined : { person: user })),
			...(own && { own }),
		};
	}

	/** Returns the messages of a thread up to one of them, oldest first, as far as Slack returns them soon. */
	async #read(server: string, channel: string, root: string, latest: string): Promise<readonly ThreadMessage[]> {
		const read: ThreadMessage[] = [];
		const pages = async () => {
			let cursor: string | undefined;
			for (let page = 0; page < MAX_PAGES; page++) {
				const query = { channel, ts: root, latest, inclusive: true, limit: PAGE_SIZE, ...(cursor && { cursor }) };
				const { messages = [], response_metadata } = await this.#inbound.call(
					server,
					'conversations.replies',
					(client) => client.conversations.replies(query),
					{ maxWaitMs: MAX_WAIT_MS, idempotent: true },
				);
				read.push(...(messages as ThreadMessage[]));
				cursor = response_metadata?.next_cursor || undefined;
				if (cursor === undefined) return;
			}
		};
		const late = new AbortController();
		const work = pages().catch((error: unknown) =>
			this.#inbound.log.debug({ err: error }, 'The messages of a thread could not be read'),
		);
		await Promise.race([work, sleep(MAX_WAIT_MS, undefined, { signal: late.signal, ref: false }).catch(() => {})]);
		late.abort();
		return [...read];
	}
}

/** Notices, such as that a person has joined, are not said by anybody. */
const isSaid = ({ subtype }: ThreadMessage) =>
	subtype === undefined || subtype === 'file_share' || subtype === 'thread_broadcast' || subtype === 'bot_message';
