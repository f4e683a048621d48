/** A block, element or object of Block Kit. */
export type Json = Record<string, unknown>;
export type Block = Json & { type: string; block_id?: string };

export type Enterprise = { id: string; name: string };

/** A workspace. */
export type Team = {
	id: string;
	name: string;
	domain: string;
	enterprise?: Enterprise;
	users: Map<string, User>;
	channels: Map<string, Channel>;
	groups: Map<string, UserGroup>;
	/** The application is installed for the whole organization, of which this is the only workspace. */
	orgWide: boolean;
	/** Undefined while the application is not installed. */
	installation?: Installation;
};

export type User = {
	id: string;
	/** The name that `SlackFake.user` takes. */
	handle: string;
	name: string;
	/** BCP 47, such as `de-DE`. */
	locale: string;
	/** Central European time by default. */
	timeZone?: string;
	team: Team;
	admin: boolean;
	owner: boolean;
	guest: boolean;
	bot: boolean;
	/** Of another app's bot user: its ids as an app, and as the author of messages. */
	app?: { id: string; bot: string; isWorkflow: boolean };
};

export type UserGroup = { id: string; handle: string; name: string; users: Set<string> };

export type Channel = {
	id: string;
	name: string;
	kind: 'public' | 'private' | 'im';
	team: Team;
	/** Further workspaces that it is shared with. https://docs.slack.dev/apis/slack-connect/ */
	sharedWith: Set<Team>;
	members: Set<string>;
	archived: boolean;
	/** By `ts`, oldest first, including those in threads. */
	messages: Map<string, Message>;
};

/** The application's installation in one workspace. */
export type Installation = {
	team: Team;
	user: User;
	/** The bot's id as the author of messages, `B…`. */
	bot: string;
	token: string;
	scopes: Set<string>;
	/** Rotated tokens, with the time at which they expire, in Unix milliseconds. */
	retired: Map<string, number>;
	/** With token rotation. */
	refreshToken?: string;
	/** Unix milliseconds. */
	expiresAt?: number;
};

export type StoredFile = {
	id: string;
	name: string;
	title: string;
	bytes: Uint8Array;
	/** The real media type. File objects show it once the file is processed. */
	type: string;
	team: Team;
	owner: User;
	created: number;
	/** The length that was announced before the upload, in bytes. */
	length: number;
	state: 'announced' | 'uploaded' | 'completed' | 'processed' | 'deleted';
	/** The number of calls of `files.info` since the upload was completed. */
	polls: number;
	/** Unix milliseconds. */
	completedAt?: number;
	/** The alt text from the upload. */
	alt?: string;
	/** The `ts` of messages that hold it, by channel. */
	shares: Map<string, string[]>;
	/** The channels in which a block shows it. */
	shown: Set<string>;
	/** Submitted to the application in a form. */
	submitted: boolean;
	/** Why the application cannot read it; its bytes are downloaded otherwise. */
	condition?: FileCondition | undefined;
	/** The picture that Slack has made of one in a format that browsers do not show, such as HEIC. */
	converted?: Uint8Array | undefined;
	/** A text snippet. */
	snippet?: boolean | undefined;
};

/**
 * A deleted file, one that the plan hides, one that lies at another service, or one that the application may not see. `thin`: events have
 * only its id, as in shared channels; `converting`: it lacks Slack's pictures of it until it was looked up twice.
 * https://docs.slack.dev/reference/objects/file-object
 */
export type FileCondition =
	| 'tombstone'
	| 'hidden_by_limit'
	| 'external'
	| 'access_denied'
	| 'file_not_found'
	| 'thin'
	| 'converting';

export type Message = {
	ts: string;
	channel: Channel;
	author: User;
	/** Escaped mrkdwn. */
	text: string;
	blocks: Block[];
	/** Shared files, without those that blocks show. */
	files: StoredFile[];
	threadTs?: string;
	broadcast: boolean;
	/** The only person who sees an ephemeral message. */
	only?: User;
	metadata?: { event_type: string; event_payload: Json };
	editedAt?: string;
	/** The messages that it forwards. */
	forwards: Message[];
	/** Deleted, while its thread remains. */
	tombstone: boolean;
	/** A message of Slack's, such as that the application did not respond. */
	isNotice: boolean;
	reactions: Map<string, Set<string>>;
};

/** A modal or a home page. */
export type View = {
	id: string;
	hash: string;
	/** As the application sent it. */
	data: Json & { type: 'modal' | 'home'; blocks: Block[] };
	team: Team;
	user: User;
	root: string;
	previous?: View | undefined;
	/** The last submitted values, by block id and action id. They remain when the application returns errors. */
	state: Record<string, Record<string, Json>>;
	/** Errors by block id. */
	errors: Record<string, string>;
};

/** Permission to open one form, given by an action of a person. https://docs.slack.dev/interactivity/handling-user-interaction */
export type Trigger = {
	id: string;
	user: User;
	at: number;
	used: boolean;
	/** Called with the form that it opens. */
	opened?: (view: View) => void;
	/** The form that the action was in. */
	view?: View | undefined;
};

/** An address for up to five replies within 30 minutes. */
export type ResponseUrl = {
	id: string;
	user: User;
	channel: Channel;
	at: number;
	uses: number;
	/** The message whose button was pressed, or the last reply. */
	original?: Message | undefined;
	threadTs?: string | undefined;
};
