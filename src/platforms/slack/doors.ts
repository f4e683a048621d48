import type { App } from '@slack/bolt';
import { createActs } from './acts.ts';
import { createForms } from './forms.ts';
import type { Parts } from './parts.ts';
import { registerPresses } from './presses.ts';
import { registerSlashCommands } from './slash-commands.ts';
import { registerSubmissions } from './submissions.ts';

/** Slash commands, buttons, message shortcuts and forms, as the core takes them. Each is acknowledged before anything else. */
export function registerDoors(app: App, parts: Parts): void {
	const forms = createForms(parts);
	const acts = createActs(parts);
	registerSlashCommands(app, parts, forms, acts);
	registerPresses(app, parts, forms, acts);
	registerSubmissions(app, parts, forms, acts);
}
