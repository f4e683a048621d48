import { type APIAttachment, type APIComponentInLabel, ComponentType } from 'discord.js';
import { expect, test } from 'vitest';
import { commands } from '../../../../commands/index.ts';
import { describeCommands } from '../../../bot/declaration/available-commands.ts';
import type { Field, Form } from '../../../domain/command.ts';
import { translatorFor } from '../../../i18n/translator.ts';
import { easelProfile } from '../../../service/profiles/easel.ts';
import { modalOf, readModal } from './modal.ts';

const fieldsOf = (name: string) =>
	describeCommands(commands, easelProfile.capabilities).find((command) => command.name === name)?.fields ?? [];
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

const uploadOf = ({ filename }: APIAttachment) => ({ name: filename, read: async () => new Uint8Array() });

test('each kind of field has its input, and the note is above them', () => {
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

test('all pictures share one input, so that a composition has room for everything', () => {
	const shown = inputs(fieldsOf('compose'));
	expect(shown).toHaveLength(5);
	expect(shown[0]).toMatchObject({
		custom_id: 'image1+image2+image3',
		min_values: 2,
		max_values: 3,
		file_types: ['image'],
	});
});

test('of more than five, the required ones and the first others stay, in their order', () => {
	const many = ['a', 'b', 'c', 'd', 'e', 'f'].map(
		(name): Field => ({ name, description: name, required: name === 'f', kind: 'flag' }),
	);
	expect(inputs(many).map((input) => 'custom_id' in input && input.custom_id)).toEqual(['a', 'b', 'c', 'd', 'f']);
	expect(modalOf(form(many), 'x', translatorFor()).components).toHaveLength(5);
});

test('a note that has no room above the inputs stands in the place of the first text’s description', () => {
	const { components } = modalOf(
		{ ...form(fieldsOf('compose')), note: 'Image 1: this.\nImage 2: that.' },
		'x',
		translatorFor(),
	);
	expect(components).toHaveLength(5);
	const notes = components.flatMap((one) => (one.type === ComponentType.Label ? one.description : []));
	expect(notes).toContain('Image 1: this. Image 2: that.');
});

test('what is given to begin with stands in its inputs', () => {
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

test('what was filled in is read by the names of the fields', () => {
	const label = (component: object) => ({ type: ComponentType.Label, id: 1, component }) as never;
	const attachment = (id: string) => ({ [id]: { id, filename: `${id}.png` } as APIAttachment });
	const read = readModal(
		{
			components: [
				label({ type: ComponentType.TextInput, id: 2, custom_id: 'prompt', value: 'ink it' }),
				label({ type: ComponentType.TextInput, id: 3, custom_id: 'model', value: '' }),
				label({ type: ComponentType.RadioGroup, id: 4, custom_id: 'n', value: null }),
				label({ type: ComponentType.StringSelect, id: 5, custom_id: 'which', values: ['2'] }),
				label({ type: ComponentType.StringSelect, id: 8, custom_id: 'several[]', values: ['3'] }),
				label({ type: ComponentType.StringSelect, id: 9, custom_id: 'none[]', values: [] }),
				label({ type: ComponentType.Checkbox, id: 6, custom_id: 'private', value: false }),
				label({ type: ComponentType.FileUpload, id: 7, custom_id: 'image2+image3', values: ['11', '12'] }),
			],
			resolved: { attachments: { ...attachment('11'), ...attachment('12') } },
		},
		uploadOf,
	);
	expect(read).toMatchObject({
		prompt: 'ink it',
		which: '2',
		several: ['3'],
		private: false,
		image2: { name: '11.png' },
		image3: { name: '12.png' },
	});
	expect(Object.keys(read)).not.toContain('model');
	expect(Object.keys(read)).not.toContain('n');
	expect(Object.keys(read)).not.toContain('none');
});
