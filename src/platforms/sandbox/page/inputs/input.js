import { h } from '../dom.js';
import { t } from '../texts.js';
import { createChoicesInput } from './choices-input.js';
import { createPictureChoice } from './picture-choice.js';
import { createPictureInput } from './picture-input.js';

/** @typedef {import('../composer/command-text.js').Field} Field */
/** @typedef {import('../composer/command-text.js').Directory} Directory */
/** Completes the text of an option, the best first. @typedef {(option: string, typed: string) => Promise<string[]>} Suggest */
/** @typedef {{ element: HTMLElement, value(): any, set(value: any): void, control: HTMLElement }} Input */

/**
 * The parts that all inputs have.
 * @typedef {{ attributes: { id: string, name: string, 'aria-describedby': string, 'aria-required': boolean }, label: HTMLElement, description: HTMLElement }} InputParts
 */

/** Texts that may be longer than this get several lines. */
const LONG_TEXT = 200;

let count = 0;

/**
 * @param {Field} field
 * @param {Directory} directory
 * @param {() => void} onChange
 * @param {Suggest} suggest
 * @param {(sentence: string) => void} onError
 * @param {readonly import('./picture-choice.js').Picture[]} pictures those that `which` chooses from
 * @returns {Input}
 */
export function createInput(field, directory, onChange, suggest, onError, pictures) {
	const id = `field-${++count}`;
	const description = `${id}-description`;
	/** @type {InputParts} */
	const parts = {
		attributes: { id, name: field.name, 'aria-describedby': description, 'aria-required': field.required },
		label: h('label', { htmlFor: id }, field.name),
		description: h('span.description', { id: description }, field.description),
	};
	const choices = 'choices' in field && field.name === 'which' ? field.choices.length : 0;
	const shown = choices === pictures.length ? pictures : [];
	switch (field.kind) {
		case 'choice':
			return shown.length > 0 ? createPictureChoice(field, parts, shown) : createSelect(field, parts, directory);
		case 'picture':
			return createPictureInput(field, parts, onChange, onError);
		case 'choices':
			return createChoicesInput(field, parts, shown);
		case 'flag':
			return createFlagInput(field, parts);
		case 'integer':
			return createIntegerInput(field, parts);
		case 'text':
			return createTextInput(field, parts, suggest);
		default:
			return createSelect(field, parts, directory);
	}
}

/** @param {InputParts} parts @param {HTMLElement} control @param {string} size */
const wrap = ({ label, description }, control, size) => h(`div.field.${size}`, {}, label, control, description);

/** @param {Field} field @param {InputParts} parts @returns {Input} */
function createFlagInput(field, { attributes, description }) {
	const control = h('input.toggle', { ...attributes, type: 'checkbox', checked: !field.required });
	const label = h('label.switch', { htmlFor: attributes.id }, control, h('span', {}, field.name));
	return {
		element: h('div.field.flag', {}, label, description),
		control,
		value: () => control.checked,
		set: (value) => (control.checked = value === true),
	};
}

/** @param {Field & { kind: 'integer' }} field @param {InputParts} parts @returns {Input} */
function createIntegerInput({ min, max }, parts) {
	const control = h('input', { ...parts.attributes, type: 'number', min, max, step: 1, inputMode: 'numeric' });
	return {
		element: wrap(parts, control, 'short'),
		control,
		value: () => (control.value === '' ? undefined : Number(control.value)),
		set: (value) => (control.value = String(value)),
	};
}

/** @param {Field & { kind: 'text' }} field @param {InputParts} parts @param {Suggest} suggest @returns {Input} */
function createTextInput(field, parts, suggest) {
	const isLong = field.maxLength > LONG_TEXT;
	const control = h(isLong ? 'textarea' : 'input', { ...parts.attributes, autocomplete: 'off', spellcheck: isLong });
	if (isLong) control.rows = 2;
	const list = h('datalist', { id: `${parts.attributes.id}-list` }, ...field.suggestions.map(option));
	if (field.suggestions.length || field.completed) control.setAttribute('list', list.id);
	if (field.completed) {
		const complete = async () => {
			const typed = control.value;
			const completions = await suggest(field.name, typed).catch(() => []);
			// Ignored when the text has changed meanwhile.
			if (control.value === typed) list.replaceChildren(...completions.map(option));
		};
		control.addEventListener('focus', complete);
		control.addEventListener('input', complete);
	}
	const element = wrap(parts, control, isLong ? 'long' : 'short');
	element.append(list);
	return {
		element,
		control,
		value: () => (control.value.trim() === '' ? undefined : control.value.trim()),
		set: (value) => (control.value = String(value)),
	};
}

/** @param {string} value */
const option = (value) => h('option', { value });

/** @param {Field} field @param {InputParts} parts @param {Directory} directory @returns {Input} */
function createSelect(field, parts, { people, channels, roles }) {
	const entries =
		field.kind === 'choice'
			? field.choices.map((choice) => ({ id: choice, name: choice }))
			: { person: people, channel: channels, role: roles }[/** @type {'person'} */ (field.kind)];
	const mark = { choice: '', person: '@', channel: '#', role: '@' }[/** @type {'choice'} */ (field.kind)];
	const options = entries.map(({ id, name }) => h('option', { value: id }, mark + name));
	const control = h('select', parts.attributes, h('option', { value: '' }, t('sandbox.input.choose')), ...options);
	return {
		element: wrap(parts, control, 'short'),
		control,
		value: () => control.value || undefined,
		set: (value) => (control.value = String(value)),
	};
}
