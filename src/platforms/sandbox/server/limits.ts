import type { ChannelLimits } from '../../../domain/channel.ts';
import { limitsOf } from '../../discord/api/limits.ts';
import { channelLimits } from '../../slack/api/limits.ts';

/** The platforms whose limits the sandbox can apply. The page hints at their colours. */
export const EMULATED_PLATFORMS = ['discord', 'slack'] as const;
export type EmulatedPlatform = (typeof EMULATED_PLATFORMS)[number];

export const LIMITS: Readonly<Record<EmulatedPlatform, ChannelLimits>> = {
	discord: limitsOf(),
	slack: channelLimits(),
};

/** The maximum of any uploaded file. More than the core accepts, so that the core can answer what is wrong with a picture. */
export const FILE_BYTES = 25 * 2 ** 20;

/**
 * The limits of the text of people's messages. Slack cuts theirs at 40,000 characters, more than the page takes.
 * https://api.slack.com/changelog/2018-04-truncating-really-long-messages
 */
export const TEXT_OF_PEOPLE: Readonly<Record<EmulatedPlatform, number>> = {
	discord: LIMITS.discord.text,
	slack: 12_000,
};

/** Returns the limits for the page, with those of a person's message. */
export const pageLimits = () => {
	const limitsFor = (platform: EmulatedPlatform) => {
		const { text, pictures, pictureBytes } = LIMITS[platform];
		const fileBytes = Math.min(pictureBytes, FILE_BYTES);
		return { text, pictures, pictureBytes, ownText: TEXT_OF_PEOPLE[platform], fileBytes };
	};
	return { discord: limitsFor('discord'), slack: limitsFor('slack') };
};

/** @throws RangeError that names the platform whose limit is exceeded, for the log */
export function checkReply(
	platform: EmulatedPlatform,
	text: string,
	files: readonly { name: string; bytes: Uint8Array }[],
): void {
	const { text: maxText, pictures, pictureBytes, messageBytes = Number.POSITIVE_INFINITY } = LIMITS[platform];
	const refuse = (what: string, count: number, max: number) => {
		if (count > max) throw new RangeError(`As on ${platform}, ${what} ${count}; the maximum is ${max}`);
	};
	refuse('the length of the text is', text.length, maxText);
	refuse('the number of pictures is', files.length, pictures);
	for (const { name, bytes } of files) refuse(`the bytes of ${name} are`, bytes.length, pictureBytes);
	refuse(
		'the bytes of all files are',
		files.reduce((sum, { bytes }) => sum + bytes.length, 0),
		messageBytes,
	);
}
