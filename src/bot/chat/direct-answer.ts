import type { Post } from '../../domain/channel.ts';
import type { Job } from '../../domain/job.ts';
import type { Translate } from '../../i18n/translator.ts';
import { LiveText } from '../markdown/live-text.ts';
import { directChannel, directMessagePreface, refusalReason } from '../messages/error-messages.ts';
import type { BotServices } from '../services.ts';

/**
 * Sends an answer that could not be posted, or not completely, as a direct message that says why.
 *
 * @param text all that the model wrote
 * @param note shown under it
 * @throws reason when the person cannot be sent direct messages
 */
export async function answerDirectly(
	services: BotServices,
	t: Translate,
	{ place, person, answer: { key } }: Job,
	{ text, note }: { text: string; note: string },
	reason: unknown,
): Promise<Post[]> {
	const direct = await directChannel(services.platforms, place, person);
	if (!direct) throw reason;
	const preface = directMessagePreface(t, place, direct, refusalReason(t, reason));
	const post = await direct.post({ text: preface }, `${key}.direct`);
	const live = new LiveText(direct, { key: `${key}.direct` });
	live.push(text);
	return [post, ...(await live.end(note === '' ? {} : { note }))];
}
