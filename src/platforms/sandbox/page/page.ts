import { render, type VNode } from 'preact';
import type { CommandDescription } from '../../../domain/command.ts';
import { newId, send } from './api.ts';
import { Drafts } from './composer/drafts.ts';
import { openEditDialog } from './dialogs/edit-dialog.ts';
import { openFormDialog } from './dialogs/form-dialog.ts';
import { announce, byId } from './html.ts';
import type { MenuEntry } from './messages/menu.ts';
import { plainText } from './messages/render-markdown.ts';
import { ScrollFollower } from './messages/scroll-follower.ts';
import { type Change, type Found, type Message, PageState } from './state.ts';
import { t } from './texts.ts';

/** A little longer than the pause after which the bot says again that it is writing. */
const TYPING_MS = 10_000;

/** What a person sees and does. Everything is drawn again after a change. */
export class Page {
	readonly state: PageState;
	readonly drafts = new Drafts(this);
	readonly scroll = new ScrollFollower(this);
	readonly #draw: () => VNode;
	/** The id of the channel or thread that is shown. */
	shown = decodeURIComponent(location.hash.slice(1)).split('/')[0] ?? '';
	/** It has been shown before. */
	#isEntered = false;
	/** The last message of the channel that was read before this visit. */
	readUntil = 0;
	/** What went wrong, as a sentence. */
	error = '';
	isOnline = true;
	isTyping = false;
	isDrawerOpen = false;
	dialog: VNode | undefined;
	menu: { button: HTMLElement; entries: readonly MenuEntry[] } | undefined;
	/** Takes files that are dropped while a form is open. */
	takeFiles: ((files: File[]) => void) | undefined;
	/** The ids of the commands and presses of this tab, whose forms and answers it shows. */
	readonly #requests = new Set<string>();
	#typingTimer = 0;
	#isDrawing = false;
	#afterRender: (() => void)[] = [];

