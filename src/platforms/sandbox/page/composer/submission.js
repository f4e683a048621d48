import { newId, sendFiles } from '../api.js';

/** Sends messages and commands, one at a time. A draft that is sent again after a failure is the same request. */
export class Submission {
	#root;
	#me;
	#channel;
	#id = newId();
	#isBusy = false;

	/**
	 * @param {HTMLElement} root the element that shows that a request is under way
	 * @param {string} me the id of the person
	 * @param {() => string} channel returns the id of the channel or thread that is shown
	 */
	constructor(root, me, channel) {
		this.#root = root;
		this.#me = me;
		this.#channel = channel;
	}

	/** Makes the next request a new one: the draft has changed. */
	renew() {
		this.#id = newId();
	}

	/** @param {string} text @param {File[]} files @param {number} [replyTo] @returns {Promise<any>} */
	sendMessage(text, files, replyTo) {
		const input = { as: this.#me, channel: this.#channel(), id: this.#id, text, ...(replyTo && { replyTo }) };
		const parts = files.map((file) => ({ part: 'file', file }));
		return sendFiles('messages', input, parts);
	}

	/** @param {string} command @param {Record<string, any>} options @param {{ part: string, file: File }[]} files @returns {Promise<any>} */
	sendCommand(command, options, files) {
		const input = { as: this.#me, channel: this.#channel(), id: this.#id, command, options };
		return sendFiles('commands', input, files);
	}

	/** Sends, unless a request is under way. @param {() => Promise<void>} send @param {(sentence: string) => void} onError */
	async attempt(send, onError) {
		if (this.#isBusy) return;
		this.#isBusy = true;
		this.#root.setAttribute('aria-busy', 'true');
		try {
			await send();
		} catch (error) {
			onError(/** @type {Error} */ (error).message);
		} finally {
			this.#isBusy = false;
			this.#root.removeAttribute('aria-busy');
		}
	}
}
