import { menuEntryOf, parseActionId } from '../domain/command.ts';
import { isSettled } from '../domain/job.ts';
import type { Person } from '../domain/place.ts';
import type { ButtonPress, FormSubmission, Origin } from '../domain/platform.ts';
import type { Easel } from '../easel.ts';
import { translatorFor } from '../i18n/translator.ts';
import type { Capabilities } from '../service/service.ts';
import {
	type ActionAccess,
	type ActionHandler,
	type ActionHandlers,
	type ActionResult,
	declarationOf,
	type SubmissionResult,
	say,
} from './declaration/actions.ts';
import type { LogActionName } from './moderation/log-actions.ts';
import type { ModeratorRole } from './moderation/moderator-role.ts';
import { aboutAction } from './results/about.ts';
import { resultActions, varyAction } from './results/again.ts';
import { collectAction } from './results/collect-results.ts';
import { reopenAction } from './results/drafts.ts';
import { editAction } from './results/forms.ts';
import { historyActions } from './results/history.ts';
import { composeAction, referenceActions } from './results/references.ts';
import { downloadAction } from './results/show-result.ts';

/** Dispatches presses and form submissions to the handlers of the declared actions. */
export class ActionRegistry {
	readonly #handlers: ReadonlyMap<string, ActionHandler>;
	readonly #capabilities: Capabilities;
	readonly #moderatorRole: ModeratorRole;

	/** @param capabilities of the service: the actions that need others are refused */
	constructor(handlers: ActionHandlers, capabilities: Capabilities, moderatorRole: ModeratorRole) {
		this.#handlers = new Map(Object.entries(handlers));
		this.#capabilities = capabilities;
		this.#moderatorRole = moderatorRole;
	}

	async press(press: ButtonPress): Promise<ActionResult> {
		const t = translatorFor(press.person.locale);
		const found = this.#find(press.button);
		if (!found) return say(t('errors.outdated.button'));
		const { needs } = found;
		if (needs !== undefined && !this.#capabilities[needs]) return say(t('help.noCommand', { command: `/${needs}` }));
		const person = await this.#withRights(press, found.access);
		if (found.access === 'moderators' && !person.moderator) return say(t('log.moderatorsOnly'));
		if (menuEntryOf(press.button)?.needsPictures && press.attached.length === 0) return say(t('forms.noPicture'));
		return found.handler.press({ ...press, person }, found.subject);
	}

	/** @param submission of the form that a press opened, whose id is the one of the button */
	async submit(submission: FormSubmission): Promise<SubmissionResult> {
		const found = this.#find(submission.form);
		const t = translatorFor(submission.person.locale);
		if (!found?.handler.submit) return say(t('errors.outdated.button'));
		const person = await this.#withRights(submission, found.access);
		if (found.access === 'moderators' && !person.moderator) return say(t('log.moderatorsOnly'));
		return found.handler.submit({ ...submission, person }, found.subject);
	}

	/** What everyone may do opens forms and starts requests, and does not wait for the settings. */
	async #withRights({ person, channel }: Origin, access: ActionAccess): Promise<Person> {
		if (access === 'everyone') return person;
		const { place } = channel;
		return access === 'moderators'
			? this.#moderatorRole.apply(person, place)
			: this.#moderatorRole.tryApply(person, place);
	}

	#find(id: string) {
		const { action = '', version, subject = '' } = parseActionId(id) ?? {};
		const declaration = declarationOf(action);
		const handler = this.#handlers.get(action);
		if (!handler || !declaration || declaration.version !== version) return undefined;
		return { ...declaration, handler, subject };
	}
}

type ModerationActions = ActionHandlers<LogActionName | 'approve' | 'reject' | 'refund'>;

/** Registers the handlers of all declared actions. */
export function registerActions(easel: Easel, moderation: ModerationActions): ActionRegistry {
	const { descriptions: commands } = easel.catalogue;
	const handlers: ActionHandlers = {
		...resultActions(easel),
		...referenceActions(easel),
		...easel.chat.actions,
		...moderation,
		cancel: cancelAction(easel),
		collect: collectAction({ ...easel, ...easel.platforms }),
		erase: easel.privacy.eraseAction,
		...historyActions(easel),
		about: aboutAction(easel),
		vary: varyAction(easel, commands),
		edit: editAction(commands),
		download: downloadAction(easel),
		compose: composeAction(easel, commands),
		reopen: reopenAction(easel, commands, () => actions),
	};
	const actions = new ActionRegistry(handlers, easel.service.capabilities, easel.moderatorRole);
	return actions;
}

/** Cancels a request for pictures that waits or runs. Its own process writes that into the message. The subject is the job. */
const cancelAction = ({ ledger, cancellations }: Easel): ActionHandler => ({
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
