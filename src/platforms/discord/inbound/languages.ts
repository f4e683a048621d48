import type { Log } from '../../../log.ts';
import type { UserRecords } from '../api/user-records.ts';

/** The languages of users. Interactions carry them; messages do not. */
export class Languages {
	readonly #records: UserRecords;
	readonly #log: Log;

	constructor(records: UserRecords, log: Log) {
		this.#records = records;
		this.#log = log;
	}

	/** Notes, without waiting for the store, the language of a user's client. */
	remember(user: string, locale: string): void {
		this.#records
			.remember('locale', user, locale)
			.catch((error: unknown) => this.#log.error({ err: error }, 'The language of a user could not be saved'));
	}

	/**
	 * Returns the last known language of a user's client, also from another process, else that of the server, as `Person.locale`.
	 * @param serverLocale undefined in direct messages, or when it is not cached
	 */
	async of(user: string, serverLocale: string | undefined): Promise<{ locale?: string }> {
		const recalled = await this.#records.recall('locale', user).catch((error: unknown) => {
			this.#log.warn({ err: error }, 'The language of a user could not be looked up');
			return undefined;
		});
		const locale = recalled ?? serverLocale;
		return locale === undefined ? {} : { locale };
	}
}
