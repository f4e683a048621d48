import type { App } from '@slack/bolt';
import { createForms } from '../forms/forms.ts';
import { createActionContexts } from './action-context.ts';
import { registerActions } from './actions.ts';
import { registerSubmissions } from './form-submissions.ts';
import type { SlackServices } from './services.ts';
import { registerSlashCommands } from './slash-commands.ts';

/** Slash commands, buttons, message shortcuts and forms, as the core takes them. Each is acknowledged before anything else. */
export function registerListeners(app: App, parts: SlackServices): void {
	const forms = createForms(parts);
	const acts = createActionContexts(parts);
	registerSlashCommands(app, parts, forms, acts);
	registerActions(app, parts, forms, acts);
	registerSubmissions(app, parts, forms, acts);
}
