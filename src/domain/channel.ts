/** A channel, thread or direct message in which something happens. It is stored with jobs and handles. */
export type Place = {
	/** The platform's name: `discord`, `slack`, `sandbox`. */
	platform: string;
	/** The id of Discord's server or Slack's workspace, to which caps belong. */
	server: string;
	channel: string;
	thread?: string;
	/** A direct message between a person and the bot. `server` is the one whose caps apply, or `user:` and the person's id. */
	direct?: true;
};

export type ServerId = { platform: string; server: string };

export const isSameServer = (one: ServerId, other: ServerId) =>
	one.platform === other.platform && one.server === other.server;

/** Tells whether a place belongs to one person rather than to a server. */
export const isPersonal = ({ server }: { server: string }) => server.startsWith('user:');

/** A thread, or without the optional fields all threads of a channel or a server. */
export type PlaceScope = ServerId & { channel?: string; thread?: string };

/** Identifies a message permanently. `Platform.find` accepts it, also in another process. */
export type MessageHandle = {
	place: Place;
	key: string;
	data?: Record<string, string>;
};

export type Person = {
	id: string;
	name: string;
	/** Whether the person may use moderators' commands in this place. The platform determines it for each event. */
	moderator: boolean;
	/** Only by the role that the server's settings name, and not on the platform itself. The core determines it. */
	byRole?: true;
	/** False for people who are no moderators here whatever their roles are: guests, and everybody in direct messages on Discord. */
	mayModerate?: false;
	/** A guest, or somebody of another workspace in a shared channel: the server's settings may exclude them. */
	outsider?: true;
	/** An app or another bot: it is answered only where the server's settings name it. */
	app?: true;
	/** Ids of the person's roles or user groups, for which caps can be set. */
	roles?: readonly string[];
	/** The language (BCP 47) that the platform reports. */
	locale?: string;
};

/** What of a person is stored with what they asked for. */
export type Requester = Pick<Person, 'id' | 'name' | 'locale'>;

/** A person on a platform, whatever they do there. */
export type PersonOn = { place: { platform: string }; person: { id: string } };

/** The operator's lists of Discord servers, and of Slack workspaces and organizations, by their ids. */
export type ServerLists = {
	/** Empty: all are served. */
	allowed: readonly string[];
	/** Never served. */
	denied: readonly string[];
};

/** Tells whether a place is served: by its server, or for direct messages by the server whose caps apply there. */
export type ServesPlace = (place: ServerId) => boolean;

/**
 * Returns the check of the operator's lists. Who uses the bot in direct messages, and has used it in no server, belongs to no server:
 * they are served where no list says which servers are. The sandbox runs on the operator's own machine and is always served.
 */
export function servesPlaceOf({ allowed, denied }: ServerLists): ServesPlace {
	const [allows, denies] = [new Set(allowed), new Set(denied)];
	return ({ platform, server }) =>
		platform === 'sandbox' || ((allows.size === 0 || allows.has(server)) && !denies.has(server));
}

export type Post = {
	handle: MessageHandle;
	/** The address at which others can see it, where there is one. */
	link?: string;
	/**
	 * Replaces text and buttons, and pictures where the reply has any; otherwise the pictures stay.
	 * Rejects with `MessageGoneError` when somebody has deleted the message, and with `PostClosedError` when it takes no more edits.
	 */
	edit(reply: Reply): Promise<void>;
	delete(): Promise<void>;
	/**
	 * Replaces the alt texts of the pictures that the message shows, in their order, and leaves everything else. Returns whether it has
	 * shown them; not where a platform cannot change them.
	 */
	describe?(alts: readonly string[]): Promise<boolean>;
	/**
	 * Returns the pictures that the message shows, without previews, where the post was found rather than just posted. Covered ones may be
	 * missing.
	 */
	pictures?(): Promise<readonly Upload[]>;
};

/** Returns the class of an error whose name says all about it. */
export const errorNamed = (name: string, message: string) =>
	class extends Error {
		override name = name;

		constructor(options?: ErrorOptions) {
			super(message, options);
		}
	};

export class MessageGoneError extends errorNamed('MessageGoneError', 'The message was deleted') {}

/** Thrown when a message takes no more edits, such as one that is too old. What it lacks goes into a new one. */
export class PostClosedError extends errorNamed('PostClosedError', 'A message takes no more edits') {}

