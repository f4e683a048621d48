import { codeOf, refusedErrorOf } from '../api/slack-errors.ts';
import type { Installations } from '../installation/installation.ts';
import type { People } from '../people/people.ts';

export type TranslateErrors = <Result>(server: string, work: () => Promise<Result>) => Promise<Result>;

/** Returns a function that replaces errors of Slack's by sentences that tell people what to do, with the bot's name in them. */
export const createTranslateErrors =
	({ installations, people }: { installations: Installations; people: Pick<People, 'person'> }): TranslateErrors =>
	async (server, work) => {
		try {
			return await work();
		} catch (error) {
			const installation =
				codeOf(error) === undefined ? undefined : await installations.of(server).catch(() => undefined);
			throw refusedErrorOf(error, installation && (await people.person(server, installation.botUser)).name);
		}
	};
