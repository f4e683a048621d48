import { render, type VNode } from 'preact';
import type { snapshotFor } from '../server/snapshot.ts';
import type { MessageView as Message, SandboxSettings } from '../server/store.ts';
import { get, newId, persist, RETRY_MS, send } from './api.ts';
import { Drafts, type OpenedForm } from './composer/drafts.ts';
import { EditDialog } from './dialogs.ts';
import { announce, byId, h } from './html.ts';
import { MENTIONED, plainText } from './messages/markdown.ts';
import { ScrollFollower } from './messages/message-list.ts';
import { remember, remembered } from './storage.ts';
import { t } from './texts.ts';

export type { Message };

type Snapshot = Awaited<ReturnType<typeof snapshotFor>>;
export type Server = Snapshot['servers'][number];
export type Channel = Server['channels'][number];
export type Thread = Channel['threads'][number];
export type Found = { server: Server; channel: Channel; thread?: Thread };
type LogPage = { messages: Message[]; more: boolean; origin?: Message };
type Log = Omit<LogPage, 'messages'> & { messages: Map<number, Message>; removed: Set<number>; loaded: boolean };

/** A little longer than the pause after which the bot says again that it is writing. */
const TYPING_MS = 10_000;
/** How long a tab that nobody looks at goes on listening, in milliseconds. */
const HIDDEN_MS = 5000;

/**
 * What a person sees: the context of the page, with the server's snapshot and messages, kept current by its events. Everything is drawn
 * again after a change.
 */
export class Page {
	readonly me: string;
	readonly #draw: (page: Page) => VNode;
	/** There from the first connection on; nothing is drawn before. `latest` are the numbers of the last messages that this person may see. */
	snapshot!: Snapshot;
	readonly #logs = new Map<string, Log>();
	/** The number of the last message of each channel that this person has seen. */
	readonly read: Record<string, number>;
	/** The id of the channel or thread that is shown. */
	shown = location.hash.slice(1).split('/')[0] ?? '';
	error = '';
	dialog: VNode | undefined;
	/** The ids of the commands and presses of this tab, whose forms and answers it shows. */
	readonly requests = new Set<string>();
	readonly drafts = new Drafts(this);
	readonly scroll = new ScrollFollower(this);
	/** The last message of the channel that was read before this visit. */
	readUntil = 0;
	isOnline = true;
	isTyping = false;
	isDrawerOpen = false;
	isEntered = false;
	#typingTimer = 0;
	#isDrawing = false;
	#afterRender: (() => void)[] = [];

	constructor(me: string, draw: (page: Page) => VNode) {
		this.me = me;
		this.#draw = draw;
		this.read = JSON.parse(remembered(`easel.read.${me}`) || '{}');
	}

