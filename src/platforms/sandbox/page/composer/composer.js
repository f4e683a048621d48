import { openDropDialog } from '../dialogs/drop-dialog.js';
import { byId, h } from '../dom.js';
import { checkFiles, isMaybePicture, sizeProblem } from '../file-check.js';
import { t } from '../texts.js';
import { CommandCard } from './command-card.js';
import { CommandPicker } from './command-picker.js';
import { commandIn, optionsIn, textFor } from './command-text.js';
import { dropChoices, maxPictures, pictureCount } from './drop-choices.js';
import { FileTray } from './file-tray.js';
import { PeoplePicker } from './people-picker.js';
import { ReplyBar } from './reply-bar.js';
import { Submission } from './submission.js';
import { TextLine } from './text-line.js';

/** @typedef {import('./command-text.js').CommandDescription} CommandDescription */
/** @typedef {import('../../server/view.ts').MessageView} Message */

/** The box for messages and commands. A text or file stays until it was sent. */
export class Composer {
	#state;
	#channel;
	#directory;
	#editLast;
	#root = byId('composer');
	#error = h('p.error', { id: 'composer-error', role: 'alert' });
	#line = new TextLine({
		onSend: () => this.#send(),
		onInput: () => this.#onChange(),
		onFiles: (files) => this.take(files),
	});
	#tray = new FileTray(() => this.#onChange());
	#card;
	#picker;
	#people;
	/** Unsent messages, by channel. @type {Map<string, { text: string, files: File[], replyTo: Message | undefined }>} */
	#drafts = new Map();
	#replyBar;
	#submission;
	/** Whether the commands are known. */
	#isReady = false;
	/** Whether a message was sent before that. */
	#isWaiting = false;

	/**
	 * @param {import('../state.js').PageState} state
	 * @param {() => string} channel returns the id of the channel or thread that is shown
	 * @param {() => import('./command-text.js').Directory} directory returns who and what can be named there
	 * @param {() => boolean} editLast opens the person's last message, if there is one
	 */
	constructor(state, channel, directory, editLast) {
		this.#state = state;
		this.#channel = channel;
		this.#directory = directory;
		this.#editLast = editLast;
		this.#replyBar = new ReplyBar((person) => state.nameOf(person));
		this.#submission = new Submission(this.#root, state.me, channel);
		this.#card = new CommandCard(state.me, {
			onChange: () => this.#onChange(),
			onError: (sentence) => this.showError(sentence),
			onLeave: () => this.#closeCard(true),
			onSubmit: ({ command, options, files }) =>
				this.#attempt(
					() => this.#submission.sendCommand(command.name, options, files),
					() => this.#closeCard(false),
				),
		});
		this.#people = new PeoplePicker(this.#line.textbox, () => this.#directory().people);
		this.#picker = new CommandPicker(
			this.#line.textbox,
			() => this.#commands(),
			(command) => this.#choose(command),
		);
		this.#line.textbox.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => this.#handleKey(event));
		const box = h('div.box', {}, this.#replyBar.element, this.#tray.element, this.#card.element, this.#line.element);
		this.#root.append(this.#picker.element, this.#people.element, this.#error, box);
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
		this.#line.focus();
	}

	/** @param {Message} message */
	reply(message) {
		this.#replyBar.set(message);
		this.focus();
	}

	/** Runs a command at once. @param {string} name @param {Record<string, any>} options */
	run(name, options) {
		this.#submission.renew();
		return this.#attempt(
			() => this.#submission.sendCommand(name, options, []),
			() => this.focus(),
		);
	}

	/** Keeps the draft of the channel that is left, and restores that of the next. @param {string} from @param {string} to @param {string} label */
	move(from, to, label) {
		this.#closeCard(true);
		if (from !== to) {
			this.#drafts.set(from, {
				text: this.#line.text,
				files: this.#tray.files,
				replyTo: this.#replyBar.message,
			});
			const draft = this.#drafts.get(to);
			this.#line.text = draft?.text ?? '';
			this.#tray.set(draft?.files ?? []);
			this.#replyBar.set(draft?.replyTo);
		}
		this.#line.setLabel(label);
		this.#picker.draw();
		this.#onChange();
	}

	/** Takes files that were dropped, pasted or chosen: for the command at hand, else asks what they are for. @param {File[]} files */
	take(files) {
		if (files.length === 0) return;
		const open = this.#card.command;
		if (open && pictureCount(open) > 0) return void this.#card.take(files);
		const typed = commandIn(this.#line.text, this.#commands());
		if (typed && pictureCount(typed.command) > 0) {
			const { options, problem } = optionsIn(typed.command, typed.rest, this.#directory());
			this.#openCard(typed.command, options, files);
			if (problem) this.showError(problem);
			return;
		}
		const max = this.#state.limits[this.#state.settings.emulates].fileBytes;
		const { good, problem } = checkFiles(files, (file) => sizeProblem(file, max));
		if (good.length > 0) this.#askFor(good);
		if (problem) this.showError(problem);
	}

	/** Asks what files are for, or attaches those that no command takes. @param {File[]} files */
	#askFor(files) {
		if (!files.some(isMaybePicture)) return this.#tray.add(files);
		const text = this.#line.text.startsWith('/') ? '' : this.#line.text.trim();
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
		const max = maxPictures(this.#commands());
		openDropDialog(files, choices, max > 0 && files.length > max && t('sandbox.drop.max', { count: max }));
	}

	/** The commands that this person may use here. */
	#commands() {
		const found = this.#state.find(this.#channel());
		const isModerator = found && (found.server.moderates || this.#state.isModerator(found.server.id));
		return this.#state.commands.filter(
			({ moderators, direct }) => (isModerator || !moderators) && (direct || !found?.channel.direct),
		);
	}

	#onChange() {
		this.#submission.renew();
		this.showError('');
		this.#line.update(this.#tray.files.length > 0);
	}

	/** @param {KeyboardEvent} event */
	#handleKey(event) {
		if (this.#picker.handleKey(event) || this.#people.handleKey(event) || event.isComposing) return;
		if (event.key === 'Escape') {
			if (this.#replyBar.message) this.#replyBar.set(undefined);
			else this.#tray.set([]);
		}
		const isEmpty = this.#line.text === '' && this.#tray.files.length === 0;
		if (event.key === 'ArrowUp' && isEmpty && this.#editLast()) event.preventDefault();
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
		const text = this.#line.text.trim();
		const { files } = this.#tray;
		if (text === '' && files.length === 0) return;
		const typed = commandIn(text, this.#commands());
		if (typed) return this.#sendTyped(typed.command, typed.rest);
		if (/^\/[a-z]/i.test(text))
			return this.showError(t('sandbox.command.unknown', { command: text.split(/\s/)[0].slice(0, 40) }));
		return this.#attempt(() => this.#sendMessage(text, files), this.#clearer());
	}

	/** Runs a typed command, or opens its card when something is missing. @param {CommandDescription} command @param {string} rest */
	#sendTyped(command, rest) {
		const { options, problem } = optionsIn(command, rest, this.#directory());
		if (problem) return this.showError(problem);
		const { files } = this.#tray;
		const isIncomplete = command.fields.some(({ name, required }) => required && !(name in options));
		if (isIncomplete || files.length > 0) return this.#openCard(command, options, files);
		return this.#attempt(() => this.#submission.sendCommand(command.name, options, []), this.#clearer());
	}

	/** Returns a function that clears the draft, except for a text that was changed meanwhile. */
	#clearer() {
		const sent = this.#line.text;
		return () => {
			if (this.#line.text === sent) this.#line.text = '';
			this.#tray.set([]);
			this.#replyBar.set(undefined);
			this.#picker.draw();
		};
	}

	/** Sends, and keeps the draft when that fails. @param {() => Promise<void>} send @param {() => void} onSent */
	#attempt(send, onSent) {
		return this.#submission.attempt(
			async () => {
				await send();
				onSent();
				this.#onChange();
			},
			(sentence) => this.showError(sentence),
		);
	}

	/** @param {string} text @param {File[]} files */
	async #sendMessage(text, files) {
		this.#state.add(await this.#submission.sendMessage(text, files, this.#replyBar.message?.number));
	}

	/** Runs a command of the list, or opens its card when it has options. @param {CommandDescription} command */
	#choose(command) {
		if (command.fields.length > 0) return this.#openCard(command, {}, this.#tray.files);
		return this.#attempt(
			() => this.#submission.sendCommand(command.name, {}, []),
			() => {
				this.#line.text = '';
				this.#picker.draw();
			},
		);
	}

	/** @param {CommandDescription} command @param {Record<string, any>} options @param {File[]} files */
	#openCard(command, options, files) {
		this.#card.show(command, this.#directory(), options);
		this.#line.element.hidden = true;
		this.#line.text = '';
		this.#picker.draw();
		this.#tray.set(this.#card.take(files));
	}

	/** @param {boolean} isKept whether its values become the draft */
	#closeCard(isKept) {
		const filled = this.#card.close();
		if (!filled) return;
		const { command, options, files } = filled;
		const hasValues = files.length > 0 || Object.keys(options).length > 0;
		this.#line.text = isKept && hasValues ? textFor(command, options) : '';
		if (isKept) this.#tray.set(files.map(({ file }) => file));
		this.#line.element.hidden = false;
		this.#picker.draw();
		this.#onChange();
		this.focus();
	}
}
