import { fileAddress, newId, send, sendFiles } from './api.js';
import { h, icon, sizeText } from './dom.js';
import { createInputs } from './form.js';
import { markdown } from './markdown.js';

/** @param {HTMLDialogElement} dialog */
function show(dialog) {
	dialog.addEventListener('close', () => dialog.remove());
	document.body.append(dialog);
	dialog.showModal();
}

/** @param {HTMLDialogElement} dialog */
function closer(dialog) {
	const close = h('button.quiet.close', { type: 'button', 'aria-label': 'Close', onclick: () => dialog.close() });
	close.append(icon('close'));
	return close;
}

/**
 * A form that the bot opened. What was filled in stays until it was sent.
 * @param {any} form
 * @param {string} room
 * @param {{ me: string }} state
 * @param {import('./raw.js').Directory} directory
 */
export function openForm(form, room, state, directory) {
	const dialog = h('dialog.sheet', { 'aria-labelledby': 'form-title' });
	const error = h('p.error', { role: 'alert' });
	let id = newId();
	const inputs = createInputs(form.fields, directory, () => {
		id = newId();
		error.textContent = '';
	});
	inputs.fill(form.values ?? {});
	const submit = h('button.primary', { type: 'submit' }, 'Send');
	const element = h('form', { noValidate: true }, h('h2', { id: 'form-title' }, form.title));
	if (form.note) element.append(h('div.text', {}, ...markdown(form.note)));
	const cancel = h('button.action', { type: 'button', onclick: () => dialog.close() }, 'Cancel');
	element.append(inputs.element, error, h('div.end', {}, cancel, submit));
	element.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => {
		if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
		if (!(event.target instanceof HTMLTextAreaElement)) return;
		event.preventDefault();
		element.requestSubmit();
	});
	element.addEventListener('submit', async (/** @type {SubmitEvent} */ event) => {
		event.preventDefault();
		const problem = inputs.problem();
		error.textContent = problem ?? '';
		if (problem || submit.disabled) return;
		const { options, files } = inputs.values();
		submit.disabled = true;
		try {
			await sendFiles('commands', { as: state.me, room, id, command: form.command, options, form: form.id }, files);
			dialog.close();
		} catch (failure) {
			error.textContent = /** @type {Error} */ (failure).message;
			submit.disabled = false;
		}
	});
	dialog.append(closer(dialog), element);
	show(dialog);
	inputs.focus();
	return { take: inputs.take };
}

/**
 * Other words for a message of one's own.
 * @param {import('../server/view.ts').MessageView} message
 * @param {{ me: string }} state
 * @param {number} maxLength
 */
export function openRewrite(message, state, maxLength) {
	const dialog = h('dialog.sheet', { 'aria-labelledby': 'rewrite-title' });
	const error = h('p.error', { role: 'alert' });
	const words = h('textarea', { name: 'text', rows: 4, value: message.text, maxLength, 'aria-label': 'The message' });
	const cancel = h('button.action', { type: 'button', onclick: () => dialog.close() }, 'Cancel');
	const end = h('div.end', {}, cancel, h('button.primary', { type: 'submit' }, 'Save'));
	const element = h('form', { noValidate: true }, h('h2', { id: 'rewrite-title' }, 'Edit message'));
	element.append(h('div.field.long', {}, words), error, end);
	element.addEventListener('submit', async (/** @type {SubmitEvent} */ event) => {
		event.preventDefault();
		const { room, number } = message;
		try {
			await send('rewrites', { as: state.me, room, number, text: words.value });
			dialog.close();
		} catch (failure) {
			error.textContent = /** @type {Error} */ (failure).message;
		}
	});
	dialog.append(closer(dialog), element);
	show(dialog);
	words.focus();
}

/** @param {import('../server/view.ts').MessageView} message @param {number} index */
export function openPictures(message, index) {
	const pictures = message.files.filter(({ type }) => type.startsWith('image/'));
	const dialog = h('dialog.viewer', { 'aria-label': 'Picture' });
	const figure = h('figure');
	let at = index;
	function draw() {
		const file = pictures[at];
		const download = h('a.action', { href: `${fileAddress(file)}?download`, download: file.name });
		download.append(icon('download'), 'Download original');
		const facts = [
			file.width && `${file.width} × ${file.height}`,
			sizeText(file.size),
			pictures.length > 1 && `${at + 1} of ${pictures.length}`,
		];
		figure.replaceChildren(
			h('img', { src: fileAddress(file), alt: file.alt || file.name }),
			h(
				'figcaption',
				{},
				h('span.alt', {}, file.alt || file.name),
				h('span.facts', {}, facts.filter(Boolean).join(' · ')),
				download,
			),
		);
	}
	dialog.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => {
		const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
		if (!step || pictures.length < 2) return;
		at = (at + step + pictures.length) % pictures.length;
		draw();
	});
	// Anywhere beside the picture closes; a form does not, as a slip would cost what was typed.
	dialog.addEventListener('click', (/** @type {Event} */ event) => event.target === dialog && dialog.close());
	draw();
	dialog.append(closer(dialog), figure);
	if (pictures.length > 1)
		for (const [label, name, step] of /** @type {const} */ ([
			['Previous picture', 'before', -1],
			['Next picture', 'after', 1],
		])) {
			const turn = h(`button.quiet.turn.${name}`, { type: 'button', 'aria-label': label });
			turn.append(icon('back'));
			turn.addEventListener('click', () => {
				at = (at + step + pictures.length) % pictures.length;
				draw();
			});
			dialog.append(turn);
		}
	show(dialog);
}

/**
 * Asks what dropped files are for.
 * @param {File[]} files
 * @param {{ label: string, hint: string, icon: any, run(): void }[]} choices
 */
export function askWhatFor(files, choices) {
	const dialog = h('dialog.sheet.small-sheet', { 'aria-labelledby': 'drop-title' });
	const thumbs = h('div.thumbs');
	const addresses = files.map((file) => URL.createObjectURL(file));
	for (const src of addresses) {
		const image = h('img', { src, alt: '', onerror: () => image.replaceWith(icon('file')) });
		thumbs.append(h('span.thumb', {}, image));
	}
	const list = h('div.choices');
	for (const choice of choices) {
		const button = h('button.choice', { type: 'button' });
		button.addEventListener('click', () => {
			dialog.close();
			choice.run();
		});
		button.append(icon(choice.icon), h('b', {}, choice.label), h('small', {}, choice.hint));
		list.append(button);
	}
	const what = files.length === 1 ? files[0].name || 'this picture' : `these ${files.length} files`;
	dialog.append(closer(dialog), h('h2', { id: 'drop-title' }, `What to do with ${what}?`), thumbs, list);
	dialog.addEventListener('close', () => {
		for (const src of addresses) URL.revokeObjectURL(src);
	});
	show(dialog);
	list.querySelector('button').focus();
}
