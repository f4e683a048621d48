import { setImmediate } from 'node:timers/promises';
import { addFile, type SharedFile } from '../world/files.ts';
import { createMessage, deleteMessage, editMessage } from '../world/messages.ts';
import type { Message } from '../world/model.ts';
import { toMrkdwn } from '../world/mrkdwn.ts';
import { repliesTo } from '../world/render/messages.ts';
import type { SlackUser, UserContext } from './slack-user.ts';
import { visibleMessage } from './visible.ts';

/** Turns of the event loop in which a response on loopback arrives and is processed. */
const TURNS = 25;

type Messages = Pick<
	SlackUser,
	'say' | 'forward' | 'reply' | 'rewrite' | 'erase' | 'threads' | 'startThread' | 'enter' | 'look'
>;

/** Messages: reading, writing, editing and deleting them. */
export function messagesOf({ slack, account, position, forms }: UserContext): Messages {
	const { team } = account;

	function write(text: string, files: SharedFile[] = [], thread = position.thread, forwards: Message[] = []): Message {
		slack.world.requesters.add(account.id);
		if (files.length > 0 && slack.settings.uploads !== 'on') throw new Error('Files cannot be uploaded here');
		return createMessage(slack, {
			channel: position.channel,
			author: account,
			text: toMrkdwn(text, team),
			files: files.map((file) => addFile(slack, account, file)),
			forwards,
			...(thread !== undefined && { threadTs: thread }),
		});
	}

	/** Returns the names of the files in the thread of a message that its author added. */
	const filesBelow = ({ channel, ts, author }: Message) =>
		repliesTo(channel, ts)
			.filter((reply) => reply.author === author)
			.flatMap((reply) => visibleMessage(slack, reply).files);

	return {
		say: async (text, files) => void write(text, files),
		async reply(seen, text, { files = [] } = {}) {
			const { threadTs, ts, author } = position.messageOf(seen);
			// A reply to a message in a thread is another message there that mentions its author.
			if (threadTs !== undefined && threadTs !== ts) write(`@${author.name} ${text}`, files);
			else write(text, files, ts);
		},
		async forward(seen, text = '') {
			write(text, [], position.thread, ['ts' in seen ? seen : position.messageOf(seen)]);
		},
		async rewrite(seen, text) {
			const message = position.messageOf(seen);
			if (message.author !== account) throw new Error('Only own messages can be edited');
			editMessage(slack, message, { text: toMrkdwn(text, team) });
		},
		async erase(seen) {
			const message = position.messageOf(seen);
			if (message.author !== account && !message.only && !account.admin)
				throw new Error('Only own messages can be deleted');
			deleteMessage(slack, message);
		},
		threads: async () =>
			[...new Set([position.first, position.channel, position.directMessages])]
				.flatMap(({ messages }) => [...messages.values()])
				.filter((message) => position.maySee(message) && repliesTo(message.channel, message.ts).length > 0)
				.map((message) => ({ id: message.ts, title: visibleMessage(slack, message).text.split('\n')[0] ?? '' })),
		async startThread(seen) {
			position.thread = position.messageOf(seen).ts;
		},
		enter: (where) => position.enter(where),
		async look() {
			// People find a message's files in its thread, too.
			const seen = position.visible().map((message) => {
				const { files, ...more } = visibleMessage(slack, message);
				return { ...more, files: [...files, ...filesBelow(message)] };
			});
			// People react later than the application receives the response to its call.
			for (let turn = 0; turn < TURNS; turn++) await setImmediate();
			return [...seen, ...forms.errors];
		},
	};
}
