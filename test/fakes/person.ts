import { expect, vi } from 'vitest';
import type { Form } from '../../src/domain/command.ts';

/** A picture as it comes from a person's disk. */
export type PictureFile = { name: string; bytes: Uint8Array };

/** A message as somebody sees it. */
export type Seen = {
	id: string;
	text: string;
	/** `spoiler`: it is covered until this person wants to see it. */
	pictures: { bytes: Uint8Array; alt: string; spoiler?: true }[];
	/** Names of its files that are no pictures. */
	files: string[];
	/** Labels of its buttons. */
	buttons: string[];
	private: boolean;
};

/** A list is what was chosen of several. */
export type Options = Record<string, string | number | boolean | PictureFile | readonly string[]>;

/** What the menu of every message offers for its pictures. */
export type MenuEntry = 'Edit image' | 'Compose images';

export const isFile = (value: Options[string] | undefined): value is PictureFile =>
	typeof value === 'object' && 'bytes' in value;

/** What is there on every platform's stage, by the ids that options take. */
export type Names = {
	/** The channel that everybody starts in. */
	here: string;
	/** Another one, where both may read and write; moderators' logs go there. It is not age-restricted. */
	elsewhere: string;
	/** A role, or user group, that both have. */
	common: string;
	/** One that neither has. */
	foreign: string;
};

/**
 * Somebody's place at a platform: what fingers and eyes do there. Each platform's tests bring their own. A user may be given a
 * locale (BCP 47), which the platform tells in its own way: Discord with each interaction, Slack with `users.info`, a browser
 * by `Accept-Language`.
 */
export type TestUser = {
	/** @param delivery names the event, so that a test can deliver it twice */
	command(name: string, options: Options, delivery?: string): Promise<void>;
	press(message: Seen, label: string, delivery?: string): Promise<void>;
	menu(message: Seen, entry: MenuEntry): Promise<void>;
	/** The form that was opened last. */
	form(): Form | undefined;
	/** What the form has to begin with stays, where nothing else is given. */
	submit(form: Form, options: Options): Promise<void>;
	/** Names after an @ are mentions. */
	say(text: string, files?: PictureFile[]): Promise<void>;
	/** Says it as an answer to a message. */
	reply(message: Seen, text: string): Promise<void>;
	/** Puts other words into a message of one's own. */
	rewrite(message: Seen, text: string): Promise<void>;
	/** Deletes a message of one's own. */
	erase(message: Seen): Promise<void>;
	/** The channel's threads. */
	threads(): Promise<{ id: string; title: string }[]>;
	/** Starts a thread on a message and goes there. */
	startThread(message: Seen): Promise<void>;
	/** Goes into a thread or to another channel, or without one back to the first: what is done from now on is done there. */
	enter(where?: string): void;
	names: Names;
	/** What this person sees where they are, oldest first. */
	look(): Promise<Seen[]>;
};

/** What a message must be like: its words, how many pictures it has. */
type Expected =
	| RegExp
	| { text?: RegExp; pictures?: number; private?: boolean; buttons?: readonly string[]; covered?: boolean };

/** Somebody who types. `await ada.does('/edit', { image, prompt }).sees({ pictures: 1 })` reads as it happens. */
export function personAt(user: TestUser) {
	/** Does something and watches the messages that come of it. */
	function deed(act: () => Promise<void>) {
		const done = (async () => {
			const before = new Set((await user.look()).map(({ id }) => id));
			await act();
			return before;
		})();
		const since = async () => {
			const before = await done;
			return (await user.look()).filter(({ id }) => !before.has(id));
		};
		return {
			/** Waits for a message like this and returns it. */
			sees: (expected: Expected): Promise<Seen> =>
				vi.waitFor(
					async () => {
						const seen = await since();
						const found = seen.findLast((message) => fits(message, expected));
						expect(found, `among ${JSON.stringify(seen.map(brief))}`).toBeDefined();
						return found as Seen;
					},
					{ timeout: 10_000, interval: 15 },
				),
			/** Waits for a form of this title. */
			async opens(title: string): Promise<Form> {
				await done;
				return vi.waitFor(
					() => {
						const form = user.form();
						expect(form?.title).toBe(title);
						return form as Form;
					},
					{ timeout: 10_000, interval: 15 },
				);
			},
			/** Only waits until it is done. */
			// biome-ignore lint/suspicious/noThenProperty: so that `await ada.does(…)` reads as one sentence.
			then: (resolve: () => void, reject: (error: unknown) => void) => done.then(resolve, reject),
			since,
		};
	}

	return {
		does: (command: `/${string}`, options: Options = {}, delivery?: string) =>
			deed(() => user.command(command.slice(1), options, delivery)),
		presses: (label: string, message: Seen, delivery?: string) => deed(() => user.press(message, label, delivery)),
		chooses: (entry: MenuEntry, message: Seen) => deed(() => user.menu(message, entry)),
		fillsIn: (form: Form, options: Options) => deed(() => user.submit(form, options)),
		says: (text: string, files?: PictureFile[]) => deed(() => user.say(text, files)),
		replies: (message: Seen, text: string) => deed(() => user.reply(message, text)),
		rewrites: (message: Seen, text: string) => user.rewrite(message, text),
		erases: (message: Seen) => user.erase(message),
		startsThread: (message: Seen) => user.startThread(message),
		looks: () => user.look(),
		threads: () => user.threads(),
		names: user.names,
		leaves: () => user.enter(),
		goesTo: (channel: string) => user.enter(channel),
		/** Waits for a thread of this title and goes there. */
		enters: (title: RegExp) =>
			vi.waitFor(
				async () => {
					const thread = (await user.threads()).find((one) => title.test(one.title));
					expect(thread, `a thread like ${title}`).toBeDefined();
					user.enter(thread?.id);
				},
				{ timeout: 10_000, interval: 15 },
			),
		/** Waits for a message like this, whenever it was written, and returns the last. */
		finds: (expected: Expected): Promise<Seen> =>
			vi.waitFor(
				async () => {
					const seen = await user.look();
					const found = seen.findLast((message) => fits(message, expected));
					expect(found, `among ${JSON.stringify(seen.map(brief))}`).toBeDefined();
					return found as Seen;
				},
				{ timeout: 10_000, interval: 15 },
			),
	};
}

function fits(message: Seen, expected: Expected): boolean {
	if (expected instanceof RegExp) return expected.test(message.text);
	const { text, pictures, private: isPrivate, buttons, covered } = expected;
	return (
		(text?.test(message.text) ?? true) &&
		(pictures === undefined || message.pictures.length === pictures) &&
		(isPrivate === undefined || message.private === isPrivate) &&
		(buttons === undefined || buttons.join() === message.buttons.join()) &&
		(covered === undefined || message.pictures.every(({ spoiler = false }) => spoiler === covered))
	);
}

const brief = ({ text, pictures, buttons }: Seen) => `${text.slice(0, 120)} [${pictures.length}] ${buttons.join()}`;
