import { menuEntryOf, parseActionId } from '../domain/command.ts';
import type { ButtonPress, FormSubmission, Request } from '../domain/platform.ts';
import type { Easel } from '../easel.ts';
import { translatorFor } from '../i18n/translator.ts';
import { reviewActions } from '../jobs/review/review-actions.ts';
import { chatActions } from './chat/chat-actions.ts';
import {
	type ActionHandler,
	type ActionHandlers,
	type ActionResult,
	declarationOf,
	type SubmissionResult,
	say,
} from './declaration/actions.ts';
import { logActions } from './moderation/log-actions.ts';
import { refundAction } from './moderation/refund-calls.ts';
import { aboutAction } from './results/about.ts';
import { resultActions } from './results/again.ts';
import { collectAction } from './results/collect-results.ts';
import { reopenAction } from './results/drafts.ts';
import { editAction } from './results/forms.ts';
import { listActions } from './results/lists.ts';
import { referenceActions } from './results/references.ts';
import { downloadAction } from './results/show-result.ts';

/** Returns the handlers of all declared actions. */
export function createActions(easel: Easel): ActionHandlers {
	return {
		...resultActions(easel),
		...referenceActions(easel),
		...listActions(easel),
		...chatActions(easel),
		...logActions(easel),
		...reviewActions(easel),
		refund: refundAction(easel),
		cancel: cancelAction(easel),
		collect: collectAction(easel),
		erase: easel.privacy.eraseAction,
		about: aboutAction(easel),
		edit: editAction(easel),
		download: downloadAction(easel),
		reopen: reopenAction(easel, {
			press: (press) => pressAction(easel, press),
			submit: (form) => submitForm(easel, form),
		}),
	};
}

/** Passes a press of a button to the handler of its action. */
export async function pressAction(easel: Easel, press: ButtonPress): Promise<ActionResult> {
	const t = translatorFor(press.person.locale);
	const found = findAction(easel, press.button);
	if (!found) return say(t('errors.outdated.button'));
	const { needs, handler, subject } = found;
	if (needs !== undefined && !easel.service.capabilities[needs])
		return say(t('help.noCommand', { command: `/${needs}` }));
	const person = await withRights(easel, press, found.access);
	if (!person) return say(t('log.moderatorsOnly'));
	if (menuEntryOf(press.button)?.needsPictures && press.attached.length === 0) return say(t('forms.noPicture'));
	return handler.press({ ...press, person }, subject);
}

/** Passes the submission of a form that a press opened, whose id is the one of the button. */
export async function submitForm(easel: Easel, submission: FormSubmission): Promise<SubmissionResult> {
	const t = translatorFor(submission.person.locale);
	const found = findAction(easel, submission.form);
	if (!found?.handler.submit) return say(t('errors.outdated.button'));
	const person = await withRights(easel, submission, found.access);
	return person ? found.handler.submit({ ...submission, person }, found.subject) : say(t('log.moderatorsOnly'));
}

/**
 * Returns the person with their rights, or undefined when the action is for moderators. What everyone may do opens forms and starts
 * requests, and does not wait for the settings.
 */
async function withRights({ moderatorRole }: Easel, { person, channel: { place } }: Request, access: string) {
	if (access === 'everyone') return person;
	if (access !== 'moderators') return moderatorRole.tryApply(person, place);
	const moderator = await moderatorRole.apply(person, place);
	return moderator.moderator ? moderator : undefined;
}

function findAction({ actions }: Easel, id: string) {
	const { action = '', version, subject = '' } = parseActionId(id) ?? {};
	const declaration = declarationOf(action);
	if (declaration?.version !== version || !declaration) return undefined;
	return { ...declaration, handler: actions[action as keyof ActionHandlers], subject };
}

/** Cancels a request for pictures that waits or runs. Its own process writes that into the message. The subject is the job. */
const cancelAction = ({ ledger, cancellations }: Easel): ActionHandler => ({
	async press({ person }, id) {
		const t = translatorFor(person.locale);
		const job = cancellations.running(id) ?? (await ledger.find(id));
		if (!job || job.outcome || job.state === 'delivered') return say(t('cancel.errors.ended'));
		const isOwn = job.person.id === person.id;
		if (!isOwn && !person.moderator) return say(t('cancel.errors.notYours'));
		await cancellations.request(id, isOwn ? 'requester' : 'moderator');
		return 'answered';
	},
});