	/** @param me the id of the person */
	constructor(me: string, draw: (page: Page) => VNode) {
		this.state = new PageState(me, (change) => this.#onChange(change));
		this.#draw = () => draw(this);
	}

	/** Draws the page once after the changes of this turn. */
	changed(): void {
		if (this.#isDrawing) return;
		this.#isDrawing = true;
		queueMicrotask(() => {
			this.#isDrawing = false;
			render(this.#draw(), byId('page') as HTMLElement);
			for (const run of this.#afterRender.splice(0)) run();
		});
	}

	/** Draws the page, and then runs a function. */
	afterRender(run: () => void): void {
		this.#afterRender.push(run);
		this.changed();
	}

	showError(sentence: string): void {
		this.error = sentence;
		this.changed();
	}

	/** Waits for a request, and shows why it failed. */
	async attempt(request: () => Promise<unknown>): Promise<void> {
		try {
			await request();
		} catch (error) {
			this.showError((error as Error).message);
		}
	}

	/** Shows a dialog until it is closed. */
	open(dialog: VNode | undefined): void {
		this.dialog = dialog;
		this.changed();
	}

	/** The person and the channel of a request. */
	get here() {
		return { as: this.state.me, channel: this.shown };
	}

	get found(): Found | undefined {
		return this.state.find(this.shown);
	}

	/** Who and what can be named here. */
	get directory() {
		const { server } = this.found ?? {};
		const channels = server?.channels.filter(({ direct }) => !direct) ?? [];
		return { person: this.state.snapshot?.people ?? [], channel: channels, role: server?.roles ?? [] };
	}

	/** The commands that this person may use here. */
	get commands(): readonly CommandDescription[] {
		const { server, channel } = this.found ?? {};
		const isModerator = server && (server.moderates || this.state.isModerator(server.id));
		return (this.state.snapshot?.commands ?? []).filter(
			({ moderators, direct }) => (isModerator || !moderators) && (direct || !channel?.direct),
		);
	}

	/** Goes to a channel or thread; the way back is in the history of the browser. */
	go(channel: string): void {
		this.isDrawerOpen = false;
		if (channel === this.shown) void this.enter();
		else location.hash = channel;
	}

	/** Shows the channel or thread of the address, and the message in it: `#general/12`. */
	async enter(): Promise<void> {
		const { state } = this;
		const [wanted = '', named] = decodeURIComponent(location.hash.slice(1)).split('/');
		const first = state.snapshot?.servers[0]?.channels[0]?.id ?? '';
		const channel = state.find(wanted) ? wanted : first;
		if (channel !== wanted) history.replaceState(null, '', `${location.search}#${channel}`);
		if (channel !== this.shown || !this.#isEntered) {
			this.scroll.leave(this.shown);
			this.readUntil = state.read[channel] ?? 0;
			this.isTyping = false;
			this.error = '';
		}
		this.shown = channel;
		this.#isEntered = true;
		if (matchMedia('(pointer: fine)').matches) this.drafts.focus();
		this.changed();
		await this.attempt(async () => {
			if (!state.log(channel).loaded) await state.loadOlder(channel);
			if (channel !== this.shown) return;
			if (!(await this.scroll.restore(channel)) && named !== undefined) await this.scroll.show(Number(named));
		});
		this.changed();
		this.markSeen();
	}

	markSeen(): void {
		const isVisible = document.visibilityState === 'visible' && this.scroll.isFollowing;
		if (isVisible && this.state.log(this.shown).loaded) this.state.markRead(this.shown);
	}

	async press({ channel, number }: Message, button: string, from: HTMLElement): Promise<void> {
		if (from.ariaDisabled === 'true') return;
		from.ariaDisabled = 'true';
		const id = newId();
		this.expectAnswer(id);
		await this.attempt(() => send('presses', { as: this.state.me, channel, number, id, button }));
		from.ariaDisabled = null;
	}

	/** Remembers a request of this tab. */
	expectAnswer(id: string): void {
		this.#requests.add(id);
	}

	remove({ channel, number }: Message): void {
		void this.attempt(() => send('deletions', { as: this.state.me, channel, number }));
	}

	reply(message: Message): void {
		this.drafts.change({ replyTo: message });
		this.drafts.focus();
	}

	/** Opens the thread of a message, or starts one. */
	openThread({ channel, number, thread }: Message): Promise<void> {
		return this.attempt(async () => {
			const input = { as: this.state.me, channel, number };
			const { id, title } = thread ?? (await send<{ id: string; title: string }>('threads', input));
			this.state.addThread({ id, title, channel });
			this.go(id);
		});
	}

	/** Opens the last message of the person to edit it. Returns whether there is one. */
	editLast(): boolean {
		const { state } = this;
		const mine = [...state.log(this.shown).messages.values()].filter(
			({ author, text }) => author === state.me && text !== '',
		);
		const last = mine.toSorted((a, b) => a.number - b.number).at(-1);
		if (last) openEditDialog(this, last);
		return last !== undefined;
	}

	copy(text: string): void {
		navigator.clipboard.writeText(text).then(
			() => announce(t('sandbox.menu.copied')),
			() => this.showError(t('sandbox.menu.copyFailed')),
		);
	}

	/** Takes dropped or pasted files. */
	take(files: File[]): void {
		if (this.takeFiles) this.takeFiles(files);
		else if (!this.dialog) void this.drafts.take(files);
	}

	#onChange(change: Change): void {
		if (change.name === 'loaded') {
			// After a restart of the bot, the page stays where it is.
			if (this.#isEntered) this.scroll.leave(this.shown);
			void this.enter();
			this.drafts.ready();
		} else if (change.name === 'online') this.isOnline = change.isOnline;
		else if (change.name === 'message') this.#onMessage(change.message, change.before);
		else if (change.name === 'typing' && change.channel === this.shown) {
			this.#setTyping(true);
			clearTimeout(this.#typingTimer);
			this.#typingTimer = window.setTimeout(() => this.#setTyping(false), TYPING_MS);
		} else if (change.name === 'notice') this.showError(change.text);
		else if (change.name === 'removed' && change.channel === this.shown) {
			if (byId(`message-${change.number}`)?.contains(document.activeElement))
				this.afterRender(() => byId('history')?.focus());
		} else if (change.name === 'form' && this.#requests.delete(change.press)) openFormDialog(this, change);
		this.changed();
	}

	/** A message is new or was edited. */
	#onMessage(message: Message, before: Message | undefined): void {
		if (message.channel !== this.shown) return;
		const isMine = message.author === this.state.me;
		const pictures = message.files.length;
		if (message.author === 'easel') this.isTyping = false;
		if (isMine) this.scroll.follow();
		else if (!before) this.scroll.countUnseen();
		if (!isMine && (!before || pictures > before.files.length)) {
			const values = { name: this.state.nameOf(message.author), text: plainText(message.text.slice(0, 200)) };
			announce(
				pictures
					? t('sandbox.message.announcedPictures', { ...values, count: pictures })
					: t('sandbox.message.announced', values),
			);
		}
		this.afterRender(() => this.markSeen());
	}

	#setTyping(isTyping: boolean): void {
		this.isTyping = isTyping;
		this.changed();
	}
}
