import { ComponentType as Component, ApplicationCommandOptionType as Option } from 'discord.js';
import { expect, test } from 'vitest';
import { findBuilderError } from './builders.ts';

const label = (component: object) => ({ type: Component.Label, label: 'A label', component });
const form = (...components: object[]) => ({ type: 9, data: { custom_id: 'f', title: 'A form', components } });
const rows = (...buttons: object[]) => ({
	content: 'x',
	components: [{ type: Component.ActionRow, components: buttons }],
});
const button = { type: Component.Button, style: 2, custom_id: 'b', label: 'Press' };
const text = { type: Component.TextInput, custom_id: 't', style: 1, max_length: 4000 };
const command = (option: object) => [
	{ name: 'imagine', description: 'Draws', options: [{ name: 'n', description: 'N', ...option }] },
];

test.each([
	['an empty body', undefined],
	['a message without components', { content: 'x' }],
	['buttons', rows(button, { ...button, custom_id: 'c' })],
	['a form', form({ type: Component.TextDisplay, content: 'A note' }, label(text))],
	['a command', command({ type: Option.Integer, min_value: 1, max_value: 4 })],
	['a channel option', command({ type: Option.Channel, channel_types: [0, 5] })],
	['a menu entry', [{ name: 'Edit image', type: 3, contexts: [0], integration_types: [0] }]],
])('builds %s', (_, body) => {
	expect(findBuilderError(body)).toBeUndefined();
});

test.each([
	['a button whose label is too long', rows({ ...button, label: 'x'.repeat(81) }), /label/],
	['a button with a URL and a custom id', rows({ ...button, url: 'https://easel.test' }), /URL|custom/i],
	['a text input of 5,000 characters', form(label({ ...text, max_length: 5000 })), /max_length/],
	['a title that is too long', { type: 9, data: { ...form(label(text)).data, title: 'x'.repeat(46) } }, /title/],
	[
		'a radio group with one option',
		form(label({ type: Component.RadioGroup, custom_id: 'r', options: [{ label: '1', value: '1' }] })),
		/.+/,
	],
	[
		'an upload of eleven files',
		form(label({ type: Component.FileUpload, custom_id: 'f', max_values: 11 })),
		/Invalid number value/,
	],
	['a name in capitals', command({ type: Option.String, name: 'N' }), /name/],
	['an unknown property', command({ type: Option.Boolean, min_value: 1 }), /min_value/],
])('refuses %s', (_, body, why) => {
	expect(findBuilderError(body)).toMatch(why);
});
