import type { Channel, Post } from '../domain/channel.ts';
import type { Person } from '../domain/person.ts';
import type { MessageHandle, Place } from '../domain/place.ts';
import type { Log } from '../log.ts';
import type { Service } from '../service/service.ts';
import type { Ledger } from '../usage/ledger.ts';
import type { SettingsRepository } from '../usage/settings-repository.ts';
import type { ModerationLog } from './moderation/log-channel.ts';
import type { LogEntries } from './moderation/log-entries.ts';
import type { Notices } from './moderation/notices.ts';
import type { Policy } from './moderation/policy.ts';
import type { Queue } from './pictures/queue.ts';
import type { FormDrafts } from './repositories/form-drafts.ts';
import type { PictureStore } from './repositories/picture-store.ts';
import type { RecentResults } from './repositories/recent-results.ts';
import type { ReferenceTray } from './repositories/reference-tray.ts';
import type { PictureRequests } from './repositories/requests.ts';
import type { UndeliveredResults } from './repositories/undelivered-results.ts';

/** What the core's parts work with. */
export type BotServices = {
	service: Service;
	ledger: Ledger;
	settings: SettingsRepository;
	policy: Policy;
	queue: Queue;
	/** The jobs for pictures that this process works on. One that is open and not among them was lost on the way. */
	atWork: Set<string>;
	/** See `Lease.guard`. */
	leaseGuard(): Promise<() => boolean>;
	notices: Notices;
	logEntries: LogEntries;
	moderationLog: ModerationLog;
	requests: PictureRequests;
	recentResults: RecentResults;
	formDrafts: FormDrafts;
	pictureStore: PictureStore;
	referenceTray: ReferenceTray;
	undeliveredResults: UndeliveredResults;
	log: Log;
	/** A message of ours, on whatever platform it is. */
	find(handle: MessageHandle): Promise<Post | undefined>;
	/** A place to post in that nobody asked from. */
	open(place: Place): Promise<Channel | undefined>;
	/** Where one person can be written to. */
	direct(place: Place, person: Pick<Person, 'id'>): Promise<Channel | undefined>;
	/** Aborted, with `ShutdownError`, when Easel ends what still runs. */
	stopping: AbortSignal;
};