/** The limits of one channel. They differ between servers and threads, so each channel has its own. */
export type ChannelLimits = {
	/** The longest text of a message, in UTF-16 units. */
	text: number;
	/** The most pictures of a message. */
	pictures: number;
	pictureBytes: number;
	/** Of all pictures and files of a message together, where the platform has such a limit. */
	messageBytes?: number;
	/** Whether the platform shows the tables of a Markdown text as they are written. */
	noTables?: true;
	/** Whether edits can replace pictures, so that previews of a picture can be shown before it. */
	previews?: true;
	/** The maximum number of edits, `count`, in `perMs` milliseconds. */
	edits: { count: number; perMs: number };
};

export type PostOptions = {
	/** Leaves a message that already exists under the key as it is. */
	ifAbsent?: boolean;
	/**
	 * Posts the message also while the store fails, such as the sentence about that. It may not be found by its key then, and is posted
	 * again where one existed under the key.
	 */
	withoutStore?: boolean;
	/** What `Channel.announce` returned for this message is stored. */
	isAnnounced?: boolean;
};

/** What a platform stores before it posts a message, so that it is found after a crash; as parts of a commit, see `Change`. */
export type Announcement = {
	/** Stored with the handle of the message; see `MessageHandle.data`. */
	data?: MessageHandle['data'];
	put?: readonly { space: string; key: string; value: unknown; ttlMs: number }[];
	remove?: readonly { space: string; key: string }[];
	unindex?: readonly { space: string; index: string; member: string }[];
};

/** Shows points in time, people, channels and roles as a platform does. */
export type Show = {
	/** Returns an instant (Unix milliseconds) as Markdown, which the platform shows in each reader's time zone where it can. */
	when(at: number): string;
	/** Returns the name of a person, channel or role as Markdown that notifies nobody. */
	refer(kind: 'person' | 'channel' | 'role', id: string): string;
};

/** Where an answer is shown: a channel, or a person's own page, which has no limits. */
export type Page = Show & {
	place: Place;
	limits?: ChannelLimits;
	/** The platform offers moderators' commands only to people with rights of its own, until an admin there opens them to a role. */
	hidesCommands?: true;
};

/** A rule of a server's own. It contains nothing of the text that violates it. */
export type BrokenRule = {
	name: string;
	/** What the server has set to be said to people. */
	message?: string;
};

export type Channel = Page & {
	limits: ChannelLimits;
	/**
	 * Posts a message. Posting again under the same key edits the message.
	 *
	 * @param key identifies the message before it exists (see `assertMessageKey`), uniquely within the platform. A handle
	 * of place and key is enough for `Platform.find`, so a message is found even after a crash before its handle was
	 * stored.
	 */
	post(reply: Reply, key: string, options?: PostOptions): Promise<Post>;
	/**
	 * Returns what is to be stored before a new message is posted, for a commit that allows it. Undefined where `post` has to store that
	 * itself.
	 */
	announce?(key: string, isPrivate: boolean): Announcement | undefined;
	/** @param options.private only the person who asked is invited to the thread and can see it */
	openThread(title: string, options?: { private?: boolean }): Promise<Channel>;
	/** Tells whether every member of the server can see the channel; undefined when that is not known. */
	isVisibleToEveryone?(): Promise<boolean | undefined>;
	ageRestricted?: true;
	/** Nothing can be private here: what is posted is for everybody who sees the channel. */
	isPublicOnly?: true;
	/**
	 * Checks a text against the server's own rules for messages, where the platform has such rules.
	 *
	 * @returns the first rule that the text violates; undefined when
	 * the text violates no rule or the rules cannot be read
	 */
	screen?(text: string, person: Person): Promise<BrokenRule | undefined>;
	/** Shows for some seconds that an answer is being written, where the platform can. Call it again while that takes longer. */
	typing?(): Promise<void>;
};

/** Sizes of pictures that people can name, as width x height where a service takes any size. */
export const NAMED_SIZES: Readonly<Record<string, string>> = {
	square: '1024x1024',
	landscape: '1536x1024',
	portrait: '1024x1536',
	wide: '1792x1024',
	tall: '1024x1792',
};

/** Only the ratio counts. */
export type PictureShape = { width: number; height: number };

/** Resolutions that are larger than the usual one, by the field's names for them. */
export const RESOLUTIONS = ['2K', '4K'] as const;

export type Resolution = (typeof RESOLUTIONS)[number];

/** Returns the two parts of a size such as `16:9 2K`: its shape, and its resolution. A resolution alone is that of a square. */
export function partsOfSize(size: string): { shape: string; resolution?: Resolution } {
	const resolution = RESOLUTIONS.find((name) => size.endsWith(name));
	return resolution ? { shape: size.slice(0, -resolution.length).trim() || 'square', resolution } : { shape: size };
}

