import type { Slack } from '../context.ts';
import type { Json, Message } from './model.ts';

const LOUD = /<!(channel|here|everyone|subteam\^\w+)(\|[^>]*)?>/;
const PERSON = /<@([UW]\w+)(\|[^>]*)?>/g;

/** The application may mention nobody but those who asked it for something. */
export function checkPings(slack: Slack, message: Message): void {
	if (!message.author.bot || message.only) return;
	const { world, violate } = slack;
	const written = [message.text, message.stream?.text ?? ''].map(withoutCode);
	const words = [...written, ...message.blocks.flatMap(lively)].join('\n');
	if (LOUD.test(words)) violate(`a message pings many: ${words.match(LOUD)?.[0]}`);
	for (const [, id = ''] of words.matchAll(PERSON))
		if (!world.requesters.has(id)) violate(`a message pings ${world.userById(id)?.name ?? id}, who did not ask`);
}

/** Words in which mentions are alive, with those of rich text as they are written elsewhere. Code is not. */
function lively(part: unknown): string[] {
	if (Array.isArray(part)) return part.flatMap(lively);
	if (typeof part !== 'object' || part === null) return [];
	const { type, ...rest } = part as Json;
	if (type === 'plain_text' || type === 'rich_text_preformatted') return [];
	if (type === 'mrkdwn' || type === 'markdown') return [withoutCode(String(rest['text']))];
	if (type === 'user') return [`<@${rest['user_id']}>`];
	if (type === 'broadcast') return [`<!${rest['range']}>`];
	if (type === 'usergroup') return [`<!subteam^${rest['usergroup_id']}>`];
	return Object.values(rest).flatMap(lively);
}

const withoutCode = (text: string) => text.replace(/```[\s\S]*?```|`[^`\n]*`/g, '');
