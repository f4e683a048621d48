import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { newId } from '../api.ts';
import { h, html } from '../html.ts';
import { beginFilling, type Filling, fillPictures, problemIn } from '../inputs/filling.ts';
import { thumbnail } from '../inputs/input.ts';
import { Inputs } from '../inputs/inputs.ts';
import { markdown } from '../messages/markdown.ts';
import type { Page } from '../page.ts';
import type { Change } from '../state.ts';
import { t } from '../texts.ts';
import { Dialog, dialogButtons, submitOnEnter, useSubmit } from './dialog.ts';

type OpenedForm = Extract<Change, { name: 'form' }>;

/** A form. Its values stay until they were sent. */
export function FormDialog({ page, opened }: { page: Page; opened: OpenedForm }): VNode {
	const { form, channel, pictures } = opened;
	const [{ values, focus, invalid }, setFilling] = useState(() => beginFilling(form.fields, form.values ?? {}));
	const [id, setId] = useState(newId);
	const { onSubmit, isSending, setError, error } = useSubmit(async () => {
		const problem = problemIn(form.fields, values);
		if (problem) {
			setFilling(problem.filling);
			throw new Error(problem.sentence);
		}
		await page.invoke(id, form.command, values, { as: page.state.me, channel }, form.id);
		page.open(undefined);
	});
	const change = (filling: Filling) => {
		setFilling(filling);
		setError('');
		setId(newId());
	};
	useEffect(() => {
		page.takeFiles = (files) => change(fillPictures(form.fields, values, files));
		return () => {
			page.takeFiles = undefined;
		};
	}, [values]);
	// Several pictures may be in the input that chooses from them.
	const isChosen = form.fields.some(({ name }) => name === 'which');
	return h(
		Dialog,
		{ page, class: 'sheet' },
		html`<form novalidate onSubmit=${onSubmit} onKeyDown=${submitOnEnter}>
			<h2 id="dialog-title">${form.title}</h2>
			${!isChosen && pictures.length > 0 && html`<div class="thumbs">${pictures.map(thumbnail)}</div>`}
			${form.note && html`<div class="text">${markdown(form.note)}</div>`}
			${h(Inputs, { page, fields: form.fields, values, onChange: change, onError: setError, focus, invalid, pictures })}
			${error}
			${dialogButtons(page, t('sandbox.dialog.send'), isSending)}
		</form>`,
	);
}
