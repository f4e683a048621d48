import type { ChannelLimits } from '../../../domain/channel.ts';

/** Whose limits the sandbox keeps, and whose colours it hints at. */
export const LOOKS = ['discord', 'slack'] as const;
export type Look = (typeof LOOKS)[number];

const MEBIBYTE = 2 ** 20;

/** What a message may hold, as on the platform that the sandbox is set to. */
export const LIMITS: Readonly<Record<Look, ChannelLimits>> = {
	discord: {
		// https://docs.discord.com/developers/resources/message#create-message
		text: 2000,
		pictures: 10,
		// https://docs.discord.com/developers/reference#uploading-files
		pictureBytes: 10 * MEBIBYTE,
		// Not published and sent with every answer; this is what a channel is seen to allow:
		// https://github.com/discord/discord-api-docs/issues/20
		edits: { count: 5, perMs: 5000 },
	},
	slack: {
		// `markdown_text`: https://docs.slack.dev/reference/methods/chat.postMessage
		text: 12_000,
		pictures: 10,
		// https://slack.com/help/articles/201330736-Add-files-to-Slack
		pictureBytes: 1024 * MEBIBYTE,
		// Tier 3: https://docs.slack.dev/apis/web-api/rate-limits
		edits: { count: 50, perMs: 60_000 },
	},
};

/** Rejections name the platform whose limit it is, as an operator would read it in a log. */
export function checkReply(look: Look, text: string, pictures: readonly { name: string; bytes: Uint8Array }[]): void {
	const limits = LIMITS[look];
	const where = look === 'discord' ? 'Discord' : 'Slack';
	if (text.length > limits.text)
		throw new RangeError(`The text has ${text.length} characters; as ${where}, at most ${limits.text} fit.`);
	if (pictures.length > limits.pictures)
		throw new RangeError(`There are ${pictures.length} pictures; as ${where}, at most ${limits.pictures} fit.`);
	for (const { name, bytes } of pictures)
		if (bytes.length > limits.pictureBytes)
			throw new RangeError(`${name} has ${bytes.length} bytes; as ${where}, at most ${limits.pictureBytes} fit.`);
}
