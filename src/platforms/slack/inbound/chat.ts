import type { App } from '@slack/bolt';
import type { Channel } from '../../../domain/channel.ts';
import type { Person } from '../../../domain/person.ts';
import type { Place } from '../../../domain/place.ts';
import type { Inbox } from '../../../domain/platform.ts';
import { KeyedQueue } from '../../shared/keyed-queue.ts';
import type { Installation } from '../installation/installation.ts';
import { createMessageFiles } from '../outbound/message-files.ts';
import { mentionedIn, writtenIn } from '../outbound/mrkdwn.ts';
import type { SlackRequest } from '../outbound/slack-request.ts';
import { serverOf } from '../transport/app.ts';
import { mentionedCommand } from './mentioned-command.ts';
import type { SlackServices } from './services.ts';
import type { FileData } from './uploads.ts';

/** What people write; everything else that looks like a message is Slack's own, or a bot's. */
const WRITTEN: ReadonlySet<string | undefined> = new Set([undefined, 'file_share', 'thread_broadcast']);

/** A message as events have it. https://docs.slack.dev/reference/events/message */
type Said = {
	subtype?: string | undefined;
	ts: string;
	thread_ts?: string | undefined;
	user?: string | undefined;
	bot_id?: string | undefined;
	team?: string | undefined;
	user_team?: string | undefined;
	text?: string | undefined;
	files?: readonly FileData[] | undefined;
};

type MessageEvent = Said & {
	type: string;
	channel: string;
	channel_type?: string;
	/** Of a changed or deleted one. */
	message?: Said;
	previous_message?: Said;
	deleted_ts?: string;
};

/** What stands around an event. */
type Envelope = { team_id?: string | null; event_id: string };

/** Hands a message over; resolves when it is answered. */
type Answering = () => Promise<void>;

/** Somebody's message, with what has to be known of it. */
type Heard = { server: string; self: Installation; event: MessageEvent; user: string; asked: SlackRequest };

/** Names a message of a person's: channels have ids that no other workspace has. */
const idOf = (channel: string, ts: string) => `${channel}.${ts}`;

/** An answer to itself is how Slack marks a thread's first message. */
const threadOf = ({ ts, thread_ts }: Said) => (thread_ts !== undefined && thread_ts !== ts ? thread_ts : undefined);

