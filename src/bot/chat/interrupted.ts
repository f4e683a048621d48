import { isClosed, type Job } from '../../domain/job.ts';
import type { MessageHandle } from '../../domain/place.ts';
import { translatorFor } from '../../i18n/translator.ts';
import { LiveText } from '../markdown/live-text.ts';
import { settleAfterCrash } from '../outcome.ts';
import type { BotServices } from '../services.ts';
import { answerButtons, endingNote } from './chat-messages.ts';
import type { Conversations } from './conversations.ts';

/**
 * Ends an answer whose process is gone: marks the text that was saved as interrupted, and settles the turn by the same rules as a
 * picture request.
 */
export async function endInterrupted(services: BotServices, conversations: Conversations, job: Job): Promise<void> {
	const { place, key } = job.answer;
	const t = translatorFor(job.person.locale);
	const { first, entries } = await conversations.read(place);
	const index = entries.findLastIndex((entry) => entry.kind === 'answer' && entry.key === key);
	const answer = entries[index];
	const text = answer?.kind === 'answer' ? answer.text : '';
	const settled = await settleAfterCrash(services.ledger, job, text !== '');
	if (isClosed(settled)) return;
	const channel = await services.open(place);
	void channel?.endTyping?.().catch(() => {});
	if (answer?.kind !== 'answer' || answer.state !== 'running' || !channel)
		return services.ledger.close(settled, 'undeliverable');
	// The key of the answer replaces the messages that were posted.
	const live = new LiveText(channel, { key });
	live.push(text);
	const posts = await live.end({ note: endingNote(t, 'interrupted'), buttons: answerButtons(t, key, text !== '') });
	await deleteFrom(services, { place, key }, posts.length);
	const handles = posts.map(({ handle }) => handle);
	await conversations.replace(place, first + index, { ...answer, state: 'interrupted', posts: handles });
	await services.ledger.close(settled, 'delivered');
}

/** Deletes the answer's messages from this number on: more may have been posted than were saved. */
async function deleteFrom({ find }: BotServices, { place, key }: MessageHandle, from: number) {
	for (let number = from; ; number++) {
		const post = await find({ place, key: `${key}.${number}` });
		if (!post) return;
		await post.delete();
	}
}
