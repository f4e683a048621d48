import type { ButtonPress, FormSubmission } from '../../domain/requests.ts';
import { translatorFor } from '../../i18n/translator.ts';
import type { BotServices } from '../services.ts';
import { type ActionHandler, type ActionResult, type SubmissionResult, say } from './action.ts';
import { type CommandDescriptions, fieldsOf } from './form-fields.ts';

/** Opens the form of input that was refused, filled in with it. The subject is the request that was refused. */
export const reopenAction = (
	{ formDrafts }: BotServices,
	commands: CommandDescriptions,
	actions: () => {
		press(press: ButtonPress): Promise<ActionResult>;
		submit(submission: FormSubmission): Promise<SubmissionResult>;
	},
): ActionHandler => ({
	async press(press, id) {
		const t = translatorFor(press.person.locale);
		const draft = await formDrafts.reopen(press, id);
		if (!draft) return say(t('errors.expired.form'));
		if ('first' in draft) return actions().press(draft.first);
		const { command, open } = draft;
		const fields = fieldsOf(t, commands, command);
		await open({ id: press.button, command, title: `/${command}`, fields });
		return 'answered';
	},
	async submit(submission, id) {
		const first = await formDrafts.submission(submission, id);
		if (!first) return say(translatorFor(submission.person.locale)('errors.expired.form'));
		// What is kept is complete, so that it does not depend on the draft before it.
		if (!('form' in first)) return { invoke: first, draft: first };
		const result = await actions().submit(first);
		return typeof result === 'object' && !('say' in result) ? { ...result, draft: first } : result;
	},
});
