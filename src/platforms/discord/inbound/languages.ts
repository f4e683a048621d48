import type { Log } from '../../../log.ts';
import type { MessageRecords } from '../api/message-records.ts';

export type Languages = ReturnType<typeof createLanguages>;

/** Which language people read: interactions say it, messages do not. */
export function createLanguages({ records, log }: { records: MessageRecords; log: Log }) {
	return {
		/** As somebody's client has just told. Nobody waits for it. */
		remember(person: string, locale: string): void {
			records
				.remember('locale', person, locale)
				.catch((error: unknown) => log.error({ err: error }, 'A language could not be kept'));
		},

		/**
		 * As their client has told last, also in another process, else their server's; as `locale` of a person.
		 * @param server undefined in direct messages, or when it is not known
		 */
		async of(person: string, server: string | undefined): Promise<{ locale?: string }> {
			const known = await records.recall('locale', person).catch((error: unknown) => {
				log.warn({ err: error }, 'A language could not be looked up');
				return undefined;
			});
			const locale = known ?? server;
			return locale === undefined ? {} : { locale };
		},
	};
}
