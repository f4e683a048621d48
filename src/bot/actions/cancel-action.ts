import { isSettled } from '../../domain/job.ts';
import { translatorFor } from '../../i18n/translator.ts';
import type { BotServices } from '../services.ts';
import { type ActionHandler, say } from './action.ts';

/** Cancels a request for pictures that waits or runs. Its own process writes that into the message. The subject is the job. */
export const cancelAction = ({ ledger, cancellations }: BotServices): ActionHandler => ({
	async press({ person }, id) {
		const t = translatorFor(person.locale);
		const job = cancellations.running(id) ?? (await ledger.find(id));
		if (!job || isSettled(job)) return say(t('cancel.errors.ended'));
		const isOwn = job.person.id === person.id;
		if (!isOwn && !person.moderator) return say(t('cancel.errors.notYours'));
		await cancellations.request(id, isOwn ? 'requester' : 'moderator');
		return 'answered';
	},
});
