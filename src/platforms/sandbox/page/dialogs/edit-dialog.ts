import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { send } from '../api.ts';
import { h, html } from '../html.ts';
import type { Page } from '../page.ts';
import type { Message } from '../state.ts';
import { t } from '../texts.ts';
import { Dialog, dialogButtons, useSubmit } from './dialog.ts';

/** Changes a person's own message. */
export function EditDialog({ page, message }: { page: Page; message: Message }): VNode {
	const [text, setText] = useState(message.text);
	const { onSubmit, error } = useSubmit(async () => {
		const { channel, number } = message;
		await send('edits', { as: page.state.me, channel, number, text });
		page.open(undefined);
	});
	return h(
		Dialog,
		{ page, class: 'sheet' },
		html`<form novalidate onSubmit=${onSubmit}>
			<h2 id="dialog-title">${t('sandbox.edit.title')}</h2>
			<div class="field long">
				<textarea data-focus name="text" rows="4" maxlength=${page.state.limits?.ownText} aria-label=${t('sandbox.edit.text')} value=${text}
					onInput=${({ currentTarget }: { currentTarget: HTMLTextAreaElement }) => setText(currentTarget.value)} />
			</div>
			${error}
			${dialogButtons(page, t('sandbox.dialog.save'))}
		</form>`,
	);
}
