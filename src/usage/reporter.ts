import type { Plan } from './layers.ts';
import type { Ledger } from './ledger.ts';
import type { Reporter } from './server-admin.ts';
import type { SettingsRepository } from './settings.ts';
import { windowsAt } from './windows.ts';

/** The room for a table in one message: Discord's limit, less what is said around it. */
const TABLE_CHARACTERS = 1800;

/** Makes reports from receipts. Charts are loaded with the first one. */
export function createReporter(parts: {
	ledger: Ledger;
	settings: SettingsRepository;
	plan: Plan;
	now: () => number;
}): Reporter {
	return async (place, asked, t) => {
		const { chartOf, csvOf, summarise, tableOf } = await import('./report/index.ts');
		const { timeZone, limits, overageMills } = await parts.settings.get(place);
		const now = parts.now();
		const month = asked ?? windowsAt(now, timeZone).month.id;
		const cap = (period: 'day' | 'month') =>
			limits.find((limit) => limit.what !== 'chat' && limit.scope === 'server' && limit.period === period)?.images;
		const [day, total] = [cap('day'), cap('month')];
		const caps = {
			...(day !== undefined && { day }),
			...(total !== undefined && { month: total }),
			overage: overageMills,
		};
		const report = await summarise(parts.ledger.receipts(place), {
			month,
			timeZone,
			caps,
			now,
			price: parts.plan.price,
		});
		const [csv, chart] = await Promise.all([csvOf(report), chartOf(report, { t })]);
		return { month, table: tableOf(report, { maxCharacters: TABLE_CHARACTERS, t }), csv, chart };
	};
}
