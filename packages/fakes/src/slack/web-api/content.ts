import type { z } from 'zod';
import { imagesIn, messageBlocks, schemaErrors } from '../block-kit/blocks.ts';
import type { Slack } from '../context.ts';
import { canSeeFile, hasFile } from '../world/messages.ts';
import type { Block, Channel, Json, Message, StoredFile, Team } from '../world/model.ts';
import { misuse, slackError } from './errors.ts';

/** Characters of all Markdown blocks of a message. https://docs.slack.dev/reference/block-kit/blocks/markdown-block */
const MARKDOWN_CHARACTERS = 12_000;
/** Characters of all texts in the blocks of a message, as observed. https://github.com/slackapi/bolt-js/issues/2509 */
const BLOCK_CHARACTERS = 13_200;
/** https://docs.slack.dev/changelog/2018-truncating-really-long-messages */
const TEXT_CHARACTERS = 40_000;
/** The line below the head of a table. A message has one table at most. https://docs.slack.dev/reference/block-kit/blocks/table-block */
const TABLE = /^\|?(?: *:?-+:? *\|)+ *(?::?-+:? *)?$/gm;
/** https://docs.slack.dev/reference/block-kit/blocks/image-block */
const SHOWABLE = ['image/png', 'image/jpeg', 'image/gif'];

/** The channel of blocks, or the workspace of a view. */
type Shown = Pick<Channel, 'team' | 'id'> & Partial<Pick<Channel, 'sharedWith'>>;

/** Validates blocks that are posted to a channel. Throws `invalid_blocks` and similar errors. https://docs.slack.dev/reference/block-kit */
export function checkedBlocks(
	slack: Slack,
	channel: Shown,
	given: unknown,
	where: string,
	schema: z.ZodType = messageBlocks,
): Block[] {
	if (given === undefined || given === null || given === '') return [];
	if (!Array.isArray(given)) throw misuse('invalid_blocks_format', `${where}: blocks are not a list`);
	const read = schema.safeParse(given);
	if (!read.success) throw misuse('invalid_blocks', ...schemaErrors(read.error, '/blocks'));
	const blocks = given as Block[];
	const markdown = blocks.reduce((sum, { type, text }) => sum + (type === 'markdown' ? String(text).length : 0), 0);
	if (markdown > MARKDOWN_CHARACTERS || lengthOf(blocks) > BLOCK_CHARACTERS)
		throw misuse('msg_blocks_too_long', `${where}: ${Math.max(markdown, lengthOf(blocks))} characters`);
	if (
		blocks.filter(({ type }) => type === 'markdown').flatMap(({ text }) => String(text).match(TABLE) ?? []).length > 1
	)
		throw slackError('invalid_blocks', { response_metadata: { messages: ['[ERROR] only one table is allowed'] } });
	for (const { file } of imagesIn(blocks)) if (file) shownFile(slack, channel, file).shown.add(channel.id);
	return blocks;
}

/**
 * Returns the file that an image shows. It must be processed, of a type that Slack shows, and visible to the application.
 * https://github.com/slackapi/python-slack-sdk/issues/1521, https://github.com/slackapi/bolt-python/issues/1251
 */
function shownFile(
	{ world }: Slack,
	{ team, sharedWith }: Shown,
	named: { id?: string | undefined; url?: string | undefined },
): StoredFile {
	const id = named.id ?? named.url?.match(/-(F[0-9A-Z]+)/)?.[1] ?? '';
	const file = world.files.get(id);
	const bad = { response_metadata: { messages: ['[ERROR] invalid slack file [json-pointer:/blocks]'] } };
	if (!file) throw misuse('invalid_blocks', ...bad.response_metadata.messages);
	if (!hasFile(team, file) && !sharedWith?.has(file.team))
		throw misuse('invalid_blocks', 'the file belongs to another workspace');
	if (file.state === 'deleted') throw slackError('invalid_blocks', bad);
	if (!SHOWABLE.includes(file.type) && file.state !== 'announced')
		throw misuse('invalid_blocks', `an image block can't show ${file.type}`);
	const bots = [team, ...(sharedWith ?? [])].flatMap(({ installation }) => installation?.user ?? []);
	if (!bots.some((bot) => canSeeFile(bot, file))) throw misuse('invalid_blocks', 'the application cannot see the file');
	if (file.state !== 'processed') throw slackError('invalid_blocks', bad);
	return file;
}

