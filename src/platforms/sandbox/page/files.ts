import { useEffect, useState } from 'preact/hooks';
import { html, icon } from './html.ts';
import { sizeText, t } from './texts.ts';

/** The maximum of a picture of a command, which the bot checks too. */
const MAX_BYTES = 10 * 2 ** 20;

export const pictureProblem = (file: File): string | undefined =>
	isMaybePicture(file) ? sizeProblem(file, MAX_BYTES) : t('sandbox.file.notPicture', { file: file.name });

/** Returns why a file cannot be taken. @param max bytes */
export const sizeProblem = ({ name, size }: File, max: number): string | undefined =>
	size > max ? t('sandbox.file.tooLarge', { file: name, size: sizeText(Math.floor(max / 1e6) * 1e6) }) : undefined;

export const isPicture = ({ type }: { type: string }): boolean => type.startsWith('image/');

/** Whether a file may be a picture. Systems do not know the type of each. */
export const isMaybePicture = ({ type }: File): boolean => type === '' || isPicture({ type });

/** Returns the files that can be taken, and the first problem of the others. */
export function checkFiles(files: readonly File[], problemOf: (file: File) => string | undefined) {
	const problems = files.map(problemOf);
	return { good: files.filter((_, index) => !problems[index]), problem: problems.find(Boolean) };
}

/** Calls `onFiles` with files that are dropped or pasted anywhere in the page. */
export function onDroppedFiles(onFiles: (files: File[]) => void): void {
	const show = (isDropping: boolean) => document.body.classList.toggle('dropping', isDropping);
	const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files');
	addEventListener('dragover', (event) => {
		if (!hasFiles(event)) return;
		event.preventDefault();
		show(true);
	});
	// Each element under the pointer fires its own event; one that goes to no other element leaves the page.
	addEventListener('dragleave', (event) => !event.relatedTarget && show(false));
	addEventListener('drop', (event) => {
		if (!hasFiles(event)) return;
		show(false);
		// An input takes its file by itself.
		if (event.target instanceof HTMLInputElement && event.target.type === 'file') return;
		event.preventDefault();
		onFiles([...(event.dataTransfer?.files ?? [])]);
	});
	addEventListener('paste', (event) => {
		const files = [...(event.clipboardData?.files ?? [])];
		// Programs that copy text often add a picture of it. Then the text is meant.
		if (files.length === 0 || event.clipboardData?.types.includes('text/plain')) return;
		event.preventDefault();
		onFiles(files);
	});
}

/** The picture in a file of the person, or an icon for what the browser cannot show. */
export function FileThumb({ file }: { file: File | undefined }) {
	const [address, setAddress] = useState('');
	useEffect(() => {
		const created = file ? URL.createObjectURL(file) : '';
		setAddress(created);
		return () => URL.revokeObjectURL(created);
	}, [file]);
	const shown =
		file && address
			? html`<img src=${address} alt="" onError=${() => setAddress('')} />`
			: icon(file ? 'file' : 'picture');
	return html`<span class="thumb">${shown}</span>`;
}
