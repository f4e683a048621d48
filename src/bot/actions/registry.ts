import { parseActionId } from '../../domain/action-id.ts';
import { menuEntryOf } from '../../domain/message-menu.ts';
import type { ButtonPress, FormSubmission } from '../../domain/requests.ts';
import { translatorFor } from '../../i18n/translator.ts';
import type { Capabilities } from '../../service/capabilities.ts';
import { declarationOf } from '../declaration/actions.ts';
import { type ActionHandler, type ActionHandlers, type ActionResult, type SubmissionResult, say } from './action.ts';

/** Dispatches presses and form submissions to the handlers of the declared actions. */
export class ActionRegistry {
	readonly #handlers: ReadonlyMap<string, ActionHandler>;
	readonly #capabilities: Capabilities;

	/** @param capabilities of the service: the actions that need others are refused */
	constructor(handlers: ActionHandlers, capabilities: Capabilities) {
		this.#handlers = new Map(Object.entries(handlers));
		this.#capabilities = capabilities;
	}

	async press(press: ButtonPress): Promise<ActionResult> {
		const t = translatorFor(press.person.locale);
		const found = this.#find(press.button);
		if (!found) return say(t('errors.outdated.button'));
		const { needs } = found;
		if (needs !== undefined && !this.#capabilities[needs]) return say(t('help.noCommand', { command: `/${needs}` }));
		if (found.access === 'moderators' && !press.person.moderator) return say(t('log.moderatorsOnly'));
		if (menuEntryOf(press.button)?.needsPictures && press.attached.length === 0) return say(t('forms.noPicture'));
		return found.handler.press(press, found.subject);
	}

	/** @param submission of the form that a press opened, whose id is the one of the button */
	async submit(submission: FormSubmission): Promise<SubmissionResult> {
		const found = this.#find(submission.form);
		const t = translatorFor(submission.person.locale);
		if (!found?.handler.submit) return say(t('errors.outdated.button'));
		if (found.access === 'moderators' && !submission.person.moderator) return say(t('log.moderatorsOnly'));
		return found.handler.submit(submission, found.subject);
	}

	#find(id: string) {
		const { action = '', version, subject = '' } = parseActionId(id) ?? {};
		const declaration = declarationOf(action);
		const handler = this.#handlers.get(action);
		if (!handler || !declaration || declaration.version !== version) return undefined;
		return { ...declaration, handler, subject };
	}
}
