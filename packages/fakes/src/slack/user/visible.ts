import type { SeenMessage } from '../../test-user.ts';
import { imagesIn } from '../block-kit/blocks.ts';
import type { Slack } from '../context.ts';
import { isPicture } from '../world/files.ts';
import type { Block, Json, Message, Team, View } from '../world/model.ts';
import { toMarkdown, unescaped, visibleMarkdown } from '../world/mrkdwn.ts';

/** Returns a message as people see it. */
export function visibleMessage({ world }: Slack, message: Message): SeenMessage {
	const { ts, channel, blocks, files, only } = message;
	const team = channel.team;
	const shown = shownBy(world.files, blocks);
	const shared = files.filter(isPicture).map(({ bytes, alt }) => ({ bytes: new Uint8Array(bytes), alt: alt ?? '' }));
	const text = blocks.length > 0 ? textOfBlocks(blocks, team) : toMarkdown(message.text, team);
	return {
		id: ts,
		text: message.tombstone ? 'This message was deleted.' : text,
		pictures: [...shown, ...shared],
		files: files.filter((file) => !isPicture(file)).map(({ name }) => name),
		buttons: buttonsIn(blocks).map(({ label }) => label),
		private: only !== undefined || channel.kind === 'im',
	};
}

/** Returns a home page as its owner sees it. */
export const visibleHome = ({ world }: Slack, { id, data, team }: View): SeenMessage => ({
	id,
	text: textOfBlocks(data.blocks, team),
	pictures: shownBy(world.files, data.blocks),
	files: [],
	buttons: buttonsIn(data.blocks).map(({ label }) => label),
	private: true,
});

const shownBy = (files: Slack['world']['files'], blocks: readonly Block[]) =>
	imagesIn(blocks).flatMap(({ file: named, alt }) => {
		const id = named?.id ?? named?.url?.match(/-(F[0-9A-Z]+)/)?.[1];
		const file = id === undefined ? undefined : files.get(id);
		return file && file.state !== 'deleted' ? [{ bytes: new Uint8Array(file.bytes), alt }] : [];
	});

export type PressedButton = { label: string; element: Json; blockId: string };

export function buttonsIn(blocks: readonly Block[]): PressedButton[] {
	return blocks.flatMap((block) => {
		const inner = [
			...((block['elements'] ?? []) as Json[]),
			...(block['accessory'] ? [block['accessory'] as Json] : []),
		];
		return inner
			.filter(({ type }) => type === 'button')
			.map((element) => ({
				label: String((element['text'] as Json)['text']),
				element,
				blockId: block.block_id ?? '',
			}));
	});
}

/** Returns the text of blocks as Markdown. */
export const textOfBlocks = (blocks: readonly Block[], team: Team): string =>
	blocks
		.map((block) => textOfBlock(block, team))
		.filter(Boolean)
		.join('\n\n');

function textOfBlock(block: Block, team: Team): string {
	const inner = (block['elements'] ?? []) as Json[];
	switch (block.type) {
		case 'markdown':
			return visibleMarkdown(String(block['text']), team);
		case 'header':
			return `# ${textOf(block['text'], team)}`;
		case 'section':
			return [block['text'], ...((block['fields'] ?? []) as unknown[])]
				.map((one) => textOf(one, team))
				.filter(Boolean)
				.join('\n');
		case 'context':
			return inner
				.map((one) => (one['type'] === 'image' ? '' : textOf(one, team)))
				.filter(Boolean)
				.join(' ');
		case 'image':
			return textOf(block['title'], team);
		case 'rich_text':
			return inner.map((one) => textOfRichText(one, team)).join('\n');
		default:
			return '';
	}
}

function textOf(text: unknown, team: Team): string {
	if (typeof text !== 'object' || text === null) return '';
	const { type, text: words } = text as { type: string; text: string };
	return type === 'mrkdwn' ? toMarkdown(words, team) : unescaped(words);
}

function textOfRichText(part: Json, team: Team): string {
	const { type, elements } = part as { type: string; elements?: Json[] };
	if (type === 'rich_text_list') return (elements ?? []).map((one) => `- ${textOfRichText(one, team)}`).join('\n');
	const content = elements?.map((one) => textOfRichText(one, team)).join('') ?? '';
	if (type === 'rich_text_quote') return content.replace(/^/gm, '> ');
	if (type === 'rich_text_preformatted') return `\`\`\`\n${content}\n\`\`\``;
	if (type === 'rich_text_section') return content;
	if (type === 'user') return `@${team.users.get(String(part['user_id']))?.name ?? part['user_id']}`;
	if (type === 'channel') return `#${team.channels.get(String(part['channel_id']))?.name ?? part['channel_id']}`;
	if (type === 'usergroup') return `@${team.groups.get(String(part['usergroup_id']))?.handle}`;
	if (type === 'broadcast') return `@${part['range']}`;
	if (type === 'emoji') return `:${part['name']}:`;
	if (type === 'link') return part['text'] ? `[${part['text']}](${part['url']})` : String(part['url']);
	if (type === 'date') return String(part['fallback'] ?? part['timestamp']);
	const style = (part['style'] ?? {}) as Record<string, boolean>;
	const text = String(part['text'] ?? '');
	if (style['code']) return `\`${text}\``;
	if (style['bold']) return `**${text}**`;
	if (style['italic']) return `*${text}*`;
	return text;
}
