import type { z } from 'zod';
import { complaints, imagesIn, messageBlocks } from '../block-kit/blocks.ts';
import type { Slack } from '../context.ts';
import { sees } from '../world/messages.ts';
import type { Block, Channel, Json, Message, StoredFile, Team } from '../world/model.ts';
import { refuse, wrong } from './errors.ts';

/** All markdown blocks of one message together. https://docs.slack.dev/reference/block-kit/blocks/markdown-block */
const MARKDOWN_CHARACTERS = 12_000;
/** All text of a message's blocks, as seen. https://github.com/slackapi/bolt-js/issues/2509 */
const BLOCK_CHARACTERS = 13_200;
/** https://docs.slack.dev/changelog/2018-truncating-really-long-messages */
const TEXT_CHARACTERS = 40_000;
/** https://docs.slack.dev/reference/block-kit/blocks/image-block */
const SHOWABLE = ['image/png', 'image/jpeg', 'image/gif'];

/** Blocks as they may be posted to a channel. Throws `invalid_blocks` and its kin. */
export function checkedBlocks(
	slack: Slack,
	channel: Pick<Channel, 'team' | 'id'>,
	given: unknown,
	where: string,
	schema: z.ZodType = messageBlocks,
): Block[] {
	if (given === undefined || given === null || given === '') return [];
	if (!Array.isArray(given)) throw wrong('invalid_blocks_format', `${where}: blocks are no list`);
	const read = schema.safeParse(given);
	if (!read.success) throw wrong('invalid_blocks', ...complaints(read.error, '/blocks'));
	const blocks = given as Block[];
	const markdown = blocks.reduce((sum, { type, text }) => sum + (type === 'markdown' ? String(text).length : 0), 0);
	if (markdown > MARKDOWN_CHARACTERS || lengthOf(blocks) > BLOCK_CHARACTERS)
		throw wrong('msg_blocks_too_long', `${where}: ${Math.max(markdown, lengthOf(blocks))} characters`);
	for (const { file } of imagesIn(blocks)) if (file) shown(slack, channel, file).shown.add(channel.id);
	return blocks;
}

/** The file that an image shows. It must be processed, of a kind that Slack shows, and the application's to show. */
function shown(
	{ world }: Slack,
	{ team }: Pick<Channel, 'team'>,
	named: { id?: string | undefined; url?: string | undefined },
): StoredFile {
	const id = named.id ?? named.url?.match(/-(F[0-9A-Z]+)/)?.[1] ?? '';
	const file = world.files.get(id);
	const bad = { response_metadata: { messages: ['[ERROR] invalid slack file [json-pointer:/blocks]'] } };
	if (!file) throw wrong('invalid_blocks', ...bad.response_metadata.messages);
	if (file.team !== team) throw wrong('invalid_blocks', 'the file belongs to another workspace');
	if (file.state === 'deleted') throw refuse('invalid_blocks', bad);
	if (!SHOWABLE.includes(file.type) && file.state !== 'announced')
		throw wrong('invalid_blocks', `a picture block can't show ${file.type}`);
	const bot = team.installation?.user;
	if (!bot || !sees(bot, file)) throw wrong('invalid_blocks', 'the file is not for the application to show');
	if (file.state !== 'processed') throw refuse('invalid_blocks', bad);
	return file;
}

const lengthOf = (part: unknown): number =>
	Array.isArray(part)
		? part.reduce((sum: number, one) => sum + lengthOf(one), 0)
		: typeof part === 'object' && part !== null
			? Object.entries(part).reduce(
					(sum, [name, value]) => sum + (name === 'text' && typeof value === 'string' ? value.length : lengthOf(value)),
					0,
				)
			: 0;

type Content = Pick<Message, 'text' | 'blocks'> & { metadata?: NonNullable<Message['metadata']> };

/** What a call to post or to change a message says. */
export function contentOf(
	slack: Slack,
	channel: Channel,
	args: Json,
	method: string,
	limit = TEXT_CHARACTERS,
): Content {
	const { text, blocks, markdown_text: markdown } = args;
	const metadata = metadataOf(args['metadata']);
	if (args['attachments'] !== undefined) slack.violate(`${method}: attachments are of the past`);
	if (args['link_names'] || args['parse'] === 'full') slack.violate(`${method}: names would become mentions`);
	if (markdown !== undefined) {
		if (text !== undefined || blocks !== undefined) throw wrong('markdown_text_conflict');
		if (String(markdown).length > MARKDOWN_CHARACTERS) throw wrong('msg_too_long');
		return { text: '', blocks: [{ type: 'markdown', text: String(markdown) }], ...(metadata && { metadata }) };
	}
	const read = checkedBlocks(slack, channel, blocks, method);
	if (!text && read.length === 0) throw wrong('no_text');
	if (!text) slack.violate(`${method}: blocks without a text say nothing to screen readers and in notifications`);
	if (String(text ?? '').length > limit) {
		if (limit < TEXT_CHARACTERS) throw wrong('msg_too_long');
		slack.violate(`${method}: a text of ${String(text).length} characters is cut off`);
	}
	return { text: String(text ?? '').slice(0, limit), blocks: read, ...(metadata && { metadata }) };
}

/** https://docs.slack.dev/messaging/message-metadata */
function metadataOf(given: unknown): Message['metadata'] {
	if (given === undefined || given === '') return undefined;
	const { event_type, event_payload } = given as NonNullable<Message['metadata']>;
	if (typeof event_type !== 'string' || typeof event_payload !== 'object') throw wrong('invalid_metadata_format');
	if (JSON.stringify(given).length > 8000) throw wrong('metadata_too_large');
	return { event_type, event_payload };
}

/** The workspace's channel of this id, or direct messages with a person of this id. Throws `channel_not_found`. */
export function channelOf({ world, violate }: Slack, team: Team, id: unknown, method: string): Channel {
	const named = String(id);
	const user = team.users.get(named);
	if (user && !user.bot) return world.directMessages(user);
	const channel = team.channels.get(named);
	if (channel) return channel;
	if (world.channelById(named) || world.userById(named)?.team !== undefined)
		violate(`${method}: a workspace's token was used for ${named} of another workspace`);
	throw refuse('channel_not_found');
}

/** A channel that the application may write in. Throws `not_in_channel` and the like. */
export function writable(slack: Slack, team: Team, id: unknown, method: string): Channel {
	const channel = channelOf(slack, team, id, method);
	const bot = team.installation?.user;
	if (!bot) throw refuse('account_inactive');
	if (channel.archived) throw refuse('is_archived');
	if (!channel.members.has(bot.id) && channel.kind !== 'public') throw refuse('channel_not_found');
	if (!channel.members.has(bot.id) && !team.installation?.scopes.has('chat:write.public'))
		throw refuse('not_in_channel');
	return channel;
}
