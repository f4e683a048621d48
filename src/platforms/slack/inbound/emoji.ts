import { readFileSync } from 'node:fs';

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
		if (emoji === undefined) return shortcode;
		if (first === undefined) return emoji;
		const tones = [first, second];
		return emoji.replace(/(\p{Emoji_Modifier_Base})\ufe0f?/gu, (_, base: string) => {
			const tone = tones.shift() ?? second;
			return base + modifier(tone);
		});
	});
