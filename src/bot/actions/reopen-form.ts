import { translatorFor } from '../../i18n/translator.ts';
import type { BotServices } from '../services.ts';
import { type ActionHandler, say } from './action.ts';
import type { ActionRegistry } from './registry.ts';

/** Opens a form again that was refused, filled in as it was sent. The subject is the submission. */
export const reopenAction = (
	{ formDrafts }: Pick<BotServices, 'formDrafts'>,
	actions: () => Pick<ActionRegistry, 'press' | 'submit'>,
): ActionHandler => ({
	async press(press, id) {
		const first = await formDrafts.press(press, id);
		return first ? actions().press(first) : say(translatorFor(press.person.locale)('errors.expired.form'));
	},
	async submit(submission, id) {
		const first = await formDrafts.submission(submission, id);
		return first ? actions().submit(first) : say(translatorFor(submission.person.locale)('errors.expired.form'));
	},
});
