import type { VNode } from 'preact';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { send } from '../api.ts';
import { textFor, type Values } from '../composer/options.ts';
import { h, html } from '../html.ts';
import type { Page } from '../page.ts';
import type { Found, Message } from '../state.ts';
import { formatDate, type MessageId, t, tNodes } from '../texts.ts';
import { MessageView } from './message.ts';

const DAY: Intl.DateTimeFormatOptions = { weekday: 'long', day: 'numeric', month: 'long' };
/** Messages of one author this close together are shown without repeating the author. */
const JOIN_WITHIN_MS = 5 * 60_000;

/** The messages of the channel or thread that is shown. Older ones load on scrolling up. A focusable box can be scrolled by keyboard. */
export function MessageList({ page }: { page: Page }): VNode {
	const box = useRef<HTMLElement>(null);
	useLayoutEffect(() => page.scroll.attach(box.current as HTMLElement), []);
	const { found, shown, readUntil, state } = page;
	const rows = useMemo(() => rowsOf(page, found), [shown, readUntil, state.version]);
	useLayoutEffect(() => page.scroll.update(), [rows]);
	return html`<section class="history" id="history" aria-label=${t('sandbox.channel.messages')} tabindex="0" ref=${box}>
		<div class="column" id="column">${rows}</div>
	</section>`;
}

function rowsOf(page: Page, found: Found): VNode[] {
	const { state, shown, readUntil } = page;
	const log = state.log(shown);
	const messages = [...log.messages.values()].sort((a, b) => a.number - b.number);
	const rows: VNode[] = [];
	const row = (message: Message, isJoined: boolean, isOrigin = false) => {
		const thread = isOrigin ? undefined : state.threadOn(message);
		return h(MessageView, { key: `${message.channel} ${message.number}`, page, message, thread, isJoined, isOrigin });
	};
	// A thread of a command is started on a message without content.
	const origin = log.origin && (log.origin.text || log.origin.files.length > 0) ? log.origin : undefined;
	if (origin && log.loaded && !log.more) rows.push(row(origin, false, true));
	else if (!log.more && messages.length > 0) rows.push(beginning(found));
	let isMarked = readUntil === 0;
	for (const [index, message] of messages.entries()) {
		const last = messages[index - 1];
		const isNewDay = dayOf(message) !== (last && dayOf(last));
		if (isNewDay) rows.push(separator('day', formatDate(new Date(message.at), DAY), message));
		if (!isMarked && message.number > readUntil) {
			isMarked = true;
			if (message.author !== state.me) rows.push(separator('day new', t('sandbox.channel.new'), message));
		}
		rows.push(row(message, !isNewDay && last !== undefined && isJoined(message, last)));
	}
	if (log.loaded && messages.length === 0 && !origin) rows.push(emptyChannel(page, found));
	return rows;
}

const isJoined = (message: Message, last: Message): boolean =>
	last.author === message.author &&
	!message.about &&
	!message.replyTo &&
	last.private === message.private &&
	Date.parse(message.at) - Date.parse(last.at) < JOIN_WITHIN_MS;

const separator = (name: string, text: string, { number }: Message) =>
	html`<p key="${name} ${number}" class=${name} role="separator"><span>${text}</span></p>`;

const dayOf = ({ at }: Message) => new Date(at).toDateString();

function beginning({ channel, thread }: Found): VNode {
	const name = html`<b>${thread ? thread.title : channel.direct ? channel.name : `#${channel.name}`}</b>`;
	return html`<p class="beginning" key="beginning">${tNodes('sandbox.channel.beginning', { channel: name })}</p>`;
}

/** Something to try. It runs at once, or its inputs are filled in, to be changed before. */
type Example = {
	title: MessageId;
	/** Undefined for a message in plain words, and for the other platform. */
	command: string | undefined;
	prompt: MessageId | undefined;
	shown: readonly string[];
	options?: Values;
	/** The pictures that its inputs are filled in with. */
	files?: readonly string[];
};

const example = (
	title: MessageId,
	command: string | undefined,
	prompt: MessageId | undefined,
	shown: readonly string[],
	more: Pick<Example, 'options' | 'files'> = {},
): Example => ({ title, command, prompt, shown, ...more });

const FOX = example('sandbox.example.titles.imagine', 'imagine', 'sandbox.example.fox', ['fox']);
const BOAT = example('sandbox.example.titles.imagine', 'imagine', 'sandbox.example.boat', ['boat']);
const WORDS = example('sandbox.example.titles.words', 'imagine', 'sandbox.example.words', ['mountain']);
const CHAT = example('sandbox.example.titles.chat', 'chat', 'sandbox.example.chat', ['owl']);
const PLAIN = example('sandbox.example.titles.plain', undefined, 'sandbox.example.plain', ['robot']);
// Its title names the other platform.
const OTHER: Example = {
	title: 'sandbox.example.titles.other',
	command: undefined,
	prompt: undefined,
	shown: ['cottage'],
};
const LIGHTHOUSES = ['lighthouse', 'lighthouse-2', 'lighthouse-3', 'lighthouse-4'];
const FOUR = example('sandbox.example.titles.four', 'imagine', 'sandbox.example.lighthouse', LIGHTHOUSES, {
	options: { n: 4 },
});
const BY_NIGHT = ['lighthouse', 'lighthouse-night'];
const EDIT = example('sandbox.example.titles.edit', 'edit', 'sandbox.example.edit', BY_NIGHT, {
	files: ['lighthouse'],
});
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
function emptyChannel(page: Page, { server, channel, thread }: Found): VNode {
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
	const platform = page.state.snapshot.settings.emulates === 'slack' ? 'Discord' : 'Slack';
	const described = page.commands.find(({ name }) => name === command);
	const text = described && textFor(described, valuesOf(example)).slice(1 + described.name.length);
	return html`<button class="example" type="button" onClick=${() => page.attempt(() => run(page, example))}>
		<span class="shots">${shown.map((picture) => html`<img src=${addressOf(picture)} alt="" />`)}</span>
		<b>${t(title, { platform })}</b>
		<span>${command ? html`<code>/${command}</code>${text}` : t(prompt ?? 'sandbox.example.other', { platform })}</span>
	</button>`;
}

const valuesOf = ({ options, prompt }: Example): Values => ({ ...options, ...(prompt && { prompt: t(prompt) }) });

async function run(page: Page, example: Example): Promise<void> {
	const { drafts, state } = page;
	const { files, prompt } = example;
	const command = page.commands.find(({ name }) => name === example.command);
	if (command && files) drafts.openCard(command, valuesOf(example), await Promise.all(files.map(sample)));
	else if (command) await drafts.run(command.name, valuesOf(example));
	else if (prompt) {
		drafts.change({ text: t(prompt) });
		drafts.send();
	} else await send('emulation', { platform: state.snapshot.settings.emulates === 'slack' ? 'discord' : 'slack' });
}

const addressOf = (picture: string) => `/sandbox/samples/${picture}.webp`;

async function sample(picture: string): Promise<File> {
	const response = await fetch(addressOf(picture));
	return new File([await response.blob()], `${picture}.webp`, { type: 'image/webp' });
}
