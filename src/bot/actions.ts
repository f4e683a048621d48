import { type Form, menuEntryOf, parseActionId } from '../domain/command.ts';
import type { ButtonPress, FormSubmission, Request } from '../domain/platform.ts';
import type { Easel } from '../easel.ts';
import { SentenceError } from '../i18n/sentence-error.ts';
import { type Translate, translatorFor } from '../i18n/translator.ts';
import { reviewActions } from '../jobs/reviews.ts';
import { withRights } from '../usage/settings.ts';
import { chatActions } from './chat/chat-actions.ts';
import {
	type ActionHandler,
	type ActionHandlers,
	type ActionName,
	type ActionResult,
	declarationOf,
	moreAction,
	type SubmissionResult,
} from './declaration/actions.ts';
import { exampleAction } from './messages/help.ts';
import { priceMessage } from './messages/usage-messages.ts';
import { logActions } from './moderation/log-actions.ts';
import { refundAction } from './moderation/refund-calls.ts';
import { applyAction } from './moderation/try-rule.ts';
import { eraseAction } from './privacy/privacy.ts';
import { aboutAction } from './results/about.ts';
import { resultActions } from './results/again.ts';
import { altAction } from './results/alt-texts.ts';
import { collectAction } from './results/collect-results.ts';
import { downloadActions } from './results/download.ts';
import { reopenAction } from './results/drafts.ts';
import { editAction } from './results/forms.ts';
import { listActions } from './results/lists.ts';
import { referenceActions } from './results/references.ts';

/** Cancels a request for pictures that waits or runs. Its own process writes that into the message. The subject is the job. */
const cancelAction: ActionHandler = {
	async press({ person }, id, { easel: { ledger, cancellations } }) {
		const job = cancellations.running(id) ?? (await ledger.find(id));
		if (!job || job.outcome || job.state === 'delivered') return new SentenceError('cancel.errors.ended');
		const isOwn = job.person.id === person.id;
		if (!isOwn && !person.moderator) return new SentenceError('cancel.errors.notYours');
		await cancellations.request(id, isOwn ? 'requester' : 'moderator');
		return 'answered';
	},
};

const reopen = reopenAction({ press: pressAction, submit: submitForm });

/** The handlers of all declared actions. */
export const HANDLERS: ActionHandlers = {
	...resultActions,
	...referenceActions,
	...listActions,
	...downloadActions,
	...chatActions,
	...logActions,
	...reviewActions,
	refund: refundAction,
	apply: applyAction,
	cancel: cancelAction,
	more: moreAction,
	collect: collectAction,
	erase: eraseAction,
	about: aboutAction,
	edit: editAction,
	example: exampleAction,
	alt: altAction,
	reopen,
	change: reopen,
};

/** The actions that make something of the pictures of their message. */
const USES_PICTURES: ReadonlySet<string> = new Set<ActionName>(['edit', 'compose', 'vary', 'reference']);

/** Passes a press of a button to the handler of its action. */
export async function pressAction(easel: Easel, press: ButtonPress): Promise<ActionResult> {
	const found = await findAction(easel, press.button, press);
	if (found instanceof SentenceError) return found;
	const { action, handler, subject, person, t } = found;
	if (menuEntryOf(press.button)) {
		const [first] = press.attached;
		if (!first) return new SentenceError('forms.noPicture');
		// Nobody fills in a form for nothing.
		if (first.unreadable && press.attached.every(({ unreadable }) => unreadable))
			return new SentenceError('errors.picture.unreadable', { why: first.unreadable });
	}
	const { channel, attached } = press;
	const refused =
		USES_PICTURES.has(action) && (await easel.consent.refusalOf({ place: channel.place, person }, attached));
	// A form says what a picture costs before it is paid for.
	const open = (form: Form) => press.open(withPrice(easel, form, t));
	return refused || handler.press({ ...press, person, open }, subject, { easel, t });
}

function withPrice(easel: Easel, form: Form, t: Translate): Form {
	const price = formNote(easel, form.command, t);
	return price === undefined || form.note?.includes(price)
		? form
		: { ...form, note: [form.note, price].filter(Boolean).join('\n') };
}

/** Returns what the form of a command says above its inputs: what a picture costs. */
export const formNote = (easel: Easel, command: string, t: Translate): string | undefined =>
	easel.catalogue.find(command)?.makes === 'pictures' ? priceMessage(t, easel) : undefined;

/** Passes the submission of a form that a press opened, whose id is the one of the button. */
export async function submitForm(easel: Easel, submission: FormSubmission): Promise<SubmissionResult> {
	const found = await findAction(easel, submission.form, submission);
	if (found instanceof SentenceError) return found;
	const { handler, subject, person, t } = found;
	const submitted = handler.submit?.({ ...submission, person }, subject, { easel, t });
	return submitted ?? new SentenceError('errors.outdated.button');
}

async function findAction(easel: Easel, id: string, { person, channel: { place } }: Request) {
	const { action = '', version, subject = '' } = parseActionId(id) ?? {};
	const declaration = declarationOf(action);
	if (declaration?.version !== version || !declaration) return new SentenceError('errors.outdated.button');
	const { needs, access } = declaration;
	if (needs !== undefined && !easel.service.capabilities[needs])
		return new SentenceError('help.noCommand', { command: `/${needs}` });
	const known = await withRights(easel, person, place, access);
	if (access === 'moderators' && !known.moderator) return new SentenceError('log.moderatorsOnly');
	const handler = easel.actions[action as ActionName];
	return { action, handler, subject, person: known, t: translatorFor(person.locale) };
}
