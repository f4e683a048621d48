import { type APIComponentInLabel, ComponentType } from 'discord.js';
import { expect, test } from 'vitest';
import { commands } from '../../../../commands/index.ts';
import { describeCommands } from '../../../bot/declaration/options.ts';
import type { Field, Form } from '../../../domain/command.ts';
import { translatorFor } from '../../../i18n/translator.ts';
import { PROFILES } from '../../../service/profiles.ts';
import { modalOf } from './modal.ts';

const fieldsOf = (name: string) =>
	describeCommands(commands, PROFILES.easel.capabilities).find((command) => command.name === name)?.fields ?? [];
const form = (fields: readonly Field[]): Form => ({
	id: 'f',
	command: 'edit',
	title: 'Edit image',
	note: 'Given: one.',
	fields,
});
const inputs = (fields: readonly Field[]): APIComponentInLabel[] =>
	modalOf(form(fields), 'form:1', translatorFor()).components.flatMap((one) =>
		one.type === ComponentType.Label ? [one.component] : [],
	);

test('has an input for each field, with the note above them', () => {
	const fields = fieldsOf('edit').filter(({ name }) => name !== 'image');
	expect(modalOf(form(fields), 'form:1', translatorFor())).toMatchObject({ custom_id: 'form:1', title: 'Edit image' });
	expect(modalOf(form(fields), 'form:1', translatorFor()).components[0]).toEqual({
		type: ComponentType.TextDisplay,
		content: 'Given: one.',
	});
	expect(inputs(fields).map(({ type }) => type)).toEqual([
		ComponentType.TextInput,
		ComponentType.RadioGroup,
		ComponentType.TextInput,
		ComponentType.Checkbox,
	]);
});

test('has one input for all pictures, so that every field of a composition fits', () => {
	const shown = inputs(fieldsOf('compose'));
	expect(shown).toHaveLength(5);
	expect(shown[0]).toMatchObject({
		custom_id: 'image1+image2+image3',
		min_values: 2,
		max_values: 3,
		file_types: ['image'],
	});
});

test('offers only channels that can be posted in, where the field requires it', () => {
	const channels = fieldsOf('limits settings').filter(({ kind }) => kind === 'channel');
	expect(inputs(channels)).toMatchObject(channels.map(() => ({ channel_types: [0, 5, 10, 11, 12, 2, 13] })));
	expect(inputs(fieldsOf('limits allow'))).toContainEqual(
		expect.objectContaining({ channel_types: [0, 5, 10, 11, 12, 2, 13, 15, 16] }),
	);
	expect(inputs(fieldsOf('limits disallow'))).not.toContainEqual(
		expect.objectContaining({ channel_types: expect.anything() }),
	);
});

test('keeps the required fields and the first optional ones, in their order, of more than five', () => {
	const many = ['a', 'b', 'c', 'd', 'e', 'f'].map(
		(name): Field => ({ name, description: name, required: name === 'f', kind: 'flag' }),
	);
	expect(inputs(many).map((input) => 'custom_id' in input && input.custom_id)).toEqual(['a', 'b', 'c', 'd', 'f']);
	expect(modalOf(form(many), 'x', translatorFor()).components).toHaveLength(5);
});

test('shows the note as the description of the first text when there is no room above the inputs', () => {
	const { components } = modalOf(
		{ ...form(fieldsOf('compose')), note: 'Image 1: this.\nImage 2: that.' },
		'x',
		translatorFor(),
	);
	expect(components).toHaveLength(5);
	const notes = components.flatMap((one) => (one.type === ComponentType.Label ? one.description : []));
	expect(notes).toContain('Image 1: this. Image 2: that.');
});

test('fills in the initial values', () => {
	const fields = fieldsOf('edit').filter(({ name }) => name !== 'image');
	const values = { prompt: 'ink it', n: '2', private: true, which: ['1', '3'] };
	const which: Field = {
		kind: 'choices',
		name: 'which',
		description: 'Which',
		required: true,
		choices: ['1', '2', '3'],
		min: 1,
		max: 2,
	};
	const { components } = modalOf({ ...form([which, ...fields]), values }, 'x', translatorFor());
	const shown = components.flatMap((one) => (one.type === ComponentType.Label ? [one.component] : []));
	const chosen = (component: APIComponentInLabel | undefined) =>
		component && 'options' in component ? component.options.filter((one) => one.default).map((one) => one.value) : [];
	expect(shown[0]).toMatchObject({ type: ComponentType.StringSelect, min_values: 1, max_values: 2 });
	expect(chosen(shown[0])).toEqual(['1', '3']);
	expect(shown[1]).toMatchObject({ value: 'ink it' });
	expect(chosen(shown[2])).toEqual(['2']);
	expect(shown[4]).toEqual({ type: ComponentType.Checkbox, custom_id: 'private', default: true });
});

test('keeps what was typed: a text that is too long, people and roles, and the values of many fields', () => {
	const long = 'x'.repeat(2500);
	const prompt = fieldsOf('imagine').filter(({ name }) => name === 'prompt');
	const inputsWith = (fields: readonly Field[], values: Record<string, unknown>) =>
		modalOf({ ...form(fields), values }, 'x', translatorFor()).components.flatMap((one) =>
			one.type === ComponentType.Label ? [one.component] : [],
		);
	expect(inputsWith(prompt, { prompt: long })).toMatchObject([{ value: long, max_length: 2500 }]);
	const member = '200000000000000001';
	expect(inputsWith(fieldsOf('limits block'), { member })).toMatchObject([
		{ default_values: [{ id: member, type: 'user' }] },
	]);
	const settings = fieldsOf('limits settings');
	const last = settings.at(-1)?.name ?? '';
	expect(settings.length).toBeGreaterThan(5);
	expect(inputsWith(settings, { [last]: '2' })).toContainEqual(expect.objectContaining({ custom_id: last }));
});
