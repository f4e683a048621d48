import { type APIAttachment, ComponentType } from 'discord.js';
import { expect, test } from 'vitest';
import type { AttachmentData } from './message-reader.ts';
import { readModal } from './modal.ts';

const uploadOf = ({ filename }: AttachmentData) => ({ name: filename, read: async () => new Uint8Array() });

test('reads the submitted values by the names of the fields', () => {
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
