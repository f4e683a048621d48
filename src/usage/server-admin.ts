import { callKindOf, type Limit } from '../domain/limit.ts';
import type { Person } from '../domain/person.ts';
import type { Place } from '../domain/place.ts';
import { type Translate, translatorFor } from '../i18n/translator.ts';
import { serverLayers } from './layers.ts';
import type { Ledger } from './ledger.ts';
import type { AuditEntry, Settings, SettingsRepository } from './settings.ts';

/** What moderators see and change of one server. */
export type ServerAdmin = {
	settings(): Promise<Settings>;
	/** Every change is written down with who, when, before and after. */
	change(command: string, edit: (settings: Settings) => Settings): Promise<AuditEntry>;
	/** Sets one cap in place of the one that was there. What its window has seen already counts. */
	setLimit(limit: Limit): Promise<AuditEntry>;
	/** Takes a cap away and returns it; undefined when there is none like it. */
	clearLimit(cap: Omit<Limit, 'images'>): Promise<Limit | undefined>;
	/** The newest changes, the newest first. */
	audit(count: number): Promise<AuditEntry[]>;
	/** Who used what in a month, `2026-11`; the running one by default. */
	report(month?: string): Promise<MonthReport>;
};

export type MonthReport = { table: string; csv: Uint8Array; chart: { png: Uint8Array; alt: string }; month: string };

/** Makes a month's report of a server; the means for it are loaded when it is asked for. */
export type Reporter = (place: Place, month: string | undefined, t: Translate) => Promise<MonthReport>;

export function createServerAdmin(
	parts: { settings: SettingsRepository; ledger: Ledger; report: Reporter; now: () => number },
	place: Place,
	by: Pick<Person, 'id' | 'name' | 'locale'>,
): ServerAdmin {
	const { settings, ledger, now } = parts;
	const change: ServerAdmin['change'] = (command, edit) =>
		settings.change(place, { id: by.id, name: by.name }, command, edit);
	return {
		settings: () => settings.get(place),
		change,
		async setLimit(limit) {
			const entry = await change('limits set', (before) => ({
				...before,
				limits: [...before.limits.filter((other) => !sameCap(other, limit)), limit],
			}));
			await adoptChannel(limit);
			return entry;
		},
		async clearLimit(cap) {
			const there = (await settings.get(place)).limits.find((limit) => sameCap(limit, cap));
			if (there)
				await change('limits clear', (before) => ({
					...before,
					limits: before.limits.filter((limit) => !sameCap(limit, cap)),
				}));
			return there;
		},
		audit: async (count) => (await settings.audit(place)).slice(-count).reverse(),
		report: (month) => parts.report(place, month, translatorFor(by.locale)),
	};

	/** Server and members are always counted; a channel is counted from the moment it has a cap. */
	async function adoptChannel({ scope, target, period, what }: Limit) {
		if (scope !== 'channel' || target === undefined) return;
		const where = { ...place, channel: target };
		const layers = serverLayers(await settings.get(place), where, { id: by.id }, now(), what);
		const layer = layers.find(({ name, period: other }) => name === 'channel' && other === period);
		if (layer) await ledger.backfillCounter(where, layer);
	}
}

/** Two caps on the same thing: the later one takes the place of the earlier. */
const sameCap = (a: Omit<Limit, 'images'>, b: Omit<Limit, 'images'>) =>
	callKindOf(a) === callKindOf(b) && a.scope === b.scope && a.target === b.target && a.period === b.period;
