import type { VNode } from 'preact';
import type { CommandDescription } from '../../../../domain/command.ts';
import { classes, html } from '../html.ts';
import { t } from '../texts.ts';
import { commandIn } from './command-text.ts';

type Named = { id: string; name: string };

/** What is offered above the message box while a command or a name is typed. */
export type Suggestions =
	| { kind: 'command'; entries: readonly CommandDescription[] }
	| { kind: 'person'; entries: readonly Named[] };

/** Returns the commands or people that complete the text before the caret. */
export function suggestionsFor(
	text: string,
	caret: number,
	commands: readonly CommandDescription[],
	people: readonly Named[],
): Suggestions {
	const complete = commandIn(text, commands);
	const hasOptions = complete && /\s/.test(text.slice(1 + complete.command.name.length));
	if (/^\/[\w ]*$/.test(text) && !hasOptions)
		return { kind: 'command', entries: matching(commands, text.slice(1).toLowerCase()) };
	const typed = typedName(text, caret);
	if (typed === undefined) return { kind: 'person', entries: [] };
	// The name as it is typed in full is sent by Enter, as any other text.
	return {
		kind: 'person',
		entries: people.filter(({ name }) => folded(name).startsWith(folded(typed)) && name !== typed),
	};
}

/** Returns the name that is being typed after an `@` before the caret. */
export const typedName = (text: string, caret: number): string | undefined =>
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

type ListProps = {
	suggestions: Suggestions;
	active: number;
	onChoose(index: number): void;
	onMove(index: number): void;
};

/** The list of suggestions. A click keeps the focus in the message box. */
export function suggestionList({ suggestions: { kind, entries }, active, onChoose, onMove }: ListProps): VNode | false {
	if (entries.length === 0) return false;
	const isCommand = kind === 'command';
	const options = entries.map(
		(entry, index) => html`<li key=${entry.name} id="${kind}-${index}" role="option" aria-selected=${index === active}
			onMouseDown=${(event: Event) => event.preventDefault()} onClick=${() => onChoose(index)}
			onMouseMove=${() => index !== active && onMove(index)}>
			${'fields' in entry ? commandOption(entry) : `@${entry.name}`}
		</li>`,
	);
	return html`<div class="above"><ul id="picker" role="listbox" tabindex="0" class="picker"
		aria-label=${t(isCommand ? 'sandbox.command.picker' : 'sandbox.composer.people')}>${options}</ul></div>`;
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
