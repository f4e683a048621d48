/** An input of a form, as a client shows it. The value of `choices` is a list. */
export type Field = { name: string; description: string; required: boolean } & (
	| { kind: 'text'; minLength: number; maxLength: number; suggestions: readonly string[]; completed?: true }
	| { kind: 'choice'; choices: readonly string[] }
	| { kind: 'choices'; choices: readonly string[]; labels?: Readonly<Record<string, string>>; min: number; max: number }
	| { kind: 'integer'; min: number; max: number }
	| { kind: 'flag' | 'picture' | 'person' | 'role' }
	| { kind: 'channel'; postable?: true; requestable?: true }
);

/** A form that an application has opened. `command` is the id that the application has given it. */
export type Form = {
	id: string;
	command: string;
	title: string;
	/** The text above its inputs. */
	note?: string;
	fields: readonly Field[];
	/** Initial values by the names of fields. */
	values?: Readonly<Record<string, unknown>>;
};

/** A picture on a user's disk. */
export type PictureFile = { name: string; bytes: Uint8Array };

/** A message as a user sees it. */
export type SeenMessage = {
	id: string;
	text: string;
	/** `spoiler`: covered until the user uncovers it. */
	pictures: { bytes: Uint8Array; alt: string; spoiler?: true }[];
	/** The names of its files that are not pictures. */
	files: string[];
	/** The labels of its buttons. */
	buttons: string[];
	private: boolean;
};

/** The values of a command's options or a form's fields, by name. A list is a selection of several. */
export type Options = Record<string, string | number | boolean | PictureFile | readonly string[]>;

/** An entry of the menu of a message with pictures. */
export type MenuEntry = 'Edit image' | 'Compose images' | 'About this picture';

export const isFile = (value: Options[string] | undefined): value is PictureFile =>
	typeof value === 'object' && 'bytes' in value;

/** Channels and roles that exist on every platform, by the ids that options take. */
export type KnownIds = {
	/** The channel that every user starts in. */
	here: string;
	/** Another channel that both users can read and write in. It is not age-restricted. */
	elsewhere: string;
	/** A role, or user group, that both users have. */
	common: string;
	/** A role that neither has. */
	foreign: string;
};

/**
 * A user of a platform, by what its client lets them do and shows them. Each platform's fake has its own. The locale of a user is
 * BCP 47; Discord sends it with each interaction, Slack returns it by `users.info`, a browser sends it as `Accept-Language`.
 */
export type TestUser = {
	/** @param delivery identifies the event, so that a test can deliver it twice */
	command(name: string, options: Options, delivery?: string): Promise<void>;
	press(message: SeenMessage, label: string, delivery?: string): Promise<void>;
	menu(message: SeenMessage, entry: MenuEntry): Promise<void>;
	/** The form that was opened last. */
	form(): Form | undefined;
	/** Submits a form. Initial values stay unless others are given. */
	submit(form: Form, options: Options): Promise<void>;
	/** Writes a message. Names after an @ become mentions. */
	say(text: string, files?: PictureFile[]): Promise<void>;
	reply(message: SeenMessage, text: string, options?: { files?: PictureFile[] }): Promise<void>;
	/** Edits a message of this user. */
	rewrite(message: SeenMessage, text: string): Promise<void>;
	/** Deletes a message of this user. */
	erase(message: SeenMessage): Promise<void>;
	/** The threads of the channel. */
	threads(): Promise<{ id: string; title: string }[]>;
	/** Starts a thread from a message and enters it. */
	startThread(message: SeenMessage): Promise<void>;
	/** Enters a thread or another channel, or returns to the first one. Later actions happen there. */
	enter(where?: string): void;
	names: KnownIds;
	/** The messages that this user sees where they are, oldest first. */
	look(): Promise<SeenMessage[]>;
};
