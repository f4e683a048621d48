import { byId } from './dom.js';

/** A little longer than the pause after which the bot says again that it is writing. */
const SHOWN_MS = 10_000;

/** Shows that the bot is writing, until its message arrives or some seconds have passed. */
export class TypingIndicator {
	#element = byId('typing');
	#timer = 0;

	show() {
		clearTimeout(this.#timer);
		this.#element.hidden = false;
		this.#timer = window.setTimeout(() => this.hide(), SHOWN_MS);
	}

	hide() {
		clearTimeout(this.#timer);
		this.#element.hidden = true;
	}
}
