import { h, icon, sizeText } from './dom.js';
import { hint } from './raw.js';

/** @typedef {import('./raw.js').Field} Field */
/** @typedef {import('./raw.js').Directory} Directory */
/** What completes an option's text, the best first. @typedef {(option: string, typed: string) => Promise<string[]>} Suggest */
/** @typedef {{ element: HTMLElement, value(): any, set(value: any): void, control: HTMLElement }} Input */

let count = 0;

/**
 * The inputs of a command: required ones open, optional ones a chip each until they are wanted.
 * @param {readonly Field[]} fields
 * @param {Directory} directory
 * @param {() => void} [changed]
 * @param {Suggest} [suggest]
 */
export function createInputs(fields, directory, changed = () => {}, suggest = async () => []) {
	/** @type {Map<string, Input>} */
	const inputs = new Map();
	const body = h('div.fields');
	const chips = h('div.chips');
	const element = h('div.inputs', { oninput: changed, onchange: changed }, body, chips);
	/** @type {Map<string, HTMLElement>} */
	const chipOf = new Map();

	/** @param {Field} field */
	function reveal(field) {
		const existing = inputs.get(field.name);
		if (existing) return existing;
		const input = createInput(field, directory, changed, suggest);
		inputs.set(field.name, input);
		chipOf.get(field.name)?.remove();
		if (!field.required) {
			const remove = h('button.quiet.small', {
				type: 'button',
				'aria-label': `Without ${field.name}`,
				onclick: () => {
					inputs.delete(field.name);
					input.element.remove();
					addChip(field);
					chipOf.get(field.name)?.focus();
					changed();
				},
			});
			remove.append(icon('close'));
			input.element.append(remove);
		}
		// In the order in which they are declared, whenever they were asked for.
		const later = fields.slice(fields.indexOf(field) + 1).map(({ name }) => inputs.get(name)?.element);
		body.insertBefore(input.element, later.find(Boolean) ?? null);
		return input;
	}

	/** @param {Field} field */
	function addChip(field) {
		const chip = h('button.chip', {
			type: 'button',
			title: field.description,
			onclick: () => {
				const { control } = reveal(field);
				control.focus();
				changed();
			},
		});
		chip.append(icon('plus'), field.name);
		chipOf.set(field.name, chip);
		chips.append(chip);
	}

	for (const field of fields) if (field.required) reveal(field);
	for (const field of fields) if (!field.required) addChip(field);

	return {
		element,

		/** @param {Record<string, any>} values */
		fill(values) {
			for (const field of fields) if (values[field.name] !== undefined) reveal(field).set(values[field.name]);
		},

		/** Puts files into the picture fields that are still empty, in order; how many found no place. @param {File[]} files */
		take(files) {
			const rest = [...files];
			for (const field of fields) {
				if (field.kind !== 'picture' || rest.length === 0) continue;
				const input = reveal(field);
				if (input.value() === undefined) input.set(rest.shift());
			}
			changed();
			return rest.length;
		},

		values() {
			/** @type {Record<string, any>} */
			const options = {};
			/** @type {{ part: string, file: File }[]} */
			const files = [];
			for (const [name, input] of inputs) {
				const value = input.value();
				if (value instanceof File) files.push({ part: name, file: value });
				else if (value !== undefined) options[name] = value;
			}
			return { options, files };
		},

		/** The first thing that is missing or wrong, as a sentence, with its input focused. */
		problem() {
			for (const field of fields) {
				const input = inputs.get(field.name);
				const sentence = input && complaint(field, input.value());
				input?.control.toggleAttribute('aria-invalid', Boolean(sentence));
				if (!sentence) continue;
				input?.control.setAttribute('aria-invalid', 'true');
				input?.control.focus();
				return sentence;
			}
			return undefined;
		},

		/** The first empty required input, else the last text. */
		focus() {
			const empty = fields.find((field) => field.required && inputs.get(field.name)?.value() === undefined);
			const text = fields.findLast((field) => field.kind === 'text' && inputs.has(field.name));
			const first = empty ?? text ?? fields[0];
			(first && inputs.get(first.name)?.control)?.focus();
		},
	};
}

