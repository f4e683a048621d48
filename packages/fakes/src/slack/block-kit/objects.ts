import { z } from 'zod';

/** Objects within blocks and elements. https://docs.slack.dev/reference/block-kit/composition-objects */

export const actionId = z.string().min(1).max(255);
export const blockId = z.string().min(1).max(255);

export const plain = (max: number) =>
	z.strictObject({ type: z.literal('plain_text'), text: z.string().min(1).max(max), emoji: z.boolean().optional() });

const mrkdwn = (max: number) =>
	z.strictObject({ type: z.literal('mrkdwn'), text: z.string().min(1).max(max), verbatim: z.boolean().optional() });

export const text = (max: number) => z.discriminatedUnion('type', [plain(max), mrkdwn(max)]);

export const confirm = z.strictObject({
	title: plain(100),
	text: text(300),
	confirm: plain(30),
	deny: plain(30),
	style: z.enum(['primary', 'danger']).optional(),
});

/** @param isMrkdwn whether the text may be mrkdwn, as for checkboxes and radio buttons */
const option = (isMrkdwn: boolean) =>
	z.strictObject({
		text: isMrkdwn ? text(75) : plain(75),
		value: z.string().min(1).max(150),
		description: (isMrkdwn ? text(75) : plain(75)).optional(),
		url: z.string().max(3000).optional(),
	});

export const plainOption = option(false);
export const mrkdwnOption = option(true);

const options = z.array(plainOption).min(1).max(100);
export const optionSource = {
	options: options.optional(),
	option_groups: z
		.array(z.strictObject({ label: plain(75), options }))
		.min(1)
		.max(100)
		.optional(),
};

/** The options that an application returns for a menu. https://docs.slack.dev/reference/interaction-payloads/block_suggestion-payload */
export const suggestions = z.strictObject({ options: z.array(plainOption).max(100) });

/** A file by its id or address. Whether it can be shown is checked when it is posted. */
export const slackFile = z.strictObject({ id: z.string().optional(), url: z.string().optional() });

/** https://docs.slack.dev/reference/block-kit/blocks/image-block */
export const image = {
	image_url: z
		.url({ protocol: /^https?$/ })
		.max(3000)
		.optional(),
	slack_file: slackFile.optional(),
	alt_text: z.string().min(1).max(2000),
};
