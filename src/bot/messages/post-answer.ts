import type { Channel } from '../../domain/channel.ts';
import type { Reply } from '../../domain/reply.ts';
import { clip } from '../../domain/text.ts';

/** Posts an answer in words, in as many messages as its lines need. What belongs to it is with the last. */
export async function postAnswer(channel: Channel, { text, visibility, ...rest }: Reply, key: string): Promise<void> {
	const texts = inMessages(text, channel.limits.text);
	for (const [index, part] of texts.entries()) {
		const isLast = index === texts.length - 1;
		await channel.post(
			{ text: part, ...(visibility && { visibility }), ...(isLast && rest) },
			index === 0 ? key : `${key}.${index}`,
		);
	}
}

/** Whole lines together, as many as fit; a line that is too long by itself ends early. */
function inMessages(text: string, most: number): string[] {
	const [first = '', ...lines] = text.split('\n').map((line) => clip(line, most));
	const texts: string[] = [];
	let last = first;
	for (const line of lines) {
		if (last.length + 1 + line.length <= most) last += `\n${line}`;
		else {
			texts.push(last);
			last = line;
		}
	}
	return [...texts, last];
}