/** @param {Field} field @param {any} value */
function complaint(field, value) {
	if (value === undefined) {
		if (!field.required) return undefined;
		const say =
			{ text: '', picture: ': drop, paste or choose one' }[/** @type {'text'} */ (field.kind)] ?? `: ${hint(field)}`;
		return `${capital(field.name)} is missing${say}.`;
	}
	if (field.kind === 'text' && value.length > field.maxLength)
		return `${capital(field.name)} has ${value.length} characters; at most ${field.maxLength} are allowed.`;
	if (field.kind === 'choices' && (value.length < field.min || value.length > field.max))
		return `${capital(field.name)} is ${hint(field)}.`;
	if (field.kind === 'integer' && !(Number.isInteger(value) && value >= field.min && value <= field.max))
		return `${capital(field.name)} is ${hint(field)}.`;
	return undefined;
}

/** @param {string} text */
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** @param {Field} field @param {Directory} directory @param {() => void} changed @param {Suggest} suggest @returns {Input} */
function createInput(field, directory, changed, suggest) {
	const id = `field-${++count}`;
	const described = `${id}-description`;
	const common = { id, name: field.name, 'aria-describedby': described, 'aria-required': field.required };
	const label = h('label', { htmlFor: id }, field.name);
	const description = h('span.description', { id: described }, field.description);
	/** @param {any} control @param {string} kind */
	const wrap = (control, kind) => h(`div.field.${kind}`, {}, label, control, description);

	if (field.kind === 'picture') return pictureInput(field, common, label, description, changed);
	if (field.kind === 'choices') return choicesInput(field, common, description);
	if (field.kind === 'flag') {
		const control = h('input.toggle', { ...common, type: 'checkbox', checked: !field.required });
		const element = h(
			'div.field.flag',
			{},
			h('label.switch', { htmlFor: id }, control, h('span', {}, field.name)),
			description,
		);
		return { element, control, value: () => control.checked, set: (value) => (control.checked = value === true) };
	}
	if (field.kind === 'integer') {
		const { min, max } = field;
		const control = h('input', { ...common, type: 'number', min, max, step: 1, inputMode: 'numeric' });
		return {
			element: wrap(control, 'short'),
			control,
			value: () => (control.value === '' ? undefined : Number(control.value)),
			set: (value) => (control.value = String(value)),
		};
	}
	if (field.kind === 'text') {
		const long = field.maxLength > 200;
		const control = h(long ? 'textarea' : 'input', { ...common, autocomplete: 'off', spellcheck: long });
		if (long) control.rows = 2;
		if (field.suggestions.length) control.setAttribute('list', `${id}-list`);
		const element = wrap(control, long ? 'long' : 'short');
		const list = h('datalist', { id: `${id}-list` }, ...field.suggestions.map((value) => h('option', { value })));
		element.append(list);
		if (field.completed) {
			control.setAttribute('list', list.id);
			/** Asks what fits; an answer that comes late is left. */
			const complete = async () => {
				const typed = control.value;
				const fitting = await suggest(field.name, typed).catch(() => []);
				if (control.value === typed) list.replaceChildren(...fitting.map((value) => h('option', { value })));
			};
			control.addEventListener('focus', complete);
			control.addEventListener('input', complete);
		}
		return {
			element,
			control,
			value: () => (control.value.trim() === '' ? undefined : control.value.trim()),
			set: (value) => (control.value = String(value)),
		};
	}
	const entries =
		field.kind === 'choice'
			? field.choices.map((choice) => ({ id: choice, name: choice }))
			: { person: directory.people, channel: directory.channels, role: directory.roles }[field.kind];
	const mark = { choice: '', person: '@', channel: '#', role: '@' }[field.kind];
	const control = h(
		'select',
		common,
		h('option', { value: '' }, 'Choose…'),
		...entries.map(({ id, name }) => h('option', { value: id }, mark + name)),
	);
	return {
		element: wrap(control, 'short'),
		control,
		value: () => control.value || undefined,
		set: (value) => (control.value = String(value)),
	};
}

