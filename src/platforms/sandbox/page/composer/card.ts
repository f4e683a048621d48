import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Field } from '../../../../domain/command.ts';
import type { StoredFile } from '../../server/store.ts';
import { fileAddress, get } from '../api.ts';
import { FileThumb, pictureProblem } from '../files.ts';
import { byId, type Changed, classes, closeButton, h, html, icon, isComposing } from '../html.ts';
import { markdown } from '../messages/markdown.ts';
import type { Page } from '../page.ts';
import { sizeText, t } from '../texts.ts';
import type { Card } from './drafts.ts';
import type { Values } from './options.ts';

/** The part of a text's maximum length from which its length is shown. */
export const NEARLY = 0.8;
/** Texts that may be longer than this get several lines. */
const LONG_TEXT = 200;

/** The inputs of a command or of a form, in place of the message box. It is sent when the browser finds nothing missing or wrong. */
export function CommandCard({ page, card }: { page: Page; card: Card }): VNode {
	const { command, opened } = card;
	const { drafts } = page;
	// The focus may be outside: a click on a message does not keep Escape from closing the card.
	useEffect(() => {
		const onEscape = (event: KeyboardEvent) => {
			const isElsewhere = page.dialog || page.isDrawerOpen || document.querySelector(':popover-open');
			if (event.key !== 'Escape' || event.defaultPrevented || isComposing(event) || isElsewhere) return;
			event.preventDefault();
			drafts.leaveCard();
		};
		addEventListener('keydown', onEscape);
		return () => removeEventListener('keydown', onEscape);
	}, []);
	const submit = (event: SubmitEvent) => {
		event.preventDefault();
		drafts.send();
	};
	// Several pictures may be in the input that chooses from them.
	const isChosen = command.fields.some(({ name }) => name === 'which');
	return html`<form class="card" aria-label=${opened ? command.description : `/${command.name}`} onSubmit=${submit} onKeyDown=${submitOnEnter}>
		<p class="card-head">${opened ? html`<strong>${command.description}</strong>` : html`<b>/${command.name}</b><span>${command.description}</span>`}
			${closeButton(t('sandbox.command.back'), () => drafts.leaveCard())}
		</p>
		${opened && !isChosen && opened.pictures.length > 0 && html`<div class="thumbs">${opened.pictures.map(thumbnail)}</div>`}
		${opened?.form.note && html`<div class="text">${markdown(opened.form.note)}</div>`}
		${inputs(page, card)}
	</form>`;
}

/** Enter submits the inputs, also in a text of several lines. */
function submitOnEnter(event: KeyboardEvent): void {
	const { key, shiftKey, target } = event;
	if (key !== 'Enter' || shiftKey || isComposing(event) || !(target instanceof HTMLTextAreaElement)) return;
	event.preventDefault();
	target.form?.requestSubmit();
}

/** The inputs of one command are there at a time. */
const idOf = (name: string) => `input-${name}`;

/** The inputs of fields with a value, and of required ones; each other field is a chip until it is wanted. */
function inputs(page: Page, card: Card): VNode {
	const { values, opened } = card;
	const { fields } = card.command;
	const change = (next: Values) => page.drafts.change({ card: { ...card, values: next } });
	const focus = (id: string) => page.afterRender(() => byId(id)?.focus());
	const chip = ({ name, kind, description }: Field) => {
		const reveal = () => {
			change({ ...values, [name]: kind === 'flag' ? true : undefined });
			focus(idOf(name));
		};
		return html`<button key=${name} id=${idOf(`chip-${name}`)} class="chip" type="button" title=${description}
			onClick=${reveal}>${icon('plus')}${name}</button>`;
	};
	const row = (field: Field) => {
		const { name } = field;
		const set = (value: unknown) => change({ ...values, [name]: value });
		const remove = () => {
			const { [name]: _, ...others } = values;
			change(others);
			focus(idOf(`chip-${name}`));
		};
		return fieldRow({ page, card, field, id: idOf(name), value: values[name], set }, remove);
	};
	return html`<div class="inputs">
		<div class="fields">${fields.filter(({ name }) => name in values).map(row)}</div>
		<div class="chips">${fields.filter(({ name }) => !(name in values)).map(chip)}
			<button class="primary" type="submit">${t(opened ? 'sandbox.dialog.send' : 'sandbox.command.run')}</button></div>
	</div>`;
}

type InputProps<Kind extends Field['kind'] = Field['kind']> = {
	page: Page;
	card: Card;
	field: Extract<Field, { kind: Kind }>;
	id: string;
	value: unknown;
	set(value: unknown): void;
};

/** Returns the pictures of the message that a form is about, one for each choice between them; else none. */
const picturesOf = ({ card: { opened }, field }: Pick<InputProps, 'card' | 'field'>): readonly StoredFile[] =>
	'choices' in field && field.name === 'which' && opened?.pictures.length === field.choices.length
		? opened.pictures
		: [];

function fieldRow(props: InputProps, remove: () => void): VNode {
	const { field, id, value, set } = props;
	const { name, required, kind } = field;
	const length = String(value ?? '').length;
	const isLong = kind === 'text' && length > NEARLY * field.maxLength;
	const isLabelled = kind !== 'flag' && kind !== 'choices' && picturesOf(props).length === 0;
	// What is required stays: its file alone goes.
	const isEmptied = required && kind === 'picture' && value !== undefined;
	const label = isEmptied ? t('sandbox.file.remove', { file: name }) : t('sandbox.input.remove', { field: name });
	return html`<div class="field ${sizeOf(field)}" key=${name}>
		${isLabelled && html`<label for=${id}>${name}</label>`}
		${inputOf(props)}
		<span class="description" id="${id}-description">${field.description}${isLong && ` · ${t('sandbox.viewer.position', { at: length, count: field.maxLength })}`}</span>
		${(isEmptied || !required) && closeButton(label, isEmptied ? () => set(undefined) : remove)}
	</div>`;
}

