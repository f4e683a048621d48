import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Field } from '../../../../domain/command.ts';
import type { StoredFile } from '../../server/files.ts';
import { fileAddress, get } from '../api.ts';
import { FileThumb, pictureProblem } from '../files.ts';
import { byId, type Changed, type Content, classes, closeButton, h, html, icon } from '../html.ts';
import type { Page } from '../page.ts';
import { sizeText, t } from '../texts.ts';
import type { Values } from './options.ts';

/** The part of a text's maximum length from which its length is shown. */
export const NEARLY = 0.8;
/** Texts that may be longer than this get several lines. */
const LONG_TEXT = 200;

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
	const chip = ({ name, kind, description }: Field) => {
		const reveal = () => change({ ...values, [name]: kind === 'flag' ? true : undefined }, idOf(name));
		return html`<button key=${name} id=${idOf(`chip-${name}`)} class="chip" type="button" title=${description}
			onClick=${reveal}>${icon('plus')}${name}</button>`;
	};
	const remove = ({ name }: Field) => {
		const { [name]: _, ...others } = values;
		change(others, idOf(`chip-${name}`));
	};
	return html`<div class="inputs">
		<div class="fields">${fields.filter(({ name }) => name in values).map((field) => row(props, field, remove))}</div>
		<div class="chips">${fields.filter(({ name }) => !(name in values)).map(chip)}${children}</div>
	</div>`;
}

function row(
	{ page, values, onChange, command, pictures }: InputsProps,
	field: Field,
	remove: (field: Field) => void,
): VNode {
	const { name, required, kind } = field;
	const id = idOf(name);
	const value = values[name];
	const set = (next: unknown) => onChange({ ...values, [name]: next });
	const isPictured = 'choices' in field && name === 'which' && field.choices.length === pictures.length;
	const input = inputOf({ page, field, id, value, set, command, pictures: isPictured ? pictures : [] });
	const length = String(value ?? '').length;
	const isLong = kind === 'text' && length > NEARLY * field.maxLength;
	const isLabelled = kind !== 'flag' && kind !== 'choices' && !(kind === 'choice' && isPictured);
	// What is required stays: its file alone goes.
	const isEmptied = required && kind === 'picture' && value !== undefined;
	const label = isEmptied ? t('sandbox.file.remove', { file: name }) : t('sandbox.input.remove', { field: name });
	return html`<div class="field ${sizeOf(field)}" key=${name}>
		${isLabelled && html`<label for=${id}>${name}</label>`}
		${input}
		<span class="description" id="${id}-description">${field.description}${isLong && ` · ${t('sandbox.viewer.position', { at: length, count: field.maxLength })}`}</span>
		${(isEmptied || !required) && closeButton(label, () => (isEmptied ? set(undefined) : remove(field)))}
	</div>`;
}

function sizeOf(field: Field): string {
	if (field.kind === 'text' && field.maxLength > LONG_TEXT) return 'long';
	return { flag: 'flag', picture: 'wants-picture', choices: '' }[field.kind as string] ?? 'short';
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

function inputOf(props: InputProps): VNode {
	const { kind } = props.field;
	if (kind === 'flag') return flag(props);
	if (kind === 'integer') return integer(props as InputProps<'integer'>);
	if (kind === 'text') return h(TextInput, props as InputProps<'text'>);
	if (kind === 'picture') return pictureInput(props);
	if (kind === 'choices' || props.pictures.length > 0) return choices(props as InputProps<'choice' | 'choices'>);
	return select(props);
}

/** The browser checks the inputs, and says what is missing or wrong. */
const attributesOf = ({ field, id }: { field: { name: string; required: boolean }; id: string }) => ({
	...{ id, name: field.name, required: field.required },
	'aria-describedby': `${id}-description`,
});

const flag = (props: InputProps) => html`<label class="switch" for=${props.id}>
	<input class="toggle" type="checkbox" ...${attributesOf(props)} required=${false} checked=${/^(true|yes)$/i.test(String(props.value))}
		onChange=${({ currentTarget }: Changed) => props.set(currentTarget.checked)} />
	<span>${props.field.name}</span>
</label>`;

function integer(props: InputProps<'integer'>): VNode {
	const { field, value, set } = props;
	return html`<input type="number" step="1" inputmode="numeric" ...${attributesOf(props)} min=${field.min} max=${field.max} value=${value ?? ''}
		onInput=${({ currentTarget }: Changed) => set(currentTarget.value === '' ? undefined : Number(currentTarget.value))} />`;
}

function TextInput(props: InputProps<'text'>): VNode {
	const { page, field, id, command, value = '', set } = props;
	const [completions, setCompletions] = useState(field.suggestions);
	useEffect(() => {
		let isCurrent = true;
		const query = { as: page.state.me, command: command ?? '', option: field.name, typed: String(value) };
		if (field.completed && command)
			get<string[]>('suggestions', query).then(
				(found) => isCurrent && setCompletions(found),
				() => {},
			);
		return () => {
			// Ignored when the text has changed meanwhile.
			isCurrent = false;
		};
	}, [value, command]);
	const onInput = ({ currentTarget }: Changed) => set(currentTarget.value);
	const attributes = { ...attributesOf(props), autocomplete: 'off', value, onInput };
	if (field.maxLength > LONG_TEXT) return html`<textarea rows="2" spellcheck ...${attributes} />`;
	const hasList = field.suggestions.length > 0 || field.completed;
	return html`<input list=${hasList ? `${id}-list` : undefined} spellcheck=${false} ...${attributes} />
		<datalist id="${id}-list">${completions.map((one) => html`<option value=${one} />`)}</datalist>`;
}

function select(props: InputProps): VNode {
	const { page, field, value, set } = props;
	const kind = field.kind as 'person' | 'channel' | 'role' | 'choice';
	const choices = 'choices' in field ? field.choices.map((choice) => ({ id: choice, name: choice })) : [];
	const entries = kind === 'choice' ? choices : page.directory[kind];
	const mark = { person: '@', channel: '#', role: '@', choice: '' }[kind];
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
		const others = chosen.filter((one) => one !== choice);
		const next = isChosen ? [...others, choice] : others;
		if (!isList) set(choice);
		else set(next.length > 0 ? next : undefined);
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
					onChange=${({ currentTarget }: Changed) => choose(choice, currentTarget.checked)} />
				${(isList && field.labels?.[choice]) || choice}
				<small class="place">${place >= 0 && chosen.length > 1 && `${place + 1}.`}</small>${thumbnail(pictures[index])}
			</label>`;
		})}
	</fieldset>`;
}

const countOf = ({ min, max }: Extract<Field, { kind: 'choices' }>) =>
	min === max ? t('sandbox.hint.choicesExact', { min }) : t('sandbox.hint.choices', { min, max });

/** One picture, which is dropped on the input of the browser, pasted or chosen. */
function pictureInput(props: InputProps): VNode {
	const { page, field, set } = props;
	const file = props.value as File | undefined;
	const take = ({ currentTarget }: Changed) => {
		const [next] = currentTarget.files ?? [];
		const problem = next && pictureProblem(next);
		if (problem) page.set({ error: problem });
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