/**
 * Boxes to tick, of which the last still free are locked once there are as many as may be. The value has them in the order in
 * which they were ticked.
 * @param {Field & { kind: 'choices' }} field @param {any} common @param {HTMLElement} description @returns {Input}
 */
function choicesInput(field, common, description) {
	/** @type {string[]} */
	let chosen = [];
	const boxes = field.choices.map((choice, index) => {
		const id = index === 0 ? common.id : `${common.id}-${index}`;
		return h('input', {
			id,
			name: field.name,
			type: 'checkbox',
			value: choice,
			'aria-describedby': common['aria-describedby'],
		});
	});
	const places = field.choices.map(() => h('small.place'));
	function show() {
		for (const [index, box] of boxes.entries()) {
			const place = chosen.indexOf(box.value);
			box.checked = place >= 0;
			box.disabled = place < 0 && chosen.length >= field.max;
			places[index].textContent = place >= 0 && chosen.length > 1 ? `${place + 1}.` : '';
		}
	}
	for (const box of boxes)
		box.addEventListener('change', () => {
			chosen = box.checked ? [...chosen, box.value] : chosen.filter((value) => value !== box.value);
			show();
		});
	const options = boxes.map((box, index) => h('label.option', { htmlFor: box.id }, box, box.value, places[index]));
	const group = h(
		'fieldset.several',
		{ 'aria-describedby': common['aria-describedby'] },
		h('legend', {}, field.name),
		...options,
	);
	show();
	return {
		element: h('div.field', {}, group, description),
		control: boxes[0],
		value: () => (chosen.length > 0 ? chosen : undefined),
		set(value) {
			chosen = [value]
				.flat()
				.map(String)
				.filter((one) => field.choices.includes(one))
				.slice(0, field.max);
			show();
		},
	};
}

/**
 * A place for one picture: dropped, pasted, or chosen.
 * @param {Field} field @param {any} common @param {HTMLElement} label @param {HTMLElement} description
 * @param {() => void} changed @returns {Input}
 */
function pictureInput(field, common, label, description, changed) {
	/** @type {File | undefined} */
	let file;
	let address = '';
	const control = h('input.hidden', { ...common, type: 'file', accept: 'image/*' });
	const thumb = h('span.thumb');
	const words = h('span.words');
	const clear = h('button.quiet.small', { type: 'button', hidden: true, 'aria-label': `Take ${field.name} out` });
	clear.append(icon('close'));
	const zone = h('label.zone', { htmlFor: common.id, 'data-drop': field.name }, thumb, words);
	const element = h('div.field.wants-picture', {}, label, control, zone, clear, description);

	/** @param {File | undefined} next */
	function set(next) {
		file = next;
		URL.revokeObjectURL(address);
		address = file ? URL.createObjectURL(file) : '';
		const image = file && h('img', { src: address, alt: '', onerror: () => image.replaceWith(icon('file')) });
		thumb.replaceChildren(image ?? icon('picture'));
		words.replaceChildren(
			...(file
				? [h('b', {}, file.name || 'Pasted picture'), h('small', {}, sizeText(file.size))]
				: [h('b', {}, 'Drop a picture'), h('small', {}, 'or paste, or choose a file')]),
		);
		zone.classList.toggle('full', Boolean(file));
		clear.hidden = !file;
	}
	set(undefined);
	control.addEventListener('change', () => {
		if (control.files[0]) set(control.files[0]);
		control.value = '';
		changed();
	});
	clear.addEventListener('click', () => {
		set(undefined);
		control.focus();
		changed();
	});
	for (const over of ['dragenter', 'dragover']) zone.addEventListener(over, () => zone.classList.add('over'));
	for (const out of ['dragleave', 'drop']) zone.addEventListener(out, () => zone.classList.remove('over'));
	zone.addEventListener('drop', (/** @type {DragEvent} */ event) => {
		const dropped = event.dataTransfer?.files[0];
		if (!dropped) return;
		event.preventDefault();
		event.stopPropagation();
		set(dropped);
		changed();
		document.dispatchEvent(new CustomEvent('dropped'));
	});
	return { element, control, value: () => file, set };
}
