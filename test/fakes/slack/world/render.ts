import type { Slack } from '../context.ts';
import type { Block, Channel, Installation, Json, Message, StoredFile, Team, User, View } from './model.ts';

export const renderTeam = ({ id, domain, enterprise }: Team) => ({
	id,
	domain,
	...(enterprise && { enterprise_id: enterprise.id, enterprise_name: enterprise.name }),
});

/** As interactions have them. */
export const renderActor = ({ id, handle, team }: User) => ({
	id,
	username: handle,
	name: handle,
	team_id: team.id,
});

/** As `users.info` has them. */
export const renderUser = (user: User, withLocale: boolean) => ({
	id: user.id,
	team_id: user.team.id,
	name: user.handle,
	deleted: false,
	real_name: user.name,
	tz: 'Europe/Berlin',
	profile: { real_name: user.name, display_name: user.bot ? '' : user.name, team: user.team.id },
	is_admin: user.admin,
	is_owner: user.owner,
	is_primary_owner: user.owner,
	is_restricted: user.guest,
	is_ultra_restricted: false,
	is_bot: user.bot,
	is_app_user: false,
	updated: 1_700_000_000,
	...(user.team.enterprise && {
		enterprise_user: {
			id: user.id,
			enterprise_id: user.team.enterprise.id,
			enterprise_name: user.team.enterprise.name,
			is_admin: user.admin,
			is_owner: user.owner,
			teams: [user.team.id],
		},
	}),
	...(withLocale && { locale: user.locale }),
});

export const renderChannel = (channel: Channel, viewer: User) => ({
	id: channel.id,
	...(channel.kind === 'im'
		? { user: [...channel.members].find((id) => id !== viewer.id) }
		: { name: channel.name, name_normalized: channel.name }),
	is_channel: channel.kind === 'public',
	is_group: false,
	is_im: channel.kind === 'im',
	is_mpim: false,
	is_private: channel.kind !== 'public',
	is_archived: channel.archived,
	is_member: channel.members.has(viewer.id),
	is_shared: false,
	is_ext_shared: false,
	context_team_id: channel.team.id,
	created: 1_700_000_000,
});

export const channelType = ({ kind }: Channel) => ({ public: 'channel', private: 'group', im: 'im' })[kind];

/** What a slash command calls a channel. */
export const channelName = ({ kind, name }: Channel) =>
	kind === 'im' ? 'directmessage' : kind === 'private' ? 'privategroup' : name;

const ENDINGS: Record<string, string> = {
	'image/jpeg': 'jpg',
	'text/plain': 'text',
	'application/octet-stream': 'binary',
};

/** Where a file is downloaded from. */
const downloadUrl = ({ address }: Slack, { id, team, name }: StoredFile): string =>
	`${address.files()}/files-pri/${team.id}-${id}/download/${encodeURIComponent(name.toLowerCase().replace(/[^a-z0-9._-]+/gi, '_'))}`;

/** A file object. Before Slack has processed it, it lacks its type and where it is shared. */
export function renderFile(slack: Slack, file: StoredFile): Json {
	const ready = file.state === 'processed';
	const shares = { public: {} as Json, private: {} as Json };
	if (ready && !slack.settings.emptyShares)
		for (const [id, timestamps] of file.shares) {
			const channel = file.team.channels.get(id);
			if (channel)
				shares[channel.kind === 'public' ? 'public' : 'private'][id] = timestamps.map((ts) => ({
					ts,
					channel_name: channel.name,
					team_id: file.team.id,
					reply_users: [],
					reply_count: 0,
					...(channel.messages.get(ts)?.threadTs && { thread_ts: channel.messages.get(ts)?.threadTs }),
				}));
		}
	const kind = (file: Channel['kind']) => [...shared].filter((channel) => channel?.kind === file).map((one) => one?.id);
	const shared = [...file.shares.keys()].map((id) => file.team.channels.get(id));
	const url = downloadUrl(slack, file);
	return {
		id: file.id,
		created: file.created,
		timestamp: file.created,
		name: file.name,
		title: file.title,
		mimetype: ready ? file.type : '',
		filetype: ready ? (ENDINGS[file.type] ?? file.type.split('/')[1]) : '',
		pretty_type: ready ? (file.type.split('/')[1] ?? '').toUpperCase() : '',
		user: file.owner.id,
		user_team: file.team.id,
		editable: false,
		size: file.bytes.length,
		mode: 'hosted',
		is_external: false,
		external_type: '',
		is_public: shared.some((channel) => channel?.kind === 'public'),
		public_url_shared: false,
		display_as_bot: false,
		username: '',
		url_private: url.replace('/download/', '/'),
		url_private_download: url,
		permalink: `https://${file.team.domain}.slack.com/files/${file.owner.id}/${file.id}/${file.name}`,
		has_rich_preview: false,
		file_access: 'visible',
		...(ready &&
			file.type.startsWith('image/') && { thumb_360: `${url}?thumb=360`, ...(file.alt && { alt_txt: file.alt }) }),
		shares: Object.fromEntries(Object.entries(shares).filter(([, inside]) => Object.keys(inside).length > 0)),
		channels: kind('public'),
		groups: kind('private'),
		ims: kind('im'),
	};
}

