import { newId, sendFiles } from './api.js';
import { createCard } from './card.js';
import { askWhatFor } from './dialogs.js';
import { byId, h, icon } from './dom.js';
import { createPicker } from './picker.js';
import { commandIn, optionsIn, wordsFor } from './raw.js';
import { createTray } from './tray.js';

/** @typedef {import('./raw.js').CommandDescription} CommandDescription */
/** @typedef {import('../server/view.ts').MessageView} Message */

/**
 * Where messages are written and commands are filled in. What was typed or dropped stays until it was sent.
 * @param {any} state
 * @param {() => string} room the room shown
 * @param {() => import('./raw.js').Directory} directory whom and what one can name there
 */
export function createComposer(state, room, directory) {
	const root = byId('composer');
	const words = h('textarea', { id: 'words', rows: 1, maxLength: 12_000, autocomplete: 'off' });
	const error = h('p.error', { id: 'composer-error', role: 'alert' });
	const tray = createTray(changed);
	const card = createCard({
		me: state.me,
		changed,
		fail,
		leave: () => closeCard(true),
		submit: ({ command, options, files }) =>
			attempt(
				() => sendCommand(command.name, options, files),
				() => closeCard(false),
			),
	});
	const answering = h('p.answering', { hidden: true });
	const chooser = h('input.hidden', { type: 'file', multiple: true, tabIndex: -1, 'aria-hidden': 'true' });
	const attach = h('button.quiet', {
		type: 'button',
		'aria-label': 'Add pictures or files',
		onclick: () => chooser.click(),
	});
	attach.append(icon('plus'));
	const submit = h('button.send', { type: 'button', 'aria-label': 'Send', onclick: () => sendWords() });
	submit.append(icon('send'));
	const line = h('div.line', {}, attach, words, submit);
	const picker = createPicker(words, visibleCommands, choose);
	root.append(picker.element, error, h('div.box', {}, answering, tray.element, card.element, line, chooser));

	/** What is being written, by room. @type {Map<string, { text: string, files: File[], replyTo?: Message }>} */
	const drafts = new Map();
	/** @type {Message | undefined} */
	let replyTo;
	/** The draft's id: the same draft sent again is the same message. */
	let id = newId();
	let busy = false;

	function visibleCommands() {
		const here = state.find(room());
		const moderator = here && state.moderates(here.server.id);
		return state.commands.filter((/** @type {CommandDescription} */ command) => moderator || !command.moderators);
	}

	function changed() {
		id = newId();
		fail('');
		words.style.height = 'auto';
		words.style.height = `${Math.min(words.scrollHeight, 220)}px`;
		submit.classList.toggle('ready', words.value.trim() !== '' || tray.files().length > 0);
	}

	/** @param {string} sentence */
	function fail(sentence) {
		error.textContent = sentence;
	}

	let isReady = false;
	/** Somebody was quicker than the page. */
	let isWanted = false;

	/** Sends, and keeps everything as it was when that fails. @param {() => Promise<void>} send @param {() => void} sent */
	async function attempt(send, sent) {
		if (busy) return;
		busy = true;
		root.setAttribute('aria-busy', 'true');
		try {
			await send();
			sent();
			changed();
		} catch (failure) {
			fail(/** @type {Error} */ (failure).message);
		} finally {
			busy = false;
			root.removeAttribute('aria-busy');
		}
	}

	/** @param {string} command @param {Record<string, any>} options @param {{ part: string, file: File }[]} parts */
	const sendCommand = (command, options, parts) =>
		sendFiles('commands', { as: state.me, room: room(), id, command, options }, parts);

	function sendWords() {
		if (!isReady) {
			isWanted = true;
			return;
		}
		const text = words.value.trim();
		const draft = words.value;
		const files = tray.files();
		if (text === '' && files.length === 0) return;
		const clear = () => {
			if (words.value === draft) words.value = '';
			tray.set([]);
			setReply(undefined);
			picker.draw();
		};
		const typed = commandIn(text, visibleCommands());
		if (!typed) {
			if (/^\/[a-z]/i.test(text))
				return fail(`There is no command ${text.split(/\s/)[0].slice(0, 40)}; type / to see them all.`);
			return attempt(async () => {
				const input = { as: state.me, room: room(), id, text, ...(replyTo && { replyTo: replyTo.number }) };
				state.add(
					await sendFiles(
						'messages',
						input,
						files.map((file) => ({ part: 'file', file })),
					),
				);
			}, clear);
		}
		const { command, rest } = typed;
		const { options, problem } = optionsIn(command, rest, directory());
		if (problem) return fail(problem);
		const missing = command.fields.some(({ name, required }) => required && !(name in options));
		if (missing || files.length > 0) return openCard(command, options, files);
		return attempt(() => sendCommand(command.name, options, []), clear);
	}

	/** From the list: at once when it takes nothing. @param {CommandDescription} command */
	function choose(command) {
		if (command.fields.length > 0) return openCard(command, {}, tray.files());
		return attempt(
			() => sendCommand(command.name, {}, []),
			() => {
				words.value = '';
				picker.draw();
			},
		);
	}

	/** @param {CommandDescription} command @param {Record<string, any>} options @param {File[]} files */
	function openCard(command, options, files) {
		card.show(command, directory(), options);
		line.hidden = true;
		words.value = '';
		tray.set([]);
		picker.draw();
		card.take(files);
	}

	/** @param {boolean} keep whether what was filled in goes back to the words */
	function closeCard(keep) {
		const filled = card.close();
		if (!filled) return;
		const { command, options, files } = filled;
		const any = files.length > 0 || Object.keys(options).length > 0;
		words.value = keep && any ? wordsFor(command, options) : '';
		if (keep) tray.set(files.map(({ file }) => file));
		line.hidden = false;
		picker.draw();
		changed();
		words.focus();
	}

	/** @param {Message | undefined} message */
	function setReply(message) {
		replyTo = message;
		answering.hidden = !message;
		if (!message) return;
		const stop = h('button.quiet.small', {
			type: 'button',
			'aria-label': 'Do not reply',
			onclick: () => setReply(undefined),
		});
		stop.append(icon('close'));
		answering.replaceChildren(
			icon('reply'),
			h('span', {}, 'Replying to ', h('b', {}, state.nameOf(message.author))),
			stop,
		);
	}

	/** Where dropped, pasted or chosen files go: the command at hand, or what the person says. @param {File[]} dropped */
	function take(dropped) {
		if (dropped.length === 0) return;
		const pictures = (/** @type {CommandDescription} */ { fields }) =>
			fields.filter(({ kind }) => kind === 'picture').length;
		const open = card.command();
		if (open && pictures(open) > 0) return card.take(dropped);
		const typed = commandIn(words.value, visibleCommands());
		if (typed && pictures(typed.command) > 0) {
			const { options, problem } = optionsIn(typed.command, typed.rest, directory());
			openCard(typed.command, options, dropped);
			return problem && fail(problem);
		}
		if (!dropped.some(({ type }) => type === '' || type.startsWith('image/')))
			return tray.set([...tray.files(), ...dropped]);
		const spoken = words.value.startsWith('/') ? '' : words.value.trim();
		const labels = { edit: 'Edit image', compose: 'Compose' };
		const makers = visibleCommands()
			.filter((/** @type {CommandDescription} */ command) => pictures(command) >= dropped.length)
			.map((/** @type {CommandDescription} */ command) => ({
				label: labels[/** @type {'edit'} */ (command.name)] ?? `/${command.name}`,
				hint: command.description,
				icon: pictures(command) > 1 ? 'layers' : 'brush',
				run() {
					const prompt = card.close()?.options['prompt'] ?? spoken;
					openCard(command, prompt ? { prompt } : {}, dropped);
				},
			}));
		askWhatFor(dropped, [
			...makers,
			{
				label: 'Attach to message',
				hint: 'Share it with everyone here',
				icon: 'file',
				run: () => {
					closeCard(true);
					tray.set([...tray.files(), ...dropped]);
					words.focus();
				},
			},
		]);
	}

	words.addEventListener('input', changed);
	words.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => {
		if (picker.key(event) || event.isComposing) return;
		if (event.key === 'Escape' && replyTo) setReply(undefined);
		if (event.key !== 'Enter' || event.shiftKey) return;
		event.preventDefault();
		sendWords();
	});
	chooser.addEventListener('change', () => {
		take([...chooser.files]);
		chooser.value = '';
	});
	return {
		/** What may be said is known by now: what somebody sent before is sent. */
		ready() {
			isReady = true;
			if (isWanted) sendWords();
			isWanted = false;
		},
		take,
		fail,
		reply(/** @type {Message} */ message) {
			setReply(message);
			words.focus();
		},

		/** Runs a command as if it had been filled in. @param {string} name @param {Record<string, any>} options */
		run(name, options) {
			id = newId();
			return attempt(
				() => sendCommand(name, options, []),
				() => words.focus(),
			);
		},

		/** Keeps what was being written in the room left, and takes up what was in the next. @param {string} from @param {string} to @param {string} label */
		move(from, to, label) {
			closeCard(true);
			if (from !== to) {
				drafts.set(from, { text: words.value, files: tray.files(), ...(replyTo && { replyTo }) });
				const draft = drafts.get(to);
				words.value = draft?.text ?? '';
				tray.set(draft?.files ?? []);
				setReply(draft?.replyTo);
			}
			words.placeholder = `${label}, or / for commands`;
			words.setAttribute('aria-label', label);
			picker.draw();
			changed();
		},

		focus: () => words.focus(),
	};
}
