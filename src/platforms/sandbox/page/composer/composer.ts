import type { VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { CommandDescription, Field } from '../../../../domain/command.ts';
import type { StoredFile } from '../../server/store.ts';
import { fileAddress, get } from '../api.ts';
import { FileThumb, pictureProblem } from '../files.ts';
import { byId, type Changed, classes, closeButton, h, html, icon, isComposing, titleOf } from '../html.ts';
import { markdown } from '../messages/markdown.ts';
import type { Message, Page } from '../page.ts';
import { sizeText, t, tNodes } from '../texts.ts';
import type { Card, Draft } from './drafts.ts';
import { commandIn, type Values } from './options.ts';

/** The part of a text's maximum length from which its length is shown. */
const NEARLY = 0.8;
/** Texts that may be longer than this get several lines. */
const LONG_TEXT = 200;

export function Composer({ page }: { page: Page }): VNode {
	const { drafts } = page;
	const draft = drafts.current;
	const { text, files, card, replyTo } = draft;
	const textbox = useRef<HTMLTextAreaElement>(null);
	const list = useSuggestions(page, draft, textbox);
	const onKeyDown = (event: KeyboardEvent) => {
		if (list.onKeyDown(event) || isComposing(event)) return;
		if (event.key === 'Escape') drafts.change(replyTo ? { replyTo: undefined } : { files: [] });
		if (event.key === 'ArrowUp' && text === '' && files.length === 0 && page.editLast()) event.preventDefault();
		if (event.key !== 'Enter' || event.shiftKey) return;
		event.preventDefault();
		drafts.send();
	};
	const onInput = (event: Changed<HTMLTextAreaElement>) => {
		list.moveCaret(event);
		drafts.change({ text: event.currentTarget.value });
	};
	const complete = list.active === undefined && !card ? commandIn(text, page.commands) : undefined;
	const { channel, thread } = page.found;
	const title = titleOf(channel);
	const label = thread ? t('sandbox.composer.thread') : t('sandbox.composer.message', { channel: title });
	const [length, max] = complete
		? [complete.rest.length, longestText(complete.command)]
		: [text.length, page.limits.ownText];
	return html`<div class="composer" id="composer" aria-busy=${drafts.isBusy ? 'true' : undefined}>
		${list.element}
		${complete && complete.command.fields.length > 0 && html`<div class="above"><p class="usage" id="usage">${commandOption(complete.command)}</p></div>`}
		<p class="error" id="composer-error" role="alert">${page.error}</p>
		<div class="box">
			${replyTo && replyBar(page, replyTo)}
			${files.length > 0 && html`<div class="tray">${files.map((file) => attached(page, draft, file))}</div>`}
			${card && commandCard(page, card)}
			<div class="line" hidden=${card !== undefined}>
				${attachButton(page)}
				<textarea id="words" rows="1" autocomplete="off" ref=${textbox} value=${text}
					aria-label=${label} placeholder=${t('sandbox.composer.placeholder', { label })} aria-autocomplete="list"
					aria-describedby=${complete && 'usage'} aria-controls=${list.active && 'picker'} aria-activedescendant=${list.active}
					onInput=${onInput} onKeyDown=${onKeyDown} onClick=${list.moveCaret} onBlur=${() => list.moveCaret()} />
				${max > 0 && length > NEARLY * max && html`<small class="count">${t('sandbox.viewer.position', { at: length, count: max })}</small>`}
				<button class=${classes('send', (text.trim() !== '' || files.length > 0) && 'ready')} type="button"
					aria-label=${t('sandbox.composer.send')} onClick=${() => drafts.send()}>${icon('send')}</button>
			</div>
		</div>
	</div>`;
}

const longestText = ({ fields }: CommandDescription) =>
	Math.max(...fields.map((field) => (field.kind === 'text' ? field.maxLength : 0)), 0);

function replyBar(page: Page, { author }: Message): VNode {
	const name = html`<b>${page.nameOf(author)}</b>`;
	return html`<p class="answering">${icon('reply')}<span>${tNodes('sandbox.composer.replyingTo', { name })}</span>
		${closeButton(t('sandbox.composer.noReply'), () => page.drafts.change({ replyTo: undefined }))}
	</p>`;
}

function attached({ drafts }: Page, { files }: Draft, file: File): VNode {
	const remove = () => drafts.change({ files: files.filter((other) => other !== file) });
	return html`<span class="attached">
		${h(FileThumb, { file })}
		<span class="words"><b>${file.name || t('sandbox.file.pasted')}</b><small>${sizeText(file.size)}</small></span>
		${closeButton(t('sandbox.file.remove', { file: file.name }), remove)}
	</span>`;
}

function attachButton({ drafts }: Page): VNode {
	const onChange = ({ currentTarget }: Changed) => {
		const files = [...(currentTarget.files ?? [])];
		currentTarget.value = '';
		drafts.take(files);
	};
	return html`<label class="quiet">${icon('plus')}
		<input class="hidden" type="file" multiple aria-label=${t('sandbox.composer.attach')} onChange=${onChange} />
	</label>`;
}

type Entry = CommandDescription | { id: string; name: string };

/** The bot can be mentioned as a person can. */
const EASEL = { id: 'easel', name: 'Easel' };

/**
 * The list of commands or people above the message box, while one is typed: its element, the id of its active entry, and its keys. A
 * click keeps the focus in the box.
 */
function useSuggestions(page: Page, { text, card }: Draft, textbox: { current: HTMLTextAreaElement | null }) {
	const [{ caret, chosen, isClosed }, set] = useState({ caret: 0, chosen: 0, isClosed: false });
	const entries = card || isClosed ? [] : suggestionsFor(page, text, caret);
	const index = Math.min(chosen, entries.length - 1);
	const entry = entries[index];
	const kind = entry && 'fields' in entry ? 'command' : 'person';
	const active = entry && `${kind}-${index}`;
	useLayoutEffect(() => {
		if (active) byId(active)?.scrollIntoView({ block: 'nearest' });
	}, [active]);

	const moveTo = (next: number) => set({ caret: next, chosen: 0, isClosed: false });
	const choose = (one: Entry) => {
		if ('fields' in one) return page.drafts.choose(one);
		const next = `${text.slice(0, caret - (typedName(text, caret)?.length ?? 0))}${one.name} `;
		page.drafts.change({ text: next + text.slice(caret) });
		moveTo(next.length);
		page.afterRender(() => textbox.current?.setSelectionRange(next.length, next.length));
	};
	const onKeyDown = (event: KeyboardEvent): boolean => {
		if (!entry || isComposing(event)) return false;
		const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
		// A complete command without required options is run by Enter, as any other text is sent.
		const isComplete =
			'fields' in entry && text.trim() === `/${entry.name}` && !entry.fields.some(({ required }) => required);
		if (step) set({ caret, chosen: (index + step + entries.length) % entries.length, isClosed });
		else if (event.key === 'Escape') set({ caret, chosen, isClosed: true });
		else if ((event.key === 'Tab' || (event.key === 'Enter' && !isComplete)) && !event.shiftKey) choose(entry);
		else return false;
		event.preventDefault();
		return true;
	};
	const options = entries.map(
		(one, at) => html`<li key=${one.name} id="${kind}-${at}" role="option" aria-selected=${at === index}
			onMouseDown=${(event: Event) => event.preventDefault()} onClick=${() => choose(one)}
			onMouseMove=${() => at !== index && set({ caret, chosen: at, isClosed })}>
			${'fields' in one ? commandOption(one) : `@${one.name}`}
		</li>`,
	);
	const label = t(kind === 'command' ? 'sandbox.command.picker' : 'sandbox.composer.people');
	const element =
		entry &&
		html`<div class="above"><ul id="picker" role="listbox" tabindex="0" class="picker" aria-label=${label}>${options}</ul></div>`;
	const moveCaret = (event?: Changed<HTMLTextAreaElement>) => moveTo(event?.currentTarget.selectionStart ?? 0);
	return { element, active, onKeyDown, moveCaret };
}

/** Returns the commands or people that complete the text before the caret. */
function suggestionsFor({ commands, directory }: Page, text: string, caret: number): readonly Entry[] {
	const complete = commandIn(text, commands);
	const hasOptions = complete && /\s/.test(text.slice(1 + complete.command.name.length));
	if (/^\/[\w ]*$/.test(text) && !hasOptions) return matching(commands, text.slice(1).toLowerCase());
	const typed = typedName(text, caret);
	if (typed === undefined) return [];
	// The name as it is typed in full is sent by Enter, as any other text.
	return [EASEL, ...directory.person].filter(({ name }) => folded(name).startsWith(folded(typed)) && name !== typed);
}

/** Returns the name that is being typed after an `@` before the caret. */
const typedName = (text: string, caret: number): string | undefined =>
	/(?<![\p{L}\p{N}_])@([\p{L}\p{N}_]*)$/u.exec(text.slice(0, caret))?.[1];

/** Returns a name without case and accents, so that `@bj` and `@bjo` find Björn. */
const folded = (name: string) => name.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();

/** Returns the commands whose names begin with the text, then those that contain it in name or description. */
function matching(commands: readonly CommandDescription[], typed: string): CommandDescription[] {
	const isIn = (text: string) => typed.length > 2 && text.toLowerCase().includes(typed);
	return [
		...commands.filter(({ name }) => name.startsWith(typed)),
		...commands.filter(({ name }) => name.includes(typed) && !name.startsWith(typed)),
		...commands.filter(({ name, description }) => isIn(description) && !name.includes(typed)),
	];
}

const commandOption = ({ name, fields, description }: CommandDescription) =>
	html`<span class="command-name">/${name}</span>
		<span class="command-fields">${fields.map((field) => html`<${field.required ? 'b' : 'span'}>${field.name}<//>`)}</span>
		<span class="command-description">${description}</span>`;

/** The inputs of a command or of a form, in place of the message box. It is sent when the browser finds nothing missing or wrong. */
function commandCard(page: Page, card: Card): VNode {
	const { command, opened } = card;
	const { drafts } = page;
	const submit = (event: SubmitEvent) => {
		event.preventDefault();
		drafts.send();
	};
	// Several pictures may be in the input that chooses from them.
	const isChosen = command.fields.some(({ name }) => name === 'which');
	return html`<form key=${opened?.press} class="card" aria-label=${opened ? command.description : `/${command.name}`} onSubmit=${submit} onKeyDown=${submitOnEnter}>
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
		const query = { as: page.me, command: card.command.name, option: field.name, typed: String(value) };
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
