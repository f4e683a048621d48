import { readFileSync } from 'node:fs';
import type { QuotedMessage } from '../../../domain/platform.ts';
import { OWN_MENTION, withoutOwnMentions, wordsToBot } from '../../../domain/text.ts';
import { PlatformRefusedError } from '../../../i18n/translator.ts';
import { escaped, MENTION, unescaped } from '../api/blocks.ts';
import { SOON_MS, soon } from '../api/calls.ts';
import { type HistoryMessage, type MessageLocation, messagesOf } from '../api/messages.ts';
import { refusedErrorOf } from '../api/slack-errors.ts';
import type { Installation } from '../installation/workspaces.ts';
import { coveredBy } from '../outbound/message-records.ts';
import type { People } from '../people.ts';
import type { Slack } from '../slack.ts';
import { type SlackFile, uploadOf } from './files.ts';

type Names = Pick<People, 'namesIn'>;
type Self = Pick<Installation, 'botUser'>;

/** A block of Block Kit, or a part of one. */
type Block = Readonly<Record<string, unknown>>;

/** A message that another one forwards or links to, or the preview of a link. */
type Attachment = Pick<Readable, 'text' | 'blocks' | 'files'> &
	Partial<Record<'pretext' | 'title' | 'fallback' | 'image_url' | 'author_name' | 'author_id', string>> & {
		/** It is a message of Slack. https://github.com/slackapi/java-slack-sdk/issues/1179 */
		is_share?: boolean;
		is_msg_unfurl?: boolean;
		fields?: List<{ title?: string; value?: string }>;
		message_blocks?: List<{ message?: { blocks?: List<Block> } }>;
	};

/** Slack sends an empty list also as null. */
type List<One> = readonly One[] | null | undefined;

/** The parts of a message that the reader looks at, as events, histories and shortcuts have them. */
export type Readable = {
	text?: string | null | undefined;
	/** An app has written it. */
	bot_id?: string | undefined;
	blocks?: List<Block>;
	files?: List<SlackFile>;
	attachments?: List<Attachment>;
};

export type ReadMessage = {
	/** With names in place of ids, emoji in place of their names, and without the mentions of the bot. */
	text: string;
	/** See `IncomingMessage.toBot`. */
	toBot?: string;
	/** What it forwards. */
	forwarded?: { author: string; text: string };
	/** The files that it shows, also in what it forwards. */
	files: SlackFile[];
	/** Knows the names of all that it mentions. */
	decode: Decode;
};

/** Turns a part of a text in Slack's markup into words. */
export type Decode = (markup: string) => string;

/** Reads a message of any kind: a new one, an edited one, one of a thread, or the one of a shortcut. */
export async function readMessage(names: Names, server: string, message: Readable, self: Self): Promise<ReadMessage> {
	const forwards = (message.attachments ?? []).filter(isMessage);
	const own = markupOf(message);
	const quoted = forwards.map(markupOfAttachment).filter(Boolean).join('\n\n');
	const decode = await decoderFor(names, server, `${own}\n${quoted}`, self);
	const text = withoutOwnMentions(decode(own));
	const toBot = wordsToBot(withOwnMentions(own, self), PEOPLE);
	const read = { text, toBot: toBot && withoutOwnMentions(decode(toBot)), files: filesOf(message), decode };
	if (quoted === '') return read;
	const told = withoutOwnMentions(decode(quoted));
	const author = forwards[0]?.author_name ?? forwards[0]?.author_id ?? '';
	return text === '' ? { ...read, text: told } : { ...read, forwarded: { author, text: told } };
}

/** Returns the files that a message shows: its own, those of its blocks, and those of messages that it forwards. */
function filesOf({ bot_id, files, blocks, attachments }: Readable): SlackFile[] {
	const shown = [
		...(files ?? []),
		...(blocks ?? []).flatMap(imagesOf),
		...(attachments ?? []).flatMap((attachment) => [
			...(attachment.files ?? []),
			...blocksOf(attachment).flatMap(imagesOf),
			...(bot_id && attachment.image_url ? [elsewhere(attachment.image_url)] : []),
		]),
	];
	return shown.filter((file, index) => index === shown.findIndex(({ id }) => id === file.id));
}

