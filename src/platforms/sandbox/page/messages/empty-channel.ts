import type { VNode } from 'preact';
import { textFor, type Values } from '../composer/command-text.ts';
import { html, icon } from '../html.ts';
import type { Page } from '../page.ts';
import type { Found } from '../state.ts';
import { type MessageId, t } from '../texts.ts';

/** Something to try: a command that runs at once, or whose inputs are filled in where it takes the pictures of the example. */
type Example = {
	command: string;
	prompt?: MessageId;
	options?: Values;
	pictures: readonly string[];
	isFilledIn?: true;
};

const FOX: Example = { command: 'imagine', prompt: 'sandbox.example.fox', pictures: ['fox'] };
const BOAT: Example = { command: 'imagine', prompt: 'sandbox.example.boat', pictures: ['boat'] };
const FOUR: Example = {
	command: 'imagine',
	prompt: 'sandbox.example.lighthouse',
	options: { n: 4 },
	pictures: ['lighthouse'],
};
const WORDS: Example = { command: 'imagine', prompt: 'sandbox.example.words', pictures: ['mountain'] };
const EDIT: Example = { command: 'edit', prompt: 'sandbox.example.edit', pictures: ['lighthouse'], isFilledIn: true };
const COMPOSE: Example = {
	command: 'compose',
	prompt: 'sandbox.example.compose',
	pictures: ['lighthouse', 'boat'],
	isFilledIn: true,
};
const CHAT: Example = { command: 'chat', prompt: 'sandbox.example.chat', pictures: [] };
const CAP: Example = {
	command: 'limits set',
	options: { scope: 'server', period: 'day', images: 5 },
	pictures: [],
	isFilledIn: true,
};

/** The examples of the channels of a server, in their order; the last are those of a direct message. */
const EXAMPLES: readonly (readonly Example[])[] = [
	[FOX, FOUR, EDIT, CHAT],
	[WORDS, BOAT, COMPOSE, FOUR],
	[BOAT, EDIT, CHAT, CAP],
	[FOX, WORDS, COMPOSE, CHAT],
];

/** A channel or thread without messages, with what can be tried there. */
export function emptyChannel(page: Page, { server, channel, thread }: Found): VNode {
	const all = EXAMPLES[server.channels.indexOf(channel)] ?? [];
	const examples = all.filter(({ command }) => page.commands.some(({ name }) => name === command));
	const hint = thread
		? t(examples.length > 0 ? 'sandbox.empty.examplesInThread' : 'sandbox.empty.helloInThread')
		: t(examples.length > 0 ? 'sandbox.empty.examples' : 'sandbox.empty.hello', { channel: channel.name });
	return html`<div class="empty" key="empty">
		<img src="/sandbox/easel.svg" alt="" width="72" height="72" />
		<h3>${t(thread ? 'sandbox.empty.thread' : 'sandbox.empty.channel')}</h3>
		<p>${channel.direct && !thread ? t('sandbox.channel.direct') : hint}</p>
		${examples.length > 0 && html`<div class="examples">${examples.map((example) => card(page, example))}</div><p class="tip">${t('sandbox.empty.drop')}</p>`}
	</div>`;
}

function card(page: Page, { command: name, prompt, options, pictures, isFilledIn }: Example): VNode | undefined {
	const command = page.commands.find((one) => one.name === name);
	if (!command) return undefined;
	const values = { ...options, ...(prompt && { prompt: t(prompt) }) };
	const fill = async () => page.drafts.openCard(command, values, await Promise.all(pictures.map(sample)));
	const run = () => (isFilledIn ? page.attempt(fill) : page.drafts.run(name, values));
	return html`<button class="example" type="button" onClick=${run}>
		${pictures.length === 0 && html`<span class="thumb">${icon(name === 'chat' ? 'thread' : 'menu')}</span>`}
		${pictures.map((picture) => html`<span class="thumb"><img src=${addressOf(picture)} alt="" /></span>`)}
		<span><code>/${name}</code>${textFor(command, values).slice(name.length + 1)}</span>
	</button>`;
}

const addressOf = (picture: string) => `/sandbox/samples/${picture}.webp`;

/** Returns a picture of an example as a file. */
async function sample(picture: string): Promise<File> {
	const response = await fetch(addressOf(picture));
	return new File([await response.blob()], `${picture}.webp`, { type: 'image/webp' });
}
