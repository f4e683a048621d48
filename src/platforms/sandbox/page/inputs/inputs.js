import { hint } from '../composer/command-text.js';
import { h } from '../dom.js';
import { icon } from '../icons.js';
import { t } from '../texts.js';
import { createInput } from './input.js';

/** @typedef {import('../composer/command-text.js').Field} Field */
/** @typedef {import('../composer/command-text.js').Directory} Directory */
/** @typedef {import('./input.js').Input} Input */
/** @typedef {import('./input.js').Suggest} Suggest */

/** The inputs of a command. Required ones are shown; each optional one is a chip until it is wanted. */
export class Inputs {
	#fields;
	#directory;
	#onChange;
	#suggest;
	#onError;
	#pictures;
	/** The inputs that are shown, by field. @type {Map<string, Input>} */
	#inputs = new Map();
	/** @type {Map<string, HTMLElement>} */
	#chipOf = new Map();
	#body = h('div.fields');
	chips = h('div.chips');
	element;

	/**
	 * @param {readonly Field[]} fields
	 * @param {Directory} directory
	 * @param {() => void} [onChange]
	 * @param {Suggest} [suggest]
	 * @param {(sentence: string) => void} [onError] reports a file that cannot be taken
	 * @param {readonly import('./picture-choice.js').Picture[]} [pictures] that an input chooses from
	 */
	constructor(fields, directory, onChange = () => {}, suggest = async () => [], onError = () => {}, pictures = []) {
		this.#fields = fields;
		this.#directory = directory;
		this.#onChange = onChange;
		this.#suggest = suggest;
		this.#onError = onError;
		this.#pictures = pictures;
		this.element = h('div.inputs', { oninput: onChange, onchange: onChange }, this.#body, this.chips);
		for (const field of fields) if (field.required) this.#reveal(field);
		for (const field of fields) if (!field.required) this.#addChip(field);
	}

	/** @param {Record<string, any>} values */
	fill(values) {
		for (const field of this.#fields) if (values[field.name] !== undefined) this.#reveal(field).set(values[field.name]);
	}

	/** Puts files into the empty picture inputs, in order. Returns those that are left. @param {File[]} files */
	take(files) {
		const left = [...files];
		for (const field of this.#fields) {
			if (field.kind !== 'picture' || left.length === 0) continue;
			const input = this.#reveal(field);
			if (input.value() === undefined) input.set(left.shift());
		}
		this.#onChange();
		return left;
	}

	values() {
		/** @type {Record<string, any>} */
		const options = {};
		/** @type {{ part: string, file: File }[]} */
		const files = [];
		for (const [name, input] of this.#inputs) {
			const value = input.value();
			if (value instanceof File) files.push({ part: name, file: value });
			else if (value !== undefined) options[name] = value;
		}
		return { options, files };
	}

	/** Returns the first problem as a sentence, and focuses its input. */
	problem() {
		for (const field of this.#fields) {
			const input = this.#inputs.get(field.name);
			const sentence = input && problemOf(field, input.value());
			input?.control.toggleAttribute('aria-invalid', Boolean(sentence));
			if (!sentence) continue;
			input?.control.setAttribute('aria-invalid', 'true');
			input?.control.focus();
			return sentence;
		}
		return undefined;
	}

	/** Focuses the first empty required input, else the last text; without inputs, the first optional text or the submit button. */
	focus() {
		const empty = this.#fields.find(({ name, required }) => required && this.#inputs.get(name)?.value() === undefined);
		const text = this.#fields.findLast(({ name, kind }) => kind === 'text' && this.#inputs.has(name));
		const shown = empty ?? text ?? this.#fields.find(({ name }) => this.#inputs.has(name));
		const field = shown ?? this.#fields.find(({ kind }) => kind === 'text');
		if (field) this.#reveal(field).control.focus();
		else this.chips.querySelector(/** @type {'button'} */ ('[type=submit]'))?.focus();
	}

	/** Shows the input of a field, in the order of the declaration. @param {Field} field */
	#reveal(field) {
		const existing = this.#inputs.get(field.name);
		if (existing) return existing;
		const input = createInput(field, this.#directory, this.#onChange, this.#suggest, this.#onError, this.#pictures);
		this.#inputs.set(field.name, input);
		this.#chipOf.get(field.name)?.remove();
		if (!field.required) input.element.append(this.#removeButton(field, input));
		const later = this.#fields
			.slice(this.#fields.indexOf(field) + 1)
			.map(({ name }) => this.#inputs.get(name)?.element);
		this.#body.insertBefore(input.element, later.find(Boolean) ?? null);
		return input;
	}

	/** @param {Field} field @param {Input} input */
	#removeButton(field, input) {
		const button = h('button.quiet.small', {
			type: 'button',
			'aria-label': t('sandbox.input.remove', { field: field.name }),
			onclick: () => {
				this.#inputs.delete(field.name);
				input.element.remove();
				this.#addChip(field);
				this.#chipOf.get(field.name)?.focus();
				this.#onChange();
			},
		});
		button.append(icon('close'));
		return button;
	}

	/** @param {Field} field */
	#addChip(field) {
		const chip = h('button.chip', {
			type: 'button',
			title: field.description,
			onclick: () => {
				this.#reveal(field).control.focus();
				this.#onChange();
			},
		});
		chip.append(icon('plus'), field.name);
		this.#chipOf.set(field.name, chip);
		this.chips.append(chip);
	}
}

/** @param {Field} field @param {any} value */
function problemOf(field, value) {
	const name = field.name.charAt(0).toUpperCase() + field.name.slice(1);
	if (value === undefined) return field.required ? missing(field, name) : undefined;
	if (field.kind === 'text' && value.length > field.maxLength)
		return t('sandbox.command.tooLong', { field: name, length: value.length, max: field.maxLength });
	const isWrong =
		(field.kind === 'choices' && (value.length < field.min || value.length > field.max)) ||
		(field.kind === 'integer' && !(Number.isInteger(value) && value >= field.min && value <= field.max));
	return isWrong ? t('sandbox.command.wrong', { field: name, hint: hint(field) }) : undefined;
}

/** @param {Field} field @param {string} name */
function missing(field, name) {
	if (field.kind === 'text') return t('sandbox.command.missing', { field: name });
	const what = field.kind === 'picture' ? t('sandbox.hint.pictureMissing') : hint(field);
	return t('sandbox.command.missingHint', { field: name, hint: what });
}
