import type { Page } from '../domain/channel.ts';
import { ShutdownError } from '../domain/job.ts';
import {
	isPersonal,
	type Person,
	type Place,
	type PlaceScope,
	type ServerId,
	type ServesPlace,
} from '../domain/place.ts';
import type {
	ButtonPress,
	FormSubmission,
	HomeView,
	Inbox,
	IncomingMessage,
	Invocation,
	MessageChange,
	Request,
} from '../domain/platform.ts';
import { oneLine } from '../domain/text.ts';
import type { Easel } from '../easel.ts';
import { translatorFor } from '../i18n/translator.ts';
import type { QueueLoad } from '../jobs/member-queue.ts';
import { tryAndLog } from '../log.ts';
import type { DeploymentUsage } from '../usage/deployment-usage.ts';
import { RENEW_EVERY_MS } from '../usage/lease.ts';
import type { OpenWork } from '../usage/open-work.ts';
import { ModelNames } from './declaration/catalogue.ts';
import { follow, invoke, press, submit } from './dispatch.ts';
import { ErrorBoundary, type Observer, postRefusal } from './error-boundary.ts';
import { usageLines, usageOf } from './messages/usage-messages.ts';

/** What a process leaves behind is found soon after its lease is over. */
const SWEEP_EVERY_MS = 5000;

const ERASE_REMOVED_EVERY_MS = 3600_000;
const REMOVED_FAILURE = 'The data of servers that removed the bot could not be erased';

export type BotOptions = {
	/** Tells whether a place is served; all are by default. */
	serves?: ServesPlace;
	/** Counts requests that have ended. */
	observe?: Observer;
};

export type ProcessState = {
	queue: QueueLoad;
	lease: { isHeld: boolean; losses: number };
	busyThreads: number;
};

export type DeploymentState = { usage: DeploymentUsage; open: OpenWork; isPaused: boolean };

/** The bot as platforms and the application see it. Each request goes through the error boundary to its command, action or chat. */
export class Bot implements Inbox {
	readonly #easel: Easel;
	readonly #serves: ServesPlace;
	readonly #boundary: ErrorBoundary;
	readonly #modelNames: ModelNames;
	readonly #timers: NodeJS.Timeout[] = [];

	constructor(easel: Easel, { serves = () => true, observe = () => {} }: BotOptions = {}) {
		this.#easel = easel;
		this.#serves = serves;
		this.#boundary = new ErrorBoundary(easel, observe);
		this.#modelNames = new ModelNames(easel);
	}

