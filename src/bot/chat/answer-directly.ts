import type { Translate } from '../../i18n/translator.ts';
import type { Job } from '../../usage/job.ts';
import type { Core } from '../core.ts';
import { createLiveText } from '../markdown/live-text.ts';
import type { Post } from '../platform.ts';
import { Refused } from '../refusal.ts';

/**
 * Where an answer may not be shown, or not the whole of it, it goes to who asked, as a direct message that says why.
 * Rejects with that reason when they can't be written to.
 * @param text all that the model wrote
 * @param note what is said under it
 */
export async function answerDirectly(
	core: Core,
	t: Translate,
	{ place, person, answer: { key } }: Job,
	{ text, note }: { text: string; note: string },
	reason: unknown,
): Promise<Post[]> {
	const direct = await core.direct(place, person).catch(() => undefined);
	if (!direct || direct.place.channel === place.channel) throw reason;
	const where = direct.refer('channel', place.thread ?? place.channel);
	const why = reason instanceof Refused ? ` ${reason.said(t)}` : '';
	const preface = t('You asked for this in {where}, where it could not be posted.{why}', { where, why });
	const post = await direct.post({ text: preface }, `${key}.direct`);
	const live = createLiveText(direct, { key: `${key}.direct` });
	live.push(text);
	return [post, ...(await live.end(note === '' ? {} : { note }))];
}