/** Returns the shape of a size: a name, a ratio, or width x height such as `1024x1024`. */
export function shapeOf(size: string): PictureShape {
	const { shape } = partsOfSize(size);
	const [width = 1, height = 1] = (NAMED_SIZES[shape] ?? shape).split(/[x:]/).map(Number);
	return { width, height };
}

/**
 * A file that a person uploaded. Its bytes are fetched by `read`, so that origin checks and tokens stay inside the
 * platform.
 */
export type Upload = {
	name: string;
	/** The media type that the platform reports. It must not be trusted. */
	type?: string;
	/** The size in bytes, where the platform reports it. */
	size?: number;
	/** Its author has covered it: pictures that are made of it are covered as well. */
	covered?: boolean;
	/** Why it cannot be read, where the platform says so with the message. */
	unreadable?: 'deleted' | 'hidden' | 'elsewhere' | 'denied';
	/** Rejects with `FileTooLargeError` when the file has more than `maxBytes`. */
	read(signal: AbortSignal, maxBytes: number): Promise<Uint8Array>;
	/** Returns an address at which the people who see the file can download it; absent for files that no message shows. */
	link?(): Promise<string | undefined>;
	/** Returns whose message shows it; absent for files that no message shows. */
	poster?(): Promise<Poster>;
};

/** Whose a message is: the person who has written it, and the key that it has if it is the bot's. */
export type Poster = { person?: string | undefined; key?: string | undefined };

export type FileKind = 'picture' | 'text' | 'voice' | 'other';

/** Media types that say nothing about a file, or something wrong: `.ts` is TypeScript more often than video. */
const VAGUE_TYPES =
	/^(?:|(?:application|binary)\/(?:octet-stream|binary|x-binary)|video\/mp2t|video\/vnd\.dlna\.mpeg-tts)$/;

/** Media types of texts that do not begin with `text/`. */
const TEXT_TYPES =
	/^application\/(?:(?:[\w.-]+\+)?(?:json|xml|yaml)|(?:x-)?(?:ndjson|jsonl|json5|yaml|toml|javascript|ecmascript|typescript|sh|shellscript|python|ruby|perl|php|httpd-php|sql|tex|latex|subrip|csv|markdown|diff|patch))$/;

/** Endings of names by kind. Pictures include those that no service takes: what is said about such a file names its format. */
const ENDINGS: readonly [kind: FileKind, endings: ReadonlySet<string>][] = [
	['picture', words('png jpg jpeg jpe jfif webp gif avif heic heif tif tiff bmp jxl jp2 psd svg')],
	['voice', words('ogg oga opus mp3 m4a wav flac aac weba amr aif aiff wma caf')],
	[
		'text',
		words(
			'txt text md markdown mdx rst adoc org tex bib log csv tsv json jsonc json5 jsonl ndjson geojson ipynb xml xsl yaml yml toml ini cfg conf ' +
				'properties env lock diff patch srt vtt html htm xhtml css scss sass less js mjs cjs jsx ts mts cts tsx vue svelte astro py pyi rb php ' +
				'java kt kts scala groovy gradle go rs c h cc cpp cxx hpp hh m mm cs fs vb swift dart lua pl pm r jl hs elm ex exs erl clj lisp ml zig ' +
				'nim sol asm s sh bash zsh fish bat cmd ps1 psm1 sql graphql gql proto tf hcl nix cmake mk dockerfile makefile gitignore ics vcf glsl ' +
				'wgsl ahk gd vim el awk sed',
		),
	],
];

function words(text: string): ReadonlySet<string> {
	return new Set(text.split(' '));
}

/** Names of texts that have no ending, as they are after the last point of a name. */
const TEXT_NAMES = words('dockerfile makefile readme license licence changelog procfile gemfile rakefile jenkinsfile');

/** Returns what a file is by its name and its reported type. Its bytes decide whether that is true. */
export function fileKindOf({ name, type = '' }: { name: string; type?: string }): FileKind {
	const media = type.split(';', 1)[0]!.trim().toLowerCase();
	if (media.startsWith('image/')) return 'picture';
	if (media.startsWith('audio/') || media === 'application/ogg') return 'voice';
	if (media.startsWith('text/') || TEXT_TYPES.test(media)) return 'text';
	if (!VAGUE_TYPES.test(media)) return 'other';
	const ending = name.toLowerCase().trim().split('.').at(-1)!;
	if (!name.includes('.')) return TEXT_NAMES.has(ending) ? 'text' : 'other';
	return ENDINGS.find(([, endings]) => endings.has(ending))?.[0] ?? 'other';
}

