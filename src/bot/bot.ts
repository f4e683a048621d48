import type { Channel } from '../domain/channel.ts';
import type { Person } from '../domain/person.ts';
import { isPersonal, type Place, type PlaceScope } from '../domain/place.ts';
import type { HomeView, Inbox } from '../domain/platform.ts';
import type { ButtonPress, FormSubmission, IncomingMessage, Invocation, MessageChange } from '../domain/requests.ts';
import type { ServesPlace } from '../domain/served-servers.ts';
import { oneLine } from '../domain/text.ts';
import { translatorFor } from '../i18n/translator.ts';
import type { Log } from '../log.ts';
import type { RunningWork } from '../running-work.ts';
import type { DeploymentUsage } from '../usage/deployment-usage.ts';
import type { Ledger } from '../usage/ledger.ts';
import type { OpenWork } from '../usage/open-work.ts';
import { LEASE_MS, type Lease, RENEW_EVERY_MS } from '../usage/processes/lease.ts';
import type { ServerId } from '../usage/receipts.ts';
import { ShutdownError } from './abort-errors.ts';
import type { ChatController } from './chat/chat-controller.ts';
import type { CommandCatalogue } from './command-catalogue.ts';
import type { Contexts } from './contexts.ts';
import type { RequestDispatcher } from './dispatcher.ts';
import { type ErrorBoundary, postRefusal } from './error-boundary.ts';
import type { FailurePause } from './failure-pause.ts';
import type { ModelNames } from './messages/model-names.ts';
import { tryAndLog } from './messages/try-and-log.ts';
import { usageLines } from './messages/usage-messages.ts';
import type { ModeratorRole } from './moderation/moderator-role.ts';
import type { ReviewDecisions } from './moderation/review/review-decisions.ts';
import type { MemberQueue, QueueLoad } from './pictures/member-queue.ts';
import type { Erasures } from './privacy/erasures.ts';
import type { Removals } from './privacy/removals.ts';
import type { Recovery } from './recovery.ts';
import type { RecentResults } from './repositories/recent-results.ts';

/** Often enough that little is to be done at once. */
const SUM_UP_EVERY_MS = 3600_000;

const ERASE_REMOVED_EVERY_MS = 3600_000;
const REMOVED_FAILURE = 'The data of servers that removed the bot could not be erased';

export type BotParts = {
	serves: ServesPlace;
	boundary: ErrorBoundary;
	dispatcher: RequestDispatcher;
	catalogue: CommandCatalogue;
	moderatorRole: ModeratorRole;
	chat: ChatController;
	contextOf: Contexts;
	modelNames: ModelNames;
	recentResults: Pick<RecentResults, 'of'>;
	recovery: Recovery;
	reviews: Pick<ReviewDecisions, 'sweep'>;
	ledger: Pick<Ledger, 'sumUpOldReceipts' | 'deploymentUsage' | 'openWork' | 'backfillOperatorCaps'>;
	failurePause: Pick<FailurePause, 'leftMs'>;
	erasures: Pick<Erasures, 'replay' | 'resume'>;
	removals: Pick<Removals, 'schedule' | 'cancel' | 'sweep'>;
	lease: Lease;
	queue: Pick<MemberQueue, 'load'>;
	running: RunningWork;
	/** Aborts the requests that still run. */
	abort(reason: Error): void;
	log: Log;
};

export type ProcessState = {
	queue: QueueLoad;
	lease: { isHeld: boolean; losses: number };
	busyThreads: number;
};

export type DeploymentState = { usage: DeploymentUsage; open: OpenWork; isPaused: boolean };

/** The bot as platforms and the application see it. Each request goes through the error boundary to the dispatcher or the chat. */
export class Bot implements Inbox {
	readonly #parts: BotParts;
	readonly #timers: NodeJS.Timeout[] = [];

	constructor(parts: BotParts) {
		this.#parts = parts;
	}

	/**
	 * Takes the lease of this process, counts for the operator's caps what was used before them, and erases what a restored backup
	 * should not have. Call it before any platform starts.
	 */
	async start(): Promise<void> {
		const { lease, ledger, erasures, log } = this.#parts;
		await lease.renew();
		await ledger.backfillOperatorCaps();
		await tryAndLog(log, 'Erasures could not be repeated', () => erasures.replay());
		this.#every(RENEW_EVERY_MS, 'The lease could not be renewed', () => lease.renew());
	}

	/** Begins what is done from time to time, each thing at once. Call it once the platforms can post. */
	async startSweeps(): Promise<void> {
		const { ledger, removals, log } = this.#parts;
		const eraseRemoved = () => removals.sweep();
		await this.sweep();
		await tryAndLog(log, REMOVED_FAILURE, eraseRemoved);
		this.#every(LEASE_MS, 'The sweep failed', () => this.sweep());
		this.#every(SUM_UP_EVERY_MS, 'Old receipts could not be added up', () => ledger.sumUpOldReceipts());
		this.#every(ERASE_REMOVED_EVERY_MS, REMOVED_FAILURE, eraseRemoved);
	}

	/** Ends the jobs of processes that are gone, continues reviews, and resumes erasures that were interrupted. */
	async sweep(): Promise<void> {
		const { recovery, reviews, erasures } = this.#parts;
		await recovery.sweep();
		await reviews.sweep();
		await erasures.resume();
	}

