import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { send } from '../api.ts';
import { h, html } from '../html.ts';
import type { Page } from '../page.ts';
import type { Message } from '../state.ts';
import { t } from '../texts.ts';
import { Dialog, dialogButtons } from './dialog.ts';

/** Changes a person's own message. */
export function EditDialog({ page, message }: { page: Page; message: Message }): VNode {
	const [text, setText] = useState(message.text);
	const [error, setError] = useState('');
	const submit = async (event: SubmitEvent) => {
		event.preventDefault();
		const { channel, number } = message;
		try {
			await send('edits', { as: page.state.me, channel, number, text });
			page.open(undefined);
		} catch (failure) {
			setError((failure as Error).message);
		}
	};
	return h(
		Dialog,
		{ page, class: 'sheet' },
		html`<form novalidate onSubmit=${submit}>
			<h2 id="dialog-title">${t('sandbox.edit.title')}</h2>
			<div class="field long">
				<textarea data-focus name="text" rows="4" maxlength=${page.state.limits?.ownText} aria-label=${t('sandbox.edit.text')} value=${text}
					onInput=${({ currentTarget }: { currentTarget: HTMLTextAreaElement }) => setText(currentTarget.value)} />
			</div>
			<p class="error" role="alert">${error}</p>
			${dialogButtons(page, t('sandbox.dialog.save'))}
		</form>`,
	);
}
