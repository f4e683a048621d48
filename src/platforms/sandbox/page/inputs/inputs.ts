import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Field } from '../../../../domain/command.ts';
import type { StoredFile } from '../../server/files.ts';
import { fileAddress, get } from '../api.ts';
import { FileThumb, pictureProblem } from '../files.ts';
import { byId, type Content, classes, h, html, icon } from '../html.ts';
import type { Page } from '../page.ts';
import { sizeText, t } from '../texts.ts';
import type { Values } from './filling.ts';

/** The part of a text's maximum length from which its length is shown. */
export const NEARLY = 0.8;

type InputsProps = {
	page: Page;
	fields: readonly Field[];
	values: Values;
	onChange(values: Values): void;
	/** The command whose options are completed while they are typed. */
	command: string | undefined;
	/** The pictures of the message that a form is about. */
	pictures: readonly StoredFile[];
	children?: Content;
};

/** The inputs of one command are there at a time. */
const idOf = (name: string) => `input-${name}`;

/** The inputs of a command. Those with a value are shown, and required ones; each other one is a chip until it is wanted. */
export function Inputs(props: InputsProps): VNode {
	const { page, fields, values, onChange, children } = props;
	const change = (next: Values, focused: string) => {
		onChange(next);
		page.afterRender(() => byId(focused)?.focus());
	};
	const reveal = ({ name, kind }: Field) =>
		change({ ...values, [name]: kind === 'flag' ? true : undefined }, idOf(name));
	const remove = ({ name }: Field) => {
		const { [name]: _, ...others } = values;
		change(others, idOf(`chip-${name}`));
	};
	const shown = fields.filter(({ name }) => name in values);
	const hidden = fields.filter(({ name }) => !(name in values));
	return html`<div class="inputs">
		<div class="fields">${shown.map((field) => h(FieldRow, { ...props, key: field.name, field, id: idOf(field.name), remove }))}</div>
		<div class="chips">
			${hidden.map(
				(
					field,
				) => html`<button key=${field.name} id=${idOf(`chip-${field.name}`)} class="chip" type="button" title=${field.description}
					onClick=${() => reveal(field)}>${icon('plus')}${field.name}</button>`,
			)}
			${children}
		</div>
	</div>`;
}

type FieldRowProps = InputsProps & { field: Field; id: string; remove(field: Field): void };

function FieldRow({ page, field, id, values, remove, onChange, command, pictures }: FieldRowProps): VNode {
	const { name, required, kind } = field;
	const several = 'choices' in field && name === 'which' && field.choices.length === pictures.length ? pictures : [];
	const set = (value: unknown) => onChange({ ...values, [name]: value });
	const length = String(values[name] ?? '').length;
	const isLong = kind === 'text' && length > NEARLY * field.maxLength;
	const isGroup = kind === 'choices' || (kind === 'choice' && several.length > 0);
	// What is required stays: its file alone goes.
	const isEmptied = required && kind === 'picture' && values[name] !== undefined;
	const label = isEmptied ? t('sandbox.file.remove', { file: name }) : t('sandbox.input.remove', { field: name });
	return html`<div class="field ${sizeOf(field)}">
		${kind !== 'flag' && !isGroup && html`<label for=${id}>${name}</label>`}
		${h(Input, { page, field, id, value: values[name], set, command, pictures: several })}
		<span class="description" id="${id}-description">${field.description}${isLong && ` · ${t('sandbox.viewer.position', { at: length, count: field.maxLength })}`}</span>
		${
			(isEmptied || !required) &&
			html`<button class="quiet small" type="button" aria-label=${label} onClick=${() => (isEmptied ? set(undefined) : remove(field))}>
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
	set(value: unknown): void;
	command: string | undefined;
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
			return pictureInput(props);
		case 'choices':
			return choices(props as InputProps<'choice' | 'choices'>);
		case 'choice':
			return props.pictures.length > 0 ? choices(props as InputProps<'choice' | 'choices'>) : select(props);
		default:
			return select(props);
	}
}

/** The browser checks the inputs, and says what is missing or wrong. */
const attributesOf = ({
	field: { name, required },
	id,
}: Pick<InputProps, 'id'> & { field: Pick<Field, 'name' | 'required'> }) => ({
	...{ id, name, required },
	'aria-describedby': `${id}-description`,
});
type Changed<Element extends HTMLElement> = { currentTarget: Element };

