import type { Channel, Show } from '../../domain/channel.ts';
import type { CallKind } from '../../domain/job.ts';
import type { Person, Place } from '../../domain/place.ts';
import type { Refusal } from '../../domain/platform.ts';
import type { SentenceError } from '../../i18n/sentence-error.ts';
import { type Translate, translatorFor } from '../../i18n/translator.ts';
import type { Log } from '../../log.ts';
import type { InputImage } from '../../service/service.ts';
import type { Ledger } from '../../usage/ledger.ts';
import type { Settings } from '../../usage/settings/settings.ts';
import type { SettingsRepository } from '../../usage/settings/settings-repository.ts';
import type { FailurePause } from '../failure-pause.ts';
import { capReachedMessage } from '../messages/usage-messages.ts';
import { MemberRates, type Rate } from './member-rates.ts';
import type { SecondOpinion } from './second-opinion.ts';
import { containsBannedWord } from './words/banned-words.ts';

/** A request, as far as rules apply to it. */
type Asking = {
	channel: Pick<Channel, 'place' | 'refer' | 'screen'>;
	person: Person;
	/** The text to screen. */
	text: string;
};

/** A request that is refused when a cap is reached. */
type PaidAsking = Asking & { channel: Show };

type PolicyOptions = {
	settings: Pick<SettingsRepository, 'get'>;
	ledger: Pick<Ledger, 'capReached'>;
	opinion: SecondOpinion;
	failurePause: Pick<FailurePause, 'refusal'>;
	log: Log;
	/** Returns Unix milliseconds. */
	now: () => number;
};

/** The maximum number of channels or roles that a sentence names. */
const MAX_NAMED = 10;

/** How often one person's words are sent to a service, or files are downloaded for them, without a call that a cap counts. */
const UNCOUNTED_CALLS: Rate = { count: 20, seconds: 60 };

/**
 * Decides who may make requests: by blocks, allowed channels and roles, banned words, caps, cooldowns, the rules of the platform's own
 * server, and the moderation model, which costs something and is therefore asked last. Each refusal is a sentence that does not repeat
 * the person's words.
 */
export class Policy {
	readonly #options: PolicyOptions;
	readonly #rates: MemberRates;

	constructor(options: PolicyOptions) {
		this.#options = options;
		this.#rates = new MemberRates(options.now);
	}

