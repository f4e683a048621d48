import type { Place } from '../domain/place.ts';
import type { Platform } from '../domain/platform.ts';
import type { Log } from '../log.ts';
import type { Service } from '../service/service.ts';
import type { Store } from '../store/store.ts';
import type { Plan } from '../usage/layers.ts';
import { createLease, type Lease, type Self } from '../usage/lease.ts';
import { createLedger } from '../usage/ledger.ts';
import { createSettingsBook } from '../usage/settings.ts';
import { createPictureLog } from './moderation/log-channel.ts';
import { createLogEntries } from './moderation/log-entries.ts';
import { createNotices } from './moderation/notices.ts';
import { createAllow } from './moderation/policy.ts';
import { createQueue } from './pictures/queue.ts';
import { createSecondTries } from './repositories/form-drafts.ts';
import { createShelf } from './repositories/picture-store.ts';
import { createRecent } from './repositories/recent-results.ts';
import { createTray } from './repositories/reference-tray.ts';
import { createRequests } from './repositories/requests.ts';
import { createUncollected } from './repositories/undelivered-results.ts';
import type { Running } from './running.ts';
import type { Core } from './services.ts';

export type CoreOptions = {
	service: Service;
	store: Store;
	/** Asked when messages of ours are looked for. */
	platforms: readonly Platform[];
	log: Log;
	plan: Plan;
	/** Calls a day of somebody who asks in direct messages, and comes under no server's caps; no cap where it is not said. */
	directImagesPerDay?: number | undefined;
	/** Who this process is on its machine. */
	self?: Self | undefined;
};

/**
 * Puts the core's parts together on one store.
 * @param now Unix milliseconds
 */
export function createCore(
	{ service, store, platforms, log, plan, directImagesPerDay, self }: CoreOptions,
	{ running, stopping, now }: { running: Running; stopping: AbortSignal; now: () => number },
): { core: Core; lease: Lease } {
	const platformOf = (place: Place) => platforms.find(({ name }) => name === place.platform);
	const open = async (place: Place) => platformOf(place)?.channel(place);
	const space = store.space('ledger');
	const lease = createLease(space, now, self);
	const settings = createSettingsBook(space, now, directImagesPerDay);
	const ledger = createLedger({ space, settings, plan, process: lease.process, now });
	const shelf = createShelf(store.space('pictures').files);
	const logEntries = createLogEntries(store.space('log'));
	const { track } = running;
	const core: Core = {
		service,
		shelf,
		ledger,
		settings,
		allow: createAllow({ settings, log, now }),
		queue: createQueue(),
		atWork: new Set(),
		watch: lease.watch,
		notices: createNotices({ space, settings, open }),
		logEntries,
		pictureLog: createPictureLog({ settings, open, entries: logEntries, log, track }),
		requests: createRequests(store.space('requests').keyv, shelf),
		recent: createRecent(store.space('recent')),
		secondTries: createSecondTries(store.space('forms').keyv, shelf),
		tray: createTray(store.space('tray').keyv, shelf),
		uncollected: createUncollected(store.space('waiting')),
		find: async (handle) => platformOf(handle.place)?.find(handle),
		open,
		direct: async (place, person) => platformOf(place)?.direct(place, person),
		log,
		stopping,
	};
	return { core, lease };
}
