import { newId, sendFiles } from '../api.js';
import { openDropDialog } from '../dialogs/drop-dialog.js';
import { byId, h } from '../dom.js';
import { icon } from '../icons.js';
import { t, tNodes } from '../words.js';
import { CommandCard } from './command-card.js';
import { CommandPicker } from './command-picker.js';
import { commandIn, optionsIn, textFor } from './command-text.js';
import { dropChoices, mayHavePictures, pictureCount } from './drop-choices.js';
import { FileTray } from './file-tray.js';

/** @typedef {import('./command-text.js').CommandDescription} CommandDescription */
/** @typedef {import('../../server/view.ts').MessageView} Message */

const MAX_LENGTH = 12_000;
const MAX_HEIGHT_PX = 220;

/** The box for messages and commands. A text or file stays until it was sent. */
export class Composer {
	#state;
	#channel;
	#directory;
	#root = byId('composer');
	#textbox = h('textarea', { id: 'words', rows: 1, maxLength: MAX_LENGTH, autocomplete: 'off' });
	#error = h('p.error', { id: 'composer-error', role: 'alert' });
	#replyBar = h('p.answering', { hidden: true });
	#fileInput = h('input.hidden', { type: 'file', multiple: true, tabIndex: -1, 'aria-hidden': 'true' });
	#sendButton = h('button.send', { type: 'button', 'aria-label': t('composer.send'), onclick: () => this.#send() });
	#line = h('div.line');
	#tray = new FileTray(() => this.#onChange());
	#card;
	#picker;
	/** Unsent messages, by channel. @type {Map<string, { text: string, files: File[], replyTo?: Message }>} */
	#drafts = new Map();
	/** @type {Message | undefined} */
	#replyTo;
	/** The id of the next request. It changes with the draft, so that a draft that is sent again is the same message. */
	#id = newId();
	#isBusy = false;
	/** Whether the commands are known. */
	#isReady = false;
	/** Whether a message was sent before that. */
	#isWaiting = false;

