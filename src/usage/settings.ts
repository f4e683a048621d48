import type { Limit } from '../domain/limit.ts';
import type { Place } from '../domain/place.ts';
import type { Space } from '../store/store.ts';

/** Whose settings they are. */
type ServerOf = Pick<Place, 'platform' | 'server'>;

/** What the moderators of a server have set. */
export type Settings = {
	/** IANA name: where days and months begin. */
	timeZone: string;
	limits: readonly Limit[];
	/** The most that this server may spend beyond the plan in a month, in mills. */
	overageMills: number;
	/** The channel where moderators are told of caps coming near. */
	noticeChannel?: string;
	/** BCP 47: what is said to moderators, and to nobody in particular. English where it is not set. */
	language?: string;
	/** Seconds between two requests of one member. */
	cooldownSeconds: number;
	/** Requests of one member that run at once; more wait. */
	atOnce: number;
	/** Members who may not ask. */
	blocked: readonly string[];
	/** Where may be asked, threads as their channels; empty for everywhere. */
	allowedChannels: readonly string[];
	/** Roles of which a member needs one to ask; empty for none. */
	allowedRoles: readonly string[];
	/** Words and phrases that nothing may be asked with, as moderators wrote them. */
	bannedWords: readonly string[];
	/** The channel where moderators see every picture that was made. */
	logChannel?: string;
	/** Channels, and their threads, whose results are posted covered. */
	spoilerChannels: readonly string[];
};

const DEFAULT_SETTINGS: Settings = {
	timeZone: 'UTC',
	limits: [],
	overageMills: 0,
	cooldownSeconds: 0,
	atOnce: 2,
	blocked: [],
	allowedChannels: [],
	allowedRoles: [],
	bannedWords: [],
	spoilerChannels: [],
};

/** One change of the settings, kept for good. */
export type AuditEntry = {
	version: number;
	/** Unix milliseconds. */
	at: number;
	by: { id: string; name: string };
	/** The command that did it. */
	command: string;
	/** The settings that it changed, as they were and as they became. */
	before: Partial<Settings>;
	after: Partial<Settings>;
};

/** Settings as they were read, and a step for a commit that is refused once they have changed. */
export type CachedSettings = { settings: Settings; guard: { key: string; by: 0; atMost: number } };

export type SettingsRepository = {
	/**
	 * The settings as this process last read them, without asking the store again. They may be out of date: a commit that
	 * rests on them has to carry their guard, and where that is refused, they are `outdated`.
	 */
	cached(place: ServerOf): Promise<CachedSettings>;
	invalidate(place: ServerOf): void;
	get(place: ServerOf): Promise<Settings>;
	/** Changes the settings and writes down who did it. Two changes at once follow one another; neither is lost. */
	change(
		place: ServerOf,
		by: AuditEntry['by'],
		command: string,
		edit: (settings: Settings) => Settings,
	): Promise<AuditEntry>;
	/** Every change, the oldest first. */
	audit(place: ServerOf): Promise<AuditEntry[]>;
};

/** Settings of this many servers are held. */
const HELD_SERVERS = 1000;

type Versioned = { version: number; settings: Settings };

/** Whether a place belongs to no server, but to one person by themselves: there are no moderators who could set anything. */
export const isPersonal = ({ server }: Pick<Place, 'server'>) => server.startsWith('user:');

/** @param directImagesPerDay calls a day of somebody who comes under no server's caps; no cap where it is not said */
export function createSettingsRepository(
	space: Space,
	now: () => number,
	directImagesPerDay?: number,
): SettingsRepository {
	const personal: readonly Limit[] =
		directImagesPerDay === undefined ? [] : [{ scope: 'member', period: 'day', images: directImagesPerDay }];

	const settingsKey = ({ platform, server }: ServerOf) => `settings:${platform}:${server}`;
	const auditPrefix = ({ platform, server }: ServerOf) => `audit:${platform}:${server}:`;
	const read = async (place: ServerOf): Promise<Versioned> => {
		const stored = await space.keyv.get<Versioned>(settingsKey(place));
		// What was stored before a setting came to be does not have it.
		const defaults = isPersonal(place) ? { ...DEFAULT_SETTINGS, limits: personal } : DEFAULT_SETTINGS;
		return { version: stored?.version ?? 0, settings: { ...defaults, ...stored?.settings } };
	};

	const versionKey = ({ platform, server }: ServerOf) => `version:${platform}:${server}`;
	const held = new Map<string, CachedSettings>();

	return {
		async cached(place) {
			const key = versionKey(place);
			const known = held.get(key);
			if (known) return known;
			const { version, settings } = await read(place);
			const fresh: CachedSettings = { settings, guard: { key, by: 0, atMost: version } };
			const oldest = held.keys().next();
			if (held.size >= HELD_SERVERS && !oldest.done) held.delete(oldest.value);
			held.set(key, fresh);
			return fresh;
		},
		invalidate: (place) => void held.delete(versionKey(place)),
		get: async (place) => (await read(place)).settings,
		async change(place, by, command, edit) {
			for (;;) {
				const { version, settings } = await read(place);
				const changed = edit(settings);
				const names = (Object.keys({ ...settings, ...changed }) as (keyof Settings)[]).filter(
					(name) => JSON.stringify(settings[name]) !== JSON.stringify(changed[name]),
				);
				const only = (from: Settings) => Object.fromEntries(names.map((name) => [name, from[name]]));
				const entry: AuditEntry = {
					version: version + 1,
					at: now(),
					by,
					command,
					before: only(settings),
					after: only(changed),
				};
				// The audit entry's number is the lock: of two changes to one version the second is a duplicate, and reads anew.
				const key = auditPrefix(place) + String(entry.version).padStart(9, '0');
				const put = [
					{ key, value: entry },
					{ key: settingsKey(place), value: { version: entry.version, settings: changed } },
				];
				// Settings that were read before are refused by this from now on.
				const add = [{ key: versionKey(place), by: 1 }];
				if ((await space.commit({ once: key, add, put })) === 'done') return entry;
			}
		},
		async audit(place) {
			const entries = await Array.fromAsync(space.list(auditPrefix(place)), ([, entry]) => entry as AuditEntry);
			return entries.sort((a, b) => a.version - b.version);
		},
	};
}

/** The settings with one more member who may not ask. */
export const blockMember =
	(member: string) =>
	(settings: Settings): Settings => ({ ...settings, blocked: [...new Set([...settings.blocked, member])] });
