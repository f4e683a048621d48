import { expect, vi } from 'vitest';
import { inputFor } from './form-inputs.ts';
import type { Form, MenuEntry, Options, PictureFile, SeenMessage, TestUser } from './test-user.ts';

/** A description of a message: a pattern of its text, or several properties. */
type Expected =
	| RegExp
	| {
			text?: RegExp;
			pictures?: number;
			files?: number;
			private?: boolean;
			buttons?: readonly string[];
			covered?: boolean;
	  };

/** How long an expected message or form is waited for. */
const WAIT = { timeout: 25_000, interval: 30 };

/** A user whose actions read like a transcript: `await ada.does('/edit', { image, prompt }).sees({ pictures: 1 })`. */
export class Actor {
	readonly #user: TestUser;

	constructor(user: TestUser) {
		this.#user = user;
	}

	get names() {
		return this.#user.names;
	}

	/** @param delivery identifies the event, so that a test can deliver it twice */
	does(command: `/${string}`, options: Options = {}, delivery?: string): Action {
		return this.#act((user) => user.command(command.slice(1), options, delivery));
	}

	presses(label: string, message: SeenMessage, delivery?: string): Action {
		return this.#act((user) => user.press(message, label, delivery));
	}

	chooses(entry: MenuEntry, message: SeenMessage): Action {
		return this.#act((user) => user.menu(message, entry));
	}

	/** @param options by the names of the fields */
	fillsIn(form: Form, options: Options): Action {
		const inputs = Object.entries(options).map(([field, value]) => [inputFor(form, field), value]);
		return this.#act((user) => user.submit(form, Object.fromEntries(inputs)));
	}

	says(text: string, files?: PictureFile[]): Action {
		return this.#act((user) => user.say(text, files));
	}

	replies(message: SeenMessage, text: string, files: PictureFile[] = []): Action {
		return this.#act((user) => user.reply(message, text, { files }));
	}

	rewrites(message: SeenMessage, text: string): Promise<void> {
		return this.#user.rewrite(message, text);
	}

	erases(message: SeenMessage): Promise<void> {
		return this.#user.erase(message);
	}

	startsThread(message: SeenMessage): Promise<void> {
		return this.#user.startThread(message);
	}

	looks(): Promise<SeenMessage[]> {
		return this.#user.look();
	}

	threads() {
		return this.#user.threads();
	}

	/** Returns to the first channel. */
	leaves(): void {
		this.#user.enter();
	}

	goesTo(channel: string): void {
		this.#user.enter(channel);
	}

	/** Waits for a thread with this title and enters it. */
	enters(title: RegExp): Promise<void> {
		return vi.waitFor(async () => {
			const thread = (await this.#user.threads()).find((one) => title.test(one.title));
			expect(thread, `a thread like ${title}`).toBeDefined();
			this.#user.enter(thread?.id);
		}, WAIT);
	}

	/** Waits for a message, which may also be an older one, and returns the last that matches. */
	finds(expected: Expected): Promise<SeenMessage> {
		return vi.waitFor(async () => findIn(await this.#user.look(), expected), WAIT);
	}

	#act(perform: (user: TestUser) => Promise<void>): Action {
		return new Action(this.#user, perform);
	}
}

/** An action of a user. Awaiting it waits until it is done. */
class Action implements PromiseLike<void> {
	readonly #user: TestUser;
	/** Resolves, once done, with the ids of the messages that were there before. */
	readonly #done: Promise<ReadonlySet<string>>;

	constructor(user: TestUser, perform: (user: TestUser) => Promise<void>) {
		this.#user = user;
		this.#done = (async () => {
			const before = new Set((await user.look()).map(({ id }) => id));
			await perform(user);
			return before;
		})();
	}

	/** Waits for a message that was not there before, and returns it. */
	sees(expected: Expected): Promise<SeenMessage> {
		return vi.waitFor(async () => {
			const before = await this.#done;
			const messages = await this.#user.look();
			return findIn(
				messages.filter(({ id }) => !before.has(id)),
				expected,
			);
		}, WAIT);
	}

	/** Waits for a form with this title, and returns it. */
	async opens(title: string): Promise<Form> {
		await this.#done;
		return vi.waitFor(() => {
			const form = this.#user.form();
			expect(form?.title).toBe(title);
			return form as Form;
		}, WAIT);
	}

	// biome-ignore lint/suspicious/noThenProperty: so that `await ada.does(…)` waits without expecting a message.
	then<Fulfilled = void, Rejected = never>(
		onFulfilled?: (() => Fulfilled | PromiseLike<Fulfilled>) | null,
		onRejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
	): Promise<Fulfilled | Rejected> {
		return this.#done.then(onFulfilled as () => Fulfilled, onRejected);
	}
}

function findIn(messages: readonly SeenMessage[], expected: Expected): SeenMessage {
	const found = messages.findLast((message) => matches(message, expected));
	expect(found, `among ${JSON.stringify(messages.map(summary))}`).toBeDefined();
	return found as SeenMessage;
}

function matches(message: SeenMessage, expected: Expected): boolean {
	if (expected instanceof RegExp) return expected.test(message.text);
	const { text, pictures, files, private: isPrivate, buttons, covered } = expected;
	return (
		(text?.test(message.text) ?? true) &&
		(pictures === undefined || message.pictures.length === pictures) &&
		(files === undefined || message.files.length === files) &&
		(isPrivate === undefined || message.private === isPrivate) &&
		(buttons === undefined || buttons.join() === message.buttons.join()) &&
		(covered === undefined || message.pictures.every(({ spoiler = false }) => spoiler === covered))
	);
}

const summary = ({ text, pictures, buttons }: SeenMessage) =>
	`${text.slice(0, 120)} [${pictures.length}] ${buttons.join()}`;
