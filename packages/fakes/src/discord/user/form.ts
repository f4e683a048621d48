import { type ChannelType, ApplicationCommandOptionType as OptionType } from 'discord-api-types/v10';
import type { Field, Form, Options } from '../../test-user.ts';
import { type Component, type Modal, withinAll } from '../schemas/components.ts';
import { offersChannel } from './client-checks.ts';
import type { ResolvedData } from './resolved.ts';

/** A modal as a form of the core. */
export function formOf({ custom_id, title, components }: Modal): Form {
	const fields = components.flatMap((top) => {
		const input = top.component ?? top.components?.[0];
		return input ? [fieldOf(input, String(top['description'] ?? top.label ?? input.label ?? ''))] : [];
	});
	const note = components.flatMap((top) => (top.type === 10 ? String(top['content']) : [])).join('\n');
	const inputs = components.flatMap((top) => top.component ?? top.components ?? []);
	const initial = inputs.flatMap((input) => {
		const value = initialValue(input);
		return value === undefined ? [] : [[input.custom_id ?? '', value] as const];
	});
	const values = initial.length > 0 && { values: Object.fromEntries(initial) };
	return { id: custom_id, command: custom_id, title, fields, ...(note && { note }), ...values };
}

/** The components of a submitted modal with these values, by custom id. Other inputs keep their initial values. */
export function submittedComponents({ components }: Modal, values: Options, resolved: ResolvedData): object[] {
	const ids = withinAll(components).flatMap(({ custom_id }) => custom_id ?? []);
	const unknown = Object.keys(values).find((id) => !ids.includes(id));
	if (unknown) throw new Error(`The form has no field ${unknown}`);
	return components.map((top) => {
		if (top.component) return { type: top.type, id: 1, component: submitted(top.component, values, resolved) };
		const inner = top.components?.map((component) => submitted(component, values, resolved));
		return { type: top.type, id: 1, ...(inner && { components: inner }) };
	});
}

function submitted(component: Component, values: Options, resolved: ResolvedData): object {
	const { type, custom_id = '' } = component;
	const value = values[custom_id] ?? initialValue(component);
	const base = { type, custom_id, id: 1 };
	if (type === 4) return { ...base, value: value === undefined ? '' : String(value) };
	if (type === 21) return { ...base, value: value === undefined ? null : String(value) };
	if (type === 23) return { ...base, value: value === true || value === 'true' };
	if (value === undefined) return { ...base, values: [] };
	const selected = Array.isArray(value) ? value : [value];
	if (type === 8) checkChannels(component, selected, resolved);
	const kind = { 5: OptionType.User, 6: OptionType.Role, 7: OptionType.Mentionable, 8: OptionType.Channel }[type];
	return { ...base, values: selected.map((one) => String(resolved.add(kind ?? OptionType.String, one))) };
}

/** Throws for a channel that the menu does not list. */
function checkChannels({ custom_id, channel_types }: Component, ids: readonly unknown[], resolved: ResolvedData): void {
	const types = channel_types as readonly ChannelType[] | undefined;
	if (!ids.every((id) => offersChannel(types, resolved.channelType(String(id)))))
		throw new Error(`${custom_id}: not one of the channels`);
}

function initialValue(component: Component): string | boolean | string[] | undefined {
	const {
		type,
		value,
		default: checked,
		options = [],
	} = component as Component & {
		value?: string;
		default?: boolean;
		options?: { value: string; default?: boolean }[];
	};
	if (type === 4) return value;
	if (type === 23) return checked;
	const selected = options.filter((option) => option.default).map((option) => option.value);
	return selected.length === 0 ? undefined : type === 21 ? selected[0] : selected;
}

function fieldOf(component: Component, description: string): Field {
	const required = component['required'] !== false && component.type !== 23;
	const base = { name: component.custom_id ?? '', description, required };
	const { type } = component;
	const options = (component['options'] ?? []) as { label: string; value: string }[];
	switch (type) {
		case 3:
		case 21:
		case 22: {
			const { min_values: min = 1, max_values: max = 1 } = component as { min_values?: number; max_values?: number };
			const choices = options.map(({ value }) => value);
			const labels = Object.fromEntries(options.map(({ label, value }) => [value, label]));
			return max > 1 || type === 22
				? { ...base, kind: 'choices', choices, labels, min, max }
				: { ...base, kind: 'choice', choices };
		}
		case 19:
			return { ...base, kind: 'picture' };
		case 23:
			return { ...base, kind: 'flag' };
		case 5:
			return { ...base, kind: 'person' };
		case 6:
			return { ...base, kind: 'role' };
		case 8:
			return { ...base, kind: 'channel' };
		default: {
			const { min_length: minLength = 0, max_length: maxLength = 4000 } = component as {
				min_length?: number;
				max_length?: number;
			};
			return { ...base, kind: 'text', minLength, maxLength, suggestions: [] };
		}
	}
}
