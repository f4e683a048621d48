import type { Clock } from '../clock.ts';
import type { Faults } from './faults.ts';
import type { Ids } from './ids.ts';
import type { Manifest } from './manifest.ts';
import type { Installation, Json, Message, User, View } from './world/model.ts';
import type { World } from './world/world.ts';

/** What a test can switch while it runs. */
export type Settings = {
	/** How the application is reached. */
	mode: 'socket' | 'http';
	/** Where requests go to in HTTP mode. Undefined while the application is not there. */
	requestUrl: string | undefined;
	/** By what the time of all limits and retries is multiplied, so that tests need not wait as long as people. */
	pace: number;
	/** A file is processed after so many `files.info`, or so many milliseconds; never by `never`. */
	processing: { polls: number; ms: number } | 'never';
	/** `shares` of a processed file stay empty though it was shared. */
	emptyShares: boolean;
	/** Events bring files by their ids alone, as in channels that are shared with others. */
	thinFiles: boolean;
	/** `app_mention` comes without its files. */
	bareMentions: boolean;
	/** Files are at a host of their own, or at the Web API's. */
	filesAt: 'own host' | 'api host';
	/** Downloads end on a page to log in at. */
	loginPage: boolean;
	/** Downloads are redirected: on the same host, or to one that must never see a token. */
	redirects: 'no' | 'same host' | 'elsewhere';
	/** Whether people and applications may upload. */
	uploads: 'on' | 'disabled' | 'storage full';
	/** Largest upload, bytes. */
	uploadBytes: number;
	streams: {
		/** The error that `chat.startStream` answers with. */
		refused?: string;
		diesAfterMs: number;
		diesAfterAppends: number;
		/** Characters of one message. */
		characters: number;
	};
	/** Every event comes twice. */
	duplicates: boolean;
	/** Whether agents' sessions, with Slack's own stop button, are there. */
	agents: boolean;
	/** Tokens are changed every twelve hours. */
	rotation: boolean;
	/** Signatures of requests in HTTP mode: right, or wrong in one way. */
	signatures: 'right' | 'forged' | 'old' | 'future' | 'absent';
};

/** How the application answered what was delivered. */
export type Ack = {
	/** Whether there was an answer in time. */
	ok: boolean;
	/** What came with it. */
	body?: unknown;
};

export type Parcel = {
	kind: 'events_api' | 'slash_commands' | 'interactive';
	payload: Json;
	/** What to call it in a violation. */
	name: string;
	/** The same for every delivery of the same thing. */
	envelope?: string;
};

export type Delivery = {
	/** Whether anybody would take it. */
	reachable(): boolean;
	/** Resolves with the application's answer. Events are tried again, and what nobody waits for waits. */
	deliver(parcel: Parcel): Promise<Ack>;
};

/** Something that somebody did, by which the application may open a form and answer. */
export type Trigger = {
	id: string;
	user: User;
	at: number;
	used: boolean;
	/** Told of the form that is opened by it. */
	opened?: (view: View) => void;
	/** The form that it came from. */
	view?: View | undefined;
};

/** An address that takes five answers in half an hour. */
export type ResponseUrl = {
	id: string;
	user: User;
	channel: Message['channel'];
	at: number;
	uses: number;
	/** The message that was pressed on, or that was answered with last. */
	original?: Message | undefined;
	threadTs?: string | undefined;
};

/** What the parts of the fake share. */
export type Slack = {
	clock: Clock;
	ids: Ids;
	world: World;
	settings: Settings;
	manifest: Manifest;
	faults: Faults;
	appId: string;
	/** Of Socket Mode. */
	appToken: string;
	signingSecret: string;
	clientId: string;
	clientSecret: string;
	delivery: Delivery;
	triggers: Map<string, Trigger>;
	responseUrls: Map<string, ResponseUrl>;
	/** Who is logged in by a token; undefined for none. */
	installationOf(token: string): Installation | undefined;
	/** Writes down what a well-behaved application never does. */
	violate(what: string): void;
	address: { api(): string; files(): string; elsewhere(): string };
};
