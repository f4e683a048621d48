import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { newId, sendFiles } from '../api.ts';
import { given, type Values } from '../composer/command-text.ts';
import { h, html } from '../html.ts';
import { thumbnail } from '../inputs/input.ts';
import { Inputs } from '../inputs/inputs.ts';
import { type Focus, fillPictures, firstFocus, partsOf, problemIn } from '../inputs/values.ts';
import { markdown } from '../messages/markdown.ts';
import type { Page } from '../page.ts';
import type { Change } from '../state.ts';
import { t } from '../texts.ts';
import { Dialog, dialogButtons, submitOnEnter } from './dialog.ts';

type OpenedForm = Extract<Change, { name: 'form' }>;

type Filled = { values: Values; id: string; focus?: Focus | undefined; invalid?: string | undefined; error?: string };

/** A form. Its values stay until they were sent. */
export function FormDialog({ page, opened }: { page: Page; opened: OpenedForm }): VNode {
	const { form, channel, pictures } = opened;
	const [{ values, id, focus, invalid, error }, setFilled] = useState(() => begin(opened));
	const [isSending, setSending] = useState(false);
	const onChange = (next: Values, focused?: Focus) => setFilled({ values: next, id: newId(), focus: focused });
	const onError = (sentence: string) => setFilled((filled) => ({ ...filled, error: sentence }));
	useEffect(() => {
		page.takeFiles = (files) => {
			const filled = fillPictures(form.fields, values, files).values;
			onChange(filled, firstFocus(form.fields, filled));
		};
		return () => {
			page.takeFiles = undefined;
		};
	}, [values]);
	const submit = async (event: SubmitEvent) => {
		event.preventDefault();
		const problem = problemIn(form.fields, values);
		if (problem)
			return setFilled({ values, id, focus: { name: problem.field }, invalid: problem.field, error: problem.sentence });
		if (isSending) return;
		setSending(true);
		const options = given(values);
		const files = partsOf(options);
		for (const { part } of files) delete options[part];
		page.requests.add(id);
		try {
			await sendFiles(
				'commands',
				{ as: page.state.me, channel, id, command: form.command, options, form: form.id },
				files,
			);
			page.open(undefined);
		} catch (failure) {
			onError((failure as Error).message);
			setSending(false);
		}
	};
	// Several pictures may be in the input that chooses from them.
	const isChosen = form.fields.some(({ name }) => name === 'which');
	return h(
		Dialog,
		{ page, class: 'sheet' },
		html`<form novalidate onSubmit=${submit} onKeyDown=${submitOnEnter}>
			<h2 id="dialog-title">${form.title}</h2>
			${!isChosen && pictures.length > 0 && html`<div class="thumbs">${pictures.map(thumbnail)}</div>`}
			${form.note && html`<div class="text">${markdown(form.note)}</div>`}
			${h(Inputs, { page, fields: form.fields, values, onChange, onError, focus, invalid, pictures })}
			<p class="error" role="alert">${error}</p>
			${dialogButtons(page, t('sandbox.dialog.send'), isSending)}
		</form>`,
	);
}

/** Returns the values that a form begins with: its own, and those that are required. */
function begin({ form }: OpenedForm): Filled {
	const given = form.values ?? {};
	const initial = (kind: string, required: boolean) => (kind === 'flag' ? !required : undefined);
	const shown = form.fields.filter(({ name, required }) => required || given[name] !== undefined);
	const values: Record<string, unknown> = Object.fromEntries(
		shown.map(({ name, kind, required }) => [name, given[name] ?? initial(kind, required)]),
	);
	const focus = firstFocus(form.fields, values);
	if (focus.name && !(focus.name in values)) values[focus.name] = undefined;
	return { values, id: newId(), focus };
}
