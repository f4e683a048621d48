import type { Channel } from '../../domain/channel.ts';
import type { CallKind } from '../../domain/limit.ts';
import type { Person } from '../../domain/person.ts';
import { type Translate, translatorFor } from '../../i18n/translator.ts';
import type { Log } from '../../log.ts';
import type { InputImage } from '../../service/service.ts';
import type { Settings } from '../../usage/settings/settings.ts';
import type { SettingsRepository } from '../../usage/settings/settings-repository.ts';
import type { FailurePause } from '../failure-pause.ts';
import { Cooldowns } from './cooldowns.ts';
import type { SecondOpinion } from './second-opinion.ts';
import { containsBannedWord } from './words/banned-words.ts';

/** A request, as far as rules apply to it. */
type Asking = {
	channel: Pick<Channel, 'place' | 'refer' | 'screen'>;
	person: Person;
	/** The text to screen. */
	text: string;
};

type PolicyOptions = {
	settings: Pick<SettingsRepository, 'get'>;
	opinion: SecondOpinion;
	failurePause: Pick<FailurePause, 'refusal'>;
	log: Log;
	/** Returns Unix milliseconds. */
	now: () => number;
};

/** The maximum number of channels or roles that a sentence names. */
const MAX_NAMED = 10;

/**
 * Decides who may make requests: by blocks, allowed channels and roles, banned words, the rules of the platform's own server, and
 * cooldowns. Each refusal is a sentence that does not repeat the person's words.
 */
export class Policy {
	readonly #options: PolicyOptions;
	readonly #cooldowns: Cooldowns;

	constructor(options: PolicyOptions) {
		this.#options = options;
		this.#cooldowns = new Cooldowns(options.now);
	}

	/** Checks a request for pictures, and starts a cooldown when it is allowed. Returns the settings that it was checked by. */
	async checkPictures(asking: Asking): Promise<{ settings: Settings } | { refused: string }> {
		const { settings, refused } = await this.#check('pictures', asking);
		const reason = refused ?? this.#checkCooldown(settings, asking);
		return reason === undefined ? { settings } : { refused: reason };
	}

	/** Checks a person without a request: no text is screened, and no cooldown begins. Returns undefined when they are allowed. */
	async checkPerson({ channel, person }: Omit<Asking, 'text'>): Promise<string | undefined> {
		return refusal(await this.#options.settings.get(channel.place), 'pictures', { channel, person, text: '' });
	}

	/** Checks a turn in a chat. Returns undefined when it is allowed. */
	async checkChat(asking: Asking): Promise<string | undefined> {
		return (await this.#check('chat', asking)).refused;
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

	async #check(what: CallKind, asking: Asking): Promise<{ settings: Settings; refused: string | undefined }> {
		const screened = await this.#screen(asking);
		const { failurePause, opinion } = this.#options;
		// Read last, because screening may take a while.
		const [settings, paused] = await Promise.all([
			this.#options.settings.get(asking.channel.place),
			failurePause.refusal(),
		]);
		const refused = refusal(settings, what, asking) ?? screened;
		if (refused !== undefined) return { settings, refused };
		const reason = paused ?? (await opinion.ask(settings, { text: asking.text }));
		const t = translatorFor(asking.person.locale);
		return { settings, refused: reason && `${reason.messageIn(t)} ${t('errors.cost.none')}` };
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

	#checkCooldown({ cooldownSeconds }: Settings, { channel, person }: Asking): string | undefined {
		const seconds = this.#cooldowns.start(channel.place, person, cooldownSeconds);
		return seconds === 0 ? undefined : translatorFor(person.locale)('policy.cooldown', { seconds });
	}
}

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

function namesOf(channel: Pick<Channel, 'refer'>, kind: 'channel' | 'role', ids: readonly string[]): string {
	const names = ids.slice(0, MAX_NAMED).map((id) => channel.refer(kind, id));
	return names.join(', ') + (ids.length > MAX_NAMED ? ' …' : '');
}
