import type { ChatActions } from '../chat/chat-actions.ts';
import type { LogActionName } from '../moderation/log-actions.ts';
import type { Privacy } from '../privacy/privacy.ts';
import type { BotServices } from '../services.ts';
import { aboutAction } from './about-action.ts';
import type { ActionHandlers } from './action.ts';
import { cancelAction } from './cancel-action.ts';
import { collectAction } from './collect-results.ts';
import { composeAction } from './compose-form.ts';
import { downloadAction } from './download-action.ts';
import { editAction } from './edit-form.ts';
import type { CommandDescriptions } from './form-fields.ts';
import { historyActions } from './history-actions.ts';
import { referenceActions } from './reference-actions.ts';
import { ActionRegistry } from './registry.ts';
import { reopenAction } from './reopen-form.ts';
import { resultActions } from './result-actions.ts';
import { varyAction } from './vary.ts';

type ModerationActions = ActionHandlers<LogActionName | 'approve' | 'reject' | 'refund'>;

/** Registers the handlers of all declared actions. */
export function createActions(
	services: BotServices,
	commands: CommandDescriptions,
	chat: ChatActions,
	privacy: Pick<Privacy, 'eraseAction'>,
	moderation: ModerationActions,
): ActionRegistry {
	const handlers: ActionHandlers = {
		...resultActions(services),
		...referenceActions(services),
		...chat,
		...moderation,
		cancel: cancelAction(services),
		collect: collectAction(services),
		erase: privacy.eraseAction,
		...historyActions(services),
		about: aboutAction(services),
		vary: varyAction(services, commands),
		edit: editAction(commands),
		download: downloadAction(services),
		compose: composeAction(services, commands),
		reopen: reopenAction(services, commands, () => actions),
	};
	const actions = new ActionRegistry(handlers, services.service.capabilities, services.moderatorRole);
	return actions;
}
