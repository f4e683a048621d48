import type { Place } from '../domain/place.ts';
import type { Platform } from '../domain/platform.ts';
import type { Log } from '../log.ts';
import type { Service } from '../service/service.ts';
import type { Store } from '../store/store.ts';
import type { Plan } from '../usage/layers.ts';
import { Lease } from '../usage/lease.ts';
import { Ledger } from '../usage/ledger.ts';
import type { LocalProcess } from '../usage/local-process.ts';
import { SettingsRepository } from '../usage/settings-repository.ts';
import type { Command } from './declaration/command.ts';
import { createModerationLog } from './moderation/log-channel.ts';
import { createLogEntries } from './moderation/log-entries.ts';
import { createNotices } from './moderation/notices.ts';
import { createPolicy } from './moderation/policy.ts';
import { createQueue } from './pictures/queue.ts';
import { createFormDrafts } from './repositories/form-drafts.ts';
import { createPictureStore } from './repositories/picture-store.ts';
import { createRecentResults } from './repositories/recent-results.ts';
import { createReferenceTray } from './repositories/reference-tray.ts';
import { createPictureRequests } from './repositories/requests.ts';
import { createUndeliveredResults } from './repositories/undelivered-results.ts';
import type { Running } from './running.ts';
import type { BotServices } from './services.ts';

export type ServicesOptions = {
	commands: readonly Command[];
	service: Service;
	store: Store;
	/** Asked when messages of ours are looked for. */
	platforms: readonly Platform[];
	log: Log;
	plan: Plan;
	/** Calls a day of somebody who asks in direct messages, and comes under no server's caps; no cap where it is not said. */
	directImagesPerDay?: number | undefined;
	/** Who this process is on its machine. */
	self?: LocalProcess | undefined;
};

/**
 * Puts the core's parts together on one store.
 * @param now Unix milliseconds
 */
export function createServices(
	{ commands, service, store, platforms, log, plan, directImagesPerDay, self }: ServicesOptions,
	{ running, stopping, now }: { running: Running; stopping: AbortSignal; now: () => number },
): { services: BotServices; lease: Lease } {
	const platformOf = (place: Place) => platforms.find(({ name }) => name === place.platform);
	const open = async (place: Place) => platformOf(place)?.channel(place);
	const space = store.space('ledger');
	const lease = new Lease(space, now, self);
	const settings = new SettingsRepository(space, now, directImagesPerDay);
	const ledger = new Ledger({ space, settings, plan, processId: lease.processId, now });
	const shelf = createPictureStore(store.space('pictures').files);
	const logEntries = createLogEntries(store.space('log'));
	const { track } = running;
	const services: BotServices = {
		service,
		pictureStore: shelf,
		ledger,
		settings,
		policy: createPolicy({ settings, log, now }),
		queue: createQueue(),
		atWork: new Set(),
		leaseGuard: () => lease.guard(),
		notices: createNotices({ space, settings, open }),
		logEntries,
		moderationLog: createModerationLog({ settings, open, entries: logEntries, log, track }),
		requests: createPictureRequests(store.space('requests').keyv, shelf, commands),
		recentResults: createRecentResults(store.space('recent')),
		formDrafts: createFormDrafts(store.space('forms').keyv, shelf),
		referenceTray: createReferenceTray(store.space('tray').keyv, shelf),
		undeliveredResults: createUndeliveredResults(store.space('waiting')),
		find: async (handle) => platformOf(handle.place)?.find(handle),
		open,
		direct: async (place, person) => platformOf(place)?.direct(place, person),
		log,
		stopping,
	};
	return { services, lease };
}
