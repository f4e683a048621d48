import { isClosed, type Job } from '../../domain/job.ts';
import type { Place } from '../../domain/place.ts';
import { translatorFor } from '../../i18n/translator.ts';
import { createLiveText } from '../markdown/live-text.ts';
import { settleAfterCrash } from '../outcome.ts';
import type { BotServices } from '../services.ts';
import { answerButtons, endingNote } from './chat-messages.ts';
import { type Conversations, handlesOf } from './conversations.ts';

/**
 * Ends an answer that a process which is gone has left half written: what it had written down of it stands, marked as interrupted.
 * The turn is settled by the same rules as a request for pictures.
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
	const channel = answer && (await services.open(place));
	if (answer?.kind !== 'answer' || answer.state !== 'running' || !channel)
		return services.ledger.close(settled, 'undeliverable');
	// Under the same name, so the messages that are there are written over.
	const live = createLiveText(channel, { key });
	live.push(text);
	const posts = await live.end({ note: endingNote(t, 'interrupted'), buttons: answerButtons(t, key, text !== '') });
	await removeRest(services, place, key, posts.length);
	await conversations.replace(place, first + index, { ...answer, state: 'interrupted', posts: handlesOf(posts) });
	await services.ledger.close(settled, 'delivered');
}

/** More may have been posted than was written down of the text. */
async function removeRest(services: BotServices, place: Place, key: string, from: number) {
	for (let number = from; ; number++) {
		const post = await services.find({ place, key: `${key}.${number}` });
		if (!post) return;
		await post.delete();
	}
}
