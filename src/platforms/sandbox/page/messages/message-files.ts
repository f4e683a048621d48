import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { StoredFile } from '../../server/files.ts';
import { fileAddress } from '../api.ts';
import { classes, h, html, icon } from '../html.ts';
import type { Page } from '../page.ts';
import type { Message } from '../state.ts';
import { sizeText, t } from '../texts.ts';

export const isPicture = ({ type }: StoredFile): boolean => type.startsWith('image/');

/** Reserves the space of a picture until it has loaded. */
const shapeOf = (width: number, height: number) => `--ratio: ${width / height}; --wide: ${width}`;

/** The files of a message. Its pictures are uncovered together, since the enlarged view shows them all. */
export function Files({ page, files }: { page: Page; files: Message['files'] }): VNode {
	const [isUncovered, setUncovered] = useState(false);
	const pictures = files.filter(isPicture);
	const number = pictures[0]?.number;
	return html`<div class=${classes('files', pictures.length > 1 && 'several')}
		style=${number && `counter-reset: picture ${number - 1}` /* The pictures of a result that takes several messages are numbered throughout. */}>
		${files.map((file) => {
			if (!isPicture(file)) return download(file);
			const isCovered = Boolean(file.spoiler) && !isUncovered;
			const onClick = () =>
				isCovered ? setUncovered(true) : page.open({ kind: 'pictures', pictures, index: pictures.indexOf(file) });
			return h(Picture, { key: file.id, file, isCovered, onClick });
		})}
	</div>`;
}

function Picture({ file, isCovered, onClick }: { file: StoredFile; isCovered: boolean; onClick(): void }): VNode {
	const [status, setStatus] = useState('');
	const { width, height } = file;
	const alt = file.alt || file.name;
	return html`<button type="button" class=${classes('picture', Boolean(width && height) && 'sized', isCovered && 'covered', status)}
		style=${width && height && shapeOf(width, height)} onClick=${onClick}
		aria-label=${isCovered ? t('sandbox.message.covered') : t('sandbox.message.enlarge', { alt })}>
		${isCovered && html`<span class="cover">${icon('eye')}${t('sandbox.message.cover')}</span>`}
		<img alt=${alt} decoding="async" src=${fileAddress(file)} onLoad=${() => setStatus('there')} onError=${() => setStatus('broken')} />
	</button>`;
}

const download = (file: StoredFile) =>
	html`<a key=${file.id} class="download" href="${fileAddress(file)}?download" download=${file.name}>
		${icon('file')}<b>${file.name}</b><small>${sizeText(file.size)}</small>
	</a>`;

/** Outlines of the pictures that a message waits for, in their shape, so that nothing moves when they come. */
export function Expected({ expected }: { expected: NonNullable<Message['expected']> }): VNode {
	const { count, shape = { width: 1, height: 1 } } = expected;
	return html`<div class=${classes('files', count > 1 && 'several')} aria-hidden="true">
		${Array.from({ length: count }, () => html`<div class="picture sized expected" style=${shapeOf(shape.width, shape.height)}><div class="canvas" /></div>`)}
	</div>`;
}
