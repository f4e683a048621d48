import { fileAddress } from '../api.js';
import { h } from '../dom.js';

/** A picture to choose, as the message with it shows it. @typedef {{ id: string, name: string, alt: string }} Picture */

/** @param {Picture} picture */
export const thumbnail = (picture) => h('span.thumb', {}, h('img', { src: fileAddress(picture), alt: picture.alt }));

/**
 * Radio buttons with thumbnails.
 * @param {import('../composer/command-text.js').Field & { kind: 'choice' }} field
 * @param {import('./input.js').InputParts} parts
 * @param {readonly Picture[]} pictures one for each choice
 * @returns {import('./input.js').Input}
 */
export function createPictureChoice(field, { attributes, description }, pictures) {
	const { id, 'aria-describedby': describedBy } = attributes;
	const radios = field.choices.map((choice, index) =>
		h('input', {
			id: index === 0 ? id : `${id}-${index}`,
			name: id,
			type: 'radio',
			value: choice,
			'aria-describedby': describedBy,
		}),
	);
	const options = radios.map((radio, index) =>
		h('label.option', { htmlFor: radio.id }, radio, radio.value, thumbnail(pictures[index])),
	);
	const legend = h('legend', {}, field.name);
	return {
		element: h('div.field', {}, h('fieldset.several', {}, legend, ...options), description),
		control: radios[0],
		value: () => radios.find(({ checked }) => checked)?.value,
		set(value) {
			for (const radio of radios) radio.checked = radio.value === String(value);
		},
	};
}
