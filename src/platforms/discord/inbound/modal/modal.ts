import { type APILabelComponent, type APIModalInteractionResponseCallbackData, ComponentType } from 'discord.js';
import type { Form } from '../../../../domain/command.ts';
import { oneLine } from '../../../../domain/text.ts';
import type { Translate } from '../../../../i18n/translator.ts';
import { componentOf } from './component.ts';
import { type Input, inputsOf, MAX_INPUTS } from './input.ts';

/** https://docs.discord.com/developers/interactions/receiving-and-responding#interaction-response-object-modal */
const MAX_TITLE = 45;

/** https://docs.discord.com/developers/components/reference#label */
const MAX_LABEL = 45;
const MAX_DESCRIPTION = 100;

/**
 * A form as a modal. Fields beyond the limit of five inputs are left out. The note is shown above the inputs, or as the description of
 * the first text input when there is no room above. All pictures share one input, which cannot be filled in advance.
 */
export function modalOf(
	{ title, note, fields, values = {} }: Form,
	customId: string,
	t: Translate,
): APIModalInteractionResponseCallbackData {
	const inputs = inputsOf(fields, values);
	const hasRoom = inputs.length < MAX_INPUTS;
	const intro = note && hasRoom ? [{ type: ComponentType.TextDisplay as const, content: note }] : [];
	const withNote = note && !hasRoom ? inputs.find(([{ kind }]) => kind === 'text') : undefined;
	const labels = inputs.map((input) => {
		const [{ name, description }] = input;
		const text = note && input === withNote ? note.replaceAll(/\s+/g, ' ') : description;
		return labelOf(t, input, text, values[name]);
	});
	return { custom_id: customId, title: oneLine(title, MAX_TITLE), components: [...intro, ...labels] };
}

const labelOf = (t: Translate, input: Input, description: string, value: unknown): APILabelComponent => ({
	type: ComponentType.Label,
	label: oneLine(titleOf(input.map(({ name }) => t.nameOf(name)).join(', ')), MAX_LABEL),
	description: oneLine(description, MAX_DESCRIPTION),
	component: componentOf(t, input, value),
});

const titleOf = (name: string) => `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll('_', ' ')}`;
