import type { VNode } from 'preact';
import { textFor, type Values } from '../composer/options.ts';
import { html } from '../html.ts';
import type { Page } from '../page.ts';
import { type MessageId, t } from '../texts.ts';

/**
 * Returns something to try: a command, or a message in plain words. It runs at once, or its inputs are filled in, to be changed before.
 * @param more.files the pictures that its inputs are filled in with
 */
const example = (
	title: MessageId,
	command: string | undefined,
	prompt: MessageId | undefined,
	shown: readonly string[],
	more: { options?: Values; files?: readonly string[] } = {},
) => ({ title, command, prompt, shown, ...more });

type Example = ReturnType<typeof example>;

const FOX = example('sandbox.example.titles.imagine', 'imagine', 'sandbox.example.fox', ['fox']);
const BOAT = example('sandbox.example.titles.imagine', 'imagine', 'sandbox.example.boat', ['boat']);
const WORDS = example('sandbox.example.titles.words', 'imagine', 'sandbox.example.words', ['mountain']);
const CHAT = example('sandbox.example.titles.chat', 'chat', 'sandbox.example.chat', ['owl']);
const PLAIN = example('sandbox.example.titles.plain', undefined, 'sandbox.example.plain', ['robot']);
/** Switches to the other platform, which its title names. */
const OTHER = { ...PLAIN, title: 'sandbox.example.titles.other', prompt: undefined, shown: ['cottage'] } as const;
const LIGHTHOUSES = ['lighthouse', 'lighthouse-2', 'lighthouse-3', 'lighthouse-4'];
const FOUR = example('sandbox.example.titles.four', 'imagine', 'sandbox.example.lighthouse', LIGHTHOUSES, {
	options: { n: 4 },
});
const EDITED = ['lighthouse', 'lighthouse-night'];
const EDIT = example('sandbox.example.titles.edit', 'edit', 'sandbox.example.edit', EDITED, { files: ['lighthouse'] });
const BOTH = ['lighthouse', 'boat'];
const COMPOSE = example('sandbox.example.titles.compose', 'compose', 'sandbox.example.compose', BOTH, { files: BOTH });
const CAP = example('sandbox.example.titles.cap', 'limits set', undefined, ['chest'], {
	options: { scope: 'server', period: 'day', images: 5 },
	files: [],
});

/** The examples of the channels of a server, in their order; the last are those of a direct message. */
const EXAMPLES: readonly (readonly Example[])[] = [
	[FOX, FOUR, EDIT, COMPOSE, WORDS, CHAT, CAP, OTHER],
	[WORDS, BOAT, COMPOSE, FOUR],
	[BOAT, EDIT, CHAT, CAP],
	[PLAIN, FOX, WORDS, CHAT],
];

/** A channel or thread without messages, with what can be tried there. */
export function emptyChannel(page: Page): VNode {
	const { server, channel, thread } = page.found;
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
	const { title, command, prompt, shown } = example;
	const platform = otherPlatform(page) === 'slack' ? 'Slack' : 'Discord';
	const described = page.commands.find(({ name }) => name === command);
	const text = described && textFor(described, valuesOf(example)).slice(1 + described.name.length);
	return html`<button class="example" type="button" onClick=${() => page.attempt(() => run(page, example))}>
		<span class="shots">${shown.map((picture) => html`<img src=${addressOf(picture)} alt="" />`)}</span>
		<b>${t(title, { platform })}</b>
		<span>${command ? html`<code>/${command}</code>${text}` : t(prompt ?? 'sandbox.example.other', { platform })}</span>
	</button>`;
}

const otherPlatform = ({ snapshot }: Page) => (snapshot.settings.emulates === 'slack' ? 'discord' : 'slack');

const valuesOf = ({ options, prompt }: Example): Values => ({ ...options, ...(prompt && { prompt: t(prompt) }) });

async function run(page: Page, example: Example): Promise<void> {
	const { drafts } = page;
	const { files, prompt } = example;
	const command = page.commands.find(({ name }) => name === example.command);
	if (command && files) drafts.openCard(command, valuesOf(example), await Promise.all(files.map(sample)));
	else if (command) await drafts.run(command, valuesOf(example));
	else if (prompt) {
		drafts.change({ text: t(prompt) });
		drafts.send();
	} else await page.send('emulation', { platform: otherPlatform(page) });
}

const addressOf = (picture: string) => `/sandbox/samples/${picture}.webp`;

async function sample(picture: string): Promise<File> {
	const response = await fetch(addressOf(picture));
	return new File([await response.blob()], `${picture}.webp`, { type: 'image/webp' });
}
