import type { Slack } from '../../context.ts';
import { createMessage, deleteMessage, editMessage } from '../../world/messages.ts';
import type { Channel, Json, Message, User } from '../../world/model.ts';
import { renderMessage } from '../../world/render/messages.ts';
import { channelOf, checkEphemeral, contentOf, writableChannel } from '../content.ts';
import { misuse, slackError } from '../errors.ts';
import type { Methods } from '../method.ts';

const CONTENT_ARGS = ['text', 'blocks', 'markdown_text', 'attachments', 'metadata', 'parse', 'link_names', 'mrkdwn'];
const APPEARANCE_ARGS = ['username', 'icon_emoji', 'icon_url'];

/** Characters of `text` in `chat.update`. https://docs.slack.dev/reference/methods/chat.update */
const UPDATE_CHARACTERS = 4000;

/** Returns the thread of a call. Slack accepts the `thread_ts` of a reply, although it should be that of the first message. */
export function threadOf(channel: Channel, args: Json, slack: Slack, method: string): { threadTs?: string } {
	const ts = args['thread_ts'];
	if (ts === undefined || ts === '') return {};
	const root = channel.messages.get(String(ts));
	if (!root || root.only) {
		// The real Slack starts a thread without a first message.
		slack.violate(`${method}: thread_ts ${ts} is not a message of this channel`);
		throw slackError('thread_not_found');
	}
	if (root.threadTs !== undefined && root.threadTs !== root.ts)
		slack.violate(`${method}: thread_ts is of a reply, not of the thread's first message`);
	return { threadTs: root.threadTs ?? root.ts };
}

/** Returns a message of the application. Throws `message_not_found` and `cant_…_message`. */
function ownMessage(channel: Channel, ts: unknown, bot: User, verb: 'update' | 'delete'): Message {
	const message = channel.messages.get(String(ts));
	if (!message || message.tombstone || message.only || message.isNotice) throw slackError('message_not_found');
	if (message.author !== bot) throw misuse(`cant_${verb}_message`);
	return message;
}

