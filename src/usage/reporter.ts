import type { Limit, Period } from '../domain/job.ts';
import type { Place } from '../domain/place.ts';
import type { Translate } from '../i18n/translator.ts';
import type { Plan } from './caps.ts';
import type { Ledger } from './ledger.ts';
import type { SettingsRepository } from './settings/settings-repository.ts';
import { windowsAt, zoneAt } from './windows.ts';

export type MonthReport = { table: string; csv: Uint8Array; chart: { png: Uint8Array; alt: string }; month: string };

/**
 * Makes the report of a server's month.
 *
 * @param month `2026-11`; the running month when undefined
 */
export type Reporter = (place: Place, month: string | undefined, t: Translate) => Promise<MonthReport>;

/** The length of a table that fits into one message with the text around it. Discord allows 2,000 characters. */
const TABLE_CHARACTERS = 1800;

/** Makes reports from receipts. The modules that draw charts are loaded with the first report. */
export function createReporter(parts: {
	ledger: Ledger;
	settings: SettingsRepository;
	plan: Plan;
	now: () => number;
}): Reporter {
	return async (place, requestedMonth, t) => {
		const { chartOf, csvOf, spanOf, summarize, tableOf } = await import('./report/index.ts');
		const settings = await parts.settings.get(place);
		const { limits, overageMills } = settings;
		const now = parts.now();
		const timeZone = zoneAt(settings, now);
		const month = requestedMonth ?? windowsAt(now, timeZone).month.id;
		const caps = { day: serverCap(limits, 'day'), month: serverCap(limits, 'month'), overage: overageMills };
		const { ledger, plan } = parts;
		const report = await summarize(ledger.receipts(place, spanOf(month, timeZone)), {
			...{ month, timeZone, caps, now, price: plan.price },
			dayTotals: await Array.fromAsync(ledger.dayTotals(place, month)),
		});
		const [csv, chart] = await Promise.all([csvOf(report, place.platform), chartOf(report, { t })]);
		return { month, table: tableOf(report, { maxCharacters: TABLE_CHARACTERS, t }), csv, chart };
	};
}

const serverCap = (limits: readonly Limit[], period: Period) =>
	limits.find((limit) => limit.what !== 'chat' && limit.scope === 'server' && limit.period === period)?.images;
