import type { Channel } from '../../domain/channel.ts';
import type { Reply } from '../../domain/reply.ts';
import { clip } from '../../domain/text.ts';

/** Posts a reply in as many messages as its lines need. Its files and buttons are with the last one. */
export async function postAnswer(channel: Channel, { text, visibility, ...rest }: Reply, key: string): Promise<void> {
	const texts = splitByLines(text, channel.limits.text);
	for (const [index, part] of texts.entries()) {
		const isLast = index === texts.length - 1;
		await channel.post(
			{ text: part, ...(visibility && { visibility }), ...(isLast && rest) },
			index === 0 ? key : `${key}.${index}`,
		);
	}
}

/** Splits a text between lines. A line that is longer than `max` is clipped. */
function splitByLines(text: string, max: number): string[] {
	const [first = '', ...lines] = text.split('\n').map((line) => clip(line, max));
	const texts: string[] = [];
	let last = first;
	for (const line of lines) {
		if (last.length + 1 + line.length <= max) last += `\n${line}`;
		else {
			texts.push(last);
			last = line;
		}
	}
	return [...texts, last];
}
