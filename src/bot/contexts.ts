import type { Page } from '../domain/channel.ts';
import type { Person } from '../domain/place.ts';
import { translatorFor } from '../i18n/translator.ts';
import { createReporter } from '../usage/reporter.ts';
import { ServerAdmin } from '../usage/settings/server-admin.ts';
import type { Context, UsageView } from './declaration/command.ts';
import type { Privacy } from './privacy/privacy.ts';
import { historyPage } from './results/history.ts';
import { foundResults } from './search/found-results.ts';
import type { BotServices } from './services.ts';

/** Creates the context of a command for a person in a channel, without the options. */
export type Contexts = (person: Person, channel: Page) => Omit<Context, 'options'>;

export function contextsOf(services: BotServices, privacy: Privacy): Contexts {
	const { service, ledger, settings, stopping } = services;
	const report = createReporter(services);
	return (person, channel) => {
		const { place } = channel;
		const usage: UsageView = {
			status: async (member) => {
				const current = await settings.get(place);
				const [pictures, chat] = await Promise.all([
					ledger.usageStatus(place, member, 'pictures', current),
					ledger.usageStatus(place, member, 'chat', current),
				]);
				// Chat turns are shown only where they are used or capped.
				return [...chat.filter(({ limit, used }) => limit !== undefined || used > 0), ...pictures];
			},
			async undelivered() {
				const { undeliveredResults } = services;
				const jobs = await undeliveredResults.jobs(place, person);
				const answers = (await undeliveredResults.answers(jobs)).filter((answer) => answer !== undefined).length;
				return { pictures: jobs.length - answers, answers };
			},
		};
		const serverAdmin = new ServerAdmin({ ...services, report }, place, person);
		return {
			person,
			t: translatorFor(person.locale),
			place,
			service,
			usage,
			serverAdmin,
			async isVisibleToEveryone(id) {
				const { platform, server } = place;
				const other = await services.open({ platform, server, channel: id });
				return (await other?.isVisibleToEveryone?.()) === true;
			},
			results: {
				history: (member) => historyPage(services, person, channel, { member }),
				find: (words, own) => foundResults(services, person, channel, { words, own }),
			},
			privacy: privacy.viewOf(person, place, channel.limits),
			show: channel,
			signal: stopping,
		};
	};
}
