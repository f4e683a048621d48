import type { VNode } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Field } from '../../../../domain/command.ts';
import type { StoredFile } from '../../server/files.ts';
import { fileAddress, get } from '../api.ts';
import { FileThumb, pictureProblem } from '../files.ts';
import { type Content, classes, h, html, icon } from '../html.ts';
import type { Page } from '../page.ts';
import { sizeText, t } from '../texts.ts';
import { type Filling, given } from './filling.ts';

/** The part of a text's maximum length from which its length is shown. */
export const NEARLY = 0.8;

export type InputsProps = Filling & {
	page: Page;
	fields: readonly Field[];
	onChange(filling: Filling): void;
	/** Reports a file that cannot be taken. */
	onError(sentence: string): void;
	command?: string | undefined;
	pictures?: readonly StoredFile[];
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

type InputProps<Kind extends Field['kind'] = Field['kind']> = {
	page: Page;
	field: Extract<Field, { kind: Kind }>;
	id: string;
	value: unknown;
	/** The value as it was typed, with white space around it. */
	typed: unknown;
	set(value: unknown): void;
	onError(sentence: string): void;
	command?: string | undefined;
	invalid?: string | undefined;
	/** One for each choice, or none. */
	pictures: readonly StoredFile[];
};

/** Texts that may be longer than this get several lines. */
const LONG_TEXT = 200;

/** The class of a field, by which it gets its width. */
function sizeOf(field: Field): string {
	if (field.kind === 'text' && field.maxLength > LONG_TEXT) return 'long';
	return { flag: 'flag', picture: 'wants-picture', choices: '' }[field.kind as string] ?? 'short';
}

function Input(props: InputProps): VNode {
	switch (props.field.kind) {
		case 'flag':
			return flag(props);
		case 'integer':
			return integer(props as InputProps<'integer'>);
		case 'text':
			return h(TextInput, props as InputProps<'text'>);
		case 'picture':
			return h(PictureInput, props);
		case 'choices':
			return choices(props as InputProps<'choice' | 'choices'>);
		case 'choice':
			return props.pictures.length > 0 ? choices(props as InputProps<'choice' | 'choices'>) : select(props);
		default:
			return select(props);
	}
}

const attributesOf = ({
	field: { name, required },
	id,
	invalid,
}: Pick<InputProps, 'id' | 'invalid'> & { field: Pick<Field, 'name' | 'required'> }) => ({
	id,
	name,
	'aria-describedby': `${id}-description`,
	'aria-required': required,
	'aria-invalid': invalid === name ? 'true' : undefined,
});
type Changed<Element extends HTMLElement> = { currentTarget: Element };

const flag = (props: InputProps) => html`<label class="switch" for=${props.id}>
	<input class="toggle" type="checkbox" ...${attributesOf(props)} checked=${props.value === true}
		onChange=${({ currentTarget }: Changed<HTMLInputElement>) => props.set(currentTarget.checked)} />
	<span>${props.field.name}</span>
</label>`;

const integer = (
	props: InputProps<'integer'>,
) => html`<input type="number" step="1" inputmode="numeric" ...${attributesOf(props)}
	min=${props.field.min} max=${props.field.max} value=${props.value ?? ''}
	onInput=${({ currentTarget: { value } }: Changed<HTMLInputElement>) => props.set(value === '' ? undefined : Number(value))} />`;

function TextInput(props: InputProps<'text'>): VNode {
	const { page, field, id, command, typed = '', set } = props;
	const [completions, setCompletions] = useState(field.suggestions);
	useEffect(() => {
		let isCurrent = true;
		const take = (found: string[]) => isCurrent && setCompletions(found);
		if (field.completed && command)
			get<string[]>('suggestions', { as: page.state.me, command, option: field.name, typed: String(typed) }).then(
				take,
				() => {},
			);
		return () => {
			// Ignored when the text has changed meanwhile.
			isCurrent = false;
		};
	}, [typed, command]);
	const attributes = {
		...attributesOf(props),
		autocomplete: 'off',
		value: typed,
		onInput: ({ currentTarget: { value } }: Changed<HTMLInputElement>) => set(value),
	};
	if (field.maxLength > LONG_TEXT) return html`<textarea rows="2" spellcheck ...${attributes} />`;
	const hasList = field.suggestions.length > 0 || field.completed;
	return html`<input list=${hasList ? `${id}-list` : undefined} spellcheck=${false} ...${attributes} />
		<datalist id="${id}-list">${completions.map((value) => html`<option value=${value} />`)}</datalist>`;
}

function select(props: InputProps): VNode {
	const { page, field, value, set } = props;
	const entries =
		field.kind === 'choice'
			? field.choices.map((choice) => ({ id: choice, name: choice }))
			: page.directory[field.kind as 'person' | 'channel' | 'role'];
	const mark = { person: '@', channel: '#', role: '@' }[field.kind as string] ?? '';
	return html`<select ...${attributesOf(props)} value=${value ?? ''}
		onChange=${({ currentTarget }: Changed<HTMLSelectElement>) => set(currentTarget.value || undefined)}>
		<option value="">${t('sandbox.input.choose')}</option>
		${entries.map(({ id, name }) => html`<option value=${id}>${mark + name}</option>`)}
	</select>`;
}

export const thumbnail = (picture: StoredFile | undefined): VNode | undefined =>
	picture && html`<span class="thumb"><img src=${fileAddress(picture)} alt=${picture.alt} /></span>`;

/** Radio buttons or checkboxes, with pictures where there are some. A list has the order of the clicks; the others are off at the maximum. */
function choices(props: InputProps<'choice' | 'choices'>): VNode {
	const { field, id, value, set, pictures } = props;
	const isList = field.kind === 'choices';
	const chosen = [value ?? []].flat().map(String);
	const choose = (choice: string, isChosen: boolean) => {
		const next = isChosen ? [...chosen, choice] : chosen.filter((one) => one !== choice);
		set(isList ? (next.length > 0 ? next : undefined) : choice);
	};
	return html`<fieldset class=${classes('several', pictures.length > 0 && 'pictured')} aria-describedby="${id}-description">
		<legend>${field.name}</legend>
		${field.choices.map((choice, index) => {
			const place = chosen.indexOf(choice);
			return html`<label class="option" key=${choice}>
				<input type=${isList ? 'checkbox' : 'radio'} ...${attributesOf(props)} aria-required=${undefined} id="${id}-${index}" value=${choice}
					checked=${place >= 0} disabled=${isList && place < 0 && chosen.length >= field.max}
					onChange=${({ currentTarget }: Changed<HTMLInputElement>) => choose(choice, currentTarget.checked)} />
				${(isList && field.labels?.[choice]) || choice}
				<small class="place">${place >= 0 && chosen.length > 1 && `${place + 1}.`}</small>${thumbnail(pictures[index])}
			</label>`;
		})}
	</fieldset>`;
}

/** One picture, which is dropped, pasted or chosen. */
function PictureInput(props: InputProps): VNode {
	const { field, id, set, onError } = props;
	const file = props.value as File | undefined;
	const [isOver, setOver] = useState(false);
	const take = (next: File | undefined) => {
		const problem = next && pictureProblem(next);
		if (problem) onError(problem);
		else if (next) set(next);
	};
	const drop = (event: DragEvent) => {
		setOver(false);
		const dropped = event.dataTransfer?.files[0];
		if (!dropped) return;
		event.preventDefault();
		take(dropped);
	};
	const choose = ({ currentTarget }: Changed<HTMLInputElement>) => {
		take(currentTarget.files?.[0]);
		currentTarget.value = '';
	};
	return html`<input class="hidden" type="file" accept="image/*" ...${attributesOf(props)} onChange=${choose} />
		<label class=${classes('zone', file && 'full', isOver && 'over')} for=${id} onDragEnter=${() => setOver(true)}
			onDragOver=${() => setOver(true)} onDragLeave=${() => setOver(false)} onDrop=${drop}>
			${h(FileThumb, { file })}
			<span class="words">
				<b>${file ? file.name || t('sandbox.file.pasted') : t('sandbox.input.drop')}</b>
				<small>${file ? sizeText(file.size) : t('sandbox.input.dropHint')}</small>
			</span>
		</label>
		${
			file &&
			html`<button class="quiet small" type="button" aria-label=${t('sandbox.file.remove', { file: field.name })} onClick=${() => set(undefined)}>
				${icon('close')}
			</button>`
		}`;
}
