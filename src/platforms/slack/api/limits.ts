import type { ChannelLimits } from '../../../domain/channel.ts';

/** At most 9,000 bytes in any script: `chat.update` fails at about 10,000 bytes. */
const MAX_TEXT = 3000;

/** Well below the 50 blocks of a message: more than ten pictures are hard to look at. https://docs.slack.dev/reference/block-kit/blocks */
const MAX_PICTURES = 10;

/** https://slack.com/help/articles/201330736-Add-files-to-Slack */
const MAX_FILE_BYTES = 1024 ** 3;

/** `chat.update` is of tier 3: fifty a minute in a workspace. https://docs.slack.dev/apis/web-api/rate-limits#web */
const EDIT_INTERVAL_MS = 1200;

/** @param rateLimitFactor a factor for the periods of Slack's rate limits */
export const channelLimits = (rateLimitFactor = 1): ChannelLimits => ({
	text: MAX_TEXT,
	pictures: MAX_PICTURES,
	pictureBytes: MAX_FILE_BYTES,
	edits: { count: 1, perMs: EDIT_INTERVAL_MS * rateLimitFactor },
});

/** Slack delivers an event again at once, after one and after five minutes. https://docs.slack.dev/apis/events-api/#retries */
export const SEEN_MS = 10 * 60_000;
