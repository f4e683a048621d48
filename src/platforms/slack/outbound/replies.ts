import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { type Button, encodeActionId, type Place, parseActionId, type Reply } from '../../../domain/channel.ts';
import { quoted } from '../../../domain/text.ts';
import type { Translate } from '../../../i18n/translator.ts';
import { type Image, MENTION, type MessageBlocks, messageBlocksOf, plainBlocksOf } from '../api/blocks.ts';
import { contentOf, permalinkOf, plainIfRefused, type SlackMessage } from '../api/messages.ts';
import type { Slack } from '../slack.ts';

/** Returns a message of a reply's text and buttons, with pictures that are uploaded already. */
export async function bodyOf(
	slack: Slack,
	server: string,
	{ text, notify, buttons = [] }: Reply,
	images: readonly Image[] = [],
): Promise<MessageBlocks> {
	return messageBlocksOf(await withNames(slack, server, text), images, buttons, notify);
}

/** The button that shows covered pictures to the person who presses. Its subject is the key of its message. */
const SHOW = { action: 'show', version: 1 } as const;

export const showButton = (key: string, t: Translate): Button => ({
	id: encodeActionId({ ...SHOW, subject: key }),
	label: t('slack.showPicture'),
});

export const isShowButton = (button: string): boolean => parseActionId(button)?.action === SHOW.action;

/** Returns the pictures that a button shows; none for other buttons, and when they are no longer stored. */
export async function coveredBy({ records }: Slack, button: string): Promise<readonly Image[]> {
	const { subject = '' } = isShowButton(button) ? (parseActionId(button) ?? {}) : {};
	return (subject && (await records.find(subject))?.covered) || [];
}

/** Markup that notifies many people, or that is not Markdown. A zero-width space after `<` disables it. */
const SPECIAL_MENTION = /<(?=!(?:here|channel|everyone|subteam|date)\b)/g;

/**
 * Returns a Markdown text with names in place of mentions, so that they notify nobody. Slack's Markdown blocks do not document mentions by
 * id, and a mention of a person would notify them.
 */
async function withNames({ people }: Slack, server: string, text: string): Promise<string> {
	const names = await people.namesIn(server, text);
	const shown = (_: string, sign: string, id: string) => {
		const name = names.get(sign + id);
		if (sign !== '#') return `@${quoted(name ?? id)}`;
		// https://docs.slack.dev/interactivity/deep-linking
		return name ? `#${quoted(name)}` : `[#${id}](https://slack.com/app_redirect?channel=${id})`;
	};
	return text.replace(MENTION, shown).replace(SPECIAL_MENTION, '<\u200b');
}

const SILENCE_MS = 10_000;

/** Of the five replies that an address takes, so many are tried for one message. */
const MAX_TRIES = 3;
/** How long one waits because Slack says so (429). */
const MAX_PAUSE_MS = 5000;

/** The person whose command, button or message is answered. */
export type SlackRequester = {
	user: string;
	/** Slack's address for replies, where the request came with one. */
	responseUrl?: string;
	/** The address came with a slash command: it replaces what was posted through it. That of a button replaces the button's message. */
	isCommand?: true;
	/** They are in a conversation between people, which nobody can invite the bot to. */
	isTalk?: boolean;
};

/** Posts a message that only the requester sees. Returns false when Slack accepts it in no way. It may come twice. */
export async function postEphemeral(
	slack: Slack,
	place: Place,
	reply: Reply,
	{ user, responseUrl }: SlackRequester,
): Promise<boolean> {
	const body = await bodyOf(slack, place.server, reply);
	const byUrl = async () => responseUrl !== undefined && respond(slack, responseUrl, 'post', body);
	const post = (accepted: MessageBlocks) =>
		slack.call(place.server, 'chat.postEphemeral', { ...contentOf(place, accepted), user });
	// The response URL works where the bot is not a member, but posts outside of the thread.
	if (place.thread === undefined && (await byUrl())) return true;
	try {
		await plainIfRefused(body, post);
		return true;
	} catch (err) {
		slack.log.debug({ err }, 'An ephemeral message could not be posted');
		return place.thread !== undefined && (await byUrl());
	}
}

/** Posts an ephemeral message of one sentence that links to a message, as far as Slack returns its address. */
export async function postLink(
	slack: Slack,
	place: Place,
	sentence: string,
	to: SlackMessage,
	requester: SlackRequester,
): Promise<void> {
	const address = await permalinkOf(slack, to).catch(() => undefined);
	await postEphemeral(slack, place, { text: address ? `[${sentence}](${address})` : sentence }, requester);
}

/**
 * Replies through the address that comes with a command or button: at most five within 30 minutes, also in channels that the bot is
 * not a member of. Returns false when the address takes no more. After a failure it is plain text, which Slack never refuses.
 * https://docs.slack.dev/interactivity/handling-user-interaction#message_responses
 *
 * @param reply `'post'` posts a message that only the requester sees; `'replace'` and `'delete'` are for the ephemeral message whose button
 * the address came with
 */
export async function respond(
	{ hosts, agent }: Slack,
	address: string,
	reply: 'post' | 'replace' | 'delete',
	{ text, blocks }: Partial<MessageBlocks> = {},
): Promise<boolean> {
	const url = URL.parse(address);
	if (!url || !hosts.mayCall(url)) return false;
	for (let tries = 1; tries <= MAX_TRIES; tries++) {
		const shown = tries === 1 ? blocks : blocks && plainBlocksOf(blocks);
		const payload = {
			post: { response_type: 'ephemeral', replace_original: false, text, ...(shown?.length && { blocks: shown }) },
			replace: { replace_original: true, text, blocks: shown },
			delete: { delete_original: true },
		}[reply];
		const sent = {
			method: 'POST',
			headers: JSON_TYPE,
			headersTimeout: SILENCE_MS,
			body: JSON.stringify(payload),
		} as const;
		const answer = await request(url, { ...sent, dispatcher: agent }).catch(() => undefined);
		await answer?.body.dump().catch(() => {});
		if (answer?.statusCode === 200 || answer?.statusCode === 404) return answer.statusCode === 200;
		await sleep(Math.min(MAX_PAUSE_MS, 1000 * (Number(answer?.headers['retry-after']) || 0)));
	}
	return false;
}

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };
