import { messageBlocks } from '../block-kit/blocks.ts';
import type { Slack } from '../context.ts';
import { secret } from '../ids.ts';
import { checkEphemeral, checkedBlocks } from '../web-api/content.ts';
import { misuse, slackError } from '../web-api/errors.ts';
import { createMessage, deleteMessage, editMessage } from '../world/messages.ts';
import type { Json, ResponseUrl, Trigger, User } from '../world/model.ts';

/** https://docs.slack.dev/interactivity/handling-user-interaction#working-with-trigger-ids */
const TRIGGER_LIVES_MS = 3000;
/** https://docs.slack.dev/interactivity/handling-user-interaction#message_responses */
const RESPONSES = 5;
const RESPONSE_URL_LIVES_MS = 30 * 60_000;

/** Creates the trigger of an action, with which the application can open one form within three seconds. */
export function createTrigger(slack: Slack, user: User, more: Partial<Trigger> = {}): Trigger {
	const id = `${slack.ids.ts().replace('.', '')}.${user.team.id}.${secret('')}`;
	const trigger = { id, user, at: slack.clock.now(), used: false, ...more };
	slack.triggers.set(id, trigger);
	slack.world.requesters.add(user.id);
	return trigger;
}

/** Uses up a trigger. Throws Slack's error for an invalid one. */
export function useTrigger(slack: Slack, id: unknown): Trigger {
	const trigger = slack.triggers.get(String(id));
	if (!trigger) throw misuse('invalid_trigger_id');
	// An application that got no answer tries again.
	if (trigger.used) throw slackError('exchanged_trigger_id');
	if (slack.clock.now() > trigger.at + TRIGGER_LIVES_MS) throw misuse('expired_trigger_id');
	trigger.used = true;
	return trigger;
}

/** Creates a response URL. */
export function createResponseUrl(
	slack: Slack,
	made: Pick<ResponseUrl, 'user' | 'channel'> & Partial<ResponseUrl>,
): string {
	const id = secret('');
	slack.responseUrls.set(id, { id, at: slack.clock.now(), uses: 0, ...made });
	return `${slack.address.api()}/commands/${made.channel.team.id}/${id}`;
}

/** Handles a POST to a response URL. Throws `SlackError`. */
export function postToResponseUrl(slack: Slack, id: string, body: Json): void {
	const url = slack.responseUrls.get(id);
	if (!url) throw slackError('invalid_url');
	if (slack.clock.now() > url.at + RESPONSE_URL_LIVES_MS) throw slackError('expired_url');
	if (++url.uses > RESPONSES) throw misuse('used_url', 'a response_url accepts five replies');
	replyTo(slack, url, body);
}

const KNOWN_PROPERTIES = [
	...['text', 'blocks', 'response_type', 'replace_original', 'delete_original', 'thread_ts', 'unfurl_links'],
	...['unfurl_media', 'mrkdwn', 'metadata', 'attachments'],
];

/** Replies to an action: posts a message, or replaces or deletes the one whose button was pressed. */
export function replyTo(slack: Slack, url: Omit<ResponseUrl, 'id' | 'at' | 'uses'>, body: Json): void {
	const stray = Object.keys(body).filter((name) => !KNOWN_PROPERTIES.includes(name));
	if (stray.length > 0) slack.violate(`a response has the unknown properties ${stray.join(', ')}`);
	const { original, channel, user } = url;
	const existing = original && channel.messages.get(original.ts) === original ? original : undefined;
	if (body['delete_original']) {
		if (!existing) throw slackError('message_not_found');
		return void deleteMessage(slack, existing);
	}
	const blocks = checkedBlocks(slack, channel, body['blocks'], 'response_url', messageBlocks);
	if (existing ? existing.only : body['response_type'] !== 'in_channel') checkEphemeral(slack, blocks, 'response_url');
	const text = String(body['text'] ?? '');
	if (!text && blocks.length === 0) throw misuse('no_text');
	if (body['replace_original'] && existing) return void editMessage(slack, existing, { text, blocks });
	// Without `thread_ts`, the reply is posted in the channel, also for a press in a thread.
	const thread = body['thread_ts'];
	// The installation whose command was typed, or whose message was pressed.
	const bot = original?.author.bot ? original.author : user.team.installation?.user;
	if (!bot) throw slackError('account_inactive');
	url.original = createMessage(slack, {
		channel,
		author: bot,
		text,
		blocks,
		...(body['response_type'] !== 'in_channel' && { only: user }),
		...(thread !== undefined && { threadTs: String(thread) }),
	});
}
