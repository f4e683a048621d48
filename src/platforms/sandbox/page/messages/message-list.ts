import type { VNode } from 'preact';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { h, html } from '../html.ts';
import type { Page } from '../page.ts';
import type { Found, Message } from '../state.ts';
import { formatDate, t, tNodes } from '../texts.ts';
import { emptyChannel } from './empty-channel.ts';
import { MessageView } from './message.ts';

const DAY: Intl.DateTimeFormatOptions = { weekday: 'long', day: 'numeric', month: 'long' };
/** Messages of one author this close together are shown without repeating the author. */
const JOIN_WITHIN_MS = 5 * 60_000;

/** The messages of the channel or thread that is shown. Older ones load on scrolling up. A focusable box can be scrolled by keyboard. */
export function MessageList({ page }: { page: Page }): VNode {
	const box = useRef<HTMLElement>(null);
	const column = useRef<HTMLElement>(null);
	useLayoutEffect(() => {
		if (box.current && column.current) page.scroll.attach(box.current, column.current);
	}, []);
	const { found, shown, readUntil, state } = page;
	const rows = useMemo(() => rowsOf(page, found), [shown, readUntil, state.version]);
	useLayoutEffect(() => page.scroll.update(), [rows]);
	return html`<section class="history" id="history" aria-label=${t('sandbox.channel.messages')} tabindex="0" ref=${box}>
		<div class="column" id="column" ref=${column}>${rows}</div>
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
