import { LRUCache } from 'lru-cache';
import type { Channel, Page, Person, Place, Show } from '../../domain/channel.ts';
import type { CallKind } from '../../domain/job.ts';
import { bounded } from '../../domain/queues.ts';
import { ALWAYS_REFUSED, quoted } from '../../domain/text.ts';
import type { Easel } from '../../easel.ts';
import { SentenceError, translatorFor } from '../../i18n/translator.ts';
import { ServiceError } from '../../service/errors.ts';
import type { InputImage } from '../../service/service.ts';
import type { Settings } from '../../usage/settings.ts';
import { refusalOf } from '../messages/usage-messages.ts';
import { containsBannedWord } from './words/banned-words.ts';
import { isIntimateEdit } from './words/intimate-edits.ts';

/** A request, as far as rules apply to it. */
type PolicyRequest = {
	channel: Page & { screen?: Channel['screen'] };
	person: Person;
	/** The words to screen; none by default. */
	text?: string;
	/** What it may cost, in micro-USD, where calls have prices. */
	most?: number;
	/** The command that changes pictures which somebody has brought; absent where none are. */
	command?: string;
};

/** What can be checked of a request: see `Policy.#step`. */
type Step = 'rules' | 'pause' | 'caps' | 'wait' | 'screen' | 'intimate' | 'cooldown' | 'rate' | 'model';

/** The kinds of requests, and what is checked of each, in the order of cost: the first refusal ends it. */
const CHECKS = {
	/** A request for pictures. The cooldown begins before the model's answer, so that of several requests at once it checks one. */
	pictures: ['rules', 'pause', 'caps', 'wait', 'screen', 'intimate', 'cooldown', 'model'],
	/** A turn in a chat. */
	chat: ['rules', 'pause', 'caps', 'screen', 'model'],
	/** A message of a thread that gets no answer of a chat model. It goes to no service; see `checkContext`. */
	message: ['rules', 'screen'],
	/** A question about pictures, which a chat model may answer with pictures. */
	question: ['intimate'],
	/** Words that are shown with a picture, and that no call is made for. */
	words: ['rules', 'screen', 'model'],
	/** A person without a request, before what they bring is read. */
	person: ['rules'],
	/** A search by words, which the service embeds. No cap counts it. */
	search: ['rules', 'pause', 'rate'],
	/** A look at pictures, which are downloaded for it. No cap counts it. */
	look: ['rules', 'rate'],
} as const satisfies Record<string, readonly Step[]>;

type Kind = keyof typeof CHECKS;

const callOf = (kind: Kind): CallKind => (kind === 'chat' || kind === 'message' ? 'chat' : 'pictures');

/** The maximum number of channels or roles that a sentence names. */
const MAX_NAMED = 10;

/** So many requests within so many seconds. */
type Rate = { count: number; seconds: number };

/** The number of members whose last requests are in memory. */
const MAX_MEMBERS = 10_000;

/** How often one person's words are sent to a service, or files are downloaded for them, without a call that a cap counts. */
const UNCOUNTED_CALLS: Rate = { count: 20, seconds: 60 };

/** How often moderators are told of a member whose requests are refused as intimate. */
const TOLD: Rate = { count: 3, seconds: 600 };

/** Longest wait for the moderation model, in milliseconds. */
const TIMEOUT_MS = 5000;

/** Statuses by which a service refuses pictures, but may take the text alone. */
const TEXT_ONLY: ReadonlySet<number> = new Set([400, 413, 415, 422]);

type Content = { text: string } | { images: readonly InputImage[] };

/**
 * Decides who may make requests: by blocks, allowed channels and roles, banned words, caps, cooldowns, the rules of the platform's own
 * server, a built-in rule about intimate edits without a moderation model, and last that model, which costs something. A refusal does not repeat the person's words.
 */
export class Policy {
	readonly #easel: Easel;
	readonly #rates: MemberRates;
	/** Whether the moderation model takes pictures, as far as is known. */
	#readsPictures = true;

	constructor(easel: Easel) {
		this.#easel = easel;
		this.#rates = new MemberRates(easel.now);
	}

