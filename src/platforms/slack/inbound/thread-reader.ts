import { setTimeout as sleep } from 'node:timers/promises';
import type { QuotedMessage } from '../../../domain/platform.ts';
import { readMessages } from '../api/messages.ts';
import type { Slack } from '../slack.ts';
import { uploadOf } from './files.ts';
import { isWritten, type Readable, readMessage, shownFiles } from './message-reader.ts';

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

/** Returns what is above a message in its thread, which is read once, when it is first needed. What Slack does not return soon is left out. */
export function messagesAbove(slack: Slack, { server, event: { channel, ts }, thread }: Below) {
	let read: Promise<readonly ThreadMessage[]> | undefined;
	const messages = () => {
		read ??= readThread(slack, { server, channel, thread: thread ?? ts }, ts);
		return read;
	};
	return {
		/** The message itself. */
		self: async () => (await messages()).find((message) => message.ts === ts),
		/** The message that its thread begins with. */
		first: async () => (await messages()).find((message) => message.ts === thread),
		/** See `IncomingMessage.before`. */
		before: async (): Promise<readonly QuotedMessage[]> => {
			const [root, ...others] = (await messages()).filter((message) => message.ts !== ts && isWritten(message));
			const told = root ? [root, ...others.slice(1 - MAX_BEFORE)] : [];
			return Promise.all(told.map((message) => quotedMessage(slack, server, message)));
		},
	};
}

/** Returns a message as the core takes it. */
export async function quotedMessage(slack: Slack, server: string, message: ThreadMessage): Promise<QuotedMessage> {
	const { workspaces, people } = slack;
	const self = await workspaces.of(server);
	const { user, username, bot_profile, bot_id } = message;
	const own = self !== undefined && (user === self.botUser || bot_id === self.bot);
	const [read, shown, author] = await Promise.all([
		readMessage(people, server, message, { botUser: self?.botUser ?? '' }),
		shownFiles(slack, message),
		username ?? bot_profile?.name ?? (user === undefined ? '' : people.nameOf(server, 'person', user)),
	]);
	const { text, forwarded } = read;
	return {
		author: author ?? '',
		text: forwarded ? `${text}\n\n${forwarded.author}: ${forwarded.text}` : text,
		uploads: shown.map((file) => uploadOf(slack, server, file, own ? undefined : { person: user })),
		...(own && { own }),
	};
}

/** Returns the messages of a thread up to one of them, oldest first, as far as Slack returns them soon. */
async function readThread(
	slack: Slack,
	thread: Parameters<typeof readMessages>[1],
	latest: string,
): Promise<readonly ThreadMessage[]> {
	const read: ThreadMessage[] = [];
	const pages = async () => {
		let cursor: string | undefined;
		for (let page = 0; page < MAX_PAGES; page++) {
			const range = { latest, limit: PAGE_SIZE, ...(cursor && { cursor }) };
			const { messages, next } = await readMessages(slack, thread, range, MAX_WAIT_MS);
			read.push(...(messages as ThreadMessage[]));
			cursor = next;
			if (cursor === undefined) return;
		}
	};
	const work = pages().catch((error: unknown) =>
		slack.log.debug({ err: error }, 'The messages of a thread could not be read'),
	);
	await Promise.race([work, sleep(MAX_WAIT_MS, undefined, { ref: false })]);
	return [...read];
}
