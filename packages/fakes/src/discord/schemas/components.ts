import { z } from 'zod';
import { addFieldError } from './read-form.ts';

/** Limits of components. https://docs.discord.com/developers/components/reference */
const MAX_ROWS = 5;
const MAX_COMPONENTS = 40;
const MAX_DISPLAYED_TEXT = 4000;

const id = z.number().int().min(0).optional();
const customId = z.string().min(1).max(100);
const emoji = z.object({ name: z.string().nullish(), id: z.string().nullish() }).loose();
const media = z.object({ url: z.string().min(1).max(2048) });
const alt = z.string().max(1024).nullish();

const button = z
	.object({
		type: z.literal(2),
		id,
		style: z.number().int().min(1).max(6),
		label: z.string().max(80).optional(),
		emoji: emoji.optional(),
		custom_id: customId.optional(),
		url: z.string().max(512).optional(),
		disabled: z.boolean().optional(),
	})
	.superRefine((made, context) => {
		const link = made.style === 5;
		if (link !== (made.url !== undefined))
			addFieldError(context, ['url'], 'BUTTON_COMPONENT_INVALID_URL', 'Only a link button has a url');
		if (link === (made.custom_id !== undefined))
			addFieldError(context, ['custom_id'], 'BUTTON_COMPONENT_CUSTOM_ID_REQUIRED', 'A custom id is required');
		if (!made.label && !made.emoji)
			addFieldError(context, ['label'], 'BUTTON_COMPONENT_LABEL_REQUIRED', 'A button must have a label or emoji');
	});

const choice = z.object({
	label: z.string().min(1).max(100),
	value: z.string().min(1).max(100),
	description: z.string().max(100).nullish(),
	emoji: emoji.optional(),
	default: z.boolean().optional(),
});

/** Options with distinct values. */
function choices(min: number, max: number) {
	return z
		.array(choice)
		.min(min)
		.max(max)
		.superRefine((made, context) => {
			for (const [index, { value }] of made.entries())
				if (made.findIndex((other) => other.value === value) < index)
					addFieldError(
						context,
						[index, 'value'],
						'COMPONENT_DUPLICATE_VALUE',
						'The specified option value is already used',
					);
		});
}

const selection = {
	id,
	custom_id: customId,
	placeholder: z.string().max(150).optional(),
	min_values: z.number().int().min(0).max(25).optional(),
	max_values: z.number().int().min(1).max(25).optional(),
	disabled: z.boolean().optional(),
	required: z.boolean().optional(),
};
const default_values = z
	.array(z.object({ id: z.string().regex(/^\d+$/), type: z.enum(['user', 'role', 'channel']) }))
	.max(25)
	.optional();
const stringSelect = z.object({ type: z.literal(3), ...selection, options: choices(1, 25) });
const selects = [
	stringSelect,
	...([5, 6, 7] as const).map((type) => z.object({ type: z.literal(type), ...selection, default_values })),
	z.object({ type: z.literal(8), ...selection, default_values, channel_types: z.array(z.number().int()).optional() }),
] as const;

const row = z
	.object({
		type: z.literal(1),
		id,
		components: z
			.array(z.discriminatedUnion('type', [button, ...selects]))
			.min(1)
			.max(5),
	})
	.superRefine(({ components }, context) => {
		if (components.length > 1 && components.some(({ type }) => type !== 2))
			addFieldError(context, ['components'], 'COMPONENT_LAYOUT_WIDTH_EXCEEDED', 'A select menu takes the whole row');
	});

const text = z.object({ type: z.literal(10), id, content: z.string().min(1).max(MAX_DISPLAYED_TEXT) });
const thumbnail = z.object({ type: z.literal(11), id, media, description: alt, spoiler: z.boolean().optional() });
const gallery = z.object({
	type: z.literal(12),
	id,
	items: z
		.array(z.object({ media, description: alt, spoiler: z.boolean().optional() }))
		.min(1)
		.max(10),
});
const file = z.object({
	type: z.literal(13),
	id,
	file: z.object({ url: z.string().startsWith('attachment://') }),
	spoiler: z.boolean().optional(),
});
const separator = z.object({
	type: z.literal(14),
	id,
	divider: z.boolean().optional(),
	spacing: z.number().int().min(1).max(2).optional(),
});
const section = z.object({
	type: z.literal(9),
	id,
	components: z.array(text).min(1).max(3),
	accessory: z.discriminatedUnion('type', [button, thumbnail]),
});
const content = [row, text, gallery, file, separator, section] as const;
const container = z.object({
	type: z.literal(17),
	id,
	components: z.array(z.discriminatedUnion('type', content)).min(1),
	accent_color: z.number().int().min(0).max(0xffffff).nullish(),
	spoiler: z.boolean().optional(),
});

/** A component in its JSON form. */
export type Component = Record<string, unknown> & {
	type: number;
	custom_id?: string;
	label?: string;
	components?: Component[];
	component?: Component;
	accessory?: Component;
};