/** As events bring it; in channels that are shared with others only its id. */
export const renderEventFile = (slack: Slack, file: StoredFile): Json =>
	slack.settings.thinFiles
		? {
				id: file.id,
				created: file.created,
				timestamp: file.created,
				mode: 'file_access',
				file_access: 'check_file_info',
			}
		: renderFile(slack, file);

/** A message as the application gets it. */
export function renderMessage(slack: Slack, message: Message, withMetadata = false): Json {
	const { channel, author, threadTs, files, stream } = message;
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
		...(author.bot && installation && botParts(slack, installation)),
		text: stream && !message.text ? stream.text : message.text,
		ts: message.ts,
		team: author.team.id,
		...(message.blocks.length > 0 ? { blocks: message.blocks } : !author.bot && { blocks: richTextOf(message.text) }),
		...(files.length > 0 && { files: files.map((file) => renderEventFile(slack, file)), upload: false }),
		...(threadTs !== undefined && { thread_ts: threadTs, ...(parent && { parent_user_id: parent.author.id }) }),
		...threadSummary(message),
		...(message.editedAt !== undefined && { edited: { user: author.id, ts: message.editedAt } }),
		...(stream && { streaming_state: stream.state }),
		...(withMetadata && message.metadata && { metadata: message.metadata }),
		...(message.reactions.size > 0 && {
			reactions: [...message.reactions].map(([name, users]) => ({ name, users: [...users], count: users.size })),
		}),
	};
}

const botParts = ({ appId }: Slack, { bot, team, user }: Installation) => ({
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

/** What everybody sees in a thread, without its first message. */
export const repliesTo = ({ messages }: Channel, ts: string): Message[] =>
	[...messages.values()].filter((message) => message.threadTs === ts && message.ts !== ts && !message.only);

/** People's words as Slack's composer makes them. */
const richTextOf = (text: string): Block[] => [
	{
		type: 'rich_text',
		block_id: 'words',
		elements: [{ type: 'rich_text_section', elements: text ? [{ type: 'text', text }] : [] }],
	},
];

/** A form or home page as Slack gives it back. */
export function renderView(slack: Slack, view: View, state?: Json): Json {
	const installation = view.team.installation;
	const { data } = view;
	return {
		id: view.id,
		team_id: view.team.id,
		type: data.type,
		blocks: data.blocks,
		private_metadata: data['private_metadata'] ?? '',
		callback_id: data['callback_id'] ?? '',
		state: { values: state ?? {} },
		hash: view.hash,
		title: data['title'] ?? { type: 'plain_text', text: 'View Title', emoji: true },
		clear_on_close: data['clear_on_close'] ?? false,
		notify_on_close: data['notify_on_close'] ?? false,
		close: data['close'] ?? null,
		submit: data['submit'] ?? null,
		previous_view_id: view.previous?.id ?? null,
		root_view_id: view.root,
		app_id: slack.appId,
		external_id: data['external_id'] ?? '',
		app_installed_team_id: view.team.id,
		bot_id: installation?.bot ?? null,
	};
}
