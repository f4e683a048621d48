import type { VNode } from 'preact';
import type { CommandDescription } from '../../../../domain/command.ts';
import { pictureFields } from '../composer/command-text.ts';
import { FileThumb } from '../files.ts';
import { h, html, type IconName, icon } from '../html.ts';
import { given } from '../inputs/filling.ts';
import type { Page } from '../page.ts';
import { type MessageId, t } from '../texts.ts';
import { Dialog } from './dialog.ts';

const LABELS: Readonly<Record<string, MessageId>> = { edit: 'sandbox.drop.edit', compose: 'sandbox.drop.compose' };

/** Asks what dropped files are for: the commands that take as many pictures, or attaching them to a message. */
export function DropDialog({ page, files }: { page: Page; files: readonly File[] }): VNode {
	const max = Math.max(0, ...page.commands.map((command) => pictureFields(command).length));
	const file = files.length === 1 ? files[0]?.name : undefined;
	const runCommand = (command: CommandDescription) => {
		const { text, card } = page.drafts.current;
		const prompt = card ? given(card.values)['prompt'] : text.startsWith('/') ? '' : text.trim();
		page.drafts.openCard(command, prompt ? { prompt } : {}, files);
	};
	const choice = (label: string, hint: string, name: IconName, run: () => void, isFirst = false) =>
		html`<button class="choice" type="button" data-focus=${isFirst || undefined} onClick=${() => {
			page.open(undefined);
			run();
		}}>${icon(name)}<b>${label}</b><small>${hint}</small></button>`;
	const commands = page.commands.filter((command) => pictureFields(command).length >= files.length);
	return h(
		Dialog,
		{ page, class: 'sheet small-sheet' },
		html`<h2 id="dialog-title">${file ? t('sandbox.drop.named', { file }) : t('sandbox.drop.files', { count: files.length })}</h2>`,
		html`<div class="thumbs">${files.map((each) => h(FileThumb, { file: each }))}</div>`,
		max > 0 && files.length > max && html`<p class="note">${t('sandbox.drop.max', { count: max })}</p>`,
		html`<div class="choices">
			${commands.map((command, index) => {
				const label = LABELS[command.name];
				const name = pictureFields(command).length > 1 ? 'layers' : 'brush';
				return choice(
					label ? t(label) : `/${command.name}`,
					command.description,
					name,
					() => runCommand(command),
					index === 0,
				);
			})}
			${choice(t('sandbox.drop.attach'), t('sandbox.drop.attachHint'), 'file', () => page.drafts.attach(files), commands.length === 0)}
		</div>`,
	);
}
