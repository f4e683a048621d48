import type { webApi } from '@slack/bolt';
import type { Keyv } from 'keyv';
import type {
	Channel,
	CommandDescription,
	Handle,
	Inbox,
	Person,
	Place,
	Post,
	Reply,
	Upload,
} from '../../bot/platform.ts';
import type { Log } from '../../log.ts';

/** How Easel comes to Slack: one workspace by Socket Mode or by HTTP, or many by OAuth. */
export type Access =
	| { kind: 'socket'; botToken: string; appToken: string }
	| { kind: 'http'; botToken: string; signingSecret: string }
	| { kind: 'oauth'; clientId: string; clientSecret: string; stateSecret: string; signingSecret: string };

/** The bot in one workspace, or in all of one organisation. */
export type Installation = {
	/** What caps and places belong to: the organisation's id where it is installed for all of it, else the workspace's. */
	server: string;
	botToken: string;
	botUser: string;
	/** Of the bot as the author of messages, `B…`. */
	bot: string;
	scopes: readonly string[];
};

export type Installations = {
	/** Undefined where the bot is not installed (any more). */
	of(server: string): Promise<Installation | undefined>;
};

/** The Web API, each workspace by its own token. Rejects with `SlackRefusal` where the bot is not installed. */
export type Web = {
	of(server: string): Promise<webApi.WebClient>;
	/** For what is said often: a 429 here is thrown at once, and holds up nothing else. */
	impatient(server: string): Promise<webApi.WebClient>;
};

/** Waits until a method may be called in a workspace, by its tier. */
export type Pace = (server: string, method: string) => Promise<void>;

/** A message as Slack names it. */
export type Where = { server: string; channel: string; ts: string };

/** Messages that Slack shows while they are written. All calls for one message follow one another. */
export type Streams = {
	/** Begins one in a thread; undefined when Slack refuses, and it is to be posted like any other. */
	start(place: Place, to: { user: string; team: string }, reply: Reply): Promise<Where | undefined>;
	/** Adds what is new to it, or ends it with a reply that is not growing; false when the message is to be updated like any other. */
	write(where: Where, reply: Reply): Promise<boolean>;
};

export type Channels = {
	/**
	 * @param asked who asked, which alone sees what is private, and whom streams are for; where they asked by an address of Slack's
	 * that takes answers for half an hour, `responseUrl`
	 */
	channel(place: Place, asked?: { user: string; team: string; responseUrl?: string }): Channel;
	find(handle: Handle): Promise<Post | undefined>;
	at(place: Place): Promise<Channel | undefined>;
	direct(place: Place, person: Pick<Person, 'id'>): Promise<Channel | undefined>;
	/** The handle of a message that somebody points at, ours or not. */
	handleOf(place: Place, ts: string): Promise<Handle>;
};

export type People = {
	/** Who they are, with their moderator's rights, language and user groups; held for five minutes. */
	person(server: string, user: string): Promise<Person>;
};

/** A file as an event has it; often only its id. */
export type FileData = { id: string };

export type Uploads = {
	upload(server: string, file: FileData): Upload;
	/** The pictures among a message's files. */
	picturesOf(files: readonly FileData[] | undefined): FileData[];
};

/** What was delivered before, for ten minutes, in whatever process. */
export type Seen = {
	/** True the first time. */
	first(key: string): Promise<boolean>;
};

/** What the listeners share. */
export type Parts = {
	web: Web;
	pace: Pace;
	streams: Streams;
	installations: Installations;
	channels: Channels;
	people: People;
	uploads: Uploads;
	seen: Seen;
	commands: readonly CommandDescription[];
	keyv: Keyv;
	log: Log;
	/** Undefined before the start and after the stop. */
	inbox(): Inbox | undefined;
};

/** Slack does not let the bot in, or not do something: one sentence that says what to do. */
export class SlackRefusal extends Error {
	override name = 'SlackRefusal';
}
