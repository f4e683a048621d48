import { t } from '../texts.js';

/** @typedef {import('./command-text.js').CommandDescription} CommandDescription */
/** @typedef {{ label: string, hint: string, icon: any, run(): void }} DropChoice */

/** @type {Record<string, import('../texts.js').MessageId>} */
const LABELS = { edit: 'sandbox.drop.edit', compose: 'sandbox.drop.compose' };

/** The number of pictures that a command takes. @param {CommandDescription} command */
export const pictureCount = ({ fields }) => fields.filter(({ kind }) => kind === 'picture').length;

/** Returns how many pictures a command takes at most. @param {readonly CommandDescription[]} commands */
export const maxPictures = (commands) => Math.max(0, ...commands.map(pictureCount));

/**
 * Returns what can be done with dropped files: the commands that take as many pictures, or attaching them to a message.
 * @param {readonly CommandDescription[]} commands
 * @param {File[]} files
 * @param {{ run(command: CommandDescription): void, attach(): void }} handlers
 * @returns {DropChoice[]}
 */
export function dropChoices(commands, files, handlers) {
	const choices = commands
		.filter((command) => pictureCount(command) >= files.length)
		.map((command) => ({
			label: command.name in LABELS ? t(LABELS[command.name]) : `/${command.name}`,
			hint: command.description,
			icon: pictureCount(command) > 1 ? 'layers' : 'brush',
			run: () => handlers.run(command),
		}));
	return [
		...choices,
		{ label: t('sandbox.drop.attach'), hint: t('sandbox.drop.attachHint'), icon: 'file', run: () => handlers.attach() },
	];
}