	/**
	 * Takes the lease of this process, and erases what a restored backup should not have. Call it before any platform starts.
	 */
	async start(): Promise<void> {
		const { lease, log } = this.#easel;
		await lease.renew();
		await tryAndLog(log, 'Erasures could not be repeated', () => this.#easel.erasures.replay());
		this.#every(RENEW_EVERY_MS, 'The lease could not be renewed', () => lease.renew());
	}

	/** Begins what is done from time to time, each thing at once. Call it once the platforms can post. */
	async startSweeps(): Promise<void> {
		const { log } = this.#easel;
		const eraseRemoved = () => this.#easel.removals.sweep();
		await this.sweep();
		await tryAndLog(log, REMOVED_FAILURE, eraseRemoved);
		this.#every(SWEEP_EVERY_MS, 'The sweep failed', () => this.sweep());
		this.#every(ERASE_REMOVED_EVERY_MS, REMOVED_FAILURE, eraseRemoved);
	}

	/** Ends the jobs of processes that are gone, continues reviews, and resumes erasures that were interrupted. */
	async sweep(): Promise<void> {
		await this.#easel.recovery.sweep();
		await this.#easel.reviews.sweep();
		await this.#easel.erasures.resume();
	}

	/** Refuses new requests and waits for those that run; after `graceMs` it aborts them. Resolves when all are answered. */
	async stop(graceMs: number): Promise<void> {
		const { abort, running, lease, log } = this.#easel;
		this.#boundary.close();
		const timer = setTimeout(() => abort(new ShutdownError()), graceMs);
		await running.ended();
		clearTimeout(timer);
		for (const other of this.#timers) clearInterval(other);
		await lease.release().catch((error: unknown) => log.warn({ err: error }, 'The lease was not released'));
	}

	/** Returns the number of chat threads that are held in memory, because something is under way there. */
	busyThreads(): number {
		return this.#easel.chat.busyThreads;
	}

	/** Returns the state of this process, for the metrics. */
	processState(): ProcessState {
		const { lease, queue } = this.#easel;
		return {
			queue: queue.load,
			lease: { isHeld: lease.isHeld, losses: lease.losses },
			busyThreads: this.busyThreads(),
		};
	}

	/** Reads the state of the deployment from the store, for the metrics. */
	async deploymentState(): Promise<DeploymentState> {
		const { ledger, failurePause } = this.#easel;
		const [usage, open, pausedMs] = await Promise.all([
			ledger.deploymentUsage(),
			ledger.openWork(),
			failurePause.leftMs(),
		]);
		return { usage, open, isPaused: pausedMs > 0 };
	}

	async invoke(invocation: Invocation): Promise<void> {
		// Names of commands come from outside: each would be a further time series in the metrics.
		const kind = this.#easel.catalogue.find(invocation.command) ? invocation.command : 'unknown';
		if (!this.#serves(invocation.channel.place)) return this.#refuseUnserved(kind, invocation);
		await this.#boundary.request(kind, invocation, () =>
			isSubmission(invocation) ? submit(this.#easel, invocation) : invoke(this.#easel, invocation),
		);
	}

	async press(pressed: ButtonPress): Promise<void> {
		if (!this.#serves(pressed.channel.place)) return this.#refuseUnserved('button', pressed);
		await this.#boundary.request('button', pressed, () => press(this.#easel, pressed));
	}

	async hear(message: IncomingMessage): Promise<void> {
		const { moderatorRole, log } = this.#easel;
		const { id, channel } = message;
		if (!this.#serves(channel.place)) return message.addressed ? this.#refuseUnserved('message', message) : undefined;
		// Most messages do not concern the bot, and must not be answered, whatever fails.
		const concerns = await tryAndLog(log, 'A message could not be examined', () => this.#easel.chat.concerns(message));
		if (!concerns) return;
		await this.#boundary.request('message', message, async () => {
			if (!isMentionAlone(message)) return follow(this.#easel, await this.#easel.chat.hear(message), message);
			const person = await moderatorRole.tryApply(message.person, channel.place);
			await channel.post({ text: this.#easel.catalogue.help(translatorFor(person.locale), person) }, `${id}.help`);
			return 'answered';
		});
	}

	async changed(change: MessageChange): Promise<void> {
		if (!this.#serves(change.place)) return;
		await tryAndLog(this.#easel.log, 'A change of a message could not be stored', () =>
			this.#easel.chat.changed(change),
		);
	}

	async forget(where: PlaceScope): Promise<void> {
		const { log } = this.#easel;
		if (where.channel === undefined)
			await tryAndLog(log, 'The erasure of a server could not be scheduled', () =>
				this.#easel.removals.schedule(where),
			);
		await tryAndLog(log, 'The messages of a place could not be deleted', () => this.#easel.chat.forget(where));
	}

	async joined(server: ServerId): Promise<void> {
		const { log } = this.#easel;
		await tryAndLog(log, 'The erasure of a server could not be cancelled', () => this.#easel.removals.cancel(server));
	}

	async suggest({ command, option, typed }: Parameters<Inbox['suggest']>[0]): Promise<readonly string[]> {
		const field = this.#easel.catalogue.fields(command).find(({ name }) => name === option);
		return field?.kind === 'text' && field.completed ? this.#modelNames.complete(typed) : [];
	}

	async moderates(person: Person, place: Place): Promise<boolean> {
		return this.#serves(place) && (await this.#easel.moderatorRole.tryApply(person, place)).moderator;
	}

	async home(person: Person, channel: Page): Promise<HomeView> {
		if (!this.#serves(channel.place)) return { text: unservedMessage(person, channel.place), recent: [] };
		const [status, recent] = await Promise.all([
			usageOf(this.#easel, channel.place, person),
			this.#easel.recentResults.of(channel.place, person),
		]);
		return { text: usageLines(translatorFor(person.locale), status, channel).join('\n'), recent };
	}

	/** Posts that the place is not served, and does nothing else. */
	#refuseUnserved(kind: string, request: Request): Promise<void> {
		const { id, channel, person } = request;
		const text = unservedMessage(person, channel.place);
		return this.#boundary.request(kind, request, () => postRefusal(channel, id, text));
	}

	/** Repeats something. A failure is logged, and does not end it. */
	#every(ms: number, failure: string, work: () => Promise<void>): void {
		this.#timers.push(setInterval(() => void tryAndLog(this.#easel.log, failure, work), ms).unref());
	}
}

const unservedMessage = ({ locale }: Person, place: Place): string =>
	translatorFor(locale)(isPersonal(place) ? 'servers.notServedDirect' : 'servers.notServed');

const isMentionAlone = ({ text, uploads, channel: { place } }: IncomingMessage) =>
	place.thread === undefined && !place.direct && oneLine(text) === '' && uploads.length === 0;

const isSubmission = (invocation: Invocation): invocation is FormSubmission => invocation.form !== undefined;
