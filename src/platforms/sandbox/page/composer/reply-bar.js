import { h } from '../dom.js';
import { icon } from '../icons.js';
import { t, tNodes } from '../texts.js';

/** @typedef {import('../../server/view.ts').MessageView} Message */

/** The message that is replied to, with a button to stop replying. */
export class ReplyBar {
	element = h('p.answering', { hidden: true });
	#nameOf;
	/** @type {Message | undefined} */
	#message;

	/** @param {(person: string) => string} nameOf */
	constructor(nameOf) {
		this.#nameOf = nameOf;
	}

	get message() {
		return this.#message;
	}

	/** @param {Message | undefined} message */
	set(message) {
		this.#message = message;
		this.element.hidden = !message;
		if (!message) return;
		const stop = h('button.quiet.small', {
			type: 'button',
			'aria-label': t('sandbox.composer.noReply'),
			onclick: () => this.set(undefined),
		});
		stop.append(icon('close'));
		const name = h('b', {}, this.#nameOf(message.author));
		this.element.replaceChildren(
			icon('reply'),
			h('span', {}, ...tNodes('sandbox.composer.replyingTo', { name })),
			stop,
		);
	}
}
