import { hash } from 'node:crypto';
import type { Reply } from '../../domain/reply.ts';
import type { ButtonPress } from '../../domain/requests.ts';
import { translatorFor } from '../../i18n/translator.ts';
import { tryAndLog } from '../messages/try-and-log.ts';
import { picturesOf, resultButtons } from '../pictures/captions.ts';
import { postFitted } from '../pictures/post-fitted.ts';
import { isSpoiler } from '../pictures/spoilers.ts';
import type { BotServices } from '../services.ts';
import { type ActionHandler, type ActionResult, say } from './action.ts';

type CollectServices = Pick<
	BotServices,
	'undeliveredResults' | 'pictureStore' | 'requests' | 'recentResults' | 'settings' | 'service' | 'log'
>;

export const collectAction = (services: CollectServices): ActionHandler => ({
	press: (press) => collect(services, press),
});

/** Posts the person's results that could not be delivered when they were made. */
async function collect(services: CollectServices, { channel, person, id }: ButtonPress): Promise<ActionResult> {
	const t = translatorFor(person.locale);
	const jobs = await services.undeliveredResults.jobs(channel.place, person);
	const settings = await tryAndLog(services.log, 'The settings could not be read', () =>
		services.settings.get(channel.place),
	);
	for (const job of jobs) {
		const [images, request] = await Promise.all([services.pictureStore.kept(job), services.requests.find(job)]);
		const prompt = request?.prompt ?? t('results.picture');
		const reply: Reply = {
			text: t('undelivered.here'),
			pictures: picturesOf(t, images, prompt, isSpoiler(settings, request?.place ?? channel.place)),
			buttons: resultButtons(t, job, services.service.capabilities),
			visibility: 'private',
		};
		if (images.length > 0)
			await postFitted(t, reply, channel, async (part) => {
				const { handle } = await channel.post(part.reply, `${id}.${shortened(job)}${part.suffix}`);
				if (part.first === 0)
					await services.recentResults.add(channel.place, person, job, { handle, prompt, at: Date.now() });
			});
		await services.undeliveredResults.remove(channel.place, person, job);
		await services.pictureStore.drop(job);
	}
	return jobs.length === 0 ? say(t('undelivered.none')) : 'answered';
}

/**
 * Returns a part of a message's key that identifies the job: two whole ids are longer than a key may be. The job's position would
 * not do, because when the press is delivered again, the jobs that were collected are gone from the list.
 */
const shortened = (job: string) => hash('sha256', job).slice(0, 10);