	/**
	 * @param {import('../state.js').PageState} state
	 * @param {() => string} channel returns the id of the channel or thread that is shown
	 * @param {() => import('./command-text.js').Directory} directory returns who and what can be named there
	 */
	constructor(state, channel, directory) {
		this.#state = state;
		this.#channel = channel;
		this.#directory = directory;
		this.#card = new CommandCard(state.me, {
			onChange: () => this.#onChange(),
			onError: (sentence) => this.showError(sentence),
			onLeave: () => this.#closeCard(true),
			onSubmit: ({ command, options, files }) =>
				this.#attempt(
					() => this.#sendCommand(command.name, options, files),
					() => this.#closeCard(false),
				),
		});
		this.#picker = new CommandPicker(
			this.#textbox,
			() => this.#commands(),
			(command) => this.#choose(command),
		);
		this.#render();
		this.#textbox.addEventListener('input', () => this.#onChange());
		this.#textbox.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => this.#handleKey(event));
		this.#fileInput.addEventListener('change', () => {
			this.take([...this.#fileInput.files]);
			this.#fileInput.value = '';
		});
	}

	/** Called when the commands are known: sends what was sent before. */
	ready() {
		this.#isReady = true;
		if (this.#isWaiting) this.#send();
		this.#isWaiting = false;
	}

	/** @param {string} sentence */
	showError(sentence) {
		this.#error.textContent = sentence;
	}

	focus() {
		this.#textbox.focus();
	}

	/** @param {Message} message */
	reply(message) {
		this.#setReply(message);
		this.focus();
	}

	/** Runs a command at once. @param {string} name @param {Record<string, any>} options */
	run(name, options) {
		this.#id = newId();
		return this.#attempt(
			() => this.#sendCommand(name, options, []),
			() => this.focus(),
		);
	}

	/** Keeps the draft of the channel that is left, and restores that of the next. @param {string} from @param {string} to @param {string} label */
	move(from, to, label) {
		this.#closeCard(true);
		if (from !== to) {
			const replyTo = this.#replyTo && { replyTo: this.#replyTo };
			this.#drafts.set(from, { text: this.#textbox.value, files: this.#tray.files, ...replyTo });
			const draft = this.#drafts.get(to);
			this.#textbox.value = draft?.text ?? '';
			this.#tray.set(draft?.files ?? []);
			this.#setReply(draft?.replyTo);
		}
		this.#textbox.placeholder = t('composer.placeholder', { label });
		this.#textbox.setAttribute('aria-label', label);
		this.#picker.draw();
		this.#onChange();
	}

	/** Takes files that were dropped, pasted or chosen: for the command at hand, else asks what they are for. @param {File[]} files */
	take(files) {
		if (files.length === 0) return;
		const open = this.#card.command;
		if (open && pictureCount(open) > 0) return this.#card.take(files);
		const typed = commandIn(this.#textbox.value, this.#commands());
		if (typed && pictureCount(typed.command) > 0) {
			const { options, problem } = optionsIn(typed.command, typed.rest, this.#directory());
			this.#openCard(typed.command, options, files);
			if (problem) this.showError(problem);
			return;
		}
		if (!mayHavePictures(files)) return this.#tray.add(files);
		const text = this.#textbox.value.startsWith('/') ? '' : this.#textbox.value.trim();
		const choices = dropChoices(this.#commands(), files, {
			run: (command) => {
				const prompt = this.#card.close()?.options['prompt'] ?? text;
				this.#openCard(command, prompt ? { prompt } : {}, files);
			},
			attach: () => {
				this.#closeCard(true);
				this.#tray.add(files);
				this.focus();
			},
		});
		openDropDialog(files, choices);
	}

	#render() {
		const attach = h('button.quiet', {
			type: 'button',
			'aria-label': t('composer.attach'),
			onclick: () => this.#fileInput.click(),
		});
		attach.append(icon('plus'));
		this.#sendButton.append(icon('send'));
		this.#line.append(attach, this.#textbox, this.#sendButton);
		const box = h('div.box', {}, this.#replyBar, this.#tray.element, this.#card.element, this.#line, this.#fileInput);
		this.#root.append(this.#picker.element, this.#error, box);
	}

	/** The commands that this person may use here. */
	#commands() {
		const found = this.#state.find(this.#channel());
		const isModerator = found && this.#state.isModerator(found.server.id);
		return this.#state.commands.filter(({ moderators }) => isModerator || !moderators);
	}

	#onChange() {
		this.#id = newId();
		this.showError('');
		this.#textbox.style.height = 'auto';
		this.#textbox.style.height = `${Math.min(this.#textbox.scrollHeight, MAX_HEIGHT_PX)}px`;
		this.#sendButton.classList.toggle('ready', this.#textbox.value.trim() !== '' || this.#tray.files.length > 0);
	}

	/** @param {KeyboardEvent} event */
	#handleKey(event) {
		if (this.#picker.handleKey(event) || event.isComposing) return;
		if (event.key === 'Escape' && this.#replyTo) this.#setReply(undefined);
		if (event.key !== 'Enter' || event.shiftKey) return;
		event.preventDefault();
		this.#send();
	}

	/** Sends the draft: a message, or a command. */
	#send() {
		if (!this.#isReady) {
			this.#isWaiting = true;
			return;
		}
		const text = this.#textbox.value.trim();
		const { files } = this.#tray;
		if (text === '' && files.length === 0) return;
		const typed = commandIn(text, this.#commands());
		if (typed) return this.#sendTyped(typed.command, typed.rest);
		if (/^\/[a-z]/i.test(text))
			return this.showError(t('command.unknown', { command: text.split(/\s/)[0].slice(0, 40) }));
		return this.#attempt(() => this.#sendMessage(text, files), this.#clearer());
	}

	/** Runs a typed command, or opens its card when something is missing. @param {CommandDescription} command @param {string} rest */
	#sendTyped(command, rest) {
		const { options, problem } = optionsIn(command, rest, this.#directory());
		if (problem) return this.showError(problem);
		const { files } = this.#tray;
		const isIncomplete = command.fields.some(({ name, required }) => required && !(name in options));
		if (isIncomplete || files.length > 0) return this.#openCard(command, options, files);
		return this.#attempt(() => this.#sendCommand(command.name, options, []), this.#clearer());
	}

	/** Returns a function that clears the draft, except for a text that was changed meanwhile. */
	#clearer() {
		const sent = this.#textbox.value;
		return () => {
			if (this.#textbox.value === sent) this.#textbox.value = '';
			this.#tray.set([]);
			this.#setReply(undefined);
			this.#picker.draw();
		};
	}

	/** Sends, and keeps the draft when that fails. @param {() => Promise<void>} send @param {() => void} onSent */
	async #attempt(send, onSent) {
		if (this.#isBusy) return;
		this.#isBusy = true;
		this.#root.setAttribute('aria-busy', 'true');
		try {
			await send();
			onSent();
			this.#onChange();
		} catch (error) {
			this.showError(/** @type {Error} */ (error).message);
		} finally {
			this.#isBusy = false;
			this.#root.removeAttribute('aria-busy');
		}
	}

	/** @param {string} text @param {File[]} files */
	async #sendMessage(text, files) {
		const replyTo = this.#replyTo && { replyTo: this.#replyTo.number };
		const input = { as: this.#state.me, channel: this.#channel(), id: this.#id, text, ...replyTo };
		const parts = files.map((file) => ({ part: 'file', file }));
		this.#state.add(await sendFiles('messages', input, parts));
	}

	/** @param {string} command @param {Record<string, any>} options @param {{ part: string, file: File }[]} files */
	#sendCommand(command, options, files) {
		const input = { as: this.#state.me, channel: this.#channel(), id: this.#id, command, options };
		return sendFiles('commands', input, files);
	}

	/** Runs a command of the list, or opens its card when it has options. @param {CommandDescription} command */
	#choose(command) {
		if (command.fields.length > 0) return this.#openCard(command, {}, this.#tray.files);
		return this.#attempt(
			() => this.#sendCommand(command.name, {}, []),
			() => {
				this.#textbox.value = '';
				this.#picker.draw();
			},
		);
	}

	/** @param {CommandDescription} command @param {Record<string, any>} options @param {File[]} files */
	#openCard(command, options, files) {
		this.#card.show(command, this.#directory(), options);
		this.#line.hidden = true;
		this.#textbox.value = '';
		this.#tray.set([]);
		this.#picker.draw();
		this.#card.take(files);
	}

	/** @param {boolean} isKept whether its values become the draft */
	#closeCard(isKept) {
		const filled = this.#card.close();
		if (!filled) return;
		const { command, options, files } = filled;
		const hasValues = files.length > 0 || Object.keys(options).length > 0;
		this.#textbox.value = isKept && hasValues ? textFor(command, options) : '';
		if (isKept) this.#tray.set(files.map(({ file }) => file));
		this.#line.hidden = false;
		this.#picker.draw();
		this.#onChange();
		this.focus();
	}

	/** @param {Message | undefined} message */
	#setReply(message) {
		this.#replyTo = message;
		this.#replyBar.hidden = !message;
		if (!message) return;
		const stop = h('button.quiet.small', {
			type: 'button',
			'aria-label': t('composer.noReply'),
			onclick: () => this.#setReply(undefined),
		});
		stop.append(icon('close'));
		const name = h('b', {}, this.#state.nameOf(message.author));
		this.#replyBar.replaceChildren(icon('reply'), h('span', {}, ...tNodes('composer.replyingTo', { name })), stop);
	}
}
