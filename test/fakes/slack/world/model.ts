/** A block, an element or an object of Block Kit, as it is stored, sent and looked at. */
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
	/** The application is installed for the whole organisation, which this is the only workspace of. */
	orgWide: boolean;
	/** The application in it; undefined where it is not installed. */
	installation?: Installation;
};

export type User = {
	id: string;
	/** What `user` takes. */
	handle: string;
	name: string;
	/** `en-US`, `de-DE` … */
	locale: string;
	team: Team;
	admin: boolean;
	owner: boolean;
	/** Restricted: a guest. */
	guest: boolean;
	bot: boolean;
};

export type UserGroup = { id: string; handle: string; name: string; users: Set<string> };

export type Channel = {
	id: string;
	name: string;
	kind: 'public' | 'private' | 'im';
	team: Team;
	members: Set<string>;
	archived: boolean;
	/** By `ts`, oldest first; those in threads too. */
	messages: Map<string, Message>;
};

/** The application in one workspace. */
export type Installation = {
	team: Team;
	user: User;
	/** `B…`, as the author of messages. */
	bot: string;
	token: string;
	scopes: Set<string>;
	/** Tokens that were changed for others, which are good until then, Unix milliseconds. */
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
	/** What it really is. Shown only once it is processed. */
	type: string;
	team: Team;
	owner: User;
	created: number;
	/** Bytes that were announced before the upload. */
	length: number;
	state: 'announced' | 'uploaded' | 'completed' | 'processed' | 'deleted';
	/** How often `files.info` was asked since it is complete. */
	polls: number;
	/** Unix milliseconds. */
	completedAt?: number;
	/** A snippet or a picture's description, from the upload. */
	alt?: string;
	/** Timestamps of messages that carry it, by channel. */
	shares: Map<string, string[]>;
	/** Channels in which a block shows it. */
	shown: Set<string>;
	/** Given to the application in a form. */
	submitted: boolean;
};

export type Stream = {
	state: 'in_progress' | 'completed' | 'errored';
	startedAt: number;
	appends: number;
	text: string;
	/** Somebody pressed the stop button of Slack's own. */
	stopped: boolean;
};

export type Message = {
	ts: string;
	channel: Channel;
	author: User;
	/** mrkdwn, escaped. */
	text: string;
	blocks: Block[];
	/** Shared with it: files that blocks show are not among them. */
	files: StoredFile[];
	threadTs?: string;
	broadcast: boolean;
	/** Who alone sees it. */
	only?: User;
	metadata?: { event_type: string; event_payload: Json };
	stream?: Stream;
	editedAt?: string;
	/** Deleted, but its thread still stands. */
	tombstone: boolean;
	/** Slack's own words, such as that the application did not answer. */
	isNotice: boolean;
	reactions: Map<string, Set<string>>;
};

/** A form or a home page as it is shown. */
export type View = {
	id: string;
	hash: string;
	/** As the application sent it. */
	data: Json & { type: 'modal' | 'home'; blocks: Block[] };
	team: Team;
	user: User;
	root: string;
	previous?: View | undefined;
	/** What was filled in when it was sent last, by block id and action id: it is still there when the application complains. */
	state: Record<string, Record<string, Json>>;
	/** What Slack or the application complained of, by block id. */
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
