import type { VNode } from 'preact';
import { render } from 'preact';
import type { CommandDescription } from '../../../domain/command.ts';
import type { StoredFile } from '../server/files.ts';
import { sendFiles } from './api.ts';
import { byId } from './html.ts';
import { splitFiles, type Values } from './inputs/filling.ts';
import { type Change, type Found, type Message, PageState } from './state.ts';

export type Dialog =
	| { kind: 'edit'; message: Message }
	| { kind: 'connect' }
	| { kind: 'drop'; files: readonly File[] }
	| { kind: 'pictures'; pictures: readonly StoredFile[]; index: number };

/** What a person sees. Everything is drawn again after a change. */
export class Screen {
	readonly state: PageState;
	readonly #draw: () => VNode;
	/** The id of the channel or thread that is shown. */
	shown = location.hash.slice(1).split('/')[0] ?? '';
	/** What went wrong, as a sentence. */
	error = '';
	dialog: Dialog | undefined;
	/** The ids of the commands and presses of this tab, whose forms and answers it shows. */
	readonly requests = new Set<string>();
	#isDrawing = false;
	#afterRender: (() => void)[] = [];

	constructor(me: string, draw: () => VNode, onChange: (change: Change) => void) {
		this.state = new PageState(me, onChange);
		this.#draw = draw;
	}

	/** Draws the page once after the changes of this turn. */
	changed(): void {
		if (this.#isDrawing) return;
		this.#isDrawing = true;
		queueMicrotask(() => {
			this.#isDrawing = false;
			const message = document.activeElement?.closest<HTMLElement>('.message, .empty');
			render(this.#draw(), byId('page') as HTMLElement);
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

	open(dialog: Dialog | undefined): void {
		this.dialog = dialog;
		this.changed();
	}

	get here() {
		return { as: this.state.me, channel: this.shown };
	}

	/** Runs a command, or submits a form. Its answer and its forms are for this tab. */
	invoke(id: string, command: string, values: Values, form?: string): Promise<unknown> {
		this.requests.add(id);
		const { options, parts } = splitFiles(values);
		return sendFiles('commands', { ...this.here, id, command, options, form }, parts);
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

	/** The commands that this person may use here. */
	get commands(): readonly CommandDescription[] {
		const { server, channel } = this.found;
		const mayModerate = !channel.direct && (server.moderates || this.state.isModerator(server.id));
		return this.state.snapshot.commands.filter(({ moderators }) => !moderators || mayModerate);
	}
}
