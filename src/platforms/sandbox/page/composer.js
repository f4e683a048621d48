import { newId, sendFiles } from './api.js';
import { askWhatFor } from './dialogs.js';
import { byId, h, icon, sizeText } from './dom.js';
import { createInputs } from './form.js';
import { createPicker } from './picker.js';
import { commandIn, optionsIn } from './raw.js';

/** @typedef {import('./raw.js').CommandDescription} CommandDescription */
/** @typedef {import('../view.ts').MessageView} Message */

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
	const card = h('form.card', { noValidate: true, hidden: true });
	const tray = h('div.tray', { hidden: true });
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
	root.append(picker.element, error, h('div.box', {}, answering, tray, card, line, chooser));

	/** What is being written, by room. @type {Map<string, { text: string, files: File[], replyTo?: Message }>} */
	const drafts = new Map();
	/** @type {File[]} */
	let files = [];
	/** @type {Message | undefined} */
	let replyTo;
	/** @type {{ command: CommandDescription, inputs: ReturnType<typeof createInputs> } | undefined} */
	let open;
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
		submit.classList.toggle('ready', words.value.trim() !== '' || files.length > 0);
	}

	/** @param {string} sentence */
	function fail(sentence) {
		error.textContent = sentence;
	}

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
		const text = words.value.trim();
		const draft = words.value;
		if (open) return card.requestSubmit();
		if (text === '' && files.length === 0) return;
		const clear = () => {
			if (words.value === draft) words.value = '';
			setFiles([]);
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
		if (command.fields.length > 0) return openCard(command, {}, files);
		return attempt(
			() => sendCommand(command.name, {}, []),
			() => {
				words.value = '';
				picker.draw();
			},
		);
	}

	/** @param {CommandDescription} command @param {Record<string, any>} options @param {File[]} [dropped] */
	function openCard(command, options, dropped = []) {
		const inputs = createInputs(command.fields, directory(), changed);
		open = { command, inputs };
		const close = h('button.quiet.small', {
			type: 'button',
			'aria-label': 'Back to writing',
			onclick: () => closeCard(true),
		});
		close.append(icon('close'));
		const run = h('button.primary', { type: 'submit' }, 'Run');
		const head = h('p.card-head', {}, h('b', {}, `/${command.name}`), h('span', {}, command.description), close);
		inputs.element.querySelector('.chips').append(run);
		card.replaceChildren(head, inputs.element);
		card.setAttribute('aria-label', `/${command.name}`);
		card.hidden = false;
		line.hidden = true;
		words.value = '';
		setFiles([]);
		picker.draw();
		inputs.fill(options);
		const left = inputs.take(dropped);
		changed();
		if (left > 0) fail(`/${command.name} has no place for ${left} of the files.`);
		inputs.focus();
	}

	/** @param {boolean} keep whether what was filled in goes back to the words */
	function closeCard(keep) {
		if (!open) return;
		const { options } = open.inputs.values();
		const first = open.command.fields.find(({ kind }) => kind === 'text')?.name;
		const named = Object.entries(options).filter(([name]) => name !== first);
		const texts = named.map(([name, value]) => (/\s/.test(`${value}`) ? `${name}:"${value}"` : `${name}:${value}`));
		words.value =
			keep && ((first && options[first]) || texts.length)
				? [`/${open.command.name}`, first && options[first], ...texts].filter(Boolean).join(' ')
				: '';
		open = undefined;
		card.hidden = true;
		card.replaceChildren();
		line.hidden = false;
		picker.draw();
		changed();
		words.focus();
	}

	/** @param {File[]} next */
	function setFiles(next) {
		files = next;
		tray.hidden = files.length === 0;
		tray.replaceChildren(
			...files.map((file) => {
				const remove = h('button.quiet.small', {
					type: 'button',
					'aria-label': `Take ${file.name} out`,
					onclick: () => {
						setFiles(files.filter((other) => other !== file));
						words.focus();
					},
				});
				remove.append(icon('close'));
				const address = URL.createObjectURL(file);
				const image = h('img', {
					src: address,
					alt: '',
					onerror: () => image.replaceWith(icon('file')),
					onload: () => URL.revokeObjectURL(address),
				});
				return h(
					'span.attached',
					{},
					h('span.thumb', {}, image),
					h('span.words', {}, h('b', {}, file.name || 'Pasted picture'), h('small', {}, sizeText(file.size))),
					remove,
				);
			}),
		);
		changed();
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
		if (open?.command.fields.some(({ kind }) => kind === 'picture')) {
			const left = open.inputs.take(dropped);
			fail(left ? `/${open.command.name} has no place for ${left} of the files.` : '');
			return open.inputs.focus();
		}
		const typed = commandIn(words.value, visibleCommands());
		const pictures = (/** @type {CommandDescription} */ { fields }) =>
			fields.filter(({ kind }) => kind === 'picture').length;
		if (typed && pictures(typed.command) > 0) {
			const { options, problem } = optionsIn(typed.command, typed.rest, directory());
			openCard(typed.command, options, dropped);
			return problem && fail(problem);
		}
		if (!dropped.some(({ type }) => type === '' || type.startsWith('image/'))) return setFiles([...files, ...dropped]);
		const spoken = words.value.startsWith('/') ? '' : words.value.trim();
		const labels = { edit: 'Edit image', compose: 'Compose' };
		const makers = visibleCommands()
			.filter((/** @type {CommandDescription} */ command) => pictures(command) >= dropped.length)
			.map((/** @type {CommandDescription} */ command) => ({
				label: labels[/** @type {'edit'} */ (command.name)] ?? `/${command.name}`,
				hint: command.description,
				icon: pictures(command) > 1 ? 'layers' : 'brush',
				run: () => openCard(command, spoken ? { prompt: spoken } : {}, dropped),
			}));
		askWhatFor(dropped, [
			...makers,
			{
				label: 'Attach to message',
				hint: 'Share it with everyone here',
				icon: 'file',
				run: () => {
					if (open) closeCard(true);
					setFiles([...files, ...dropped]);
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
	card.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => {
		if (event.isComposing) return;
		if (event.key === 'Escape') {
			event.preventDefault();
			closeCard(true);
		} else if (event.key === 'Enter' && !event.shiftKey && event.target instanceof HTMLTextAreaElement) {
			event.preventDefault();
			card.requestSubmit();
		}
	});
	card.addEventListener('submit', (/** @type {SubmitEvent} */ event) => {
		event.preventDefault();
		if (!open) return;
		const { command, inputs } = open;
		const problem = inputs.problem();
		if (problem) return fail(problem);
		const { options, files: parts } = inputs.values();
		attempt(
			() => sendCommand(command.name, options, parts),
			() => closeCard(false),
		);
	});

	return {
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
			if (open) closeCard(true);
			if (from !== to) {
				drafts.set(from, { text: words.value, files, ...(replyTo && { replyTo }) });
				const draft = drafts.get(to);
				words.value = draft?.text ?? '';
				setFiles(draft?.files ?? []);
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
