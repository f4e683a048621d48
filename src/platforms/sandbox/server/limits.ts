import type { ChannelLimits } from '../../../domain/channel.ts';

/** The platforms whose limits the sandbox can apply. The page hints at their colours. */
export const EMULATED_PLATFORMS = ['discord', 'slack'] as const;
export type EmulatedPlatform = (typeof EMULATED_PLATFORMS)[number];

const MEBIBYTE = 2 ** 20;

/** The maximum of any uploaded file. More than the core accepts, so that the core can answer what is wrong with a picture. */
export const FILE_BYTES = 25 * MEBIBYTE;

export const LIMITS: Readonly<Record<EmulatedPlatform, ChannelLimits>> = {
	discord: {
		// https://docs.discord.com/developers/resources/message#create-message
		text: 2000,
		pictures: 10,
		// https://docs.discord.com/developers/reference#uploading-files
		pictureBytes: 10 * MEBIBYTE,
		// Not documented. Observed in a channel: https://github.com/discord/discord-api-docs/issues/20
		previews: true,
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

/** Returns the limits for the page, with those of the files of a message. */
export const pageLimits = () =>
	Object.fromEntries(
		Object.entries(LIMITS).map(([platform, limits]) => [
			platform,
			{ ...limits, fileBytes: Math.min(limits.pictureBytes, FILE_BYTES) },
		]),
	);

/** @throws RangeError that names the platform whose limit is exceeded, for the log */
export function checkReply(
	platform: EmulatedPlatform,
	text: string,
	pictures: readonly { name: string; bytes: Uint8Array }[],
): void {
	const limits = LIMITS[platform];
	const name = platform === 'discord' ? 'Discord' : 'Slack';
	if (text.length > limits.text)
		throw new RangeError(`The text has ${text.length} characters; as ${name}, at most ${limits.text} fit.`);
	if (pictures.length > limits.pictures)
		throw new RangeError(`There are ${pictures.length} pictures; as ${name}, at most ${limits.pictures} fit.`);
	for (const picture of pictures)
		if (picture.bytes.length > limits.pictureBytes)
			throw new RangeError(
				`${picture.name} has ${picture.bytes.length} bytes; as ${name}, at most ${limits.pictureBytes} fit.`,
			);
}