/** Returns these components and all nested ones. */
export const withinAll = (components: readonly Component[]): Component[] =>
	components.flatMap((component) => [
		component,
		...withinAll([
			...(component.components ?? []),
			...(component.component ? [component.component] : []),
			...(component.accessory ? [component.accessory] : []),
		]),
	]);

/** The text of a message: its content, or the text displays of its layout. */
export function textOf({ content, components }: { content: string; components: Component[] }): string {
	const texts = withinAll(components).flatMap((component) =>
		component.type === 10 ? String(component['content']) : [],
	);
	return [...(content ? [content] : []), ...texts].join('\n');
}

/** Checks that custom ids are distinct. */
const distinctIds: z.core.CheckFn<Component[]> = ({ value, issues }) => {
	const ids = withinAll(value).flatMap(({ custom_id }) => custom_id ?? []);
	if (new Set(ids).size < ids.length)
		issues.push({
			code: 'custom',
			input: value,
			path: [],
			message: 'Component custom id cannot be duplicated',
			params: { code: 'COMPONENT_CUSTOM_ID_DUPLICATED' },
		});
};

/** Components of a message without the V2 flag: rows only. */
export const rows = (z.array(row).max(MAX_ROWS) as unknown as z.ZodType<Component[]>).check(distinctIds);

/** Components of a message with the V2 flag. */
export const layout = (
	z.array(z.discriminatedUnion('type', [...content, container])).min(1) as unknown as z.ZodType<Component[]>
)
	.check(distinctIds)
	.superRefine((made, context) => {
		const all = withinAll(made);
		if (all.length > MAX_COMPONENTS)
			addFieldError(context, [], 'COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED', `At most ${MAX_COMPONENTS} components`);
		const length = all.reduce((sum, { type, content }) => sum + (type === 10 ? String(content).length : 0), 0);
		if (length > MAX_DISPLAYED_TEXT)
			addFieldError(
				context,
				[],
				'COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED',
				`At most ${MAX_DISPLAYED_TEXT} characters`,
			);
	});

const textInput = z.object({
	type: z.literal(4),
	id,
	custom_id: customId,
	style: z.number().int().min(1).max(2),
	min_length: z.number().int().min(0).max(4000).optional(),
	max_length: z.number().int().min(1).max(4000).optional(),
	required: z.boolean().optional(),
	value: z.string().max(4000).optional(),
	placeholder: z.string().max(100).optional(),
});
const legacyInput = textInput.extend({ label: z.string().min(1).max(45) });
const fileUpload = z.object({
	type: z.literal(19),
	id,
	custom_id: customId,
	min_values: z.number().int().min(0).max(10).optional(),
	max_values: z.number().int().min(1).max(10).optional(),
	required: z.boolean().optional(),
	file_types: z
		.array(z.string().regex(/^(image|video|audio|\.[a-z0-9]+)$/i))
		.max(10)
		.optional(),
});
const radios = z.object({
	type: z.literal(21),
	id,
	custom_id: customId,
	options: choices(2, 10),
	required: z.boolean().optional(),
});
const checkboxes = z.object({
	type: z.literal(22),
	id,
	custom_id: customId,
	options: choices(1, 10),
	min_values: z.number().int().min(0).max(10).optional(),
	max_values: z.number().int().min(1).max(10).optional(),
	required: z.boolean().optional(),
});
const checkbox = z.object({ type: z.literal(23), id, custom_id: customId, default: z.boolean().optional() });

const label = z.object({
	type: z.literal(18),
	id,
	label: z.string().min(1).max(45),
	description: z.string().max(100).nullish(),
	component: z
		.discriminatedUnion('type', [textInput.strict(), ...selects, fileUpload, radios, checkboxes, checkbox])
		.superRefine(checkValueCounts),
});

/** https://docs.discord.com/developers/components/reference#file-upload, and the same for selects and checkbox groups. */
function checkValueCounts(component: { type: number }, context: z.RefinementCtx): void {
	const {
		required = true,
		min_values = 1,
		max_values = min_values,
	} = component as { required?: boolean; min_values?: number; max_values?: number };
	if (required && min_values === 0)
		addFieldError(context, ['min_values'], 'NUMBER_TYPE_MIN', 'A required component takes at least one value.');
	if (min_values > max_values)
		addFieldError(context, ['min_values'], 'NUMBER_TYPE_MAX', 'min_values must not exceed max_values.');
}
const inputRow = z.object({ type: z.literal(1), id, components: z.array(legacyInput).length(1) });

/** A modal. https://docs.discord.com/developers/interactions/receiving-and-responding#interaction-response-object-modal */
export const modal = z.object({
	custom_id: customId,
	title: z.string().min(1).max(45),
	components: (
		z
			.array(z.discriminatedUnion('type', [label, text, inputRow]))
			.min(1)
			.max(5) as unknown as z.ZodType<Component[]>
	).check(distinctIds),
});
export type Modal = z.output<typeof modal>;
