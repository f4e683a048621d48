import type { Context, webApi } from '@slack/bolt';
import type { Keyv } from 'keyv';
import type { Channel, Post } from '../../domain/channel.ts';
import type { CommandDescription } from '../../domain/command.ts';
import type { Person } from '../../domain/person.ts';
import type { MessageHandle, Place } from '../../domain/place.ts';
import type { Inbox } from '../../domain/platform.ts';
import type { Reply, Upload } from '../../domain/reply.ts';
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

/**
 * The Web API, each workspace by its own token. Calls are tried once and a 429 is thrown at once, so that it holds up nothing
 * else: `createCall` waits. Rejects with `SlackRefusal` where the bot is not installed.
 */
export type Web = { of(server: string): Promise<webApi.WebClient> };

/** Keeps each method to its tier in each workspace, for whoever calls it. */
export type RateLimiter = {
	/** Resolves when the method may be called. With `channel`, also when something may be posted there again: once a second. */
	(server: string, method: string, channel?: string): Promise<void>;
	/** Milliseconds until it might be called, were it asked for now. */
	ahead(server: string, method: string, channel?: string): number;
	/** How many calls of it could be made at once. */
	spare(server: string, method: string): number;
	/** Slack has said to wait (429): the method is not called in this workspace before. */
	pushBack(server: string, method: string, ms: number): void;
};

/** A message as Slack names it. */
export type SlackPlace = { server: string; channel: string; ts: string; thread?: string | undefined };

/** Messages that Slack shows while they are written. All calls for one message follow one another. */
export type Streams = {
	/**
	 * Begins one for a reply that is growing; undefined when it is to be posted like any other: outside of threads, where nobody is
	 * known to write it for, and where Slack refuses. To be asked of every growing reply that is posted, since it is from here that
	 * Slack's own stop button knows what to stop.
	 */
	start(place: Place, to: { user: string; team: string } | undefined, reply: Reply): Promise<SlackPlace | undefined>;
	/**
	 * Adds what is new to it, or ends it with a reply that is not growing; false when the message is to be updated like any other, as
	 * is one that was never a stream. While a workspace has more to say than Slack takes, growing replies are left out: the last
	 * brings everything. Rejects when Slack can't be reached.
	 */
	write(where: SlackPlace, reply: Reply): Promise<boolean>;
	/** Ends what another process has left unended: for a message of ours that can't be updated (`streaming_state_conflict`). */
	stop(where: SlackPlace): Promise<void>;
};

/** Slack's own sign that an answer is coming, and with it its own stop button; only where the app has the agent feature. */
export type AgentSessions = {
	/** An answer is being written in a thread. Nothing where there is none of this. */
	processing(place: Place, user?: string): Promise<void>;
	/** It is written, or something else is said there. Nothing where no answer is coming. */
	active(place: Omit<SlackPlace, 'ts'>): Promise<void>;
	/** Whether people have Slack's stop button there. */
	hasStop(server: string): boolean;
	/** The button of ours that Slack's stands for in a thread: what is written down, and found in whatever process. */
	remember(place: Omit<SlackPlace, 'ts'>, button: string): Promise<void>;
	remembered(place: Omit<SlackPlace, 'ts'>): Promise<string | undefined>;
};

/** Who asked for something, and how they can be answered. */
export type SlackRequest = {
	user: string;
	/** The workspace that they are of. */
	team: string;
	responseUrl?: string;
	/** What is private will be edited, or shows pictures: Slack has that in direct messages alone. */
	inDirect?: boolean;
};

export type SlackChannels = {
	/**
	 * @param asked who asked, which alone sees what is private, and whom streams are for; where they asked by an address of Slack's
	 * that takes answers for half an hour, `responseUrl`
	 */
	channel(place: Place, asked?: SlackRequest): Channel;
	find(handle: MessageHandle): Promise<Post | undefined>;
	at(place: Place): Promise<Channel | undefined>;
	direct(place: Place, person: Pick<Person, 'id'>): Promise<Channel | undefined>;
	/** The handle of a message that somebody points at, ours or not. */
	handleOf(place: Place, ts: string): Promise<MessageHandle>;
	/** The files behind a button that shows what is covered; undefined for other buttons. */
	covered(button: string): Promise<readonly { file: string; alt: string }[] | undefined>;
	/** Shows them to who has pressed it; false when they are not kept any more. */
	uncover(button: string, place: Place, asked: SlackRequest, key: string): Promise<boolean>;
};

export type People = {
	/** Who they are, with their moderator's rights, language and user groups; held for five minutes. */
	person(server: string, user: string): Promise<Person>;
	/** What is known of somebody by now, without asking Slack; the time zone in the words of the IANA. */
	known(server: string, user: string): { person: Person; timeZone?: string } | undefined;
	/**
	 * The workspace's user groups.
	 * @param workspaces of an organisation, whose; without it those that are known by now
	 */
	groups(server: string, workspaces?: readonly string[]): Promise<readonly { id: string; handle: string }[]>;
};

/** A file as an event has it; often only its id. https://docs.slack.dev/reference/objects/file-object */
export type FileData = {
	id: string;
	name?: string | null | undefined;
	mimetype?: string | undefined;
	filetype?: string | undefined;
	/** Bytes. */
	size?: number | undefined;
	url_private?: string | undefined;
	url_private_download?: string | undefined;
	/** `check_file_info` where the rest is to be asked for. */
	file_access?: string | undefined;
};

export type SlackFileReader = {
	upload(server: string, file: FileData): Upload;
	/** The pictures among a message's files. */
	picturesOf(files: readonly FileData[] | undefined): FileData[];
};

/** True the first time within `ttlMs`, in whatever process. */
export type Once = (key: string, ttlMs: number) => Promise<boolean>;

/** What was delivered before. */
export type Dedupe = {
	/** True the first time for all of the names that one thing comes under: the event's id, its message. */
	first(...names: string[]): Promise<boolean>;
};

/** What the listeners share. */
export type SlackServices = {
	web: Web;
	pace: RateLimiter;
	streams: Streams;
	sessions: AgentSessions;
	installations: Installations;
	channels: SlackChannels;
	people: People;
	uploads: SlackFileReader;
	seen: Dedupe;
	commands: readonly CommandDescription[];
	keyv: Keyv;
	log: Log;
	/** Undefined before the start and after the stop. */
	inbox(): Inbox | undefined;
};

/**
 * Whose caps an event comes under, from Bolt's `context`, where it was written when the event was let in. Bolt's own `client`
 * has no token, so that none is used for another workspace: calls go by `Web`.
 */
export const serverOf = (context: Context): string => String(context['server']);

/** Slack does not let the bot in, or not do something: one sentence that says what to do. */
export class SlackLoginError extends Error {
	override name = 'SlackRefusal';
}
