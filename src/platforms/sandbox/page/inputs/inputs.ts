import type { VNode } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import type { Field } from '../../../../domain/command.ts';
import type { StoredFile } from '../../server/files.ts';
import { type Content, h, html, icon } from '../html.ts';
import type { Page } from '../page.ts';
import { t } from '../texts.ts';
import { type Filling, given } from './filling.ts';
import { Input, sizeOf } from './input.ts';

/** The part of a text's maximum length from which its length is shown. */
export const NEARLY = 0.8;

export type InputsProps = Filling & {
	page: Page;
	fields: readonly Field[];
	onChange(filling: Filling): void;
	/** Reports a file that cannot be taken. */
	onError(sentence: string): void;
	/** The command whose options the bot completes. */
	command?: string | undefined;
	/** The pictures that an input chooses from. */
	pictures?: readonly StoredFile[];
	/** What stands after the chips. */
	children?: Content;
};

/** The inputs of a command. Those with a value are shown, and required ones; each other one is a chip until it is wanted. */
export function Inputs(props: InputsProps): VNode {
	const { fields, values, onChange, focus, children } = props;
	const element = useRef<HTMLElement>(null);
	const id = useId();
	useLayoutEffect(() => {
		if (!focus) return;
		const control = focus.name ? `[name="${focus.name}"]` : '[type=submit]';
		// The dialog that the inputs are in is shown after them.
		queueMicrotask(() => element.current?.querySelector<HTMLElement>(control)?.focus());
	}, [focus]);
	const reveal = ({ name, kind }: Field) =>
		onChange({ values: { ...values, [name]: kind === 'flag' ? true : undefined }, focus: { name } });
	const remove = ({ name }: Field) => {
		const { [name]: _, ...others } = values;
		onChange({ values: others, focus: { name: `chip-${name}` } });
	};
	const shown = fields.filter(({ name }) => name in values);
	return html`<div class="inputs" ref=${element}>
		<div class="fields">${shown.map((field) => h(FieldRow, { ...props, key: field.name, field, id: `${id}-${field.name}`, remove }))}</div>
		<div class="chips">
			${fields
				.filter(({ name }) => !(name in values))
				.map(
					(
						field,
					) => html`<button key=${field.name} name="chip-${field.name}" class="chip" type="button" title=${field.description}
						onClick=${() => reveal(field)}>${icon('plus')}${field.name}</button>`,
				)}
			${children}
		</div>
	</div>`;
}

type FieldRowProps = InputsProps & { field: Field; id: string; remove(field: Field): void };

function FieldRow({ field, id, values, remove, onChange, pictures = [], ...props }: FieldRowProps): VNode {
	const { name, required, kind } = field;
	const several = 'choices' in field && name === 'which' && field.choices.length === pictures.length ? pictures : [];
	const set = (value: unknown) => onChange({ values: { ...values, [name]: value } });
	const input = h(Input, {
		...props,
		field,
		id,
		value: given(values)[name],
		typed: values[name],
		set,
		pictures: several,
	});
	const length = String(values[name] ?? '').length;
	const isLong = kind === 'text' && length > NEARLY * field.maxLength;
	const isGroup = kind === 'choices' || (kind === 'choice' && several.length > 0);
	return html`<div class="field ${sizeOf(field)}">
		${kind !== 'flag' && !isGroup && html`<label for=${id}>${name}</label>`}
		${input}
		<span class="description" id="${id}-description">${field.description}${isLong && ` · ${t('sandbox.viewer.position', { at: length, count: field.maxLength })}`}</span>
		${
			!required &&
			html`<button class="quiet small" type="button" aria-label=${t('sandbox.input.remove', { field: name })} onClick=${() => remove(field)}>
				${icon('close')}
			</button>`
		}
	</div>`;
}
