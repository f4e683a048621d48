import type { VNode } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import type { CommandDescription } from '../../../../domain/command.ts';
import { byId, classes, html } from '../html.ts';
import type { Page } from '../page.ts';
import { t } from '../texts.ts';
import { commandIn } from './command-text.ts';
import type { Draft } from './drafts.ts';

type Entry = CommandDescription | { id: string; name: string };
export type TextboxEvent = { currentTarget: HTMLTextAreaElement };

/** The bot can be mentioned as a person can. */
const EASEL = { id: 'easel', name: 'Easel' };

/**
 * The list of commands or people above the message box, while one is typed: its element, the id of its active entry, and its keys. A
 * click keeps the focus in the box.
 */
export function useSuggestions(page: Page, { text, card }: Draft, textbox: { current: HTMLTextAreaElement | null }) {
	const [caret, setCaret] = useState(0);
	/** The text at which the list was closed. */
	const [dismissed, setDismissed] = useState('');
	const entries = card || text === dismissed ? [] : suggestionsFor(page, text, caret);
	// Another list begins with its first entry.
	const names = entries.map(({ name }) => name).join();
	const [chosen, setChosen] = useState({ names, index: 0 });
	const index = chosen.names === names ? chosen.index : 0;
	const entry = entries[index];
	const kind = entry && 'fields' in entry ? 'command' : 'person';
	const active = entry && `${kind}-${index}`;
	useLayoutEffect(() => {
		if (active) byId(active)?.scrollIntoView({ block: 'nearest' });
	}, [active]);

	const choose = (one: Entry) => {
		if ('fields' in one) return page.drafts.choose(one);
		const next = `${text.slice(0, caret - (typedName(text, caret)?.length ?? 0))}${one.name} `;
		page.drafts.change({ text: next + text.slice(caret) });
		setCaret(next.length);
		page.afterRender(() => textbox.current?.setSelectionRange(next.length, next.length));
	};
	const onKeyDown = (event: KeyboardEvent): boolean => {
		if (!entry || event.isComposing) return false;
		const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
		// A complete command without required options is run by Enter, as any other text is sent.
		const isComplete =
			'fields' in entry && text.trim() === `/${entry.name}` && !entry.fields.some(({ required }) => required);
		if (step) setChosen({ names, index: (index + step + entries.length) % entries.length });
		else if (event.key === 'Escape') setDismissed(text);
		else if ((event.key === 'Tab' || (event.key === 'Enter' && !isComplete)) && !event.shiftKey) choose(entry);
		else return false;
		event.preventDefault();
		return true;
	};
	const moveCaret = (event?: TextboxEvent) => setCaret(event?.currentTarget.selectionStart ?? 0);
	const options = entries.map(
		(one, at) => html`<li key=${one.name} id="${kind}-${at}" role="option" aria-selected=${at === index}
			onMouseDown=${(event: Event) => event.preventDefault()} onClick=${() => choose(one)}
			onMouseMove=${() => at !== index && setChosen({ names, index: at })}>
			${'fields' in one ? commandOption(one) : `@${one.name}`}
		</li>`,
	);
	const label = t(kind === 'command' ? 'sandbox.command.picker' : 'sandbox.composer.people');
	const element =
		entry &&
		html`<div class="above"><ul id="picker" role="listbox" tabindex="0" class="picker" aria-label=${label}>${options}</ul></div>`;
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
const matching = (commands: readonly CommandDescription[], typed: string) =>
	commands.filter((command) => rankOf(command, typed) < 3).toSorted((a, b) => rankOf(a, typed) - rankOf(b, typed));

function rankOf({ name, description }: CommandDescription, typed: string): number {
	if (name.startsWith(typed)) return 0;
	if (name.includes(typed)) return 1;
	return typed.length > 2 && description.toLowerCase().includes(typed) ? 2 : 3;
}

const commandOption = ({ name, fields, description }: CommandDescription) =>
	html`<span class="command-name">/${name}</span>
		<span class="command-fields">${fields.map((field) => html`<${field.required ? 'b' : 'span'}>${field.name}<//>`)}</span>
		<span class="command-description">${description}</span>`;

/** The options of a command whose name is complete. */
export function usage({ name, fields, description }: CommandDescription, rest: string): VNode {
	const given = new Set(
		[...rest.matchAll(/(?<=^|\s)([a-z][a-z0-9_]*):\S/gi)].map(([, option = '']) => option.toLowerCase()),
	);
	return html`<div class="above"><p class="usage" id="usage">
		<b>/${name}</b>
		${fields.map(
			(field) => html`<span class=${classes('part', given.has(field.name) && 'given', field.required && 'required')}>
				${field.required || field.kind === 'picture' ? field.name : `${field.name}:`}
			</span>`,
		)}
		<span class="says">${description}</span>
	</p></div>`;
}
