import type { ServesPlace } from '../domain/served-servers.ts';
import { createEasel } from '../easel.ts';
import { createActions } from './actions/create-actions.ts';
import { Bot } from './bot.ts';
import { ChatController } from './chat/chat-controller.ts';
import { Conversations } from './chat/conversations.ts';
import { CommandCatalogue } from './command-catalogue.ts';
import { createContexts } from './contexts.ts';
import { createServices } from './create-services.ts';
import type { Command } from './declaration/command.ts';
import { RequestDispatcher } from './dispatcher.ts';
import { ErrorBoundary, type Observer } from './error-boundary.ts';
import type { PauseRule } from './failure-pause.ts';
import { LatePictures } from './late-pictures.ts';
import { createModelNames } from './messages/model-names.ts';
import { logActions } from './moderation/log-actions.ts';
import { ModerationLog } from './moderation/moderation-log.ts';
import { refundAction } from './moderation/refund-calls.ts';
import { reviewActions } from './moderation/review/review-actions.ts';
import { ReviewDecisions } from './moderation/review/review-decisions.ts';
import { ReviewGate } from './moderation/review/review-gate.ts';
import { ReviewLock } from './moderation/review/review-lock.ts';
import { Delivery } from './pictures/delivery.ts';
import { JobInputs } from './pictures/inputs/job-inputs.ts';
import { KeptResults } from './pictures/kept-results.ts';
import { MemberQueue } from './pictures/member-queue.ts';
import { PictureJobs } from './pictures/picture-jobs.ts';
import { createPrivacy } from './privacy/create-privacy.ts';
import { Recovery } from './recovery.ts';

export type BotOptions = Parameters<typeof createEasel>[0] & {
	commands: readonly Command[];
	/** The file that lists erasures, apart from the store; see `ErasureList`. None by default. */
	erasuresFile?: string;
	/** When failures pause paid calls; never by default. */
	pauseRule?: PauseRule;
	/** Tells whether a place is served; all are by default. */
	serves?: ServesPlace;
	observe?: Observer;
	/** Chat messages that follow each other within so many milliseconds are one turn. */
	followUpMs?: number;
};

/** Puts the parts of the bot together. */
export function createBot(options: BotOptions): Bot {
	const { commands, observe = () => {}, followUpMs } = options;
	const easel = createEasel(options);
	const { store, service, plan, lease, retentionMs, log, now, running, stopping } = easel;
	const track = (work: Promise<unknown>) => running.track(work);
	const services = createServices(easel, options);
	const catalogue = new CommandCatalogue(commands, service.capabilities);
	const conversations = new Conversations(store.space('chats'), retentionMs);
	const chat = new ChatController({ services, conversations, lease, followUpMs, track });
	const { erasuresFile } = options;
	const platforms = easel.platforms.all;
	const { privacy, erasures, removals } = createPrivacy({
		...{ services, store, platforms, chat, lease, retentionMs, erasuresFile, track, now },
	});
	const contextOf = createContexts(services, privacy, plan, now);
	const moderationLog = new ModerationLog({ ...services, entries: services.logEntries, track });
	const lock = new ReviewLock(store.space('log'), lease);
	const reviewGate = new ReviewGate({ ...services, moderationLog, lock, now });
	const { capabilities } = service;
	const delivery = new Delivery({ ...services, platforms: services, capabilities, moderationLog, reviewGate });
	const queue = new MemberQueue();
	const keptResults = new KeptResults({ ...services, platforms: services, delivery });
	const pictureJobs = new PictureJobs({
		...services,
		inputs: new JobInputs(services),
		queue,
		leaseGuard: () => lease.guard(),
		contextOf,
		delivery,
	});
	const decisions = new ReviewDecisions({
		...{ ...services, platforms: services, gate: reviewGate, moderationLog, keptResults, lease, lock, now },
	});
	const actions = createActions(services, catalogue.descriptions, chat.actions, privacy, {
		...logActions({ ...services, decisions }),
		...reviewActions({ ...services, moderationLog, decisions }),
		refund: refundAction({ ...services, contextOf }),
	});
	const parts = { ...services, platforms: services, lease, pictureJobs, delivery, keptResults };
	return new Bot({
		serves: options.serves ?? (() => true),
		boundary: new ErrorBoundary({ platforms: services, running, observe, log }),
		dispatcher: new RequestDispatcher({ ...services, catalogue, contextOf, pictureJobs, chat, actions }),
		catalogue,
		moderatorRole: services.moderatorRole,
		chat,
		contextOf,
		modelNames: createModelNames(service, stopping, now),
		recentResults: services.recentResults,
		recovery: new Recovery({
			...parts,
			chat,
			latePictures: new LatePictures(parts),
		}),
		reviews: decisions,
		ledger: services.ledger,
		failurePause: services.failurePause,
		erasures,
		removals,
		lease,
		queue,
		running,
		abort: easel.abort,
		log,
	});
}