function sizeOf(field: Field): string {
	if (field.kind === 'text' && field.maxLength > LONG_TEXT) return 'long';
	return { flag: 'flag', picture: 'wants-picture', choices: '' }[field.kind as string] ?? 'short';
}

/** The browser checks the inputs, and says what is missing or wrong. */
const attributesOf = ({ field, id }: { field: { name: string; required: boolean }; id: string }) => ({
	...{ id, name: field.name, required: field.required },
	'aria-describedby': `${id}-description`,
});

function inputOf(props: InputProps): VNode {
	const { page, field, id, value, set } = props;
	if (field.kind === 'text') return h(TextInput, { ...props, field });
	if (field.kind === 'picture') return pictureInput(props);
	if (field.kind === 'choices' || (field.kind === 'choice' && picturesOf(props).length > 0))
		return choices({ ...props, field });
	const attributes = attributesOf(props);
	if (field.kind === 'flag')
		return html`<label class="switch" for=${id}>
			<input class="toggle" type="checkbox" ...${attributes} required=${false} checked=${/^(true|yes)$/i.test(String(value))}
				onChange=${({ currentTarget }: Changed) => set(currentTarget.checked)} />
			<span>${field.name}</span>
		</label>`;
	if (field.kind === 'integer')
		return html`<input type="number" step="1" inputmode="numeric" ...${attributes} min=${field.min} max=${field.max} value=${value ?? ''}
			onInput=${({ currentTarget }: Changed) => set(currentTarget.value === '' ? undefined : Number(currentTarget.value))} />`;
	const mark = { person: '@', channel: '#', role: '@', choice: '' }[field.kind];
	const entries =
		field.kind === 'choice' ? field.choices.map((name) => ({ id: name, name })) : page.directory[field.kind];
	return html`<select ...${attributes} value=${value ?? ''}
		onChange=${({ currentTarget }: Changed<HTMLSelectElement>) => set(currentTarget.value || undefined)}>
		<option value="">${t('sandbox.input.choose')}</option>
		${entries.map((entry) => html`<option value=${entry.id}>${mark + entry.name}</option>`)}
	</select>`;
}

function TextInput(props: InputProps<'text'>): VNode {
	const { page, card, field, id, value = '', set } = props;
	const [completions, setCompletions] = useState(field.suggestions);
	useEffect(() => {
		let isCurrent = true;
		const query = { as: page.state.me, command: card.command.name, option: field.name, typed: String(value) };
		const show = (found: string[]) => isCurrent && setCompletions(found);
		if (field.completed && !card.opened) get<string[]>('suggestions', query).then(show, () => {});
		return () => {
			// Ignored when the text has changed meanwhile.
			isCurrent = false;
		};
	}, [value, card.command.name]);
	const onInput = ({ currentTarget }: Changed) => set(currentTarget.value);
	const attributes = { ...attributesOf(props), autocomplete: 'off', value, onInput };
	if (field.maxLength > LONG_TEXT) return html`<textarea rows="2" spellcheck ...${attributes} />`;
	const hasList = field.suggestions.length > 0 || field.completed;
	return html`<input list=${hasList ? `${id}-list` : undefined} spellcheck=${false} ...${attributes} />
		<datalist id="${id}-list">${completions.map((one) => html`<option value=${one} />`)}</datalist>`;
}

const thumbnail = (picture: StoredFile | undefined): VNode | undefined =>
	picture && html`<span class="thumb"><img src=${fileAddress(picture)} alt=${picture.alt} /></span>`;

/** Radio buttons or checkboxes, with pictures where there are some. A list has the order of the clicks; the others are off at the maximum. */
function choices(props: InputProps<'choice' | 'choices'>): VNode {
	const { field, id, value, set } = props;
	const pictures = picturesOf(props);
	const list = field.kind === 'choices' ? field : undefined;
	const chosen = [value ?? []].flat().map(String);
	const choose = (choice: string, isChosen: boolean) => {
		const others = chosen.filter((one) => one !== choice);
		const next = isChosen ? [...others, choice] : others;
		if (!list) set(choice);
		else set(next.length > 0 ? next : undefined);
	};
	const missing = list?.required && chosen.length < list.min ? countOf(list) : '';
	const check = (first: HTMLInputElement | null) => first?.setCustomValidity(missing);
	return html`<fieldset class=${classes('several', pictures.length > 0 && 'pictured')} aria-describedby="${id}-description">
		<legend>${field.name}</legend>
		${field.choices.map((choice, index) => {
			const place = chosen.indexOf(choice);
			return html`<label class="option" key=${choice}>
				<input type=${list ? 'checkbox' : 'radio'} ...${attributesOf(props)} required=${!list && field.required} id="${id}-${index}"
					value=${choice} checked=${place >= 0} disabled=${list && place < 0 && chosen.length >= list.max} ref=${list && index === 0 && check}
					onChange=${({ currentTarget }: Changed) => choose(choice, currentTarget.checked)} />
				${list?.labels?.[choice] || choice}
				<small class="place">${place >= 0 && chosen.length > 1 && `${place + 1}.`}</small>${thumbnail(pictures[index])}
			</label>`;
		})}
	</fieldset>`;
}

const countOf = ({ min, max }: { min: number; max: number }) =>
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
