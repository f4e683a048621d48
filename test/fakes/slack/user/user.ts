import { setImmediate } from 'node:timers/promises';
import { isFile, type Options, type PictureFile, type SeenMessage, type TestUser } from '../../test-user.ts';
import type { Parcel, Slack } from '../context.ts';
import { tell } from '../transport/events.ts';
import { keepFile } from '../world/files.ts';
import { createMessage, deleteMessage, editMessage } from '../world/messages.ts';
import type { Channel, Message, User, View } from '../world/model.ts';
import { written } from '../world/mrkdwn.ts';
import { channelType, renderView, repliesTo } from '../world/render.ts';
import { filled, formOf, refusedFields, strangers } from './form-inputs.ts';
import { createActs } from './interactions.ts';
import { buttonPress, closing, homePress, messageShortcut } from './payloads.ts';
import { buttonsIn, see, seeHome } from './seen.ts';
import { slashText } from './slash-text.ts';
import { createTrigger } from './triggers.ts';

/** A `TestUser` and what else people do on Slack. */
export type SlackUser = Omit<TestUser, 'menu'> & {
	account: User;
	/** Where this person is. */
	readonly channel: Channel;
	/** The same person elsewhere: another channel by its name or id. */
	in(channel: string | Channel): SlackUser;
	/** The same person in the application's direct messages. */
	directMessages(): SlackUser;
	/** A slash command as it is typed, such as `/imagine a fox n:2`. A form that comes of it is left open. */
	types(line: string, delivery?: string): Promise<void>;
	/** Any of the application's message shortcuts. */
	menu(message: SeenMessage, entry: string): Promise<void>;
	/** Why Slack's own window would not send the form as it would be; undefined when it would. `submit` sends it all the same. */
	refuses(options: Options): string | undefined;
	/** Puts the form away. */
	cancel(): Promise<void>;
	/** The form that is open, as Slack has it. */
	view(): View | undefined;
	/** Looks at the application's home page, once it is there. */
	openHome(tab?: 'home' | 'messages'): void;
	home(): SeenMessage | undefined;
	pressHome(label: string): Promise<void>;
	/** Presses Slack's own stop button in the thread where this person is. */
	stop(): void;
	/** The message behind what is seen. */
	message(seen: Pick<SeenMessage, 'id'>): Message;
};

/** Turns of the event loop in which an answer on loopback arrives and is acted upon. */
const TURNS = 25;

/** Gives out users. What is delivered twice is the same, whichever user sends it. */
export function createUsers(slack: Slack) {
	const deliveries = new Map<string, Parcel>();
	return (user: User, channel: Channel): SlackUser => userAt(slack, deliveries, user, channel);
}

