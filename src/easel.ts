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
import { type Invocation, type Platform, platformsOf, RETENTION_MS } from './domain/platform.ts';
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

/** What the context is given, and what depends on nothing else. */
class Given {
	readonly options: EaselOptions;
	store: Store;
	service: Service;
	log: Log;
	plan: Plan;
	/** How long prompts, pictures, chats and names are kept. */
	retentionMs: number;
	/** Returns Unix milliseconds. */
	now: () => number;

	constructor(options: EaselOptions) {
		this.options = options;
		this.store = options.store;
		this.service = options.service;
		this.log = options.log;
		this.plan = options.plan;
		this.retentionMs = options.retentionMs ?? RETENTION_MS;
		this.now = options.now ?? Date.now;
	}
}

/**
 * The context of one running Easel: made once, and handed on whole to commands, actions and features. What has a state of its own is a
 * member; everything else is a function that takes the context. A member uses the others only once it runs, when the context is whole.
 */
export class Easel extends Given {
	platforms = platformsOf(this.options.platforms);
	/** The commands that the service can carry out. */
	catalogue = new CommandCatalogue(this.options.commands, this.service.capabilities);
	/** Counts calls, for the metrics. */
	ledgerObserver = this.options.ledgerObserver;
	/** What the operator tells chat models, besides Easel's own words. */
	chatPrompt = this.options.chatPrompt;
	/** Everything that may be stored. */
	collections: readonly AnyCollection[] = COLLECTIONS;
	/** What runs in this process, and what a stop waits for. */
	running = new RunningWork(this.log);
	shutdown = new AbortController();
	/** Aborted, with `ShutdownError`, when Easel ends the requests that still run. */
	stopping = this.shutdown.signal;
	abort = (reason: Error) => this.shutdown.abort(reason);

	lease = new Lease(this.store.space('ledger'), this.now);
	settings = new SettingsRepository(this.store.space('ledger'), this.now, this.options.directImagesPerDay);
	ledger = new Ledger(this);
	failurePause = new FailurePause({
		...{ space: this.store.space('pause'), rule: this.options.pauseRule ?? NO_PAUSE },
		...{ log: this.log, now: this.now },
	});
	pictureStore = new PictureStore(this.store.space('pictures'), this.retentionMs);
	requests = new PictureRequests(this.store.space('ledger'), this.pictureStore, this.options.commands);
	temporaryUploads = new TemporaryUploads(this.store.space('uploads'));
	ownJobs = new OwnJobs(this.store.space('ledger').keyv);

	policy = new Policy(this);
	resultSearch = new ResultSearch(this, this.requests);
	conversations = new Conversations(this.store.space('chats'), this.retentionMs);
	/** The turns of chat threads. */
	turns = new TurnScheduler(this, this.options.followUpMs);
	removals = new Removals(this);
	privacy = new Privacy(this, this.options.erasuresFile);
	/** Whose pictures may be used. */
	consent = new Consent(this);
	moderationLog = new ModerationLog(this);
	queue = new MemberQueue();
	delivery = new Delivery(this);
	/** Describes results for those who cannot see them, where the operator wants that. */
	altTexts = this.options.altText === 'describe' ? new AltTexts(this) : undefined;
	reviews = new Reviews(this);
	recovery = new Recovery(this);
	actions: ActionHandlers = HANDLERS;
	/** Takes a command to its answer, as one that a platform delivers. The bot sets it; it never rejects. */
	invoke!: (invocation: Invocation) => Promise<void>;
}

const NO_PAUSE: PauseRule = { failures: 0, pauseMs: 0 };
