import { h } from '../dom.js';
import { thumbnail } from './picture-choice.js';

/** @typedef {import('../composer/command-text.js').Field} Field */

/**
 * Checkboxes. The value lists them in the order in which they were checked; the others are disabled at the maximum.
 * @param {Field & { kind: 'choices' }} field
 * @param {import('./input.js').InputParts} parts
 * @param {readonly import('./picture-choice.js').Picture[]} pictures one for each choice, or none
 * @returns {import('./input.js').Input}
 */
export function createChoicesInput(field, { attributes, description }, pictures) {
	const { id, 'aria-describedby': describedBy } = attributes;
	/** @type {string[]} */
	let chosen = [];
	const boxes = field.choices.map((choice, index) =>
		h('input', {
			id: index === 0 ? id : `${id}-${index}`,
			name: field.name,
			type: 'checkbox',
			value: choice,
			'aria-describedby': describedBy,
		}),
	);
	const places = boxes.map(() => h('small.place'));
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
	const options = boxes.map((box, index) => {
		const option = h('label.option', { htmlFor: box.id }, box, field.labels?.[box.value] ?? box.value, places[index]);
		if (pictures[index]) option.append(thumbnail(pictures[index]));
		return option;
	});
	const legend = h('legend', {}, field.name);
	const group = h('fieldset.several', { 'aria-describedby': describedBy }, legend, ...options);
	show();
	return {
		element: h('div.field', {}, group, description),
		control: boxes[0],
		value: () => (chosen.length > 0 ? chosen : undefined),
		set(value) {
			const values = [value].flat().map(String);
			chosen = values.filter((one) => field.choices.includes(one)).slice(0, field.max);
			show();
		},
	};
}
