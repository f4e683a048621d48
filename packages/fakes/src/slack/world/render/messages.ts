import type { Slack } from '../../context.ts';
import type { Block, Channel, Installation, Json, Message } from '../model.ts';
import { renderEventFile } from './files.ts';

/** A message, as in events and histories. */
export function renderMessage(slack: Slack, message: Message, withMetadata = false): Json {
	const { channel, author, threadTs, files } = message;
	if (message.tombstone)
		return {
			type: 'message',
			subtype: 'tombstone',
			user: 'USLACKBOT',
			text: 'This message was deleted.',
			ts: message.ts,
			thread_ts: message.ts,
			hidden: true,
			...threadSummary(message),
		};
	const installation = channel.team.installation;
	const parent = threadTs === undefined ? undefined : channel.messages.get(threadTs);
	const subtype = message.broadcast ? 'thread_broadcast' : files.length > 0 && !author.bot ? 'file_share' : undefined;
	return {
		type: 'message',
		...(subtype && { subtype }),
		user: author.id,
		...(author.bot && installation && botFields(slack, installation)),
		text: message.text,
		ts: message.ts,
		team: author.team.id,
		...(message.blocks.length > 0 ? { blocks: message.blocks } : !author.bot && { blocks: richTextOf(message.text) }),
		...(files.length > 0 && { files: files.map((file) => renderEventFile(slack, file)), upload: false }),
		...(threadTs !== undefined && { thread_ts: threadTs, ...(parent && { parent_user_id: parent.author.id }) }),
		...threadSummary(message),
		...(message.editedAt !== undefined && { edited: { user: author.id, ts: message.editedAt } }),
		...(withMetadata && message.metadata && { metadata: message.metadata }),
		...(message.reactions.size > 0 && {
			reactions: [...message.reactions].map(([name, users]) => ({ name, users: [...users], count: users.size })),
		}),
	};
}

const botFields = ({ appId }: Slack, { bot, team, user }: Installation) => ({
	bot_id: bot,
	app_id: appId,
	bot_profile: { id: bot, app_id: appId, name: user.name, deleted: false, team_id: team.id, icons: {}, updated: 0 },
});

function threadSummary({ channel, ts, threadTs }: Message) {
	if (threadTs !== undefined && threadTs !== ts) return {};
	const replies = repliesTo(channel, ts);
	if (replies.length === 0) return {};
	return {
		thread_ts: ts,
		reply_count: replies.length,
		reply_users: [...new Set(replies.map(({ author }) => author.id))],
		latest_reply: replies.at(-1)?.ts,
	};
}

/** The replies in a thread, without ephemeral ones. */
export const repliesTo = ({ messages }: Channel, ts: string): Message[] =>
	[...messages.values()].filter((message) => message.threadTs === ts && message.ts !== ts && !message.only);

/** The blocks that Slack's client makes of typed text. */
const richTextOf = (text: string): Block[] => [
	{
		type: 'rich_text',
		block_id: 'words',
		elements: [{ type: 'rich_text_section', elements: text ? [{ type: 'text', text }] : [] }],
	},
];
