import { type APIAttachment, type APIModalSubmission, ComponentType, type ModalSubmitComponent } from 'discord.js';
import type { Upload } from '../../../../domain/channel.ts';
import { parseCustomId } from './custom-id.ts';

/** Reads the values of a submitted modal, by field names. Empty inputs are left out. */
export function readModal(
	{ components, resolved }: Pick<APIModalSubmission, 'components' | 'resolved'>,
	uploadOf: (attachment: APIAttachment) => Upload,
): Record<string, unknown> {
	const options: Record<string, unknown> = {};
	for (const label of components) {
		if (label.type !== ComponentType.Label) continue;
		const { component } = label;
		const { names, isList } = parseCustomId(component.custom_id);
		const values = valuesOf(component);
		if (isList) {
			const [name = ''] = names;
			if (values.length > 0) options[name] = values;
			continue;
		}
		for (const [index, value] of values.entries()) {
			const name = names[index];
			const attachment = component.type === ComponentType.FileUpload && resolved?.attachments?.[String(value)];
			if (name !== undefined) options[name] = attachment ? uploadOf(attachment) : value;
		}
	}
	return options;
}

function valuesOf(component: ModalSubmitComponent): readonly unknown[] {
	if ('values' in component) return component.values;
	return component.value === null || component.value === '' ? [] : [component.value];
}
