import {
	isPersonal,
	isPicture,
	type Page,
	type Person,
	type Place,
	type PlaceScope,
	type ServerId,
	type ServesPlace,
} from '../domain/channel.ts';
import { ShutdownError } from '../domain/job.ts';
import {
	type ButtonPress,
	type HomeView,
	type Inbox,
	type IncomingMessage,
	type Invitation,
	type Invocation,
	type MessageChange,
	type Origin,
	type Platforms,
	type Request,
	RequestGoneError,
	type RequestOutcome,
	type Talk,
} from '../domain/platform.ts';
import { rememberedFor } from '../domain/queues.ts';
import type { Easel } from '../easel.ts';
import { type Translate, translatorFor } from '../i18n/translator.ts';
import { findFallback } from '../jobs/posting.ts';
import { tryAndLog } from '../log.ts';
import { latestResults } from '../requests/requests.ts';
import { RENEW_EVERY_MS } from '../usage/lease.ts';
import { withRights } from '../usage/settings.ts';
import { concernsBot, hearMessage, lookUp } from './chat/hear.ts';
import { applyChange, forgetChats, moveChats } from './chat/thread-changes.ts';
import { follow, formNote, invoke, postRefusal, press, submit, whyNoForm } from './dispatch.ts';
import { directChannel, directMessagePreface, errorMessageOf } from './messages/error-messages.ts';
import { greetServer } from './messages/help.ts';
import { usageOf, usageSummary } from './messages/usage-messages.ts';

/** What a process leaves behind is found soon after its lease is over. */
const SWEEP_EVERY_MS = 5000;

const ERASURE_FAILED = 'The data of servers that removed the bot could not be erased';
const ERASE_REMOVED_EVERY_MS = 3600_000;

export type Observer = (request: {
	platform: string;
	command: string;
	outcome: RequestOutcome;
	seconds: number;
}) => void;

export type BotOptions = {
	serves?: ServesPlace;
	observe?: Observer;
};

/**
 * The bot as platforms and the application see it, and the one error boundary: nothing that is thrown below gets past it, and every request
 * ends in a visible answer.
 */
export class Bot implements Inbox {
	readonly easel: Easel;
	readonly #serves: ServesPlace;
	readonly #observe: Observer;
	/** The service may not list its models. */
	readonly #modelNames: () => Promise<readonly string[]>;
	readonly #timers: NodeJS.Timeout[] = [];
	#isOpen = true;

