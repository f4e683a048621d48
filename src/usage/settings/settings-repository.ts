import { LRUCache } from 'lru-cache';
import type { Limit } from '../../domain/job.ts';
import { isPersonal, type ServerId } from '../../domain/place.ts';
import type { Change, Space } from '../../store/store.ts';
import { DEFAULT_SETTINGS, diffSettings, type Settings } from './settings.ts';
import { counterKey, serverWindows, zoneAt } from './windows.ts';

/** How long it is known who changed the settings. */
const AUDIT_MS = 366 * 24 * 3600_000;

/** One change of a server's settings. Entries are numbered from 1. */
export type AuditEntry = {
	version: number;
	/** Unix milliseconds. */
	at: number;
	by: { id: string; name: string };
	/** The command that made the change. */
	command: string;
	/** The settings that the command changed, as they were and as they are now. */
	before: Partial<Settings>;
	after: Partial<Settings>;
	/** The calls of unknown outcome that were given back, which are no settings. */
	refund?: { member: string; calls: number };
};

/** Settings as they were read, and a step that makes a commit fail once they have changed. */
export type CachedSettings = { settings: Settings; guard: { key: string; by: 0; atMost: number } };

type StoredSettings = { version: number; settings: Settings };

/** Who resets the settings of a server that removed the bot. */
const NOBODY: AuditEntry['by'] = { id: '', name: '' };

/** How many entries of the log one commit deletes. */
const AUDIT_BATCH = 100;

/** How many servers' settings are cached. */
const MAX_CACHED_SERVERS = 1000;

/** The settings of all servers, with the log of their changes. */
export class SettingsRepository {
	readonly #space: Space;
	readonly #now: () => number;
	readonly #personalLimits: readonly Limit[];
	readonly #cache = new LRUCache<string, CachedSettings>({ maxSize: MAX_CACHED_SERVERS, sizeCalculation: () => 1 });

	/**
	 * @param now returns Unix milliseconds
	 * @param directImagesPerDay the daily cap of a person who uses the bot outside of any server; no cap when undefined
	 */
	constructor(space: Space, now: () => number, directImagesPerDay?: number) {
		this.#space = space;
		this.#now = now;
		this.#personalLimits =
			directImagesPerDay === undefined ? [] : [{ scope: 'member', period: 'day', images: directImagesPerDay }];
	}