/** What is written, changed and deleted where the bot may read, and Slack's own stop button, as the core takes it. */
export function registerChat(app: App, parts: SlackServices): void {
	const { installations, channels, people, uploads, seen, sessions, commands, log } = parts;
	const queue = new KeyedQueue();
	const filesOf = createMessageFiles(parts);

	function placeOf(server: string, { channel, channel_type }: MessageEvent, thread: string | undefined): Place {
		return {
			platform: 'slack',
			server,
			channel,
			...(thread !== undefined && { thread }),
			...(channel_type === 'im' && { direct: true as const }),
		};
	}

	/** Text without the mention of the bot that it may begin with, and with people's names. */
	async function readable(server: string, text: string, self: Installation): Promise<string> {
		const ids = [...new Set(mentionedIn(text))];
		const found = await Promise.all(ids.map(async (id) => [id, (await people.person(server, id)).name] as const));
		const names = new Map(found);
		return writtenIn(withoutMention(text, self), (id) => names.get(id) ?? id);
	}

	/** Where a message is answered: a thread that is opened for it hangs on it. */
	function channelFor(
		{ server, event, asked }: Heard,
		answeredIn: string | undefined,
		more: Partial<SlackRequest> = {},
	): Channel {
		const who = { ...asked, ...more };
		const channel = channels.channel(placeOf(server, event, answeredIn), who);
		if (threadOf(event) !== undefined || event.channel_type === 'im') return channel;
		const around = channels.channel(placeOf(server, event, undefined), who);
		return {
			...channel,
			openThread: async (title, options) =>
				options?.private ? around.openThread(title, options) : channels.channel(placeOf(server, event, event.ts), who),
			// What one person sees for the moment is not shown in a thread that has no answers yet.
			// https://docs.slack.dev/reference/methods/chat.postEphemeral
			post: (reply, key, options) => (reply.visibility === 'private' ? around : channel).post(reply, key, options),
		};
	}

	/** A command that was said to the bot, answered in a thread; undefined when the message is none. */
	async function asCommand(heard: Heard, person: Person, inbox: Inbox): Promise<Answering | undefined> {
		const { server, event, self } = heard;
		const text = event.text ?? '';
		const isMention = mentionedIn(text).includes(self.botUser);
		if (!isMention && event.channel_type !== 'im') return undefined;
		const { locale } = person;
		const asked = { server, text: withoutMention(text, self), files: event.files, locale };
		const found = mentionedCommand({ commands, uploads }, asked);
		if (!found) return undefined;
		const id = idOf(event.channel, event.ts);
		const answeredIn = threadOf(event) ?? (event.channel_type === 'im' ? undefined : event.ts);
		if ('say' in found) {
			const { say } = found;
			return async () => void (await channelFor(heard, answeredIn).post({ text: say, visibility: 'private' }, id));
		}
		const { command, options, isPrivate } = found;
		const fields = commands.find(({ name }) => name === command)?.fields ?? [];
		// Between the two of them, “edit this sentence” is no command, and chatting is what they do already.
		const isWhole = fields.every(({ name, required }) => !required || name in options);
		if (!isMention && (!isWhole || command === 'chat')) return undefined;
		const channel = channelFor(heard, answeredIn, { inDirect: isPrivate });
		return () => inbox.invoke({ id, command, options, person, channel });
	}

	async function listen(heard: Heard, inbox: Inbox): Promise<Answering | undefined> {
		const { server, event, user, self } = heard;
		const { channel, channel_type, ts } = event;
		const text = event.text ?? '';
		const thread = threadOf(event);
		const mentioned = mentionedIn(text);
		const addressed = channel_type === 'im' || mentioned.includes(self.botUser);
		if (thread === undefined && !addressed) return undefined;
		if (!(await seen.first(`message:${server}:${idOf(channel, ts)}`))) return undefined;

		const [person, files] = await Promise.all([people.person(server, user), filesOf(server, event)]);
		const command = await asCommand({ ...heard, event: { ...event, files } }, person, inbox);
		if (command) return command;
		const toOthers = mentioned.some((id) => id !== self.botUser && id !== user);
		const message = {
			id: idOf(channel, ts),
			text: await readable(server, text, self),
			person,
			addressed,
			uploads: files.map((file) => uploads.upload(server, file)),
			channel: channelFor(heard, thread),
			...(toOthers && { toOthers }),
		};
		return () => inbox.hear(message);
	}

	/** Only threads and direct messages are remembered. A thread that was opened on a message begins with it. */
	async function change(
		server: string,
		self: Installation,
		event: MessageEvent,
		eventId: string,
		inbox: Inbox,
	): Promise<void> {
		const before = event.previous_message;
		const now = event.subtype === 'message_changed' ? event.message : undefined;
		const ts = now?.ts ?? event.deleted_ts ?? before?.ts;
		if (ts === undefined) return;
		const said = { ...before, ...now, ts };
		const place = placeOf(server, event, threadOf(said) ?? (event.channel_type === 'im' ? undefined : ts));
		const isGone = now === undefined || now.subtype === 'tombstone';
		const isOurs = (before?.user ?? now?.user) === self.botUser || before?.bot_id === self.bot;
		if (isOurs && isGone) return inbox.changed({ id: (await channels.handleOf(place, ts)).key, place });
		if (isOurs || before?.bot_id || now?.bot_id) return;
		const id = idOf(event.channel, ts);
		if (isGone) return inbox.changed({ id, place });
		// Slack tells also of what it does itself, such as showing what a link leads to.
		if (now.text === before?.text) return;
		// One that came again later would undo what was changed since.
		if (!(await seen.first(`event:${server}:${eventId}`))) return;
		return inbox.changed({ id, place, text: await readable(server, now.text ?? '', self) });
	}

	/** What is written in a channel is handed over in its order; the answers are waited for side by side. */
	async function handle(event: MessageEvent, server: string, { team_id, event_id }: Envelope): Promise<void> {
		const inbox = parts.inbox();
		if (!inbox) return;
		try {
			let answered: Promise<void> | undefined;
			await queue.run(`${server}:${event.channel}`, async () => {
				const self = await installations.of(server);
				if (!self) return;
				if (event.subtype === 'message_changed' || event.subtype === 'message_deleted') {
					answered = change(server, self, event, event_id, inbox);
					return;
				}
				const { user, bot_id } = event;
				if (!WRITTEN.has(event.subtype) || bot_id || !user || user === self.botUser) return;
				const asked = { user, team: event.user_team ?? event.team ?? team_id ?? '' };
				answered = (await listen({ server, self, event, user, asked }, inbox))?.();
			});
			await answered;
		} catch (error) {
			log.error({ err: error }, 'A message in Slack could not be heard');
		}
	}

	app.event('message', ({ event, context, body }) => handle(event as unknown as MessageEvent, serverOf(context), body));
	app.event('app_mention', ({ event, context, body }) =>
		handle(event as unknown as MessageEvent, serverOf(context), body),
	);

	/** Slack's stop button stands for ours under the answer that is being written in that thread. */
	app.event('agent_session_stopped', async ({ event, context, body }) => {
		const inbox = parts.inbox();
		const server = serverOf(context);
		const { channel, thread_ts: thread, user, streaming_message_ts: streaming = [], event_ts } = event;
		const place = placeOf(
			server,
			{ channel, channel_type: channel.startsWith('D') ? 'im' : '', type: '', ts: '' },
			thread,
		);
		const button = await sessions.remembered(place);
		const id = idOf(channel, event_ts);
		if (!inbox || button === undefined || !(await seen.first(`stop:${server}:${id}`))) return;
		const [person, message] = await Promise.all([
			people.person(server, user),
			channels.handleOf(place, streaming[0] ?? thread),
		]);
		const asked = { user, team: body.team_id ?? '' };
		await inbox.press({
			id,
			button,
			person,
			message,
			channel: channels.channel(place, asked),
			attached: [],
			open: async () => log.warn('Slack’s stop button opens no form'),
		});
	});

	/** What was said where the bot is no longer, is not kept. */
	const left = async (server: string, channel: string) => parts.inbox()?.forget({ platform: 'slack', server, channel });
	app.event('channel_left', ({ event, context }) => left(serverOf(context), event.channel));
	app.event('group_left', ({ event, context }) => left(serverOf(context), event.channel));
	app.event('channel_deleted', ({ event, context }) => left(serverOf(context), event.channel));
	app.event('group_deleted', ({ event, context }) => left(serverOf(context), event.channel));
}

/** A message often begins with the bot's name, as in “@Easel hello”. */
const withoutMention = (text: string, { botUser }: Installation): string =>
	text.replace(new RegExp(`^\\s*<@${botUser}(?:\\|[^<>]*)?>[\\s,:]*`), '');