	/**
	 * Checks a request. Returns undefined when it is allowed.
	 *
	 * @param settings read when they are missing
	 */
	async check(kind: Kind, request: PolicyRequest, settings?: Settings): Promise<SentenceError | undefined> {
		const current = settings ?? (await this.#easel.settings.get(request.channel.place));
		for (const step of CHECKS[kind]) {
			const refused = await this.#step(step, kind, current, request);
			if (refused) return refused;
		}
		return undefined;
	}

	/**
	 * Checks messages that a chat model is about to get as context, by the moderation model: all of them at once, and parts of them only
	 * where something is flagged.
	 *
	 * @returns for each text whether the chat model may get it
	 * @throws SentenceError when there is no answer, and the server refuses requests then
	 */
	async checkContext(place: Place, texts: readonly string[]): Promise<boolean[]> {
		if (texts.length === 0) return [];
		const reason = await this.#askModel(await this.#easel.settings.get(place), { text: texts.join('\n\n') });
		if (!reason) return texts.map(() => true);
		if (reason.id !== 'policy.flagged') throw reason;
		if (texts.length === 1) return [false];
		const middle = texts.length >> 1;
		const first = await this.checkContext(place, texts.slice(0, middle));
		return [...first, ...(await this.checkContext(place, texts.slice(middle)))];
	}

	/**
	 * Checks the pictures that a request brings, by the settings that allowed it.
	 * @throws SentenceError
	 */
	async checkInputs(settings: Settings, images: readonly InputImage[]): Promise<void> {
		const refused = await this.#askModel(settings, { images });
		if (refused) throw refused;
	}

	/** Returns the part of the check that needs the settings alone, to be repeated with the settings by which a call is reserved. */
	checkerOf(what: CallKind, request: PolicyRequest): (settings: Settings) => SentenceError | undefined {
		return (settings) => refusal(settings, what, request);
	}

	async #step(step: Step, kind: Kind, settings: Settings, request: PolicyRequest): Promise<SentenceError | undefined> {
		const { channel, person, text = '', most } = request;
		const { platform, server } = channel.place;
		const member = `cooldown:${platform}:${server}:${person.id}`;
		const cooldown: Rate = { count: 1, seconds: settings.cooldownSeconds };
		switch (step) {
			case 'rules':
				return refusal(settings, callOf(kind), request);
			case 'pause':
				return (await this.#easel.failurePause.refusal())?.and('errors.cost.none');
			case 'caps': {
				// They are read; the call is reserved later.
				const reached = await this.#easel.ledger.capReached(channel.place, person, callOf(kind), settings, most);
				return reached && refusalOf(translatorFor(person.locale), reached, channel);
			}
			case 'wait':
				return mustWait('policy.cooldown', this.#rates.wait(member, cooldown));
			case 'cooldown':
				return mustWait('policy.cooldown', this.#rates.take(member, cooldown));
			case 'screen':
				return this.#screen(channel, person, text);
			case 'intimate':
				return this.#checkIntimate(settings, request, kind === 'question' ? 'chat' : request.command);
			case 'rate':
				return this.#takeUncounted(kind, request);
			case 'model':
				return this.#checkByModel(settings, request, text);
		}
	}

	/** Applies the server's own rules. A request is allowed when they cannot be applied. */
	async #screen(channel: PolicyRequest['channel'], person: Person, text: string): Promise<SentenceError | undefined> {
		if (text === '') return undefined;
		try {
			const rule = await channel.screen?.(text, person);
			if (!rule) return undefined;
			const words = quoted(rule.message ?? '');
			return words === ''
				? new SentenceError('policy.automod', { rule: quoted(rule.name) })
				: new SentenceError('errors.words', { words });
		} catch (error) {
			this.#easel.log.warn({ err: error }, 'The rules of a server could not be applied');
			return undefined;
		}
	}

	/** Refuses to undress people in pictures, where no moderation model decides about that, and tells the moderators. */
	#checkIntimate(settings: Settings, { channel: { place }, person, text = '' }: PolicyRequest, command?: string) {
		if (command === undefined || this.#easel.service.moderate || !isIntimateEdit(text)) return undefined;
		if (this.#rates.take(`intimate:${place.platform}:${place.server}:${person.id}`, TOLD) === 0)
			this.#easel.moderationLog.tellRefused(settings, place, person, command);
		return new SentenceError('policy.intimate').and('errors.cost.none');
	}

	async #checkByModel(settings: Settings, request: PolicyRequest, text: string): Promise<SentenceError | undefined> {
		if (!this.#easel.service.moderate || text.trim() === '') return undefined;
		const wait = this.#takeUncounted('model', request);
		return wait ?? (await this.#askModel(settings, { text }))?.and('errors.cost.none');
	}

	/** Returns why the moderation model refuses something, or undefined. Without an answer in time, it is as the server has set. */
	async #askModel(settings: Settings, content: Content): Promise<SentenceError | undefined> {
		const { service, stopping, log } = this.#easel;
		const isNothing = 'text' in content ? content.text.trim() === '' : content.images.length === 0;
		if (!service.moderate || isNothing || ('images' in content && !this.#readsPictures)) return undefined;
		const signal = AbortSignal.any([stopping, AbortSignal.timeout(TIMEOUT_MS)]);
		try {
			const chosen = settings.moderationCategories;
			const isRefused = (category: string) =>
				chosen.length === 0 || category === ALWAYS_REFUSED || chosen.includes(category.split('/')[0] ?? '');
			const flagged = (await service.moderate(content, signal)).filter(isRefused);
			if (flagged.length === 0) return undefined;
			return new SentenceError('policy.flagged', { categories: quoted(flagged.join(', ')) });
		} catch (error) {
			stopping.throwIfAborted();
			if ('images' in content && error instanceof ServiceError && TEXT_ONLY.has(error.status ?? 0)) {
				// The words of the request have been checked before.
				this.#readsPictures = false;
				log.warn({ err: error }, 'The moderation model takes no pictures; requests are checked by their words');
				return undefined;
			}
			log.warn({ err: error }, 'The moderation model did not answer');
			return settings.unmoderated === 'refuse' ? new SentenceError('policy.unmoderated') : undefined;
		}
	}

	#takeUncounted(what: string, { channel, person }: PolicyRequest): SentenceError | undefined {
		const member = `${what}:${channel.place.platform}:${person.id}`;
		return mustWait('policy.rate', this.#rates.take(member, UNCOUNTED_CALLS));
	}
}

const mustWait = (id: 'policy.cooldown' | 'policy.rate', seconds: number) =>
	seconds === 0 ? undefined : new SentenceError(id, { seconds });

/** Applies the rules that moderators have set: for members, channels, roles and words. */
function refusal(settings: Settings, what: CallKind, request: PolicyRequest): SentenceError | undefined {
	const { channel, person, text = '' } = request;
	const { blocked, allowedChannels, allowedRoles, bannedWords, language } = settings;
	if (blocked.includes(person.id))
		return new SentenceError(what === 'chat' ? 'policy.blocked.chat' : 'policy.blocked.pictures');
	if (settings.outsiders === 'deny' && person.outsider && !person.moderator)
		return new SentenceError('policy.outsiders');
	// A thread is under the rules of its channel.
	if (allowedChannels.length > 0 && !allowedChannels.includes(channel.place.channel))
		return new SentenceError('policy.channels', { channels: namesOf(channel, 'channel', allowedChannels) });
	if (allowedRoles.length > 0 && !allowedRoles.some((role) => person.roles?.includes(role)))
		return new SentenceError('policy.roles', { roles: namesOf(channel, 'role', allowedRoles) });
	if (containsBannedWord(bannedWords, text, language)) return new SentenceError('policy.words');
	return undefined;
}

function namesOf(channel: Show, kind: 'channel' | 'role', ids: readonly string[]): string {
	const names = ids.slice(0, MAX_NAMED).map((id) => channel.refer(kind, id));
	return names.join(', ') + (ids.length > MAX_NAMED ? ' …' : '');
}

/**
 * Limits how often each member does something: cooldowns, and free requests that cost the operator something. Neither protects a cap, so
 * each process has its own.
 */
export class MemberRates {
	/** When a member has used up nothing of a rate, in Unix milliseconds: each request takes its share of the time. */
	readonly #freeAt = new LRUCache<string, number>(bounded(MAX_MEMBERS));
	readonly #now: () => number;

	/** @param now returns Unix milliseconds */
	constructor(now: () => number) {
		this.#now = now;
	}

	/** Returns how many seconds a member has to wait; 0 when they need not. @param member names what is limited, and for whom */
	wait(member: string, { count, seconds }: Rate): number {
		const shareMs = (seconds * 1000) / count;
		const waitMs = (this.#freeAt.peek(member) ?? 0) + shareMs - seconds * 1000 - this.#now();
		return seconds === 0 ? 0 : Math.max(0, Math.ceil(waitMs / 1000));
	}

	/** Takes one request of the rate, unless the member has to wait; see `wait`. */
	take(member: string, rate: Rate): number {
		const waitSeconds = this.wait(member, rate);
		if (waitSeconds > 0 || rate.seconds === 0) return waitSeconds;
		const from = Math.max(this.#now(), this.#freeAt.peek(member) ?? 0);
		this.#freeAt.set(member, from + (rate.seconds * 1000) / rate.count);
		return 0;
	}
}