export const chatMethods: Methods = {
	/** https://docs.slack.dev/reference/methods/chat.postMessage */
	'chat.postMessage': {
		scopes: ['chat:write'],
		tier: 'messages',
		args: [
			'channel',
			'thread_ts',
			'reply_broadcast',
			'unfurl_links',
			'unfurl_media',
			...CONTENT_ARGS,
			...APPEARANCE_ARGS,
		],
		required: ['channel'],
		run({ slack, name, args, me }) {
			const channel = writableChannel(slack, me.team, args['channel'], name);
			if (APPEARANCE_ARGS.some((one) => args[one] !== undefined) && !me.scopes.has('chat:write.customize'))
				throw slackError('missing_scope', { needed: 'chat:write.customize' });
			const content = contentOf(slack, channel, args, name);
			const thread = threadOf(channel, args, slack, name);
			const broadcast = args['reply_broadcast'] === true && thread.threadTs !== undefined;
			const message = createMessage(slack, { channel, author: me.user, ...content, ...thread, broadcast });
			return { channel: channel.id, ts: message.ts, message: renderMessage(slack, message, true) };
		},
	},

	/** https://docs.slack.dev/reference/methods/chat.postEphemeral */
	'chat.postEphemeral': {
		scopes: ['chat:write'],
		tier: 4,
		args: ['channel', 'user', 'thread_ts', ...CONTENT_ARGS, ...APPEARANCE_ARGS],
		required: ['channel', 'user'],
		run({ slack, name, args, me }) {
			const channel = writableChannel(slack, me.team, args['channel'], name);
			const only = slack.world.userById(String(args['user']));
			if (!only) throw slackError('user_not_found');
			if (!channel.members.has(only.id)) throw slackError('user_not_in_channel');
			const content = contentOf(slack, channel, args, name);
			checkEphemeral(slack, content.blocks, name);
			const thread = threadOf(channel, args, slack, name);
			return { message_ts: createMessage(slack, { channel, author: me.user, only, ...content, ...thread }).ts };
		},
	},

	/** https://docs.slack.dev/reference/methods/chat.update */
	'chat.update': {
		scopes: ['chat:write'],
		tier: 3,
		args: ['channel', 'ts', 'file_ids', 'reply_broadcast', 'as_user', ...CONTENT_ARGS],
		required: ['channel', 'ts'],
		run({ slack, name, args, me }) {
			if (me.team.users.has(String(args['channel'])))
				throw misuse('channel_not_found', 'the id of a person is not accepted here');
			const channel = channelOf(slack, me.team, args['channel'], name);
			const message = ownMessage(channel, args['ts'], me.user, 'update');
			if (channel.archived) throw slackError('is_inactive');
			if (slack.clock.now() - Number(message.ts) * 1000 > slack.settings.editWindowMs)
				throw slackError('edit_window_closed');
			// https://github.com/slackapi/bolt-python/issues/1295
			if (args['file_ids'] !== undefined) throw misuse('file_not_found', 'file_ids cannot replace pictures');
			const content = contentOf(slack, channel, args, name, UPDATE_CHARACTERS);
			// Buttons that are added so do not react. https://github.com/slackapi/bolt-python/issues/411
			if (message.files.length > 0 && content.blocks.some(({ type }) => type === 'actions'))
				slack.violate(`${name}: buttons are added to a message with files`);
			editMessage(slack, message, content);
			return {
				channel: channel.id,
				ts: message.ts,
				text: message.text,
				message: renderMessage(slack, message, true),
			};
		},
	},

	/** https://docs.slack.dev/reference/methods/chat.delete */
	'chat.delete': {
		scopes: ['chat:write'],
		tier: 3,
		args: ['channel', 'ts', 'as_user'],
		required: ['channel', 'ts'],
		run({ slack, name, args, me }) {
			const channel = channelOf(slack, me.team, args['channel'], name);
			deleteMessage(slack, ownMessage(channel, args['ts'], me.user, 'delete'));
			return { channel: channel.id, ts: args['ts'] };
		},
	},

	/** https://docs.slack.dev/reference/methods/chat.getPermalink */
	'chat.getPermalink': {
		tier: 'many',
		args: ['channel', 'message_ts'],
		required: ['channel', 'message_ts'],
		run({ slack, name, args, me }) {
			const channel = channelOf(slack, me.team, args['channel'], name);
			const message = channel.messages.get(String(args['message_ts']));
			if (!message || message.tombstone) throw slackError('message_not_found');
			const address = `https://${me.team.domain}.slack.com/archives/${channel.id}/p${message.ts.replace('.', '')}`;
			const thread = message.threadTs ? `?thread_ts=${message.threadTs}&cid=${channel.id}` : '';
			return { channel: channel.id, permalink: address + thread };
		},
	},

	/** https://docs.slack.dev/reference/methods/reactions.add */
	'reactions.add': {
		scopes: ['reactions:write'],
		tier: 3,
		args: ['channel', 'timestamp', 'name'],
		required: ['channel', 'timestamp', 'name'],
		run({ slack, name, args, me }) {
			const users = reactionsOf(channelOf(slack, me.team, args['channel'], name), args);
			if (users.has(me.user.id)) throw slackError('already_reacted');
			users.add(me.user.id);
		},
	},

	/** https://docs.slack.dev/reference/methods/reactions.remove */
	'reactions.remove': {
		scopes: ['reactions:write'],
		tier: 2,
		args: ['channel', 'timestamp', 'name'],
		required: ['channel', 'timestamp', 'name'],
		run({ slack, name, args, me }) {
			if (!reactionsOf(channelOf(slack, me.team, args['channel'], name), args).delete(me.user.id))
				throw slackError('no_reaction');
		},
	},
};

function reactionsOf(channel: Channel, args: Json): Set<string> {
	const message = channel.messages.get(String(args['timestamp']));
	if (!message) throw slackError('message_not_found');
	if (!/^[a-z0-9_+'-]+$/.test(String(args['name']))) throw misuse('invalid_name');
	const users = message.reactions.get(String(args['name'])) ?? new Set();
	message.reactions.set(String(args['name']), users);
	return users;
}
