import type { Platform } from '../domain/platform.ts';
import { RETENTION_MS } from '../domain/retention.ts';
import type { Log } from '../log.ts';
import type { Service } from '../service/service.ts';
import type { Store } from '../store/store.ts';
import type { Plan } from '../usage/caps/layers.ts';
import { Ledger } from '../usage/ledger.ts';
import type { LedgerObserver } from '../usage/ledger-observer.ts';
import { Lease } from '../usage/processes/lease.ts';
import type { LocalProcess } from '../usage/processes/process-identity.ts';
import { SettingsRepository } from '../usage/settings/settings-repository.ts';
import type { Command } from './declaration/command.ts';
import { DeferredEndings } from './deferred-endings.ts';
import { FailurePause, type PauseRule } from './failure-pause.ts';
import { LogEntries } from './moderation/log-entries.ts';
import { ModeratorRole } from './moderation/moderator-role.ts';
import { Notices } from './moderation/notices.ts';
import { Policy } from './moderation/policy.ts';
import { HeldResults } from './moderation/review/held-results.ts';
import { SecondOpinion } from './moderation/second-opinion.ts';
import { createPlatformAccess } from './platform-access.ts';
import { Cancellations } from './repositories/cancellations.ts';
import { FormDrafts } from './repositories/form-drafts.ts';
import { PictureAddresses } from './repositories/picture-addresses.ts';
import { PictureStore } from './repositories/picture-store.ts';
import { RecentResults } from './repositories/recent-results.ts';
import { ReferenceTray } from './repositories/reference-tray.ts';
import { PictureRequests } from './repositories/requests.ts';
import { TemporaryUploads } from './repositories/temporary-uploads.ts';
import { UndeliveredResults } from './repositories/undelivered-results.ts';
import { Embedder } from './search/embedder.ts';
import { ResultSearch } from './search/result-search.ts';
import { SearchEntries } from './search/search-entries.ts';
import type { BotServices } from './services.ts';

export type ServicesOptions = {
	commands: readonly Command[];
	service: Service;
	store: Store;
	platforms: readonly Platform[];
	log: Log;
	plan: Plan;
	/** Calls a day of a person in direct messages who comes under no server's caps. No cap by default. */
	directImagesPerDay?: number | undefined;
	/** How long prompts, pictures, chats and names are kept; 30 days by default. */
	retentionMs?: number | undefined;
	/** The file that lists erasures, apart from the store; see `ErasureList`. None by default. */
	erasuresFile?: string | undefined;
	/** When failures pause paid calls; never by default. */
	pauseRule?: PauseRule | undefined;
	/** How this machine knows this process. */
	self?: LocalProcess | undefined;
	/** Counts calls, for the metrics. */
	ledgerObserver?: LedgerObserver | undefined;
};

/**
 * Creates the services on one store, and the lease of this process.
 * @param now returns Unix milliseconds
 */
export function createServices(
	{
		commands,
		service,
		store,
		platforms,
		log,
		plan,
		directImagesPerDay,
		retentionMs = RETENTION_MS,
		pauseRule = { failures: 0, pauseMs: 0 },
		self,
		ledgerObserver: observer,
	}: ServicesOptions,
	stopping: AbortSignal,
	now: () => number,
): { services: BotServices; lease: Lease } {
	const access = createPlatformAccess(platforms);
	const space = store.space('ledger');
	const lease = new Lease(space, now, self);
	const settings = new SettingsRepository(space, now, directImagesPerDay);
	const pictureStore = new PictureStore(store.space('pictures'), retentionMs);
	const heldResults = new HeldResults(store.space('log'), retentionMs, now);
	const requests = new PictureRequests(store.space('requests').keyv, pictureStore, commands, retentionMs);
	const embedder = new Embedder({ service, stopping, log, now });
	const entries = new SearchEntries(store.space('search'), retentionMs);
	const failurePause = new FailurePause({ space: store.space('pause'), rule: pauseRule, log, now });
	const temporaryUploads = new TemporaryUploads(store.space('uploads'));
	const ledger = new Ledger({ space, settings, plan, processId: lease.processId, now, retentionMs, observer });
	const opinion = new SecondOpinion({ service, log, stopping });
	const services: BotServices = {
		...access,
		service,
		ledger,
		settings,
		policy: new Policy({ settings, ledger, opinion, failurePause, log, now }),
		moderatorRole: new ModeratorRole(settings),
		notices: new Notices({ now, space, settings, open: access.open }),
		logEntries: new LogEntries(store.space('log'), retentionMs, heldResults),
		heldResults,
		cancellations: new Cancellations(space.keyv),
		requests,
		recentResults: new RecentResults(store.space('recent'), retentionMs),
		resultSearch: new ResultSearch({ entries, requests, embedder, model: service.embeddingModel, now }),
		formDrafts: new FormDrafts(store.space('forms').keyv, temporaryUploads),
		pictureStore,
		pictureAddresses: new PictureAddresses(store.space('pictures').keyv),
		temporaryUploads,
		referenceTray: new ReferenceTray(store.space('tray').keyv, temporaryUploads),
		undeliveredResults: new UndeliveredResults(store.space('waiting'), retentionMs),
		deferredEndings: new DeferredEndings(),
		failurePause,
		log,
		stopping,
	};
	return { services, lease };
}
