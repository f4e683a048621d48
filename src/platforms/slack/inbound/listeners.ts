import type { App } from '@slack/bolt';
import { createForms } from '../forms/forms.ts';
import type { Parts } from '../parts.ts';
import { createActs } from './action-context.ts';
import { registerPresses } from './actions.ts';
import { registerSubmissions } from './form-submissions.ts';
import { registerSlashCommands } from './slash-commands.ts';

/** Slash commands, buttons, message shortcuts and forms, as the core takes them. Each is acknowledged before anything else. */
export function registerDoors(app: App, parts: Parts): void {
	const forms = createForms(parts);
	const acts = createActs(parts);
	registerSlashCommands(app, parts, forms, acts);
	registerPresses(app, parts, forms, acts);
	registerSubmissions(app, parts, forms, acts);
}
