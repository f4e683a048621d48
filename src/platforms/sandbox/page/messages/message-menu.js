import { t } from '../texts.js';

/** @typedef {import('../../server/view.ts').MessageView} Message */
/** @typedef {import('./menu.js').MenuEntry} MenuEntry */

/**
 * Called when an entry is chosen.
 * @typedef {{
 *   reply(message: Message): void,
 *   openThread(message: Message): void,
 *   press(message: Message, button: string): void,
 *   copy(text: string): void,
 *   edit(message: Message): void,
 *   remove(message: Message): void,
 * }} MenuHandlers
 */

/**
 * Returns the entries of the menu of a message.
 * @param {Message} message
 * @param {import('../state.js').PageState} state
 * @param {MenuHandlers} handlers
 * @returns {MenuEntry[]}
 */
export function menuEntriesOf(message, state, handlers) {
	const { server, channel, thread } = state.find(message.channel);
	const isMine = message.author === state.me;
	const mayRemove = isMine || message.private || state.isModerator(server.id);
	const hasPictures = message.files.some(({ type }) => type.startsWith('image/'));
	/** @type {MenuEntry[]} */
	const entries = [];
	if (!message.private)
		entries.push({ label: t('sandbox.menu.reply'), icon: 'reply', run: () => handlers.reply(message) });
	if (!thread && !channel.direct && !message.private) {
		const label = t(message.thread ? 'sandbox.menu.openThread' : 'sandbox.menu.startThread');
		entries.push({ label, icon: 'thread', run: () => handlers.openThread(message) });
	}
	for (const { button, name, command, needsPictures } of state.menu)
		if (hasPictures || !needsPictures)
			entries.push({ label: name, icon: iconOf(command), run: () => handlers.press(message, button) });
	if (message.text)
		entries.push({ label: t('sandbox.menu.copy'), icon: 'copy', run: () => handlers.copy(message.text) });
	if (isMine) entries.push({ label: t('sandbox.menu.edit'), icon: 'brush', run: () => handlers.edit(message) });
	if (mayRemove) {
		const label = t(message.private ? 'sandbox.menu.dismiss' : 'sandbox.menu.delete');
		entries.push({ label, icon: 'trash', danger: true, run: () => handlers.remove(message) });
	}
	return entries;
}

/** @param {string} command */
const iconOf = (command) => (command === 'compose' ? 'layers' : 'brush');