const flag = (props: InputProps) => html`<label class="switch" for=${props.id}>
	<input class="toggle" type="checkbox" ...${attributesOf(props)} required=${false} checked=${/^(true|yes)$/i.test(String(props.value))}
		onChange=${({ currentTarget }: Changed<HTMLInputElement>) => props.set(currentTarget.checked)} />
	<span>${props.field.name}</span>
</label>`;

const integer = (
	props: InputProps<'integer'>,
) => html`<input type="number" step="1" inputmode="numeric" ...${attributesOf(props)}
	min=${props.field.min} max=${props.field.max} value=${props.value ?? ''}
	onInput=${({ currentTarget: { value } }: Changed<HTMLInputElement>) => props.set(value === '' ? undefined : Number(value))} />`;

function TextInput(props: InputProps<'text'>): VNode {
	const { page, field, id, command, value = '', set } = props;
	const [completions, setCompletions] = useState(field.suggestions);
	useEffect(() => {
		let isCurrent = true;
		const take = (found: string[]) => isCurrent && setCompletions(found);
		if (field.completed && command)
			get<string[]>('suggestions', { as: page.state.me, command, option: field.name, typed: String(value) }).then(
				take,
				() => {},
			);
		return () => {
			// Ignored when the text has changed meanwhile.
			isCurrent = false;
		};
	}, [value, command]);
	const attributes = {
		...attributesOf(props),
		...{ autocomplete: 'off', value },
		onInput: ({ currentTarget }: Changed<HTMLInputElement>) => set(currentTarget.value),
	};
	if (field.maxLength > LONG_TEXT) return html`<textarea rows="2" spellcheck ...${attributes} />`;
	const hasList = field.suggestions.length > 0 || field.completed;
	return html`<input list=${hasList ? `${id}-list` : undefined} spellcheck=${false} ...${attributes} />
		<datalist id="${id}-list">${completions.map((one) => html`<option value=${one} />`)}</datalist>`;
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
	const isMissing = isList && field.required && chosen.length < field.min;
	const check = (first: HTMLInputElement | null) => first?.setCustomValidity(isMissing ? countOf(field) : '');
	return html`<fieldset class=${classes('several', pictures.length > 0 && 'pictured')} aria-describedby="${id}-description">
		<legend>${field.name}</legend>
		${field.choices.map((choice, index) => {
			const place = chosen.indexOf(choice);
			return html`<label class="option" key=${choice}>
				<input type=${isList ? 'checkbox' : 'radio'} ...${attributesOf(props)} required=${!isList && field.required} id="${id}-${index}"
					value=${choice} checked=${place >= 0} disabled=${isList && place < 0 && chosen.length >= field.max} ref=${isList && index === 0 && check}
					onChange=${({ currentTarget }: Changed<HTMLInputElement>) => choose(choice, currentTarget.checked)} />
				${(isList && field.labels?.[choice]) || choice}
				<small class="place">${place >= 0 && chosen.length > 1 && `${place + 1}.`}</small>${thumbnail(pictures[index])}
			</label>`;
		})}
	</fieldset>`;
}

/** Returns how many are to be chosen. */
const countOf = ({ min, max }: Extract<Field, { kind: 'choices' }>) =>
	min === max ? t('sandbox.hint.choicesExact', { min }) : t('sandbox.hint.choices', { min, max });

/** One picture, which is dropped on the input of the browser, pasted or chosen. */
function pictureInput(props: InputProps): VNode {
	const { page, field, set } = props;
	const file = props.value as File | undefined;
	const take = ({ currentTarget }: Changed<HTMLInputElement>) => {
		const [next] = currentTarget.files ?? [];
		const problem = next && pictureProblem(next);
		if (problem) page.showError(problem);
		else if (next) set(next);
		currentTarget.value = '';
	};
	return html`<div class=${classes('zone', file && 'full')}>
		<input type="file" accept="image/*" ...${attributesOf(props)} required=${field.required && !file} onChange=${take} />
		${h(FileThumb, { file })}
		<span class="words">
			<b>${file ? file.name || t('sandbox.file.pasted') : t('sandbox.input.drop')}</b>
			<small>${file ? sizeText(file.size) : t('sandbox.input.dropHint')}</small>
		</span>
	</div>`;
}
