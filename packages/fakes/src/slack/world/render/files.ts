import type { Slack } from '../../context.ts';
import type { Channel, FileCondition, Json, StoredFile } from '../model.ts';

const ENDINGS: Record<string, string> = {
	'image/jpeg': 'jpg',
	'text/plain': 'text',
	'application/octet-stream': 'binary',
};

/** The address that a file is downloaded from. */
const downloadUrl = ({ address }: Slack, { id, team, name }: StoredFile): string =>
	`${address.files()}/files-pri/${team.id}-${id}/download/${encodeURIComponent(name.toLowerCase().replace(/[^a-z0-9._-]+/gi, '_'))}`;

/** Formats that browsers do not show: Slack adds a picture in one that they do, in several sizes. */
const CONVERTED = /^image\/(?:hei[cf]|tiff|vnd\.adobe\.photoshop)$/;

/** A file object. Until Slack has processed the file, it lacks its type and its shares. */
export function renderFile(slack: Slack, file: StoredFile): Json {
	const { condition } = file;
	if (condition && !/^(?:external|thin|converting)$/.test(condition)) return unreadable(file, condition);
	const ready = file.state === 'processed';
	const shared = [...file.shares.keys()].map((id) => file.team.channels.get(id));
	const idsOf = (kind: Channel['kind']) => shared.filter((channel) => channel?.kind === kind).map((one) => one?.id);
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
		mode: condition === 'external' ? 'external' : file.snippet ? 'snippet' : 'hosted',
		is_external: condition === 'external',
		external_type: condition === 'external' ? 'gdrive' : '',
		is_public: shared.some((channel) => channel?.kind === 'public'),
		public_url_shared: false,
		display_as_bot: false,
		username: '',
		...(condition === 'external'
			? { url_private: `https://docs.google.com/document/d/${file.id}` }
			: { url_private: url.replace('/download/', '/'), url_private_download: url }),
		permalink: `https://${file.team.domain}.slack.com/files/${file.owner.id}/${file.id}/${file.name}`,
		has_rich_preview: false,
		file_access: 'visible',
		...(ready && file.type.startsWith('image/') && thumbnails(file, url)),
		shares: ready && !slack.settings.emptyShares ? sharesOf(file) : {},
		channels: idsOf('public'),
		groups: idsOf('private'),
		ims: idsOf('im'),
	};
}

/** The smaller pictures that Slack makes of one, and its alt text. */
const thumbnails = ({ type, alt, condition }: StoredFile, url: string): Json => ({
	...(condition !== 'converting' && { thumb_360: `${url}?thumb=360` }),
	...(alt && { alt_txt: alt }),
	...(condition !== 'converting' &&
		CONVERTED.test(type) && { thumb_64: `${url}?thumb=64`, thumb_1024: `${url}?thumb=1024` }),
});

/** https://github.com/rusq/slackdump/issues/270 · https://github.com/sgratzl/slack_cleaner2/issues/42 */
function unreadable({ id, created }: StoredFile, condition: FileCondition): Json {
	if (condition === 'tombstone') return { id, mode: condition };
	const file = { id, created, timestamp: created };
	return condition === 'hidden_by_limit'
		? { ...file, mode: condition }
		: { ...file, mode: 'file_access', file_access: condition };
}

/** A file object, as in events. In shared channels it has only its id. */
export const renderEventFile = (slack: Slack, file: StoredFile): Json =>
	slack.settings.thinFiles || file.condition === 'thin'
		? {
				id: file.id,
				created: file.created,
				timestamp: file.created,
				mode: 'file_access',
				file_access: 'check_file_info',
			}
		: renderFile(slack, file);

/** The messages that hold a file, by channel. */
function sharesOf({ shares, team }: StoredFile): Json {
	const rendered = { public: {} as Json, private: {} as Json };
	for (const [id, timestamps] of shares) {
		const channel = team.channels.get(id);
		if (!channel) continue;
		rendered[channel.kind === 'public' ? 'public' : 'private'][id] = timestamps.map((ts) => ({
			ts,
			channel_name: channel.name,
			team_id: team.id,
			reply_users: [],
			reply_count: 0,
			...(channel.messages.get(ts)?.threadTs && { thread_ts: channel.messages.get(ts)?.threadTs }),
		}));
	}
	return Object.fromEntries(Object.entries(rendered).filter(([, channels]) => Object.keys(channels).length > 0));
}
