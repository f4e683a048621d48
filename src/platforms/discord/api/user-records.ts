import type { Keyv } from 'keyv';
import type { Log } from '../../../log.ts';

/** `home`: the server that a user used the bot in last. `locale`: the language of their client. `direct`: whose direct messages a channel is. */
type UserFact = 'home' | 'locale' | 'direct';

const DAY_MS = 24 * 3600_000;

/**
 * How long a home server is kept after its last use, in milliseconds. It decides whose caps apply to direct messages, so it outlasts
 * every window of a cap whatever the retention time is, and it contains no names.
 */
const HOME_MS = 366 * DAY_MS;

/** A fact that is used is kept longer at most once in this time, so that requests do not write each time. */
const RENEW_EVERY_MS = DAY_MS;

/**
 * Facts about users that events do not carry. They are always read from the store, since another process may have changed them, and
 * expire when they have not been used for a while.
 */
export class UserRecords {
	readonly #keyv: Keyv;
	readonly #retentionMs: number;
	readonly #log: Log;

	/** @param retentionMs how long languages and direct messages are kept after their last use */
	constructor(keyv: Keyv, retentionMs: number, log: Log) {
		this.#keyv = keyv;
		this.#retentionMs = retentionMs;
		this.#log = log;
	}

	/** @param id a user's id; a channel's for `direct` */
	async recall(fact: UserFact, id: string): Promise<string | undefined> {
		const stored = await this.#find(fact, id);
		// The fact holds, also when the store is full.
		if (stored?.isDue) await this.#save(fact, id, stored.value).catch(() => {});
		return stored?.value;
	}

	async remember(fact: UserFact, id: string, value: string): Promise<void> {
		const stored = await this.#find(fact, id);
		if (stored?.value !== value || stored.isDue) await this.#save(fact, id, value);
	}

	/** Remembers a fact without waiting for the store. */
	note(fact: UserFact, id: string, value: string): void {
		this.remember(fact, id, value).catch((err: unknown) =>
			this.#log.error({ err, fact }, 'A fact about a user could not be saved'),
		);
	}

	/**
	 * Returns the last known language of a user's client, also from another process, else that of the server, as `Person.locale`.
	 * Interactions carry it; messages do not.
	 *
	 * @param serverLocale undefined in direct messages, or when it is not cached
	 */
	async languageOf(user: string, serverLocale?: string): Promise<{ locale?: string }> {
		const recalled = await this.recall('locale', user).catch((err: unknown) => {
			this.#log.warn({ err }, 'The language of a user could not be looked up');
			return undefined;
		});
		const locale = recalled ?? serverLocale;
		return locale === undefined ? {} : { locale };
	}

	/** `isDue` tells whether a fact has to be kept longer. Earlier versions stored facts that do not expire. */
	async #find(fact: UserFact, id: string): Promise<{ value: string; isDue: boolean } | undefined> {
		const { value, expires } = (await this.#keyv.getRaw<string>(`${fact}:${id}`)) ?? {};
		return value === undefined ? undefined : { value, isDue: (expires ?? 0) < Date.now() + this.#lastsMs(fact) };
	}

	async #save(fact: UserFact, id: string, value: string): Promise<void> {
		await this.#keyv.set(`${fact}:${id}`, value, this.#lastsMs(fact) + RENEW_EVERY_MS);
	}

	#lastsMs(fact: UserFact): number {
		return fact === 'home' ? HOME_MS : this.#retentionMs;
	}
}