/** As `filesOf`, with the covered pictures that a message of the bot shows to people who press a button. */
export async function shownFiles(slack: Slack, message: Readable): Promise<SlackFile[]> {
	const buttons = (message.blocks ?? []).flatMap(({ elements }) => (elements ?? []) as { action_id?: string }[]);
	const covered = await Promise.all(buttons.map(({ action_id = '' }) => coveredBy(slack, action_id)));
	const files = filesOf(message);
	const others = covered.flat().filter(({ file }) => !files.some(({ id }) => id === file));
	return [...files, ...others.map(({ file }) => ({ id: file, mimetype: 'image/*', covered: true as const }))];
}

/** Tells whether people or apps have written a message. Others are notices of Slack's, such as that a person has joined. */
export const isWritten = ({ subtype }: { subtype?: string | null | undefined }): boolean =>
	!subtype || /^(?:file_share|thread_broadcast|me_message|bot_message)$/.test(subtype);

const isMessage = ({ is_share, is_msg_unfurl }: Attachment) => Boolean(is_share || is_msg_unfurl);

const blocksOf = ({ blocks, message_blocks }: Attachment): readonly Block[] => [
	...(blocks ?? []),
	...(message_blocks ?? []).flatMap(({ message }) => message?.blocks ?? []),
];

/**
 * Returns the words of a message in Slack's markup. Its blocks tell them from signs such as those of `*bold*`, and `text` may be a summary of
 * an app's blocks.
 */
export function markupOf({ text, bot_id, blocks, attachments }: Readable): string {
	const attached = bot_id ? (attachments ?? []).filter((one) => !isMessage(one)).map(markupOfAttachment) : [];
	return joined([markupOfBlock(blocks) || text, ...attached]);
}

function markupOfAttachment(attachment: Attachment): string {
	const { pretext, title, text, fields, fallback } = attachment;
	const pairs = (fields ?? []).map((field) => joined([field.title, field.value], ': '));
	return joined([pretext, title, markupOfBlock(blocksOf(attachment)) || text, ...pairs]) || (fallback ?? '');
}

const joined = (parts: readonly (string | null | undefined)[], by = '\n'): string => parts.filter(Boolean).join(by);

/** Blocks within blocks are read so deep. */
const MAX_DEPTH = 8;

/** Returns the words of a block of any kind, but not those of buttons and inputs. https://docs.slack.dev/reference/block-kit/blocks */
function markupOfBlock(block: unknown, depth = MAX_DEPTH): string {
	if (depth === 0 || typeof block !== 'object' || block === null) return '';
	const inner = (part: unknown) => markupOfBlock(part, depth - 1);
	const within = (parts: readonly unknown[], by?: string) => joined(parts.map(inner), by);
	if (Array.isArray(block)) return within(block);
	const { type, text, elements, rows, action_id } = block as Block;
	if (action_id !== undefined || /^(?:actions|input|image)$/.test(String(type))) return '';
	if (type === 'rich_text') return joined(((elements ?? []) as RichText[]).map(markupOfRichText));
	if (Array.isArray(rows)) return joined(rows.map((cells) => within([cells].flat(), ' | ')));
	if (typeof text === 'string') return type === 'mrkdwn' ? text : escaped(text);
	return within(Object.values(block));
}

/** https://docs.slack.dev/reference/block-kit/blocks/rich-text-block */
type RichText = Partial<Record<'type' | 'text' | 'fallback' | 'value' | 'url' | 'name' | 'unicode' | 'range', string>> &
	Partial<Record<'user_id' | 'channel_id' | 'usergroup_id', string>> & {
		style?: string | { code?: boolean };
		offset?: number;
		skin_tone?: number;
		elements?: readonly RichText[];
	};

