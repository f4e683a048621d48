import { hash } from 'node:crypto';
import type { Job } from '../../domain/job.ts';
import type { ButtonPress } from '../../domain/platform.ts';
import { quoted } from '../../domain/text.ts';
import type { Easel } from '../../easel.ts';
import { translatorFor } from '../../i18n/translator.ts';
import { partlySaved } from '../../jobs/delivery.ts';
import { findFallback, shownPictures } from '../../jobs/delivery-targets.ts';
import { tryAndLog } from '../../log.ts';
import { sentenceOf } from '../../requests/undelivered-results.ts';
import { changeJob } from '../../usage/jobs.ts';
import {
	type ActionContext,
	type ActionHandler,
	type ActionResult,
	actionButton,
	say,
} from '../declaration/actions.ts';
import { postResult } from './lists.ts';

export const collectAction: ActionHandler = { press: collect };

/** Posts the person's results, and sentences about errors, that could not be delivered before. */
async function collect(press: ButtonPress, _: string, { easel, t }: ActionContext): Promise<ActionResult> {
	const { channel, person } = press;
	const { undeliveredResults, pictureStore } = easel;
	const jobs = await undeliveredResults.ids(channel.place, person);
	const found = await undeliveredResults.jobs(jobs);
	let [posted, pending] = [0, 0];
	for (const [index, job] of jobs.entries()) {
		const images = await pictureStore.kept(job);
		const stored = found[index];
		const shown = stored && (await countOf(easel, stored));
		// A sweep delivers what belongs to an open job: it would be shown twice.
		if (stored && (stored.state !== 'delivered' || shown === undefined)) {
			pending += 1;
			continue;
		}
		// They were posted before their offer took effect.
		const isShown = images.length > 0 && (shown ?? 0) >= images.length;
		const wasTaken = stored !== undefined && stored.claims > 0;
		if (!isShown && (await postUndelivered(easel, press, job, images, sentenceOf(stored), wasTaken))) posted += 1;
		await undeliveredResults.remove(channel.place, person, job);
		await pictureStore.drop(job);
	}
	if (posted > 0) return 'answered';
	return say(t(pending > 0 ? 'undelivered.pending' : 'undelivered.none'));
}

/** Returns how many pictures the answer of a job shows; undefined when the platform does not say. */
async function countOf({ platforms: { find }, log }: Easel, job: Job): Promise<number | undefined> {
	return tryAndLog(log, 'The messages of a result could not be read', async () => {
		const first = (await findFallback(find, job.message)) ?? (await find(job.message));
		return (await shownPictures(find, job, first)).length;
	});
}

/**
 * Returns false when nothing is kept of it any more.
 * @param wasTaken the process that made the call has ended, perhaps before it had kept all pictures
 */
async function postUndelivered(
	easel: Easel,
	{ channel, person, id }: ButtonPress,
	job: string,
	images: readonly Uint8Array[],
	answer: ReturnType<typeof sentenceOf>,
	wasTaken: boolean,
): Promise<boolean> {
	const t = translatorFor(person.locale);
	const request = await easel.requests.find(job);
	const key = `${id}.${shortened(job)}`;
	if (images.length === 0) {
		if (!answer) return false;
		const prompt = request ? [`**${quoted(request.prompt)}**`] : [];
		const text = [t('undelivered.here'), ...prompt, answer.text].join('\n');
		const buttons = answer.again ? [actionButton(t, 'again', job)] : [];
		await channel.post({ text, buttons, visibility: 'private' }, key);
		return true;
	}
	const part = wasTaken && request ? partlySaved(t, request, images.length) : undefined;
	const text = [t('undelivered.here'), part].filter(Boolean).join('\n');
	const result = { job, request, images, text };
	const { first, smaller } = await postResult(easel, result, { person, channel, key });
	// While the store fails, the pictures must not stay among those that are offered: they would be shown once more.
	await tryAndLog(easel.log, 'A result that was shown could not be remembered', async () => {
		await easel.pictureStore.keepOriginals(job, images, smaller);
		if (!first || !request) return;
		// They are shown to the person alone.
		const also = easel.resultSearch.adding(job, { ...request, private: true });
		await changeJob(easel.store.space('ledger'), job, () => ({ job: { shown: first.handle }, also }));
	});
	return true;
}

/**
 * Returns a part of a message's key that identifies the job: two whole ids are longer than a key may be. The job's position would
 * not do, because when the press is delivered again, the jobs that were collected are gone from the list.
 */
const shortened = (job: string) => hash('sha256', job).slice(0, 10);