	/** Reads the settings from the store. */
	async get(place: ServerId): Promise<Settings> {
		return (await this.#read(place)).settings;
	}

	/**
	 * Returns the settings as this process last read them. They may be out of date, so a commit that relies on them must
	 * contain their guard; where the guard refuses it, `invalidate` them and try again.
	 */
	async cached(place: ServerId): Promise<CachedSettings> {
		const key = versionKey(place);
		const cached = this.#cache.get(key);
		if (cached) return cached;
		const { version, settings } = await this.#read(place);
		const fresh: CachedSettings = { settings, guard: { key, by: 0, atMost: version } };
		this.#cache.set(key, fresh);
		return fresh;
	}

	invalidate(place: ServerId): void {
		this.#cache.delete(versionKey(place));
	}

	/**
	 * Changes the settings and appends to the audit log, in one commit. Concurrent changes are applied one after the other.
	 *
	 * @param edit may be called several times, each time with newer settings
	 */
	async change(
		place: ServerId,
		{ id, name }: AuditEntry['by'],
		command: string,
		edit: (settings: Settings) => Settings,
		refund?: AuditEntry['refund'],
	): Promise<AuditEntry> {
		for (;;) {
			const { version, settings } = await this.#read(place);
			const at = this.#now();
			const edited = edit(settings);
			const { zone, guards } = await this.#changeOfZone(place, settings, edited.timeZone, at);
			const changed: Settings = { ...edited, ...zone };
			const isReset = id === NOBODY.id;
			const diff = isReset ? { before: {}, after: {} } : diffSettings(settings, changed);
			const entry: AuditEntry = { version: version + 1, at, by: { id, name }, command, ...diff, refund };
			// The number of the audit entry is the lock: of two changes to one version, the second is a duplicate and starts over. So
			// does a change of the time zone when a call was counted meanwhile.
			const key = auditKey(place, entry.version);
			const result = await this.#space.commit({
				once: key,
				// From now on, guards of the previous version are refused.
				add: [...guards.add, { key: versionKey(place), by: 1 }],
				put: [
					{ key, value: entry, ttlMs: AUDIT_MS },
					{ key: settingsKey(place), value: { version: entry.version, settings: changed } satisfies StoredSettings },
				],
				remove: guards.remove,
			});
			if (result === 'done') return entry;
		}
	}

	/**
	 * Returns what a change of the time zone stores: a new zone holds from the next month on, so that no change resets a cap. Where nothing
	 * was counted in the running month, such as before the first call, it holds at once.
	 */
	async #changeOfZone(
		place: ServerId,
		settings: Settings,
		timeZone: string,
		at: number,
	): Promise<{ zone: Partial<Settings>; guards: Required<Pick<Change, 'add' | 'remove'>> }> {
		const guards = { add: [], remove: [] };
		if (timeZone === settings.timeZone) return { zone: {}, guards };
		const present = zoneAt(settings, at);
		if (timeZone === present) return { zone: { previousZone: undefined }, guards };
		const { id, resetsAt } = serverWindows(settings, at).month;
		const { platform, server } = place;
		const owner = isPersonal(place) ? 'member' : 'server';
		const keys = (['count', 'chat'] as const).map((kind) => counterKey(kind, platform, server, owner, id));
		const counts = await this.#space.keyv.getMany<number>(keys);
		if (counts.some((count = 0) => count > 0))
			return { zone: { previousZone: { timeZone: present, until: resetsAt } }, guards };
		// Refused when a call is counted meanwhile. Counters of 0 that these steps create are removed by the same commit.
		const add = keys.map((key) => ({ key, by: 0, atMost: 0 }));
		return { zone: { previousZone: undefined }, guards: { add, remove: keys } };
	}

	/**
	 * Returns a server to the default settings, and deletes the log of its changes. The number of changes goes on, and the reset is an
	 * empty change, so that concurrent changes and guards still work.
	 */
	async reset(place: ServerId): Promise<void> {
		const { version } = await this.#read(place);
		if (version === 0) return;
		const { version: last } = await this.change(place, NOBODY, '', () => DEFAULT_SETTINGS);
		const keys = Array.from({ length: last - 1 }, (_, index) => auditKey(place, index + 1));
		for (let from = 0; from < keys.length; from += AUDIT_BATCH)
			await this.#space.commit({ remove: keys.slice(from, from + AUDIT_BATCH) });
	}

	/** Returns the latest changes, newest first. */
	async audit(place: ServerId, count: number): Promise<AuditEntry[]> {
		const { version } = await this.#read(place);
		const keys = Array.from({ length: Math.min(count, version) }, (_, index) => auditKey(place, version - index));
		const entries = await this.#space.keyv.getMany<AuditEntry>(keys);
		return entries.filter((entry) => entry !== undefined).filter(({ by }) => by.id !== NOBODY.id);
	}

	async #read(place: ServerId): Promise<StoredSettings> {
		const stored = await this.#space.keyv.get<StoredSettings>(settingsKey(place));
		// Settings that were stored before an option was introduced lack it.
		const defaults = isPersonal(place) ? { ...DEFAULT_SETTINGS, limits: this.#personalLimits } : DEFAULT_SETTINGS;
		const settings: Settings = { ...defaults, ...stored?.settings };
		if (settings.previousZone && settings.previousZone.until <= this.#now()) delete settings.previousZone;
		return { version: stored?.version ?? 0, settings };
	}
}

const settingsKey = ({ platform, server }: ServerId) => `settings:${platform}:${server}`;
const versionKey = ({ platform, server }: ServerId) => `version:${platform}:${server}`;
const auditKey = ({ platform, server }: ServerId, version: number) =>
	`audit:${platform}:${server}:${String(version).padStart(9, '0')}`;