function markupOfRichText(given: RichText): string {
	// Slack sends what is empty also as null.
	const part: RichText = Object.fromEntries(Object.entries(given ?? {}).filter(([, value]) => value !== null));
	const { type, style, offset = 0, elements = [], text = '', fallback, url = '', name = '' } = part;
	// A colour has a value, which Slack's clients make of `#f405b3`; an emoji its code points, but for custom ones.
	const { value, unicode = '', skin_tone: tone } = part;
	const inside = joined(elements.map(markupOfRichText), '').replace(/\n$/, '');
	switch (type) {
		case 'rich_text_list': {
			const sign = (index: number) => (style === 'ordered' ? `${offset + index + 1}.` : '-');
			return joined(elements.map((item, index) => `${sign(index)} ${markupOfRichText(item)}`));
		}
		case 'rich_text_preformatted':
			return `\`\`\`\n${inside}\n\`\`\``;
		case 'rich_text_quote':
			return inside.replace(/^/gm, '&gt; ');
		case 'user':
			return `<@${part.user_id}>`;
		case 'channel':
			return `<#${part.channel_id}>`;
		case 'usergroup':
			return `<!subteam^${part.usergroup_id}>`;
		case 'broadcast':
			return `<!${part.range}>`;
		case 'emoji':
			// One that is newer than the names here.
			if (!EMOJI.has(name) && /^[0-9a-f]{4,5}(?:-[0-9a-f]{4,5})*$/.test(unicode))
				return String.fromCodePoint(...unicode.split('-').map((code) => Number.parseInt(code, 16)));
			return tone ? `:${name}::skin-tone-${tone}:` : `:${name}:`;
		case 'link':
			return text ? `<${escaped(url)}|${escaped(text)}>` : `<${escaped(url)}>`;
		case 'text':
			return typeof style === 'object' && style.code ? `\`${escaped(text)}\`` : escaped(text);
		default:
			return inside || escaped(text || fallback || value || '');
	}
}

/** https://docs.slack.dev/reference/block-kit/blocks/image-block · …/composition-objects/slack-file-object */
function imagesOf(block: Block): SlackFile[] {
	if (block['type'] !== 'image') return [];
	const { slack_file: file, image_url } = block as { slack_file?: { id?: string; url?: string }; image_url?: string };
	const id = file?.id ?? /[-/](F[A-Z0-9]+)\//.exec(file?.url ?? '')?.[1];
	if (id) return [{ id, mimetype: 'image/*' }];
	return image_url ? [elsewhere(image_url)] : [];
}

const elsewhere = (address: string): SlackFile => ({ id: address, mode: 'external', mimetype: 'image/*' });

