import type { Channel, Post } from '../domain/channel.ts';
import type { Person } from '../domain/person.ts';
import type { Handle, Place } from '../domain/place.ts';
import type { Log } from '../log.ts';
import type { Service } from '../service/service.ts';
import type { Ledger } from '../usage/ledger.ts';
import type { SettingsBook } from '../usage/settings.ts';
import type { PictureLog } from './moderation/log-channel.ts';
import type { LogEntries } from './moderation/log-entries.ts';
import type { Notices } from './moderation/notices.ts';
import type { Allow } from './moderation/policy.ts';
import type { Queue } from './pictures/queue.ts';
import type { SecondTries } from './repositories/form-drafts.ts';
import type { Shelf } from './repositories/picture-store.ts';
import type { Recent } from './repositories/recent-results.ts';
import type { Tray } from './repositories/reference-tray.ts';
import type { Requests } from './repositories/requests.ts';
import type { Uncollected } from './repositories/undelivered-results.ts';

/** What the core's parts work with. */
export type Core = {
	service: Service;
	ledger: Ledger;
	settings: SettingsBook;
	allow: Allow;
	queue: Queue;
	/** The jobs for pictures that this process works on. One that is open and not among them was lost on the way. */
	atWork: Set<string>;
	/** See `Lease.watch`. */
	watch(): Promise<() => boolean>;
	notices: Notices;
	logEntries: LogEntries;
	pictureLog: PictureLog;
	requests: Requests;
	recent: Recent;
	secondTries: SecondTries;
	shelf: Shelf;
	tray: Tray;
	uncollected: Uncollected;
	log: Log;
	/** A message of ours, on whatever platform it is. */
	find(handle: Handle): Promise<Post | undefined>;
	/** A place to post in that nobody asked from. */
	open(place: Place): Promise<Channel | undefined>;
	/** Where one person can be written to. */
	direct(place: Place, person: Pick<Person, 'id'>): Promise<Channel | undefined>;
	/** Aborted, with `Stopping`, when Easel ends what still runs. */
	stopping: AbortSignal;
};
