import { callKindOf, type Limit, type Period, type Receipt } from '../../domain/job.ts';
import type { Place, Requester } from '../../domain/place.ts';
import { translatorFor } from '../../i18n/translator.ts';
import { grantedTo, type Layer, operatorLayers, type Plan, serverLayers } from '../caps.ts';
import type { Ledger } from '../ledger.ts';
import type { MonthReport, Reporter } from '../reporter.ts';
import { serverWindows, type Window } from '../windows.ts';
import type { Settings } from './settings.ts';
import type { AuditEntry, SettingsRepository } from './settings-repository.ts';

type ServerAdminOptions = {
	settings: SettingsRepository;
	ledger: Ledger;
	plan: Plan;
	report: Reporter;
	/** Returns Unix milliseconds. */
	now: () => number;
};

/** Identifies a cap: two caps that are equal in these fields replace each other. */
type CapId = Omit<Limit, 'images'>;

/** Reads and changes that a moderator can make in one server. */
export class ServerAdmin {
	readonly #options: ServerAdminOptions;
	readonly #place: Place;
	readonly #moderator: Requester;

	constructor(options: ServerAdminOptions, place: Place, moderator: Requester) {
		this.#options = options;
		this.#place = place;
		this.#moderator = moderator;
	}

	settings(): Promise<Settings> {
		return this.#options.settings.get(this.#place);
	}

	/**
	 * Changes the settings, and records the change with its author in the audit log.
	 *
	 * @param command the command that the audit log names
	 */
	change(command: string, edit: (settings: Settings) => Settings): Promise<AuditEntry> {
		const { id, name } = this.#moderator;
		return this.#options.settings.change(this.#place, { id, name }, command, edit);
	}

	/**
	 * Sets a cap, in place of the previous one. Calls that its window has already seen count against it.
	 *
	 * @returns how much of the cap is used already, undefined for a cap that several counters have; and the operator's caps, which hold
	 * beside it
	 */
	async setLimit(limit: Limit): Promise<{ used?: number; operatorCaps: Layer[] }> {
		const { plan, now } = this.#options;
		let after!: Settings;
		await this.change('limits set', (before) => {
			after = { ...before, limits: [...before.limits.filter((other) => !isSameCap(other, limit)), limit] };
			return after;
		});
		const operatorCaps = operatorLayers(plan.caps, this.#place, this.#moderator.id, now());
		return { used: await this.#usedOf(limit, after), operatorCaps };
	}

	/** Removes a cap and returns it, or undefined when there was none. */
	async clearLimit(cap: CapId): Promise<Limit | undefined> {
		const current = (await this.settings()).limits.find((limit) => isSameCap(limit, cap));
		if (current)
			await this.change('limits clear', (before) => ({
				...before,
				limits: before.limits.filter((limit) => !isSameCap(limit, cap)),
			}));
		return current;
	}

	/** Lets a member make more calls than their cap in the running day or month. Returns the window, and all that is granted in it. */
	async grant(member: string, images: number, period: Period): Promise<{ window: Window; granted: number }> {
		let result!: { window: Window; granted: number };
		await this.change('limits grant', (before) => {
			const windows = serverWindows(before, this.#options.now());
			const window = windows[period];
			const granted = images + grantedTo(before, { id: member }, period, window.id);
			const others = before.grants.filter(
				(grant) => grant.window === windows[grant.period].id && !(grant.member === member && grant.period === period),
			);
			result = { window, granted };
			return { ...before, grants: [...others, { member, period, window: window.id, images: granted }] };
		});
		return result;
	}

	/** Gives back a member's calls of unknown outcome. Returns how many. The log has the change before the first call is given back. */
	async refund(member: string): Promise<number> {
		return this.refundCalls(await Array.fromAsync(this.#options.ledger.unknownCalls(this.#place, member)));
	}

	/** Returns calls of unknown outcome that a refund would give back, oldest first, at most so many. */
	unknownCalls(count: number): Promise<Receipt[]> {
		return Array.fromAsync(take(this.#options.ledger.unknownCalls(this.#place), count));
	}

	/** Gives back these calls; see `refund`. */
	async refundCalls(receipts: readonly Receipt[]): Promise<number> {
		const { ledger, settings } = this.#options;
		const { id, name } = this.#moderator;
		for (const [member, calls] of Map.groupBy(receipts, ({ person }) => person.id)) {
			const refund = { member, calls: calls.length };
			await settings.change(this.#place, { id, name }, 'limits refund', (before) => before, refund);
		}
		return receipts.length === 0 ? 0 : ledger.refund(this.#place, receipts);
	}

	/** Returns the latest changes, newest first. */
	audit(count: number): Promise<AuditEntry[]> {
		return this.#options.settings.audit(this.#place, count);
	}

	/**
	 * Reports the usage of a month, in the moderator's language.
	 *
	 * @param month `2026-11`; the running month by default
	 */
	report(month?: string): Promise<MonthReport> {
		return this.#options.report(this.#place, month, translatorFor(this.#moderator.locale));
	}

	async #usedOf({ scope, target, period, what }: Limit, settings: Settings): Promise<number | undefined> {
		if (scope === 'role' || (scope !== 'server' && target === undefined)) return undefined;
		const place = scope === 'channel' && target !== undefined ? { ...this.#place, channel: target } : this.#place;
		const member = { id: scope === 'member' && target !== undefined ? target : this.#moderator.id };
		const layers = serverLayers(settings, place, member, this.#options.now(), what);
		const layer = layers.find((each) => each.name === scope && each.period === period);
		return layer && this.#options.ledger.usedOf(layer);
	}
}

const isSameCap = (a: CapId, b: CapId) =>
	callKindOf(a) === callKindOf(b) && a.scope === b.scope && a.target === b.target && a.period === b.period;

async function* take<T>(all: AsyncIterable<T>, count: number): AsyncGenerator<T> {
	let taken = 0;
	for await (const one of all) {
		if (taken++ === count) return;
		yield one;
	}
}
