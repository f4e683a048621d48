import { secret } from '../../ids.ts';
import { announceFile, channelsIn, pollFile, processFiles } from '../../world/files.ts';
import { canSeeFile, deleteMessage, hasFile } from '../../world/messages.ts';
import type { Json, StoredFile } from '../../world/model.ts';
import { renderFile } from '../../world/render/files.ts';
import { checkedBlocks, writableChannel } from '../content.ts';
import { misuse, slackError } from '../errors.ts';
import type { Call, Methods } from '../method.ts';
import { threadOf } from './chat.ts';

/** https://docs.slack.dev/reference/methods/files.getUploadURLExternal */
const ALT_CHARACTERS = 1000;
/** Slack fails whenever the message of a file has a `markdown` block. */
const MARKDOWN_ISSUE = 'https://github.com/slackapi/python-slack-sdk/issues/1756';

function fileOf({ slack, name, me }: Call, id: unknown): StoredFile {
	const file = slack.world.files.get(String(id));
	const isThere = file && hasFile(me.team, file);
	if (file && !isThere) slack.violate(`${name}: a workspace's token was used for a file of another`);
	if (!isThere) throw slackError('file_not_found');
	if (file.state === 'deleted' || file.condition === 'tombstone') throw slackError('file_deleted');
	if (file.condition === 'access_denied' || file.condition === 'file_not_found') throw slackError(file.condition);
	return file;
}

export const fileMethods: Methods = {
	/** https://docs.slack.dev/reference/methods/files.getUploadURLExternal */
	'files.getUploadURLExternal': {
		scopes: ['files:write'],
		tier: 4,
		args: ['filename', 'length', 'snippet_type', 'alt_txt'],
		required: ['filename', 'length'],
		run({ slack, args, me }) {
			const { uploads, uploadBytes } = slack.settings;
			if (uploads === 'disabled') throw slackError('file_uploads_disabled');
			if (uploads === 'storage full') throw slackError('storage_limit_reached');
			const length = Number(args['length']);
			if (!Number.isInteger(length) || length < 1) throw misuse('missing_argument', 'length');
			if (length > uploadBytes) throw slackError('file_upload_size_restricted');
			const alt = args['alt_txt'];
			if (String(alt ?? '').length > ALT_CHARACTERS) throw misuse('alt_txt_too_large');
			const file = announceFile(slack, me.user, String(args['filename']), length);
			if (alt !== undefined) file.alt = String(alt);
			return { file_id: file.id, upload_url: `${slack.address.files()}/upload/v1/${secret('')}/${file.id}` };
		},
	},

	/** https://docs.slack.dev/reference/methods/files.completeUploadExternal */
	'files.completeUploadExternal': {
		scopes: ['files:write'],
		tier: 4,
		args: ['files', 'channel_id', 'channels', 'thread_ts', 'initial_comment', 'blocks'],
		required: ['files'],
		run(call) {
			const { slack, name, args, me } = call;
			if (!Array.isArray(args['files']) || args['files'].length === 0) throw misuse('invalid_arguments', 'files');
			const files = (args['files'] as { id: string; title?: string }[]).map(({ id, title, ...more }) => {
				const file = fileOf(call, id);
				const stray = Object.keys(more).filter((key) => key !== 'highlight_type');
				if (stray.length > 0) slack.violate(`${name}: a file has ${stray.join(', ')}, which are unknown properties`);
				if (file.owner !== me.user) throw misuse('access_denied');
				if (file.state === 'announced') throw misuse('file_not_found', 'nothing was uploaded');
				// Another call, whose answer may be lost, has completed the upload.
				if (file.state !== 'uploaded') throw slackError('file_not_found');
				if (title !== undefined) file.title = title;
				return file;
			});
			const sharing = channelsIn(args).map((id) => {
				const channel = writableChannel(slack, me.team, id, name);
				if (!channel.members.has(me.user.id)) throw slackError('not_in_channel');
				const text = String(args['initial_comment'] ?? '');
				const blocks = text ? [] : checkedBlocks(slack, channel, args['blocks'], name);
				if (blocks.some(({ type }) => type === 'markdown'))
					throw slackError('internal_error', { source: MARKDOWN_ISSUE });
				return { channel, text, blocks, ...threadOf(channel, args, slack, name) };
			});
			processFiles(slack, files, sharing);
			return { files: files.map(({ id, title }) => ({ id, title })) };
		},
	},

	/** https://docs.slack.dev/reference/methods/files.info */
	'files.info': {
		scopes: ['files:read'],
		tier: 4,
		args: ['file', 'count', 'cursor', 'limit', 'page'],
		required: ['file'],
		run(call) {
			const { slack, args, me } = call;
			const file = fileOf(call, args['file']);
			if (!canSeeFile(me.user, file)) throw slackError('not_visible');
			if (file.state === 'announced' || file.state === 'uploaded') throw slackError('file_not_found');
			pollFile(slack, file);
			return { file: renderFile(slack, file), comments: [], response_metadata: { next_cursor: '' } };
		},
	},

	/** https://docs.slack.dev/reference/methods/files.delete */
	'files.delete': {
		scopes: ['files:write'],
		tier: 3,
		args: ['file'],
		required: ['file'],
		run(call) {
			const { slack, args, me } = call;
			const file = fileOf(call, args['file']);
			if (file.owner !== me.user) throw misuse('cant_delete_file');
			file.state = 'deleted';
			for (const [id, shared] of file.shares)
				for (const ts of shared) {
					const message = file.team.channels.get(id)?.messages.get(ts);
					if (!message) continue;
					message.files = message.files.filter((one) => one !== file);
					if (message.files.length === 0 && !message.text && message.blocks.length === 0) deleteMessage(slack, message);
				}
			return {} satisfies Json;
		},
	},
};
