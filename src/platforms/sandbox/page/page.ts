import { render, type VNode } from 'preact';
import type { CommandDescription } from '../../../domain/command.ts';
import type { SandboxSettings } from '../server/store.ts';
import { newId, RETRY_MS, send } from './api.ts';
import { Drafts, type OpenedForm } from './composer/drafts.ts';
import { EditDialog } from './dialogs.ts';
import { announce, byId, h } from './html.ts';
import { MENTIONED, plainText } from './messages/markdown.ts';
import { ScrollFollower } from './messages/message-list.ts';
import { type Found, type Message, PageState, type Thread } from './state.ts';
import { t } from './texts.ts';

/** A little longer than the pause after which the bot says again that it is writing. */
const TYPING_MS = 10_000;
/** How long a tab that nobody looks at goes on listening, in milliseconds. */
const HIDDEN_MS = 5000;

/** What a person sees: the context of the page. Everything is drawn again after a change. */
export class Page {
	readonly state: PageState;
	readonly #draw: (page: Page) => VNode;
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
		this.state = new PageState(me);
		this.#draw = draw;
	}

	/**
	 * Listens to events. Resolves with the first snapshot; each connection begins with one, since what happened before is not repeated. The
	 * browser reconnects by itself, except when it was refused, as during a restart of the bot. It opens six connections to a host, after
	 * which no tab can send anything: those that are hidden for a while leave theirs to the others.
	 */
	connect(): Promise<void> {
		const { promise, resolve } = Promise.withResolvers<void>();
		let source: EventSource;
		let timer = 0;
		const isHidden = () => document.visibilityState === 'hidden';
		const open = () => {
			let loading: Promise<void> | undefined;
			source = new EventSource(`/sandbox/events?as=${encodeURIComponent(this.state.me)}`);
			source.onopen = () => {
				loading = this.#load().then(resolve);
			};
			source.onerror = () => {
				this.set({ isOnline: false });
				if (source.readyState === EventSource.CLOSED && !isHidden()) timer = window.setTimeout(open, RETRY_MS);
			};
			for (const [name, receive] of Object.entries(this.#events))
				source.addEventListener(name, async ({ data }) => {
					await loading;
					receive(JSON.parse(data) as never);
					this.changed();
				});
		};
		const onVisibility = () => {
			clearTimeout(timer);
			if (isHidden()) timer = window.setTimeout(() => source.close(), HIDDEN_MS);
			else if (source.readyState === EventSource.CLOSED) open();
		};
		document.addEventListener('visibilitychange', onVisibility);
		open();
		onVisibility();
		return promise;
	}

	readonly #events = {
		message: (message: Message) => this.add(message),
		removed: (message: Message) => this.state.forget(message),
		thread: (thread: Thread) => this.state.addThread(thread),
		settings: (settings: SandboxSettings) => {
			this.state.snapshot.settings = settings;
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

	/** The channel or thread that is shown. A channel and a server are never removed. */
	get found(): Found {
		return this.state.find(this.shown) as Found;
	}

	/** Who and what can be named here. */
	get directory() {
		const { channels, roles } = this.found.server;
		return { person: this.state.snapshot.people, channel: channels.filter(({ direct }) => !direct), role: roles };
	}

	get commands(): readonly CommandDescription[] {
		const { server, channel } = this.found;
		const mayModerate = !channel.direct && (server.moderates || this.state.isModerator(server.id));
		return this.state.snapshot.commands.filter(({ moderators }) => !moderators || mayModerate);
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
		const { state } = this;
		const [wanted = '', named] = location.hash.slice(1).split('/');
		const first = state.snapshot.servers[0]?.channels[0]?.id ?? '';
		const channel = state.find(wanted) ? wanted : first;
		if (channel !== wanted) history.replaceState(null, '', `${location.search}#${channel}`);
		if (channel !== this.shown || !this.isEntered) {
			this.scroll.leave(this.shown);
			this.readUntil = state.read[channel] ?? 0;
			this.isTyping = false;
			this.error = '';
		}
		this.shown = channel;
		this.isEntered = true;
		if (!isAgain && matchMedia('(pointer: fine)').matches) this.drafts.focus();
		this.changed();
		await this.attempt(async () => {
			if (!state.log(channel).loaded) await state.loadOlder(channel);
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
		await this.attempt(() => send('presses', { as: this.state.me, channel, number, id, button }));
		from.ariaDisabled = null;
	}

	remove({ channel, number }: Message): void {
		void this.attempt(() => send('deletions', { as: this.state.me, channel, number }));
	}

	reply(message: Message): void {
		this.drafts.change({ replyTo: message });
		this.drafts.focus();
	}

	openThread(message: Message): Promise<void> {
		return this.attempt(async () => {
			const { channel, number } = message;
			const input = { as: this.state.me, channel, number };
			const thread = this.state.threadOn(message) ?? (await send<Thread>('threads', input));
			this.state.addThread(thread);
			this.go(thread.id);
		});
	}

	/** Opens the last message of the person to edit it. Returns whether there is one. */
	editLast(): boolean {
		const messages = [...this.state.log(this.shown).messages.values()].sort((a, b) => a.number - b.number);
		const message = messages.findLast(({ author, text }) => author === this.state.me && text !== '');
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

	/** Takes a message, or a newer version of it, into the channel that it is in. */
	add(message: Message): void {
		const before = this.state.log(message.channel).messages.get(message.number);
		if (!this.state.take(message)) return;
		if (message.channel === this.shown) this.#show(message, before);
		this.changed();
	}

	#show(message: Message, before: Message | undefined): void {
		const { author, files, request, text } = message;
		const isMine = author === this.state.me;
		if (author === 'easel') this.isTyping = false;
		const isAnswer = request !== undefined && this.requests.has(request);
		// A person is brought to the answer of their own command or press, unless they have left for elsewhere.
		if (isMine || (isAnswer && !before)) this.scroll.follow();
		if (!isMine && (!before || files.length > before.files.length)) {
			const values = { name: this.state.nameOf(author), text: plainText(text.slice(0, 200)), count: files.length };
			announce(t(files.length > 0 ? 'sandbox.message.announcedPictures' : 'sandbox.message.announced', values));
		}
		this.afterRender(() => this.scroll.markSeen());
	}

	async #load(): Promise<void> {
		await this.state.load();
		for (const { name } of this.state.snapshot.people) MENTIONED.add(`@${name.toLowerCase()}`);
		this.isOnline = true;
		// After a restart of the bot, the page stays where it is.
		const isAgain = this.isEntered;
		if (isAgain) this.scroll.leave(this.shown);
		void this.enter(isAgain);
	}
}
