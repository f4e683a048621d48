import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { StoredFile } from '../../server/files.ts';
import { fileAddress } from '../api.ts';
import { h, html, icon } from '../html.ts';
import type { Page } from '../page.ts';
import { type MessageId, sizeText, t } from '../texts.ts';
import { Dialog } from './dialog.ts';

type ViewerProps = { page: Page; pictures: readonly StoredFile[]; index: number };

/** Shows the pictures of a message enlarged, from one of them on. */
export function Viewer({ page, pictures, index }: ViewerProps): VNode {
	const [at, setAt] = useState(index);
	const file = pictures[at];
	const turn = (step: number) => setAt((at + step + pictures.length) % pictures.length);
	const onKeyDown = ({ key }: KeyboardEvent) => turn({ ArrowRight: 1, ArrowLeft: -1 }[key] ?? 0);
	const button = (label: MessageId, name: string, step: number) =>
		html`<button class="quiet turn ${name}" type="button" aria-label=${t(label)} onClick=${() => turn(step)}>${icon('back')}</button>`;
	return h(
		Dialog,
		{ page, class: 'viewer', label: t('sandbox.viewer.title'), closesOnClick: true, onKeyDown },
		file &&
			html`<figure key=${file.id}>${enlarged(file, pictures.length > 1 && t('sandbox.viewer.position', { at: at + 1, count: pictures.length }))}</figure>`,
		pictures.length > 1 && button('sandbox.viewer.previous', 'before', -1),
		pictures.length > 1 && button('sandbox.viewer.next', 'after', 1),
	);
}

function enlarged(file: StoredFile, position: string | false): VNode {
	const alt = file.alt || file.name;
	const facts = [file.width && `${file.width} × ${file.height}`, sizeText(file.size), position];
	return html`<img src=${fileAddress(file)} alt=${alt} />
		<figcaption>
			<span class="alt">${alt}</span>
			<span class="facts">${facts.filter(Boolean).join(' · ')}</span>
			<a class="action" href="${fileAddress(file)}?download" download=${file.name}>${icon('download')}${t('sandbox.viewer.download')}</a>
		</figcaption>`;
}
