import { request } from 'undici';
import type { Reply } from '../../../domain/channel.ts';
import type { Place } from '../../../domain/place.ts';
import type { MessageBlocks } from '../api/blocks.ts';
import { permalinkOf, type SlackMessage, postEphemeral as sendEphemeral } from '../api/messages.ts';
import type { Slack } from '../slack.ts';
import { bodyOf } from './content.ts';

const SILENCE_MS = 10_000;

/** The person whose command, button or message is answered. */
export type SlackRequester = {
	user: string;
	/** The id of their workspace. */
	team: string;
	/** Slack's address for replies, where the request came with one. */
	responseUrl?: string;
	/** The address came with a slash command: it replaces what was posted through it. That of a button replaces the button's message. */
	isCommand?: true;
	/** They are in a conversation between people, which nobody can invite the bot to. */
	isTalk?: boolean;
	/** Private replies will be edited or show pictures. Ephemeral messages allow neither, so they are sent as direct messages. */
	needsDirectMessage?: boolean;
};

/** Posts a message that only the requester sees. Returns false when Slack accepts it in no way. */
export async function postEphemeral(
	slack: Slack,
	place: Place,
	reply: Reply,
	{ user, responseUrl }: SlackRequester,
): Promise<boolean> {
	const t = slack.people.translator(place.server, user);
	const body = await bodyOf(slack, { server: place.server, key: '', t }, reply);
	const byUrl = async () => responseUrl !== undefined && respond(slack, responseUrl, 'post', body);
	// The response URL works where the bot is not a member, but posts outside of the thread.
	if (place.thread === undefined && (await byUrl())) return true;
	try {
		await sendEphemeral(slack, place, user, body);
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
 * not a member of. Returns false when the address takes no more.
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
	const payload = {
		post: { response_type: 'ephemeral', replace_original: false, text, ...(blocks?.length && { blocks }) },
		replace: { replace_original: true, text, blocks },
		delete: { delete_original: true },
	}[reply];
	try {
		const { statusCode, body } = await request(url, {
			method: 'POST',
			dispatcher: agent,
			headersTimeout: SILENCE_MS,
			headers: { 'content-type': 'application/json; charset=utf-8' },
			body: JSON.stringify(payload),
		});
		await body.dump();
		return statusCode === 200;
	} catch {
		return false;
	}
}