	/** Checks a request for pictures, and starts a cooldown when it is allowed. Returns the settings that it was checked by. */
	async checkPictures(asking: PaidAsking): Promise<{ settings: Settings } | Refusal> {
		const settings = await this.#settingsOf(asking);
		const { platform, server } = asking.channel.place;
		const member = `cooldown:${platform}:${server}:${asking.person.id}`;
		const cooldown: Rate = { count: 1, seconds: settings.cooldownSeconds };
		const refused =
			(await this.#checkCosts(settings, 'pictures', asking)) ??
			waitMessage(asking, 'policy.cooldown', this.#rates.wait(member, cooldown)) ??
			(await this.#screen(asking)) ??
			// Taken before the model is asked, so that requests at the same time do not ask it all.
			waitMessage(asking, 'policy.cooldown', this.#rates.take(member, cooldown)) ??
			(await this.#askOpinion(settings, asking));
		return refused === undefined ? { settings } : { refused };
	}

	/**
	 * Checks a person without a request: by blocks, allowed channels and roles. No text is screened, nothing is asked, and no cooldown
	 * begins. Returns undefined when they are allowed. Call it before reading what a person brings or looks at without a call.
	 */
	async checkPerson({ channel, person }: Omit<Asking, 'text'>): Promise<string | undefined> {
		const asking = { channel, person, text: '' };
		return refusal(await this.#settingsOf(asking), 'pictures', asking);
	}

	/** Checks a search by words, which the service embeds. Returns undefined when it is allowed. */
	async checkSearch(asking: Omit<Asking, 'text'>): Promise<string | undefined> {
		return (
			(await this.checkPerson(asking)) ?? (await this.#checkPause(asking)) ?? this.#takeUncounted('search', asking)
		);
	}

	/** Checks a look at pictures that are downloaded for it. Returns undefined when it is allowed. */
	async checkLook(asking: Omit<Asking, 'text'>): Promise<string | undefined> {
		return (await this.checkPerson(asking)) ?? this.#takeUncounted('look', asking);
	}

	/** Checks a turn in a chat. Returns undefined when it is allowed. */
	async checkChat(asking: PaidAsking): Promise<string | undefined> {
		const settings = await this.#settingsOf(asking);
		return (
			(await this.#checkCosts(settings, 'chat', asking)) ??
			(await this.#screen(asking)) ??
			this.#askOpinion(settings, asking)
		);
	}

	/** Checks a message of a thread that asks for no answer of a chat model. It goes to no service; see `checkContext`. */
	async checkMessage(asking: Asking): Promise<string | undefined> {
		return refusal(await this.#settingsOf(asking), 'chat', asking) ?? this.#screen(asking);
	}

	/**
	 * Asks the moderation model about messages that a chat model is about to get as context: about all of them at once, and about parts
	 * only where something is flagged.
	 *
	 * @returns for each text whether the chat model may get it
	 * @throws SentenceError when there is no answer, and the server refuses requests then
	 */
	async checkContext(place: Place, texts: readonly string[]): Promise<boolean[]> {
		const { settings, opinion } = this.#options;
		if (texts.length === 0) return [];
		const reason = await opinion.ask(await settings.get(place), { text: texts.join('\n\n') });
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
		const { opinion } = this.#options;
		if (images.length === 0 || !opinion.takesPictures) return;
		const refused = await opinion.ask(settings, { images });
		if (refused) throw refused;
	}

	/** Returns the part of the check that needs the settings alone, to be repeated with the settings by which a call is reserved. */
	checkerOf(what: CallKind, asking: Asking): (settings: Settings) => string | undefined {
		return (settings) => refusal(settings, what, asking);
	}

	#settingsOf({ channel }: Asking): Promise<Settings> {
		return this.#options.settings.get(channel.place);
	}

	/** Checks what costs nothing to find out. The caps are read; the call is reserved later. */
	async #checkCosts(settings: Settings, what: CallKind, asking: PaidAsking): Promise<string | undefined> {
		const { channel, person } = asking;
		const refused = refusal(settings, what, asking) ?? (await this.#checkPause(asking));
		if (refused !== undefined) return refused;
		const reached = await this.#options.ledger.capReached(channel.place, person, what, settings);
		return reached && capReachedMessage(translatorFor(person.locale), reached, channel);
	}

	async #checkPause({ person }: Pick<Asking, 'person'>): Promise<string | undefined> {
		const paused = await this.#options.failurePause.refusal();
		return paused && withoutCost(paused, person);
	}

	/** Applies the server's own rules. A request is allowed when they cannot be applied. */
	async #screen({ channel, person, text }: Asking): Promise<string | undefined> {
		if (text === '') return undefined;
		try {
			return await channel.screen?.(text, person);
		} catch (error) {
			this.#options.log.warn({ err: error }, 'The rules of a server could not be applied');
			return undefined;
		}
	}

	async #askOpinion(settings: Settings, asking: Asking): Promise<string | undefined> {
		const { opinion } = this.#options;
		if (!opinion.isSet || asking.text.trim() === '') return undefined;
		const wait = this.#takeUncounted('opinion', asking);
		if (wait !== undefined) return wait;
		const reason = await opinion.ask(settings, { text: asking.text });
		return reason && withoutCost(reason, asking.person);
	}

	#takeUncounted(what: string, asking: Omit<Asking, 'text'>): string | undefined {
		const member = `${what}:${asking.channel.place.platform}:${asking.person.id}`;
		return waitMessage(asking, 'policy.rate', this.#rates.take(member, UNCOUNTED_CALLS));
	}
}

const withoutCost = (reason: SentenceError, { locale }: Person): string =>
	`${reason.messageIn(translatorFor(locale))} ${translatorFor(locale)('errors.cost.none')}`;

const waitMessage = ({ person }: Pick<Asking, 'person'>, id: 'policy.cooldown' | 'policy.rate', seconds: number) =>
	seconds === 0 ? undefined : translatorFor(person.locale)(id, { seconds });

/** Applies the rules that moderators have set. */
function refusal(settings: Settings, what: CallKind, asking: Asking): string | undefined {
	const t = translatorFor(asking.person.locale);
	if (settings.blocked.includes(asking.person.id))
		return what === 'chat' ? t('policy.blocked.chat') : t('policy.blocked.pictures');
	return refusalHere(t, settings, asking);
}

/** Applies the rules for channels, roles and words. A thread is under the rules of its channel. */
function refusalHere(t: Translate, settings: Settings, { channel, person, text }: Asking): string | undefined {
	const { allowedChannels, allowedRoles, bannedWords, language } = settings;
	if (allowedChannels.length > 0 && !allowedChannels.includes(channel.place.channel))
		return t('policy.channels', { channels: namesOf(channel, 'channel', allowedChannels) });
	if (allowedRoles.length > 0 && !allowedRoles.some((role) => person.roles?.includes(role)))
		return t('policy.roles', { roles: namesOf(channel, 'role', allowedRoles) });
	if (containsBannedWord(bannedWords, text, language)) return t('policy.words');
	return undefined;
}

function namesOf(channel: { refer: Channel['refer'] }, kind: 'channel' | 'role', ids: readonly string[]): string {
	const names = ids.slice(0, MAX_NAMED).map((id) => channel.refer(kind, id));
	return names.join(', ') + (ids.length > MAX_NAMED ? ' …' : '');
}