export const isPicture = (upload: { name: string; type?: string }): boolean => fileKindOf(upload) === 'picture';

/** Thrown when a file has more bytes than are to be read. */
export class FileTooLargeError extends Error {
	override name = 'FileTooLargeError';
	/** In bytes, where it is known. */
	readonly size: number | undefined;

	constructor(size?: number) {
		super('A file is too large to be read');
		this.size = size;
	}
}

export class FileGoneError extends errorNamed('FileGoneError', 'A file does not exist any more') {}

/** A picture to post. Its bytes are posted unchanged. */
export type Picture = {
	/** With its extension. */
	name: string;
	bytes: Uint8Array;
	alt: string;
	/** Its number among the pictures of a result, from 1, where there are several. Shown with it where the platform can. */
	number?: number;
	/** Hidden until a reader reveals it. */
	spoiler?: true;
};

/**
 * The beginning of the file names of previews, which are shown until the picture is finished. `Post.pictures` does not count them: they are
 * no result. No name of a result begins with it.
 */
export const PREVIEW_NAME = 'easel.preview.';

/** Tells whether a file is a preview. Platforms may add to its name, as Discord does for spoilers. */
export const isPreview = ({ name }: { name: string }): boolean => name.includes(PREVIEW_NAME);

/** A file that is not a picture. */
export type Attachment = { name: string; bytes: Uint8Array };

export type Button = {
	/** See `encodeActionId`. What its subject refers to is in the store. */
	id: string;
	label: string;
	kind?: 'plain' | 'danger';
};

/**
 * The maximum length of an action id, in characters. Discord's `custom_id` is the tightest: 1–100 characters. Slack takes 255 as
 * `action_id` and `callback_id`, and 2,000 as a button's `value`.
 * https://docs.discord.com/developers/components/reference#anatomy-of-a-component-custom-id
 * https://docs.slack.dev/reference/block-kit/block-elements/button-element
 */
export const MAX_ACTION_ID = 100;

/** The id of a button, or of an entry in a message's menu. */
export type ActionId = {
	/** The action's name, without a colon. */
	action: string;
	/** Goes up when ids of an earlier version can no longer be handled. */
	version: number;
	/** The entity that the action applies to, such as a job. May contain colons. */
	subject: string;
};

/**
 * Returns an action id as platforms carry it: `action:version:subject`.
 * @throws RangeError when it exceeds `MAX_ACTION_ID`
 */
export function encodeActionId({ action, version, subject }: ActionId): string {
	const id = `${action}:${version}:${subject}`;
	if (id.length > MAX_ACTION_ID)
		throw new RangeError(`The id of the action ${action} has ${id.length} characters; the maximum is ${MAX_ACTION_ID}`);
	return id;
}

/** Returns undefined for a text that is not an action id. */
export function parseActionId(id: string): ActionId | undefined {
	const [, action, version, subject = ''] = /^([^:]+):(\d+):(.*)$/s.exec(id) ?? [];
	return action === undefined ? undefined : { action, version: Number(version), subject };
}

export type Reply = {
	/** Markdown. Mentions in it notify nobody. */
	text: string;
	/** The text is still being written: edits will follow. */
	growing?: true;
	pictures?: readonly Picture[];
	/** The pictures that will follow, and their shape, where it is known. Platforms may show their outlines meanwhile. */
	expected?: { count: number; shape?: PictureShape };
	/** Used by `post` only. */
	files?: readonly Attachment[];
	/** The id of the person who asked, whom a mention before the text notifies: the only mention that does. Used by `post` only. */
	notify?: string;
	buttons?: readonly Button[];
	/** A `private` reply is visible only to the person who asked. Edits cannot change it. Default `public`. */
	visibility?: 'public' | 'private';
};

/** Fits what every platform stores with a message: Discord's nonces, Slack's metadata. Delivery ids leave room for suffixes. */
const MESSAGE_KEY = /^[\w:.-]{1,64}$/;

/** @throws RangeError for a key that no message can have: 1 to 64 of `A-Z a-z 0-9 - _ : .` are allowed */
export function assertMessageKey(key: string): void {
	if (!MESSAGE_KEY.test(key)) throw new RangeError(`“${key}” is not a message key.`);
}