/** Slack's markup: `<@U1>`, `<#C1|general>`, `<!here>`, `<https://example.com|text>`; or a character that it escapes. */
const MARKUP = /<([@#!]?)([^<>|\n]*)(?:\|([^<>\n]*))?>|&(lt|gt|amp);/g;

export const mentionedIn = (text: string): string[] =>
	[...text.matchAll(MENTION)].flatMap(([, sign, id = '']) => (sign === '@' ? [id] : []));

export const withoutMentions = (text: string, self: Self): string => withoutOwnMentions(withOwnMentions(text, self));

const withOwnMentions = (text: string, { botUser }: Self): string =>
	text.replace(MENTION, (markup, _, id) => (id === botUser ? OWN_MENTION : markup));

/** People and user groups that a text begins with. */
const PEOPLE = /^\s*(?:<(?:@|!subteam\^)[A-Z0-9]+(?:\|[^<>\n]*)?>[\s,:]*)+/;

/**
 * Returns what turns a text, or parts of it, into words, once the names of all that it mentions without a label are known. Slash commands have
 * labels, events have none. https://docs.slack.dev/messaging/formatting-message-text#retrieving-messages
 *
 * @param self whose mentions become `OWN_MENTION`
 */
export async function decoderFor(names: Names, server: string, text: string, self?: Self): Promise<Decode> {
	const unnamed = [...text.matchAll(MENTION)].filter(([, , id, label]) => !label && id !== self?.botUser);
	const known = await names.namesIn(server, unnamed.map(([markup]) => markup).join(' '));
	const word = (markup: string, sign: string, target: string, given: string | undefined, character?: string) => {
		if (character) return unescaped(markup);
		if (sign === '@' && target === self?.botUser) return OWN_MENTION;
		const label = given && unescaped(given);
		const name = label || known.get(sign + target) || target.replace(/^subteam\^/, '');
		if (sign === '@' || sign === '#') return sign + name;
		if (sign !== '!') return link(unescaped(target), label);
		return target.startsWith('date^') ? (label ?? '') : `@${name.replace(/^@/, '')}`;
	};
	const decoded = (part: string, index: number) => (index % 2 === 1 ? part : withEmoji(part)).replace(MARKUP, word);
	return (markup) => markup.split(CODE).map(decoded).join('');
}

/** Code, in which `:b:` is no emoji. */
const CODE = /(```[\s\S]*?(?:```|$)|`[^`\n]+`)/;

/** Returns an address as it was typed: Slack completes `example.com`, addresses of mail and telephone numbers. */
function link(target: string, label: string | undefined): string {
	const plain = (address: string) => address.toLowerCase().replace(/^[a-z][a-z0-9+.-]*:|[\s/]+/g, '');
	if (label && plain(label) !== plain(target)) return `[${label}](${target})`;
	return label || target.replace(/^mailto:/, '');
}

/**
 * Slack's names of the emoji of Unicode, which its clients send in place of the characters: each line has an emoji and its names. Made of
 * `emoji.json` of emoji-datasource 16 (https://github.com/iamcal/emoji-data, MIT License), whose package has 28 MB of pictures.
 */
const LINES = readFileSync(new URL('emoji.txt', import.meta.url), 'utf8')
	.trimEnd()
	.split('\n');

const EMOJI: ReadonlyMap<string, string> = new Map(
	LINES.flatMap((line) => {
		const [emoji = '', ...names] = line.split(' ');
		return names.map((name) => [name, emoji] as const);
	}),
);

/** `:wave:`, or `:wave::skin-tone-3:`. Between letters or digits, as in `a:b:c`, it is no emoji. */
const SHORTCODE =
	/(?<![\p{L}\p{N}](?=:[\w+'.-]{1,80}:[\p{L}\p{N}])):([\w+'.-]{1,80}):(?::skin-tone-([2-6])(?:-([2-6]))?:)?/gu;

/** U+1F3FB is skin tone 2. https://github.com/iamcal/emoji-data#using-the-data */
const modifier = (tone: string | undefined) => String.fromCodePoint(0x1f3fb - 2 + Number(tone));

/** Returns a text with the characters in place of the names. Custom emoji of a workspace keep their names. */
export const withEmoji = (text: string): string =>
	text.replace(SHORTCODE, (shortcode, name: string, first: string | undefined, second = first) => {
		const emoji = EMOJI.get(name);
		if (emoji === undefined || first === undefined) return emoji ?? shortcode;
		const tones = [first, second];
		const withTone = (_: string, base: string) => base + modifier(tones.shift() ?? second);
		return emoji.replace(/(\p{Emoji_Modifier_Base})\ufe0f?/gu, withTone);
	});

/** Unlisted apps may read one history a minute, with 15 messages: what does not come soon is left out. */
const PAGES = Array.from({ length: 3 }, () => ({ limit: 200, maxWaitMs: SOON_MS }));
/** How many messages before another one are told of it, with the first of its thread. */
const MAX_BEFORE = 15;

export type ThreadMessage = Readable & Omit<HistoryMessage, keyof Readable>;

/** Returns the first message of a thread and the last ones, without one of them, as the core takes them. @param without its `ts` */
export async function quotedBefore(slack: Slack, server: string, messages: readonly ThreadMessage[], without: string) {
	const [root, ...others] = messages.filter((message) => message.ts !== without && isWritten(message));
	const told = root ? [root, ...others.slice(1 - MAX_BEFORE)] : [];
	return Promise.all(told.map((message) => quotedMessage(slack, server, message)));
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

/**
 * Returns the messages of a thread up to one of them, oldest first, as far as Slack returns them soon.
 *
 * @throws PlatformRefusedError where Slack does not let the bot read them
 */
export async function readThread(slack: Slack, thread: MessageLocation, latest: string) {
	const read: ThreadMessage[] = [];
	const reading = async () => {
		for await (const message of messagesOf(slack, thread, { latest }, PAGES)) read.push(message as ThreadMessage);
	};
	await soon(reading()).catch((error: unknown) => {
		const refused = refusedErrorOf(error, undefined, thread);
		if (refused instanceof PlatformRefusedError) throw refused;
		slack.log.debug({ err: error }, 'The messages of a thread could not be read');
	});
	return [...read];
}
