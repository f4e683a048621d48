import type { ChannelLimits } from '../../domain/channel.ts';
import type { Person, Place } from '../../domain/place.ts';
import type { ButtonPress } from '../../domain/platform.ts';
import type { Easel } from '../../easel.ts';
import { translatorFor } from '../../i18n/translator.ts';
import { type ActionHandler, type ActionResult, say } from '../declaration/actions.ts';
import type { Erasures } from './erasures.ts';
import { type PersonalData, type Subject, subjectOf } from './personal-data.ts';

/** How long the button that confirms an erasure works. */
const CONFIRM_MINUTES = 10;

const DAY_MS = 24 * 3600_000;

/** Where the limits of the channel are not known, as on a person's own page. */
const SMALL_FILE_BYTES = 8 * 2 ** 20;

/** Lets people see, export and erase what is kept about them. */
export class Privacy {
	readonly #easel: Easel;
	readonly #erasures: Erasures;
	readonly #data: PersonalData;

	constructor(easel: Easel, erasures: Erasures, data: PersonalData) {
		this.#easel = easel;
		this.#erasures = erasures;
		this.#data = data;
	}

	/** Returns how long prompts, pictures, chats and names are kept. */
	get retentionDays(): number {
		return Math.round(this.#easel.retentionMs / DAY_MS);
	}

	/** Returns undefined when it is too soon: counting reads the whole store, so a person can do it once a minute. */
	async count(person: Person, place: Place) {
		const subject = this.#subject(person, place);
		return (await this.#erasures.mayScan(subject, 'show')) ? this.#data.count(subject) : undefined;
	}

	/**
	 * Returns a file that can be posted in a channel; undefined when it is too soon.
	 * @param limits of the channel
	 */
	async export(person: Person, place: Place, limits?: ChannelLimits) {
		const subject = this.#subject(person, place);
		const maxBytes = Math.min(limits?.pictureBytes ?? SMALL_FILE_BYTES, limits?.messageBytes ?? SMALL_FILE_BYTES * 8);
		return (await this.#erasures.mayScan(subject, 'export')) ? this.#data.export(subject, maxBytes) : undefined;
	}

	/** Returns the subject of the button that erases everything, and how long the button works. */
	confirmation({ id }: Person): { subject: string; minutes: number } {
		const until = this.#easel.now() + CONFIRM_MINUTES * 60_000;
		return { subject: `${until.toString(36)}:${id}`, minutes: CONFIRM_MINUTES };
	}

	/** The action of the button that confirms an erasure. */
	readonly eraseAction: ActionHandler = { press: (press, subject) => this.#erase(press, subject) };

	async #erase({ person, channel }: ButtonPress, confirmation: string): Promise<ActionResult> {
		const t = translatorFor(person.locale);
		const [until = '', ...id] = confirmation.split(':');
		const isTheirs = id.join(':') === person.id;
		if (!isTheirs || Number.parseInt(until, 36) < this.#easel.now()) return say(t('privacy.erase.expired'));
		const result = await this.#erasures.erase(this.#subject(person, channel.place));
		return say(t(result === 'busy' ? 'privacy.erase.busy' : 'privacy.erase.done'));
	}

	#subject({ id }: { id: string }, { platform, server }: Place): Subject & { id: string } {
		const hasLocalIds = this.#easel.platforms.all.find(({ name }) => name === platform)?.hasLocalIds;
		return subjectOf({ platform, id, server: hasLocalIds ? server : undefined });
	}
}
