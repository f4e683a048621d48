import type { VNode } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type Content, html, icon } from '../html.ts';
import type { Page } from '../page.ts';
import { t } from '../texts.ts';

type DialogProps = {
	page: Page;
	class: string;
	/** The name of the dialog, unless an element with the id `dialog-title` has it. */
	label?: string;
	/** A click beside the content closes it. Forms stay open, since a slip would lose what was typed. */
	closesOnClick?: boolean;
	onKeyDown?(event: KeyboardEvent): void;
	children?: Content;
};

/** A dialog over the page, with a button to close it. */
export function Dialog({ page, label, closesOnClick, onKeyDown, children, ...props }: DialogProps): VNode {
	const element = useRef<HTMLDialogElement>(null);
	useLayoutEffect(() => {
		element.current?.showModal();
		element.current?.querySelector<HTMLElement>('[data-focus]')?.focus();
	}, []);
	const close = () => element.current?.close();
	return html`<dialog ref=${element} class=${props.class} aria-label=${label} aria-labelledby=${label ? undefined : 'dialog-title'}
		onClose=${() => page.open(undefined)} onKeyDown=${onKeyDown}
		onClick=${({ target }: MouseEvent) => closesOnClick && target === element.current && close()}>
		<button class="quiet close" type="button" aria-label=${t('sandbox.dialog.close')} onClick=${close}>${icon('close')}</button>
		${children}
	</dialog>`;
}

/** Sends the form of a dialog, once at a time. An error is shown in the dialog. */
export function useSubmit(send: () => Promise<unknown>) {
	const [error, setError] = useState('');
	const [isSending, setSending] = useState(false);
	const onSubmit = async (event: SubmitEvent) => {
		event.preventDefault();
		if (isSending) return;
		setSending(true);
		setError('');
		try {
			await send();
		} catch (failure) {
			setError((failure as Error).message);
		}
		setSending(false);
	};
	return { onSubmit, isSending, setError, error: html`<p class="error" role="alert">${error}</p>` };
}