	/** Refuses new requests and waits for those that run; after `graceMs` it aborts them. Resolves when all are answered. */
	async stop(graceMs: number): Promise<void> {
		const { boundary, abort, running, lease, log } = this.#parts;
		boundary.close();
		const timer = setTimeout(() => abort(new ShutdownError()), graceMs);
		await running.ended();
		clearTimeout(timer);
		for (const other of this.#timers) clearInterval(other);
		await lease.release().catch((error: unknown) => log.warn({ err: error }, 'The lease was not released'));
	}

	/** Returns the number of chat threads that are held in memory, because something is under way there. */
	busyThreads(): number {
		return this.#parts.chat.busyThreads;
	}

	/** Returns the state of this process, for the metrics. */
	processState(): ProcessState {
		const { lease, queue } = this.#parts;
		return {
			queue: queue.load,
			lease: { isHeld: lease.isHeld, losses: lease.losses },
			busyThreads: this.busyThreads(),
		};
	}

	/** Reads the state of the deployment from the store, for the metrics. */
	async deploymentState(): Promise<DeploymentState> {
		const { ledger, failurePause } = this.#parts;
		const [usage, open, pausedMs] = await Promise.all([
			ledger.deploymentUsage(),
			ledger.openWork(),
			failurePause.leftMs(),
		]);
		return { usage, open, isPaused: pausedMs > 0 };
	}

	async invoke(invocation: Invocation): Promise<void> {
		const { boundary, dispatcher, catalogue } = this.#parts;
		// Names of commands come from outside: each would be a further time series in the metrics.
		const kind = catalogue.find(invocation.command) ? invocation.command : 'unknown';
		if (!this.#parts.serves(invocation.channel.place)) return this.#refuseUnserved(kind, invocation);
		await boundary.request(kind, invocation, () =>
			isSubmission(invocation) ? dispatcher.submit(invocation) : dispatcher.invoke(invocation),
		);
	}

	async press(press: ButtonPress): Promise<void> {
		if (!this.#parts.serves(press.channel.place)) return this.#refuseUnserved('button', press);
		await this.#parts.boundary.request('button', press, () => this.#parts.dispatcher.press(press));
	}

	async hear(message: IncomingMessage): Promise<void> {
		const { boundary, dispatcher, catalogue, moderatorRole, chat, log } = this.#parts;
		const { id, channel } = message;
		if (!this.#parts.serves(channel.place))
			return message.addressed ? this.#refuseUnserved('message', message) : undefined;
		// Most messages do not concern the bot, and must not be answered, whatever fails.
		const concerns = await tryAndLog(log, 'A message could not be examined', () => chat.concerns(message));
		if (!concerns) return;
		await boundary.request('message', message, async () => {
			if (!isMentionAlone(message)) return dispatcher.follow(await chat.hear(message), message);
			const person = await moderatorRole.tryApply(message.person, channel.place);
			await channel.post({ text: catalogue.help(translatorFor(person.locale), person) }, `${id}.help`);
			return 'answered';
		});
	}

	async changed(change: MessageChange): Promise<void> {
		const { log, chat, serves } = this.#parts;
		if (!serves(change.place)) return;
		await tryAndLog(log, 'A change of a message could not be stored', () => chat.changed(change));
	}

	async forget(where: PlaceScope): Promise<void> {
		const { log, chat, removals } = this.#parts;
		if (where.channel === undefined)
			await tryAndLog(log, 'The erasure of a server could not be scheduled', () => removals.schedule(where));
		await tryAndLog(log, 'The messages of a place could not be deleted', () => chat.forget(where));
	}

	async joined(server: ServerId): Promise<void> {
		const { log, removals } = this.#parts;
		await tryAndLog(log, 'The erasure of a server could not be cancelled', () => removals.cancel(server));
	}

	async suggest({ command, option, typed }: Parameters<Inbox['suggest']>[0]): Promise<readonly string[]> {
		const { catalogue, modelNames } = this.#parts;
		const field = catalogue.fields(command).find(({ name }) => name === option);
		return field?.kind === 'text' && field.completed ? modelNames(typed) : [];
	}

	async moderates(person: Person, place: Place): Promise<boolean> {
		return this.#parts.serves(place) && (await this.#parts.moderatorRole.tryApply(person, place)).moderator;
	}

	async home(person: Person, channel: Pick<Channel, 'place' | 'when' | 'refer'>): Promise<HomeView> {
		const { contextOf, recentResults } = this.#parts;
		if (!this.#parts.serves(channel.place)) return { text: unservedMessage(person, channel.place), recent: [] };
		const { usage, t } = contextOf(person, channel);
		const [status, recent] = await Promise.all([usage.status(person), recentResults.of(channel.place, person)]);
		return { text: usageLines(t, status, channel).join('\n'), recent };
	}

	/** Posts that the place is not served, and does nothing else. */
	#refuseUnserved(kind: string, request: Pick<Invocation, 'id' | 'channel' | 'person'>): Promise<void> {
		const { id, channel, person } = request;
		const text = unservedMessage(person, channel.place);
		return this.#parts.boundary.request(kind, request, () => postRefusal(channel, id, text));
	}

	/** Repeats something. A failure is logged, and does not end it. */
	#every(ms: number, failure: string, work: () => Promise<void>): void {
		this.#timers.push(setInterval(() => void tryAndLog(this.#parts.log, failure, work), ms).unref());
	}
}

const unservedMessage = ({ locale }: Person, place: Place): string =>
	translatorFor(locale)(isPersonal(place) ? 'servers.notServedDirect' : 'servers.notServed');

const isMentionAlone = ({ text, uploads, channel: { place } }: IncomingMessage) =>
	place.thread === undefined && !place.direct && oneLine(text) === '' && uploads.length === 0;

const isSubmission = (invocation: Invocation): invocation is FormSubmission => invocation.form !== undefined;
