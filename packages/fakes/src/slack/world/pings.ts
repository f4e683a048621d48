import type { Slack } from '../context.ts';
import type { Json, Message } from './model.ts';

const GROUP_MENTION = /<!(channel|here|everyone|subteam\^\w+)(\|[^>]*)?>/;
const PERSON_MENTION = /<@([UW]\w+)(\|[^>]*)?>/g;

/**
 * Records mentions of people who have not sent a request to the application, and mentions of groups or channels.
 * https://docs.slack.dev/messaging/formatting-message-text
 */
export function checkPings(slack: Slack, message: Message): void {
	if (!message.author.bot || message.author.app || message.only) return;
	const { world, violate } = slack;
	const written = [message.text].map(withoutCode);
	const words = [...written, ...message.blocks.flatMap(mentionableTexts)].join('\n');
	if (GROUP_MENTION.test(words)) violate(`a message pings many people: ${words.match(GROUP_MENTION)?.[0]}`);
	for (const [, id = ''] of words.matchAll(PERSON_MENTION))
		if (!world.requesters.has(id)) violate(`a message pings ${world.userById(id)?.name ?? id}, who did not ask`);
}

/** Returns the texts of blocks in which mentions work, without code. Mentions in rich text are returned as mrkdwn. */
function mentionableTexts(part: unknown): string[] {
	if (Array.isArray(part)) return part.flatMap(mentionableTexts);
	if (typeof part !== 'object' || part === null) return [];
	const { type, ...rest } = part as Json;
	if (type === 'plain_text' || type === 'rich_text_preformatted') return [];
	if (type === 'mrkdwn' || type === 'markdown') return [withoutCode(String(rest['text']))];
	if (type === 'user') return [`<@${rest['user_id']}>`];
	if (type === 'broadcast') return [`<!${rest['range']}>`];
	if (type === 'usergroup') return [`<!subteam^${rest['usergroup_id']}>`];
	return Object.values(rest).flatMap(mentionableTexts);
}

const withoutCode = (text: string) => text.replace(/```[\s\S]*?```|`[^`\n]*`/g, '');