function userAt(slack: Slack, deliveries: Map<string, Parcel>, user: User, first: Channel): SlackUser {
	const { world } = slack;
	const { team } = user;
	let home = first;
	let thread: string | undefined;
	const { opened, opens, complaints, again, slash, interact, submit, putAway } = createActs(slack, deliveries, user);

	function messageOf({ id }: Pick<SeenMessage, 'id'>): Message {
		const message = home.messages.get(id) ?? world.directMessages(user).messages.get(id);
		if (!message || (message.only && message.only.id !== user.id)) throw new Error('The message is not there');
		return message;
	}

	function write(text: string, files: PictureFile[] = []): Message {
		world.asked.add(user.id);
		const { uploads } = slack.settings;
		if (files.length > 0 && uploads !== 'on') throw new Error('Files can not be uploaded here');
		return createMessage(slack, {
			channel: home,
			author: user,
			text: written(text, team),
			files: files.map(({ name, bytes }) => keepFile(slack, user, name, bytes)),
			...(thread !== undefined && { threadTs: thread }),
		});
	}

	const mayBeSeen = ({ only }: Message) => !only || only.id === user.id;

	/** The channel, and beside it the thread that is open; and what the application writes to this person alone. */
	function visible(): Message[] {
		const inView = ({ threadTs, ts, broadcast }: Message) =>
			threadTs === undefined || threadTs === ts || threadTs === thread || broadcast;
		const here = [...home.messages.values()].filter((message) => inView(message) && mayBeSeen(message));
		if (home.kind === 'im' || !team.installation) return here;
		const direct = [...world.directMessages(user).messages.values()].filter(({ author }) => author.bot);
		return [...here, ...direct].toSorted((a, b) => (a.ts < b.ts ? -1 : 1));
	}

	function homeView(): View | undefined {
		return [...world.views.values()].find((view) => view.data.type === 'home' && view.user === user);
	}

	return {
		account: user,
		get channel() {
			return home;
		},
		in: (other) => userAt(slack, deliveries, user, typeof other === 'string' ? world.channel(other, team) : other),
		directMessages: () => userAt(slack, deliveries, user, world.directMessages(user)),
		types: (line, delivery) => slash(home, line, { delivery }),
		async command(name, options, delivery) {
			const withFiles = Object.values(options).some(isFile);
			const { promise, resolve } = Promise.withResolvers<void>();
			const line = `/${slashText(name, options, team)}`;
			await slash(home, line, {
				delivery,
				onForm(view) {
					const known = Object.fromEntries(
						Object.entries(options).filter(([option]) => !strangers(view, options).includes(option)),
					);
					void submit(view, known).then(resolve);
				},
			});
			// Pictures come by a form; without one they would be lost.
			if (withFiles && delivery === undefined) await promise;
		},
		async press(seen, label, delivery) {
			if (again(delivery)) return;
			const message = messageOf(seen);
			const button = buttonsIn(message.blocks).find((one) => one.label === label);
			if (!button) throw new Error(`The message has no button ${label}`);
			const trigger = createTrigger(slack, user, { opened: opens });
			await interact(buttonPress(slack, trigger, message, button), `the button ${label}`, message, delivery);
		},
		async menu(seen, entry) {
			const message = messageOf(seen);
			if (message.only) throw new Error('What only one person sees has no menu of applications');
			const shortcut = slack.manifest.features?.shortcuts?.find(
				({ name, type }) => name === entry && type === 'message',
			);
			if (!shortcut) throw new Error(`There is no shortcut ${entry}`);
			const trigger = createTrigger(slack, user, { opened: opens });
			await interact(messageShortcut(slack, trigger, message, shortcut.callback_id), entry, message);
		},
		form() {
			const view = opened();
			return view && formOf(view);
		},
		view: opened,
		async submit({ id }, options) {
			const view = opened();
			if (view?.id !== id) throw new Error('This form is not open');
			const [stray] = strangers(view, options);
			if (stray) throw new Error(`The form has no field ${stray}`);
			await submit(view, options);
		},
		refuses(options) {
			const view = opened();
			if (!view) throw new Error('No form is open');
			return Object.values(refusedFields(view, filled(slack, view, user, options)))[0];
		},
		async cancel() {
			const view = putAway();
			if (view?.data['notify_on_close'] === true) await interact(closing(slack, user, view), 'view_closed', undefined);
		},
		say: async (text, files) => void write(text, files),
		async reply(seen, text) {
			const message = messageOf(seen);
			if (message.threadTs !== undefined && message.threadTs !== message.ts) {
				// A reply in a thread is to everybody there; who means one of them says so.
				write(`@${message.author.name} ${text}`);
				return;
			}
			const before = thread;
			thread = message.ts;
			write(text);
			thread = before;
		},
		async rewrite(seen, text) {
			const message = messageOf(seen);
			if (message.author !== user) throw new Error('Only own messages can be changed');
			editMessage(slack, message, { text: written(text, team) });
		},
		async erase(seen) {
			const message = messageOf(seen);
			if (message.author !== user && !message.only && !user.admin) throw new Error('Only own messages can be deleted');
			deleteMessage(slack, message);
		},
		threads: async () =>
			[...new Set([first, home, world.directMessages(user)])]
				.flatMap(({ messages }) => [...messages.values()])
				.filter((message) => mayBeSeen(message) && repliesTo(message.channel, message.ts).length > 0)
				.map((message) => ({ id: message.ts, title: see(slack, message).text.split('\n')[0] ?? '' })),
		async startThread(seen) {
			thread = messageOf(seen).ts;
		},
		enter(where) {
			const channel = where === undefined ? first : team.channels.get(where);
			if (channel) {
				home = channel;
				thread = undefined;
				return;
			}
			thread = where;
			home = [first, home, world.directMessages(user)].find(({ messages }) => messages.has(where ?? '')) ?? home;
		},
		get names() {
			const group = (mine: boolean) =>
				[...team.groups.values()].find(({ users }) => users.has(user.id) === mine)?.id ?? '';
			const other = [...team.channels.values()].find((channel) => channel !== first && channel.members.has(user.id));
			return { here: first.id, elsewhere: other?.id ?? '', common: group(true), foreign: group(false) };
		},
		async look() {
			const seen = visible().map((message) => see(slack, message));
			// Nobody's eyes are faster than the application learns that its message stands.
			for (let turn = 0; turn < TURNS; turn++) await setImmediate();
			return [...seen, ...complaints];
		},
		openHome(tab = 'home') {
			const view = homeView();
			const channel = world.directMessages(user);
			world.asked.add(user.id);
			tell(slack, team, {
				type: 'app_home_opened',
				user: user.id,
				channel: channel.id,
				channel_type: channelType(channel),
				tab,
				...(view && tab === 'home' && { view: renderView(slack, view) }),
			});
		},
		home() {
			const view = homeView();
			return view && seeHome(slack, view);
		},
		async pressHome(label) {
			const view = homeView();
			const button = view && buttonsIn(view.data.blocks).find((one) => one.label === label);
			if (!view || !button) throw new Error(`The home page has no button ${label}`);
			const trigger = createTrigger(slack, user, { opened: opens, view });
			await interact(homePress(slack, trigger, view, button), `the button ${label}`, undefined);
		},
		stop() {
			if (!slack.settings.agents) throw new Error('There is no stop button here');
			const streams = [...home.messages.values()].filter(
				({ stream, threadTs }) => stream?.state === 'in_progress' && threadTs === thread,
			);
			for (const { stream } of streams) if (stream) stream.stopped = true;
			tell(slack, team, {
				type: 'agent_session_stopped',
				channel: home.id,
				user: user.id,
				thread_ts: thread,
				streaming_message_ts: streams.map(({ ts }) => ts),
			});
		},
		message: messageOf,
	};
}
