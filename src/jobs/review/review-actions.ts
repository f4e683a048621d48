import { type ActionHandlers, type ActionResult, say } from '../../bot/declaration/actions.ts';
import { isEntryOf } from '../../bot/moderation/log-entries.ts';
import type { Channel } from '../../domain/channel.ts';
import type { Person } from '../../domain/place.ts';
import type { ButtonPress } from '../../domain/platform.ts';
import type { Easel } from '../../easel.ts';
import { translatorFor } from '../../i18n/translator.ts';
import type { Decision } from '../../requests/held-results.ts';
import { MAX_REASON } from './review-gate.ts';

/** The decisions on results in review. The subject is the job. */
export const reviewActions = (easel: Easel): ActionHandlers<'approve' | 'reject'> => ({
	approve: { press: (press, job) => decide(easel, press, job, { verdict: 'approved' }) },
	reject: {
		press: askForReason,
		async submit({ options, ...submission }, job) {
			const reason = typeof options['reason'] === 'string' ? options['reason'].trim() : '';
			return decide(easel, submission, job, { verdict: 'rejected', ...(reason && { reason }) });
		},
	},
});

/** Nothing is decided until the form is submitted, so that another moderator can decide meanwhile. */
async function askForReason({ button, person, open }: ButtonPress): Promise<ActionResult> {
	const t = translatorFor(person.locale);
	await open({
		id: button,
		command: 'limits review',
		title: t('review.form.title'),
		fields: [
			{
				kind: 'text',
				name: 'reason',
				description: t('review.form.reason'),
				required: false,
				minLength: 0,
				maxLength: MAX_REASON,
				suggestions: [],
			},
		],
	});
	return 'answered';
}

async function decide(
	{ logEntries, moderationLog, reviews }: Easel,
	{ person, channel }: { person: Person; channel: Channel },
	job: string,
	decision: Pick<Decision, 'verdict' | 'reason'>,
): Promise<ActionResult> {
	const t = translatorFor(person.locale);
	const entry = await logEntries.find(job);
	if (!entry || !isEntryOf(channel.place, entry)) return say(t('log.expired'));
	const decided = await reviews.decide(job, { ...decision, by: { id: person.id } });
	if (!decided) return say(t('log.expired'));
	if (decided.isFirst) return 'answered';
	await moderationLog.redraw({ id: job, place: entry.place });
	const { by, verdict } = decided.decision;
	if (!by) return say(t('review.already.undecided'));
	return say(t('review.already.decided', { moderator: channel.refer('person', by.id), verdict }));
}