/**
 * Records files in ephemeral messages: Slack shows none of its own (https://github.com/slackapi/node-slack-sdk/issues/1790), and does
 * not say whether it shows those in image blocks.
 */
export function checkEphemeral({ violate }: Slack, blocks: readonly Block[], where: string): void {
	if (imagesIn(blocks).some(({ file }) => file)) violate(`${where}: an ephemeral message has an uploaded picture`);
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

/** Returns the content of a call that posts or updates a message. */
export function contentOf(
	slack: Slack,
	channel: Channel,
	args: Json,
	method: string,
	limit = TEXT_CHARACTERS,
): Content {
	const { text, blocks, markdown_text: markdown } = args;
	const metadata = metadataOf(args['metadata']);
	// https://docs.slack.dev/reference/methods/chat.postMessage#errors
	if (args['attachments'] !== undefined) slack.violate(`${method}: attachments are deprecated`);
	if (args['link_names'] || args['parse'] === 'full') slack.violate(`${method}: names would become mentions`);
	if (markdown !== undefined) {
		if (text !== undefined || blocks !== undefined) throw misuse('markdown_text_conflict');
		if (String(markdown).length > MARKDOWN_CHARACTERS) throw misuse('msg_too_long');
		return { text: '', blocks: [{ type: 'markdown', text: String(markdown) }], ...(metadata && { metadata }) };
	}
	const read = checkedBlocks(slack, channel, blocks, method);
	if (!text && read.length === 0) throw misuse('no_text');
	if (!text) slack.violate(`${method}: blocks without a text are missing in notifications and for screen readers`);
	if (String(text ?? '').length > limit) {
		if (limit < TEXT_CHARACTERS) throw misuse('msg_too_long');
		slack.violate(`${method}: a text of ${String(text).length} characters is cut off`);
	}
	return { text: String(text ?? '').slice(0, limit), blocks: read, ...(metadata && { metadata }) };
}

/** https://docs.slack.dev/messaging/message-metadata */
function metadataOf(given: unknown): Message['metadata'] {
	if (given === undefined || given === '') return undefined;
	const { event_type, event_payload } = given as NonNullable<Message['metadata']>;
	if (typeof event_type !== 'string' || typeof event_payload !== 'object') throw misuse('invalid_metadata_format');
	if (JSON.stringify(given).length > 8000) throw misuse('metadata_too_large');
	return { event_type, event_payload };
}

/**
 * Returns a channel of the workspace by its id, or the direct messages with a person by theirs. Throws `channel_not_found`.
 * https://docs.slack.dev/reference/methods/chat.postMessage#channels
 */
export function channelOf({ world, violate }: Slack, team: Team, id: unknown, method: string): Channel {
	const named = String(id);
	const user = team.users.get(named);
	if (user && !user.bot) return world.directMessages(user);
	const channel = team.channels.get(named);
	if (channel) return channel;
	if (world.channelById(named) || world.userById(named)?.team !== undefined)
		violate(`${method}: a workspace's token was used for ${named} of another workspace`);
	throw slackError('channel_not_found');
}

/**
 * Returns a channel that the application may post in. Throws `not_in_channel` and similar errors.
 * https://docs.slack.dev/reference/methods/chat.postMessage#errors
 */
export function writableChannel(slack: Slack, team: Team, id: unknown, method: string): Channel {
	const channel = channelOf(slack, team, id, method);
	const bot = team.installation?.user;
	if (!bot) throw slackError('account_inactive');
	if (channel.archived) throw slackError('is_archived');
	if (channel.kind === 'im' && !slack.settings.messagesTab) throw slackError('messages_tab_disabled');
	if (!channel.members.has(bot.id) && channel.kind !== 'public') throw slackError('channel_not_found');
	if (!channel.members.has(bot.id) && !team.installation?.scopes.has('chat:write.public'))
		throw slackError('not_in_channel');
	return channel;
}