	/**
	 * Listens to events. Resolves with the first snapshot; each connection begins with one, since what happened before is not repeated. The
	 * browser reconnects by itself, except when it was refused, as during a restart of the bot. It opens six connections to a host, after
	 * which no tab can send anything: those that are hidden for a while leave theirs to the others.
	 */
	connect(): Promise<void> {
		return new Promise((resolve) => {
			let source: EventSource;
			const isHidden = () => document.visibilityState === 'hidden';
			const check = () => {
				if (isHidden()) source.close();
				else if (source.readyState === EventSource.CLOSED) open();
			};
			const open = () => {
				let loading: Promise<void> | undefined;
				source = new EventSource(`/sandbox/events?as=${encodeURIComponent(this.me)}`);
				source.onopen = () => {
					loading = this.#load().then(resolve);
				};
				source.onerror = () => {
					this.set({ isOnline: false });
					setTimeout(check, RETRY_MS);
				};
				for (const [name, receive] of Object.entries(this.#events))
					source.addEventListener(name, async ({ data }) => {
						await loading;
						receive(JSON.parse(data) as never);
						this.changed();
					});
			};
			open();
			setTimeout(check, HIDDEN_MS);
			document.addEventListener('visibilitychange', () => (isHidden() ? setTimeout(check, HIDDEN_MS) : check()));
		});
	}

	readonly #events = {
		message: (message: Message) => this.add(message),
		// A page of the history that is being loaded may still include it.
		removed: ({ channel, number }: Message) => {
			this.logOf(channel).removed.add(number);
			this.logOf(channel).messages.delete(number);
		},
		thread: (thread: Thread) => this.#addThread(thread),
		settings: (settings: SandboxSettings) => {
			this.snapshot.settings = settings;
		},
		typing: ({ channel }: { channel: string }) => {
			if (channel !== this.shown) return;
			this.isTyping = true;
			clearTimeout(this.#typingTimer);
			this.#typingTimer = window.setTimeout(() => this.set({ isTyping: false }), TYPING_MS);
		},
		notice: ({ text }: { text: string }) => this.set({ error: text }),
		form: (opened: OpenedForm) => {
			if (this.requests.delete(opened.press)) this.drafts.openForm(opened);
		},
	};

	async #load(): Promise<void> {
		this.snapshot = await persist(() => get<Snapshot>('state', { as: this.me }));
		this.#logs.clear();
		const { latest, people } = this.snapshot;
		// Numbers that were read in another store do not count in this one.
		for (const [channel, number] of Object.entries(this.read))
			this.read[channel] = Math.min(number, latest[channel] ?? 0);
		for (const { name } of people) MENTIONED.add(`@${name.toLowerCase()}`);
		this.isOnline = true;
		// After a restart of the bot, the page stays where it is.
		const isAgain = this.isEntered;
		if (isAgain) this.scroll.leave(this.shown);
		void this.enter(isAgain);
	}

	set(change: Partial<Pick<Page, 'error' | 'dialog' | 'isOnline' | 'isTyping' | 'isDrawerOpen'>>): void {
		Object.assign(this, change);
		this.changed();
	}

	/** Draws the page once after the changes of this turn. */
	changed(): void {
		if (this.#isDrawing) return;
		this.#isDrawing = true;
		queueMicrotask(() => {
			this.#isDrawing = false;
			const message = document.activeElement?.closest<HTMLElement>('.message, .empty');
			render(this.#draw(this), byId('page') as HTMLElement);
			// The button that had the focus may be gone, or the whole message or example.
			if (message && document.activeElement === document.body)
				(message.isConnected ? message : byId('history'))?.focus({ preventScroll: true });
			for (const run of this.#afterRender.splice(0)) run();
		});
	}

	afterRender(run: () => void): void {
		this.#afterRender.push(run);
		this.changed();
	}

	/** Waits for a request, and shows why it failed. */
	async attempt(request: () => Promise<unknown>): Promise<void> {
		try {
			await request();
		} catch (error) {
			this.set({ error: (error as Error).message });
		}
	}

	/** Sends a request of this person, and shows why it failed. */
	send = (path: string, input: object): Promise<void> => this.attempt(() => send(path, { as: this.me, ...input }));

	/** Returns the server and channel of the id of a channel or thread, and the thread. */
	find(id: string): Found | undefined {
		for (const server of this.snapshot.servers)
			for (const channel of server.channels) {
				const thread = channel.threads.find((each) => each.id === id);
				if (thread || channel.id === id) return { server, channel, thread };
			}
		return undefined;
	}

	/** The channel or thread that is shown. A channel and a server are never removed. */
	get found(): Found {
		return this.find(this.shown) as Found;
	}

	get directory() {
		const { channels, roles } = this.found.server;
		return { person: this.snapshot.people, channel: channels.filter(({ direct }) => !direct), role: roles };
	}

	get commands() {
		const { server, channel } = this.found;
		const mayModerate = !channel.direct && (server.moderates || this.isModerator(server.id));
		return this.snapshot.commands.filter(({ moderators }) => !moderators || mayModerate);
	}

	get limits() {
		return this.snapshot.limits[this.snapshot.settings.emulates];
	}

	nameOf(id: string): string {
		return id === 'easel' ? 'Easel' : (this.snapshot.people.find((person) => person.id === id)?.name ?? id);
	}

	isModerator(server: string, person = this.me): boolean {
		return Boolean(this.snapshot.settings.moderators[server]?.includes(person));
	}

	threadOn({ channel, number }: Message): Thread | undefined {
		return this.find(`${channel}.${number}`)?.thread;
	}

	#addThread(thread: Thread): void {
		if (!this.find(thread.id)) this.find(thread.channel)?.channel.threads.unshift(thread);
	}

	get log(): Log {
		return this.logOf(this.shown);
	}

	logOf(channel: string): Log {
		const log = this.#logs.get(channel) ?? { messages: new Map(), removed: new Set(), more: true, loaded: false };
		this.#logs.set(channel, log);
		return log;
	}

	/** Fetches the messages before those that are loaded; the newest at first. */
	async loadOlder(channel: string, limit = 50): Promise<void> {
		const log = this.logOf(channel);
		const before = log.messages.size && log.loaded ? Math.min(...log.messages.keys()) : undefined;
		const path = `channels/${encodeURIComponent(channel)}/messages`;
		const { messages, more, origin } = await get<LogPage>(path, { as: this.me, limit, ...(before && { before }) });
		for (const message of messages) this.#take(message);
		Object.assign(log, { more, loaded: true, origin });
	}

	/** Marks the messages that are shown as read. */
	markRead(): void {
		if (!this.isUnread(this.shown)) return;
		this.read[this.shown] = this.snapshot.latest[this.shown] ?? 0;
		remember(`easel.read.${this.me}`, JSON.stringify(this.read));
		this.changed();
	}

	isUnread(channel: string): boolean {
		return (this.snapshot.latest[channel] ?? 0) > (this.read[channel] ?? 0);
	}

	/** Returns false for a version of a message that is already known. */
	#take(message: Message): boolean {
		const { channel, number, revision } = message;
		const { messages, removed } = this.logOf(channel);
		const known = messages.get(number);
		if (removed.has(number) || (known && known.revision >= revision)) return false;
		messages.set(number, message);
		this.snapshot.latest[channel] = Math.max(this.snapshot.latest[channel] ?? 0, number);
		return true;
	}

	/** Takes a message, or a newer version of it, into the channel that it is in. */
	add(message: Message): void {
		const before = this.logOf(message.channel).messages.get(message.number);
		if (!this.#take(message)) return;
		if (message.channel === this.shown) this.#show(message, before);
		this.changed();
	}

	#show({ author, files, request, text }: Message, before: Message | undefined): void {
		const isMine = author === this.me;
		if (author === 'easel') this.isTyping = false;
		const isAnswer = request !== undefined && this.requests.has(request);
		// A person is brought to the answer of their own command or press, unless they have left for elsewhere.
		if (isMine || (isAnswer && !before)) this.scroll.follow();
		if (!isMine && (!before || files.length > before.files.length)) {
			const values = { name: this.nameOf(author), text: plainText(text.slice(0, 200)), count: files.length };
			announce(t(files.length > 0 ? 'sandbox.message.announcedPictures' : 'sandbox.message.announced', values));
		}
		this.afterRender(() => this.scroll.markSeen());
	}

	/** Goes to a channel or thread; the way back is in the history of the browser. */
	go(channel: string): void {
		this.isDrawerOpen = false;
		if (location.hash === `#${channel}`) void this.enter();
		else location.hash = channel;
	}

	/**
	 * Shows the channel or thread of the address, and the message in it: `#general/12`.
	 * @param isAgain the page was there before, and stays where it is
	 */
	async enter(isAgain = false): Promise<void> {
		const [wanted = '', named] = location.hash.slice(1).split('/');
		const channel = this.find(wanted) ? wanted : (this.snapshot.servers[0]?.channels[0]?.id ?? '');
		if (channel !== wanted) history.replaceState(null, '', `${location.search}#${channel}`);
		if (channel !== this.shown || !this.isEntered) {
			this.scroll.leave(this.shown);
			this.readUntil = this.read[channel] ?? 0;
			this.isTyping = false;
			this.error = '';
		}
		this.shown = channel;
		this.isEntered = true;
		if (!isAgain && matchMedia('(pointer: fine)').matches) this.drafts.focus();
		this.changed();
		await this.attempt(async () => {
			if (!this.log.loaded) await this.loadOlder(channel);
			if (channel !== this.shown) return;
			const isBack = (await this.scroll.restore(channel)) || isAgain;
			if (named !== undefined && !isBack) await this.scroll.show(Number(named));
		});
		this.changed();
		this.scroll.markSeen();
	}

	async press({ channel, number }: Message, button: string, from: HTMLElement): Promise<void> {
		if (from.ariaDisabled === 'true') return;
		from.ariaDisabled = 'true';
		const id = newId();
		this.requests.add(id);
		await this.send('presses', { channel, number, id, button });
		from.ariaDisabled = null;
	}

	remove = ({ channel, number }: Message): Promise<void> => this.send('deletions', { channel, number });

	openThread(message: Message): Promise<void> {
		return this.attempt(async () => {
			const { channel, number } = message;
			const thread = this.threadOn(message) ?? (await send<Thread>('threads', { as: this.me, channel, number }));
			this.#addThread(thread);
			this.go(thread.id);
		});
	}

	/** Opens the last message of the person to edit it. Returns whether there is one. */
	editLast(): boolean {
		const messages = [...this.log.messages.values()].sort((a, b) => a.number - b.number);
		const message = messages.findLast(({ author, text }) => author === this.me && text !== '');
		if (message) this.set({ dialog: h(EditDialog, { page: this, message }) });
		return message !== undefined;
	}

	async copy(text: string): Promise<void> {
		try {
			// Browsers have it at addresses with `https` and of this host.
			await navigator.clipboard.writeText(text);
			announce(t('sandbox.menu.copied'));
		} catch {
			this.set({ error: t('sandbox.menu.copyFailed') });
		}
	}
}
