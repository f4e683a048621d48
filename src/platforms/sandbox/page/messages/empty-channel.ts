import type { VNode } from 'preact';
import { send } from '../api.ts';
import { textFor } from '../composer/command-text.ts';
import { html } from '../html.ts';
import type { Values } from '../inputs/filling.ts';
import type { Page } from '../page.ts';
import type { Found } from '../state.ts';
import { type MessageId, t } from '../texts.ts';

/** Something to try. It runs at once, or its inputs are filled in, to be changed before. */
type Example = {
	title: MessageId;
	/** Undefined for a message in plain words, and for the other platform. */
	command?: string;
	prompt?: MessageId;
	options?: Values;
	/** The pictures of its card. */
	shown: readonly string[];
	/** The pictures that its inputs are filled in with. */
	files?: readonly string[];
};

const FOX: Example = {
	title: 'sandbox.example.titles.imagine',
	command: 'imagine',
	prompt: 'sandbox.example.fox',
	shown: ['fox'],
};
const BOAT: Example = { ...FOX, prompt: 'sandbox.example.boat', shown: ['boat'] };
const FOUR: Example = {
	title: 'sandbox.example.titles.four',
	command: 'imagine',
	prompt: 'sandbox.example.lighthouse',
	options: { n: 4 },
	shown: ['lighthouse', 'lighthouse-2', 'lighthouse-3', 'lighthouse-4'],
};
const WORDS: Example = {
	title: 'sandbox.example.titles.words',
	command: 'imagine',
	prompt: 'sandbox.example.words',
	shown: ['mountain'],
};
const EDIT: Example = {
	title: 'sandbox.example.titles.edit',
	command: 'edit',
	prompt: 'sandbox.example.edit',
	shown: ['lighthouse', 'lighthouse-night'],
	files: ['lighthouse'],
};
const COMPOSE: Example = {
	title: 'sandbox.example.titles.compose',
	command: 'compose',
	prompt: 'sandbox.example.compose',
	shown: ['lighthouse', 'boat'],
	files: ['lighthouse', 'boat'],
};
const CHAT: Example = {
	title: 'sandbox.example.titles.chat',
	command: 'chat',
	prompt: 'sandbox.example.chat',
	shown: ['owl'],
};
const CAP: Example = {
	title: 'sandbox.example.titles.cap',
	command: 'limits set',
	options: { scope: 'server', period: 'day', images: 5 },
	shown: ['chest'],
	files: [],
};
const PLAIN: Example = { title: 'sandbox.example.titles.plain', prompt: 'sandbox.example.plain', shown: ['robot'] };
const OTHER: Example = { title: 'sandbox.example.titles.other', shown: ['cottage'] };

/** The examples of the channels of a server, in their order; the last are those of a direct message. */
const EXAMPLES: readonly (readonly Example[])[] = [
	[FOX, FOUR, EDIT, COMPOSE, WORDS, CHAT, CAP, OTHER],
	[WORDS, BOAT, COMPOSE, FOUR],
	[BOAT, EDIT, CHAT, CAP],
	[PLAIN, FOX, WORDS, CHAT],
];

/** A channel or thread without messages, with what can be tried there. */
export function emptyChannel(page: Page, { server, channel, thread }: Found): VNode {
	const isOffered = ({ command }: Example) => !command || page.commands.some(({ name }) => name === command);
	const examples = (EXAMPLES[server.channels.indexOf(channel)] ?? []).filter(isOffered);
	const hint = thread
		? t(examples.length > 0 ? 'sandbox.empty.examplesInThread' : 'sandbox.empty.helloInThread')
		: t(examples.length > 0 ? 'sandbox.empty.examples' : 'sandbox.empty.hello', { channel: channel.name });
	return html`<div class="empty" key="empty">
		<img src="/sandbox/easel.svg" alt="" width="56" height="56" />
		<h3>${t(thread ? 'sandbox.empty.thread' : 'sandbox.empty.channel')}</h3>
		<p>${channel.direct && !thread ? t('sandbox.channel.direct') : hint}</p>
		${examples.length > 0 && html`<div class="examples">${examples.map((example) => card(page, example))}</div><p class="tip">${t('sandbox.empty.drop')}</p>`}
	</div>`;
}

function card(page: Page, example: Example): VNode {
	const { title, command, shown } = example;
	const platform = page.state.settings.emulates === 'slack' ? 'Discord' : 'Slack';
	return html`<button class="example" type="button" onClick=${() => void page.attempt(async () => run(page, example))}>
		<span class="shots">${shown.map((picture) => html`<img src=${addressOf(picture)} alt="" />`)}</span>
		<b>${t(title, { platform })}</b>
		<span>${command ? html`<code>/${command}</code>${commandText(page, example)}` : t(example.prompt ?? 'sandbox.example.other', { platform })}</span>
	</button>`;
}

const valuesOf = ({ options, prompt }: Example): Values => ({ ...options, ...(prompt && { prompt: t(prompt) }) });

function commandText(page: Page, example: Example): string {
	const command = page.commands.find(({ name }) => name === example.command);
	return command ? textFor(command, valuesOf(example)).slice(1 + command.name.length) : '';
}

async function run(page: Page, example: Example): Promise<void> {
	const { drafts, state } = page;
	const { files, prompt } = example;
	const command = page.commands.find(({ name }) => name === example.command);
	if (command && files) drafts.openCard(command, valuesOf(example), await Promise.all(files.map(sample)));
	else if (command) await drafts.run(command.name, valuesOf(example));
	else if (prompt) {
		drafts.change({ text: t(prompt) });
		drafts.send();
	} else await send('emulation', { platform: state.settings.emulates === 'slack' ? 'discord' : 'slack' }, 'PUT');
}

const addressOf = (picture: string) => `/sandbox/samples/${picture}.webp`;

/** Returns a picture of an example as a file. */
async function sample(picture: string): Promise<File> {
	const response = await fetch(addressOf(picture));
	return new File([await response.blob()], `${picture}.webp`, { type: 'image/webp' });
}
