import { Conversations } from './bot/chat/conversations.ts';
import { TurnScheduler } from './bot/chat/turn-scheduler.ts';
import type { ActionHandlers } from './bot/declaration/actions.ts';
import type { Command } from './bot/declaration/command.ts';
import { CommandCatalogue } from './bot/declaration/options.ts';
import { HANDLERS } from './bot/dispatch.ts';
import { ModerationLog } from './bot/moderation/moderation-log.ts';
import { Policy } from './bot/moderation/policy.ts';
import { Consent } from './bot/privacy/consent.ts';
import { Privacy } from './bot/privacy/privacy.ts';
import { Removals } from './bot/privacy/removals.ts';
import { type AltTextKind, AltTexts } from './bot/results/alt-texts.ts';
import { ResultSearch } from './bot/search/result-search.ts';
import { COLLECTIONS } from './collections.ts';
import { type Invocation, type Platform, type Platforms, platformsOf, RETENTION_MS } from './domain/platform.ts';
import { MemberQueue } from './domain/queues.ts';
import { Delivery } from './jobs/delivery.ts';
import { FailurePause, type PauseRule } from './jobs/outcome.ts';
import { Recovery } from './jobs/recovery.ts';
import { Reviews } from './jobs/reviews.ts';
import type { Log } from './log.ts';
import { OwnJobs, RunningWork } from './requests/own-jobs.ts';
import { PictureStore } from './requests/picture-store.ts';
import { PictureRequests } from './requests/requests.ts';
import { TemporaryUploads } from './requests/uploads.ts';
import type { Service } from './service/service.ts';
import type { AnyCollection, Store } from './store/store.ts';
import type { LedgerObserver, Plan } from './usage/caps.ts';
import { Lease } from './usage/lease.ts';
import { Ledger } from './usage/ledger.ts';
import { SettingsRepository } from './usage/settings.ts';

/**
 * The context of one running Easel: made once, and handed on whole to commands, actions and features. What has a state of its own is a
 * member; everything else is a function that takes the context.
 */
export type Easel = {
	store: Store;
	ledger: Ledger;
	settings: SettingsRepository;
	lease: Lease;
	service: Service;
	platforms: Platforms;
	plan: Plan;
	ledgerObserver?: LedgerObserver;
	/** How long prompts, pictures, chats and names are kept. */
	retentionMs: number;
	/** What the operator tells chat models, besides Easel's own words. */
	chatPrompt: string | undefined;
	log: Log;
	/** Everything that may be stored. */
	collections: readonly AnyCollection[];
	/** Returns Unix milliseconds. */
	now: () => number;
	/** What runs in this process, and what a stop waits for. */
	running: RunningWork;
	/** Aborted, with `ShutdownError`, when Easel ends the requests that still run. */
	stopping: AbortSignal;
	abort(reason: Error): void;

	/** The commands that the service can carry out. */
	catalogue: CommandCatalogue;
	requests: PictureRequests;
	pictureStore: PictureStore;
	temporaryUploads: TemporaryUploads;
	ownJobs: OwnJobs;
	failurePause: FailurePause;

	policy: Policy;
	resultSearch: ResultSearch;
	conversations: Conversations;
	turns: TurnScheduler;
	privacy: Privacy;
	/** Whose pictures may be used. */
	consent: Consent;
	removals: Removals;
	moderationLog: ModerationLog;
	queue: MemberQueue;
	delivery: Delivery;
	/** Describes results for those who cannot see them, where the operator wants that. */
	altTexts: AltTexts | undefined;
	reviews: Reviews;
	recovery: Recovery;
	actions: ActionHandlers;
	/** Takes a command to its answer, as one that a platform delivers. The bot sets it; it never rejects. */
	invoke(invocation: Invocation): Promise<void>;
};

export type EaselOptions = {
	store: Store;
	service: Service;
	platforms: readonly Platform[];
	commands: readonly Command[];
	log: Log;
	plan: Plan;
	/** Calls a day of a person in direct messages who comes under no server's caps. No cap by default. */
	directImagesPerDay?: number;
	/** 30 days by default. */
	retentionMs?: number;
	now?: () => number;
	/** Counts calls, for the metrics. */
	ledgerObserver?: LedgerObserver;
	/** What chat models are told besides Easel's own words. */
	chatPrompt?: string | undefined;
	/** What alt texts say; the prompt by default. */
	altText?: AltTextKind;
	/** When failures pause paid calls; never by default. */
	pauseRule?: PauseRule;
	/** Chat messages that follow each other within so many milliseconds are one turn. */
	followUpMs?: number;
	/** The file that lists erasures, apart from the store; see `listErasure`. None by default. */
	erasuresFile?: string;
};

export function createEasel(given: EaselOptions): Easel {
	const { store, service, commands, log, plan, retentionMs = RETENTION_MS, now = Date.now } = given;
	const space = store.space('ledger');
	const lease = new Lease(space, now);
	const settings = new SettingsRepository(space, now, given.directImagesPerDay);
	const shutdown = new AbortController();
	const pictureStore = new PictureStore(store.space('pictures'), retentionMs);
	const easel = {
		...{ store, service, log, plan, retentionMs, now, lease, settings, collections: COLLECTIONS },
		ledgerObserver: given.ledgerObserver,
		chatPrompt: given.chatPrompt,
		platforms: platformsOf(given.platforms),
		running: new RunningWork(log),
		stopping: shutdown.signal,
		abort: (reason) => shutdown.abort(reason),
		catalogue: new CommandCatalogue(commands, service.capabilities),
		requests: new PictureRequests(store.space('ledger'), pictureStore, commands),
		pictureStore,
		temporaryUploads: new TemporaryUploads(store.space('uploads')),
		ownJobs: new OwnJobs(space.keyv),
		failurePause: new FailurePause({ space: store.space('pause'), rule: given.pauseRule ?? NO_PAUSE, log, now }),
	} as Easel;
	easel.ledger = new Ledger(easel);
	addFeatures(easel, given);
	addJobs(easel, given);
	return easel;
}

const NO_PAUSE: PauseRule = { failures: 0, pauseMs: 0 };

/** Adds what takes the context itself. It uses the other members only once it runs, when the context is whole. */
function addFeatures(easel: Easel, { followUpMs, erasuresFile }: EaselOptions): void {
	easel.policy = new Policy(easel);
	easel.resultSearch = new ResultSearch(easel, easel.requests);
	easel.conversations = new Conversations(easel.store.space('chats'), easel.retentionMs);
	easel.turns = new TurnScheduler(easel, followUpMs);
	easel.removals = new Removals(easel);
	easel.privacy = new Privacy(easel, erasuresFile);
	easel.consent = new Consent(easel);
}

/** Adds what makes pictures, and the handlers of buttons. */
function addJobs(easel: Easel, { altText }: EaselOptions): void {
	easel.moderationLog = new ModerationLog(easel);
	easel.queue = new MemberQueue();
	easel.delivery = new Delivery(easel);
	easel.altTexts = altText === 'describe' ? new AltTexts(easel) : undefined;
	easel.reviews = new Reviews(easel);
	easel.recovery = new Recovery(easel);
	easel.actions = HANDLERS;
}
