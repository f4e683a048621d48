import type { Slack } from '../../context.ts';
import type { Channel, Json, Message, User } from '../model.ts';
import { richTextOf } from '../rich-text.ts';
import { renderEventFile } from './files.ts';

/** A message, as in events and histories. */
export function renderMessage(slack: Slack, message: Message, withMetadata = false): Json {
	const { channel, author, threadTs, files, forwards } = message;
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
	const parent = threadTs === undefined ? undefined : channel.messages.get(threadTs);
	const isWorkflow = author.app?.isWorkflow;
	const ofPerson = message.broadcast ? 'thread_broadcast' : files.length > 0 && !author.bot ? 'file_share' : undefined;
	const subtype = isWorkflow ? 'bot_message' : ofPerson;
	return {
		type: 'message',
		...(subtype && { subtype }),
		...(isWorkflow ? { username: author.name } : { user: author.id }),
		...(author.bot && botFields(slack, author)),
		text: message.text,
		ts: message.ts,
		team: author.team.id,
		...(message.blocks.length > 0 ? { blocks: message.blocks } : !author.bot && { blocks: richTextOf(message.text) }),
		...(files.length > 0 && { files: files.map((file) => renderEventFile(slack, file)), upload: false }),
		...(forwards.length > 0 && { attachments: forwards.map((one) => renderForwarded(slack, one)) }),
		...(threadTs !== undefined && { thread_ts: threadTs, ...(parent && { parent_user_id: parent.author.id }) }),
		...threadSummary(message),
		...(message.editedAt !== undefined && { edited: { user: author.id, ts: message.editedAt } }),
		...(withMetadata && message.metadata && { metadata: message.metadata }),
		...(message.reactions.size > 0 && {
			reactions: [...message.reactions].map(([name, users]) => ({ name, users: [...users], count: users.size })),
		}),
	};
}

/**
 * A message that another one forwards. https://github.com/slackapi/java-slack-sdk/issues/647 ·
 * https://github.com/slackapi/java-slack-sdk/issues/1179
 */
function renderForwarded(slack: Slack, { channel, author, ts, text, blocks, files }: Message): Json {
	const id = `${channel.id}/p${ts.replace('.', '')}`;
	return {
		ts,
		author_id: author.id,
		author_name: author.name,
		author_subname: author.name,
		channel_id: channel.id,
		channel_team: channel.team.id,
		channel_name: channel.name,
		is_msg_unfurl: true,
		is_share: true,
		message_blocks: [
			{
				team: channel.team.id,
				channel: channel.id,
				ts,
				message: { blocks: blocks.length > 0 ? blocks : richTextOf(text) },
			},
		],
		files: files.map((file) => renderEventFile(slack, file)),
		text,
		fallback: `[date] ${author.name}: ${text}`,
		from_url: `https://${channel.team.domain}.slack.com/archives/${id}`,
		mrkdwn_in: ['text'],
		id: 1,
		footer: channel.kind === 'im' ? 'Direct message' : `Posted in #${channel.name}`,
	};
}

function botFields({ appId }: Slack, { name, team, app }: User) {
	const { id, bot } = app ?? { id: appId, bot: team.installation?.bot };
	const profile = { id: bot, app_id: id, name, deleted: false, team_id: team.id, icons: {}, updated: 0 };
	return { bot_id: bot, app_id: id, bot_profile: profile };
}

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
