import type { Channel } from '../../domain/channel.ts';
import type { Person } from '../../domain/person.ts';
import type { Place } from '../../domain/place.ts';
import type { Reply, Upload } from '../../domain/reply.ts';
import type { Translate } from '../../i18n/translator.ts';
import type { InputImage, OnPreview, Service } from '../../service/service.ts';
import type { UsageStatus } from '../../usage/caps/usage-status.ts';
import type { ServerAdmin } from '../../usage/settings/server-admin.ts';

/** Options as `run` gets them: pictures are read from the platform and checked. */
type Loaded<Options> = {
	[Name in keyof Options]: Upload extends Options[Name]
		? InputImage | Exclude<Options[Name], Upload>
		: Options[Name] extends Upload
			? InputImage
			: Options[Name];
};

/** The input of a command, for one person in one place. */
export type Context<Options = Record<string, unknown>> = {
	options: Loaded<Options>;
	person: Person;
	/** Translates into the person's language. */
	t: Translate;
	place: Place;
	service: Service;
	usage: UsageView;
	/** The settings and caps of this server, for moderators. */
	serverAdmin: ServerAdmin;
	/** Tells whether every member of this server can see a channel of it. */
	isVisibleToEveryone(channel: string): Promise<boolean>;
	results: ResultsView;
	/** What is kept about the person. */
	privacy: PrivacyView;
	/** Shows points in time, people, channels and roles as this platform does. */
	show: Pick<Channel, 'when' | 'refer' | 'hidesCommands'>;
	/** Aborted when Easel stops. */
	signal: AbortSignal;
	/** Shows previews of the picture in the status, where that is possible. */
	onPreview?: OnPreview;
};

/** The usage that a command can show. */
export type UsageView = {
	/** Returns every counter that applies to a member here: chat turns before pictures, and the widest layer of each first. */
	status(member: Pick<Person, 'id' | 'roles'>): Promise<UsageStatus[]>;
	/** Returns how many of the person's requests have pictures, or a sentence about an error, that could not be delivered. */
	undelivered(): Promise<{ pictures: number; answers: number }>;
};

/** Earlier results of this server. */
export type ResultsView = {
	/** Returns the latest results of a member, as a list with buttons. */
	history(member: string): Promise<Reply>;
	/**
	 * Returns the results that fit words best, as a list with buttons: the person's own, and public ones of the channel or thread.
	 * @param own only the person's own
	 */
	find(words: string, own: boolean): Promise<Reply>;
};

/** The number of a person's entries, by what they are. */
export type PersonalCounts = Readonly<
	Record<'calls' | 'totals' | 'prompts' | 'chats' | 'drafts' | 'profile' | 'log' | 'pictures', number>
>;

/** A person's data as one zip file, with the number of pictures in it, and of those that were left out because of its size. */
export type PersonalExport = { bytes: Uint8Array; pictures: number; omitted: number };

/** What a person can see of their own data. `too soon`: it reads the whole store, so a person can do it once a minute. */
export type PrivacyView = {
	/** How long prompts, pictures, chats and names are kept. */
	retentionDays: number;
	counts(): Promise<PersonalCounts | 'too soon'>;
	export(): Promise<PersonalExport | 'too soon'>;
	/** Returns the subject of the button that erases everything, and how long the button works. */
	confirmation(): { subject: string; minutes: number };
};