	constructor(easel: Easel, { serves = () => true, observe = () => {} }: BotOptions = {}) {
		this.easel = easel;
		easel.invoke = (invocation) => this.invoke(invocation);
		this.#serves = serves;
		this.#observe = observe;
		this.#modelNames = rememberedFor(
			({ length }: readonly string[]) => (length > 0 ? CACHE_MS : RETRY_AFTER_MS),
			() => easel.service.models(easel.stopping).catch(() => []),
		);
	}

	/** Takes the lease of this process, and erases what a restored backup should not have. Call it before any platform starts. */
	async start(): Promise<void> {
		const { lease, privacy } = this.easel;
		await lease.renew();
		await this.#try('Erasures could not be repeated', () => privacy.replay());
		this.#every(RENEW_EVERY_MS, 'The lease could not be renewed', () => lease.renew());
	}

	/** Begins what is done from time to time. Call it once the platforms can post. Resolves when each thing was done once; never rejects. */
	async startSweeps(): Promise<void> {
		const sweep = this.#every(SWEEP_EVERY_MS, 'The sweep failed', () => this.sweep());
		const erase = this.#every(ERASE_REMOVED_EVERY_MS, ERASURE_FAILED, () => this.easel.removals.sweep());
		await sweep();
		await erase();
	}

	/** Ends the jobs of processes that are gone, continues reviews, and resumes erasures that were interrupted. */
	async sweep(): Promise<void> {
		await this.easel.recovery.sweep();
		await this.easel.reviews.sweep();
		await this.easel.privacy.resume();
	}

	/** Refuses new requests and waits for those that run; after `graceMs` it aborts them. Resolves when all are answered. */
	async stop(graceMs: number): Promise<void> {
		const { abort, running, lease, log } = this.easel;
		this.#isOpen = false;
		const timer = setTimeout(() => abort(new ShutdownError()), graceMs);
		await running.ended();
		clearTimeout(timer);
		for (const other of this.#timers) clearInterval(other);
		await lease.release().catch((error: unknown) => log.warn({ err: error }, 'The lease was not released'));
	}

	/** Does something from time to time. Returns what does it now. */
	#every(ms: number, failure: string, work: () => Promise<void>): () => Promise<void> {
		const attempt = () => this.#try(failure, work);
		this.#timers.push(setInterval(() => void attempt(), ms).unref());
		return attempt;
	}

	/** Does what ends nothing when it fails. @param failure logged then */
	#try<Result>(failure: string, work: () => Promise<Result>): Promise<Result | undefined> {
		return tryAndLog(this.easel.log, failure, work);
	}

	async invoke(invocation: Invocation): Promise<void> {
		const { easel } = this;
		if (!(await this.#mayAsk(invocation))) return;
		// Names of commands come from outside: each would be a further time series in the metrics.
		const kind = easel.catalogue.find(invocation.command) ? invocation.command : 'unknown';
		const { form } = invocation;
		await this.#answer(kind, invocation, () =>
			form === undefined ? invoke(easel, invocation) : submit(easel, { ...invocation, form }),
		);
	}

	press(pressed: ButtonPress): Promise<void> {
		return this.#answer('button', pressed, () => press(this.easel, pressed));
	}

	async hear(message: IncomingMessage): Promise<void> {
		const { easel } = this;
		const { channel, addressed } = message;
		const isServed = this.#serves(channel.place);
		void this.posted({ ...message, place: channel.place });
		const thread = isServed ? lookUp(easel, message) : Promise.resolve(undefined);
		// Most messages do not concern the bot, and must not be answered, whatever fails.
		if (!(isServed ? await concernsBot(easel, message, thread) : addressed)) return;
		if ((message.person.app && !addressed) || !(await this.#mayAsk(message))) return;
		await this.#answer('message', message, async () =>
			follow(easel, await hearMessage(easel, message, thread), message),
		);
	}

	async posted({ place, person, uploads }: Parameters<Inbox['posted']>[0]): Promise<void> {
		const { consent, running } = this.easel;
		if (uploads.some(isPicture) && this.#serves(place)) await running.hold(consent.see({ place, person }, uploads));
	}

	/** Tells whether a request may be answered at all: those of apps only where moderators say so, and not without end. */
	async #mayAsk({ person, channel: { place } }: Request): Promise<boolean> {
		const { settings, conversations } = this.easel;
		if (!person.app) return true;
		if (!this.#serves(place)) return false;
		const isNamed = async () => (await settings.get(place)).apps.includes(person.id);
		const mayAsk = async () => (await isNamed()) && (await conversations.mayAnswerApp(place, person));
		return (await this.#try('Whether an app is answered could not be looked up', mayAsk)) ?? false;
	}

	async changed(change: MessageChange): Promise<void> {
		if (!this.#serves(change.place)) return;
		await this.#try('A change of a message could not be stored', () => applyChange(this.easel, change));
	}

	async forget(where: PlaceScope): Promise<void> {
		const { removals } = this.easel;
		if (where.channel === undefined)
			await this.#try('The erasure of a server could not be scheduled', () => removals.schedule(where));
		await this.#try('The messages of a place could not be deleted', () => forgetChats(this.easel, where));
	}

	async renamed({ from, to, ...server }: ServerId & { from: string; to: string }): Promise<void> {
		const { settings } = this.easel;
		const moved = { ...server, channel: from };
		await this.#try('The rules of a channel could not be carried on', () => settings.renameChannel(server, from, to));
		await this.#try('The chats of a channel could not be carried on', () => moveChats(this.easel, moved, to));
	}

	async joined(server: ServerId, invited?: Invitation): Promise<void> {
		const { removals } = this.easel;
		await this.#try('The erasure of a server could not be cancelled', () => removals.cancel(server));
		if (invited && this.#serves(server))
			await this.#try('A server could not be greeted', () => greetServer(this.easel, server, invited));
	}

	async suggest({ command, option, typed }: Parameters<Inbox['suggest']>[0]): Promise<readonly string[]> {
		const field = this.easel.catalogue.fields(command).find(({ name }) => name === option);
		if (field?.kind === 'choice') return completions(field.choices, typed);
		if (field?.kind !== 'text') return [];
		return completions(field.completed ? await this.#modelNames() : field.suggestions, typed);
	}

	async form(command: string, { person, channel }: Origin): Promise<{ note?: string | undefined } | undefined> {
		const { easel } = this;
		const isForModerators = easel.catalogue.find(command)?.moderators;
		if (isForModerators && !(await this.moderates(person, channel.place))) return undefined;
		const refused = await whyNoForm(easel, command, { person, channel });
		return refused ? undefined : { note: formNote(easel, command, translatorFor(person.locale)) };
	}

	async moderates(person: Person, place: Place): Promise<boolean> {
		return this.#serves(place) && (await withRights(this.easel, person, place, 'viewers')).moderator;
	}

	async home(person: Person, channel: Page): Promise<HomeView> {
		const { place } = channel;
		const t = translatorFor(person.locale);
		if (!this.#serves(place)) return { text: unservedMessage(t, place), recent: [] };
		const settings = await this.easel.settings.get(place);
		const [usage, recent] = await Promise.all([
			usageOf(this.easel, settings, place, person),
			latestResults(this.easel, place, person),
		]);
		return { text: usageSummary(t, usage, channel).join('\n'), recent };
	}

	async talks(platform: string): Promise<readonly Talk[]> {
		const { conversations } = this.easel;
		return (await this.#try('The latest conversations could not be read', () => conversations.talks(platform))) ?? [];
	}

	/**
	 * Answers one request. Never rejects. In a place that is not served, the answer says so, and nothing else is done.
	 * @param kind the label in the metrics: the command, `button`, `message` or `unknown`
	 * @param work resolves once the request is answered
	 */
	async #answer(kind: string, request: Request, work: () => Promise<RequestOutcome>): Promise<void> {
		const { running, log } = this.easel;
		const started = performance.now();
		// Only posting the sentence about the error can fail here. No message reaches the person then.
		const outcome = await running.hold(this.#tryAnswer(request, work)).catch((error: unknown): RequestOutcome => {
			log.warn({ err: error }, 'An answer could not be posted');
			return 'unanswered';
		});
		const seconds = (performance.now() - started) / 1000;
		this.#observe({ platform: request.channel.place.platform, command: kind, outcome, seconds });
	}

	async #tryAnswer(request: Request, work: () => Promise<RequestOutcome>): Promise<RequestOutcome> {
		const { id, channel, person } = request;
		const t = translatorFor(person.locale);
		try {
			if (!this.#isOpen) return await this.#refuse(request, t('errors.restarting'));
			if (!this.#serves(channel.place)) return await postRefusal(channel, id, unservedMessage(t, channel.place));
			return await work();
		} catch (error) {
			if (error instanceof RequestGoneError) return 'unasked';
			const { text } = errorMessageOf(t, error, 'free', this.easel.log);
			return this.#refuse(request, text).catch((reason: unknown) => this.#refuseDirectly(request, text, reason));
		}
	}

	/** A request that was delivered before may have its answer in a message that a fallback has posted. */
	async #refuse({ id, channel }: Request, text: string): Promise<RequestOutcome> {
		const find: Platforms['find'] = (handle) => this.easel.platforms.find(handle).catch(() => undefined);
		const answer = { place: channel.place, key: id };
		if (await findFallback(find, answer)) return 'duplicate';
		const outcome = await postRefusal(channel, id, text);
		if (!(await findFallback(find, answer))) return outcome;
		// The answer has moved to a new message since, and its status was deleted: the sentence would contradict it.
		await (await find(answer))?.delete().catch(() => {});
		return 'duplicate';
	}

	/** @throws `reason` when the person cannot be sent direct messages */
	async #refuseDirectly({ id, channel, person }: Request, why: string, reason: unknown): Promise<RequestOutcome> {
		const direct = await directChannel(this.easel.platforms, channel.place, person);
		if (!direct) throw reason;
		const text = directMessagePreface(translatorFor(person.locale), channel.place, direct, why);
		// Its own key: when the request was delivered before, the answer has the usual one.
		return postRefusal(direct, `${id}.refused`, text);
	}
}

const unservedMessage = (t: Translate, place: Place): string =>
	t(isPersonal(place) ? 'servers.notServedDirect' : 'servers.notServed');

/** How long the list of models is good for, and how long no new attempt is made after a failure. */
const CACHE_MS = 5 * 60_000;
const RETRY_AFTER_MS = 15_000;

/** The most completions that Discord shows. https://docs.discord.com/developers/interactions/application-commands */
const MAX_COMPLETIONS = 25;

function completions(names: readonly string[], typed: string): string[] {
	const text = typed.trim().toLowerCase();
	const matching = names.filter((name) => name.toLowerCase().includes(text));
	const rank = (name: string) => (name.toLowerCase().startsWith(text) ? 0 : 1);
	return matching.toSorted((a, b) => rank(a) - rank(b)).slice(0, MAX_COMPLETIONS);
}
