import type { ChannelLimits } from '../../../domain/channel.ts';
import { limitsOf } from '../../discord/api/limits.ts';
import { channelLimits } from '../../slack/api/limits.ts';

/** The platforms whose limits the sandbox can apply. The page hints at their colours. */
export const EMULATED_PLATFORMS = ['discord', 'slack'] as const;
export type EmulatedPlatform = (typeof EMULATED_PLATFORMS)[number];

/** The maximum of any uploaded file. More than the core accepts, so that the core can answer what is wrong with a picture. */
export const FILE_BYTES = 25 * 2 ** 20;

/** @param ownText the longest message of a person */
const limitsWith = (limits: ChannelLimits, ownText: number) => ({
	...{ ...limits, ownText },
	fileBytes: Math.min(limits.pictureBytes, FILE_BYTES),
});

/**
 * What each platform allows. Slack cuts messages of people at 40,000 characters, more than the page takes.
 * https://api.slack.com/changelog/2018-04-truncating-really-long-messages
 */
export const LIMITS: Readonly<Record<EmulatedPlatform, ReturnType<typeof limitsWith>>> = {
	discord: limitsWith(limitsOf(), limitsOf().text),
	slack: limitsWith(channelLimits(), 12_000),
};

/** @throws RangeError that names the platform whose limits are exceeded, for the log */
export function checkReply(platform: EmulatedPlatform, text: string, files: readonly { bytes: Uint8Array }[]): void {
	const { text: maxText, pictures, pictureBytes, messageBytes = Number.POSITIVE_INFINITY } = LIMITS[platform];
	const sizes = files.map(({ bytes }) => bytes.length);
	const sum = sizes.reduce((all, size) => all + size, 0);
	const isLarge = sum > messageBytes || sizes.some((size) => size > pictureBytes);
	if (isLarge || text.length > maxText || sizes.length > pictures)
		throw new RangeError(
			`As on ${platform}, a message cannot have ${text.length} characters and files of ${sizes} bytes`,
		);
}
