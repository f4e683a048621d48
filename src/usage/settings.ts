import { isPersonal, type Person, type Place, type ServerId } from '../domain/channel.ts';
import type { ActionAccess } from '../domain/command.ts';
import type { Limit, Period } from '../domain/job.ts';
import type { Easel } from '../easel.ts';
import { SentenceError } from '../i18n/translator.ts';
import { remainingMs, type Space } from '../store/store.ts';
import { counterField, counterKey, readCounters, serverWindows, type Zone, zoneAt } from './windows.ts';

/** Calls for pictures that a member may make beyond their cap in one window, and micro-USD that they may cost beyond it. */
export type Grant = {
	member: string;
	period: Period;
	window: string;
	images: number;
	usd?: number;
};

/** The settings of a server, set by its moderators. */
export type Settings = {
	/** How often they were changed. A commit that relies on them contains their guard; see `settingsGuard`. */
	version: number;
	/** IANA name of the time zone in which the server's days and months begin. */
	timeZone: string;
	/** The zone that holds until the running month ends, after a change. Set by the repository. */
	previousZone?: Zone['previousZone'];
	carried?: Zone['carried'];
	limits: readonly Limit[];
	/** Those of past windows are removed by the next grant. */
	grants: readonly Grant[];
	/** The most that this server may spend beyond the plan in a month, in mills. */
	overageMills: number;
	/** The channel in which moderators are notified that a cap is nearly reached. */
	noticeChannel?: string;
	/** The language (BCP 47) of messages to moderators and to a whole channel; English by default. */
	language?: string;
	/** Seconds between two requests of one member. */
	cooldownSeconds: number;
	/** How many requests of one member run at the same time; further ones wait. */
	atOnce: number;
	/** Ids of members who cannot use the bot. */
	blocked: readonly string[];
	/** Ids of the channels in which the bot can be used. A thread counts as its channel. Empty: all channels. */
	allowedChannels: readonly string[];
	/** Ids of roles, of which a member needs one. Empty: no role is needed. */
	allowedRoles: readonly string[];
	/** Words and phrases that a prompt must not contain, as moderators wrote them. */
	bannedWords: readonly string[];
	/** The categories of the moderation model that are refused. Empty: all. */
	moderationCategories: readonly string[];
	/** What becomes of a request about which the moderation model does not answer in time. */
	unmoderated: 'allow' | 'refuse';
	/** The id of the role, or user group, whose members are moderators besides those of the platform. */
	moderatorRole?: string;
	logChannel?: string;
	/** Ids of channels whose results, in their threads too, are posted as spoilers. */
	spoilerChannels: readonly string[];
	/** Ids of channels whose pictures, in their threads too, wait in the log channel until a moderator decides. */
	reviewChannels: readonly string[];
	/** How long a picture waits for a decision at most. */
	reviewHours: number;
	/** The end of a review without a decision. */
	undecided: 'reject' | 'show';
	/** How the bot is to talk in chats, in the words of the moderators. */
	persona?: string;
	/** The most tokens of an answer in chats, within what the operator allows. */
	answerTokens?: number;
	/** The first ids of channels that the platform has given another one, by that: their calls are counted under those. */
	firstIds?: Readonly<Record<string, string>>;
	/** Whether guests, and people of other workspaces in shared channels, may make requests. */
	outsiders: 'allow' | 'deny';
	/** Whose pictures a member may edit, compose and have described: everybody's, or only those that they have posted or made. */
	editable: 'all' | 'own';
	/** Ids of the apps and other bots that are answered when they mention the bot. */
	apps: readonly string[];
	/** A person is told by a mention that their pictures are finished when that took longer than so many seconds; 0: never. */
	noticeSeconds: number;
};

export const DEFAULT_SETTINGS: Settings = {
	version: 0,
	timeZone: 'UTC',
	limits: [],
	grants: [],
	overageMills: 0,
	cooldownSeconds: 0,
	atOnce: 2,
	blocked: [],
	allowedChannels: [],
	allowedRoles: [],
	bannedWords: [],
	moderationCategories: [],
	unmoderated: 'allow',
	spoilerChannels: [],
	reviewChannels: [],
	reviewHours: 24,
	undecided: 'reject',
	outsiders: 'allow',
	editable: 'all',
	apps: [],
	noticeSeconds: 0,
};

export const blockMember =
	(member: string) =>
	(settings: Settings): Settings => ({ ...settings, blocked: [...new Set([...settings.blocked, member])] });

export const unblockMember =
	(member: string) =>
	(settings: Settings): Settings => ({ ...settings, blocked: settings.blocked.filter((id) => id !== member) });

/**
 * Returns an edit of settings that sets the channel of the moderation log.
 * @throws SentenceError when the pictures of that channel are reviewed, since everybody there would see them before
 */
export const setLogChannel =
	(channel: string) =>
	(settings: Settings): Settings => {
		if (settings.reviewChannels.includes(channel)) throw new SentenceError('limits.review.errors.isLog');
		return { ...settings, logChannel: channel };
	};

/** Returns settings with another id in place of a channel's. */
function withChannel(settings: Settings, from: string, to: string): Settings {
	const id = <Id extends string | undefined>(channel: Id) => (channel === from ? to : channel);
	const { limits, allowedChannels, spoilerChannels, reviewChannels, logChannel, noticeChannel, firstIds } = settings;
	return {
		...settings,
		firstIds: { ...firstIds, [to]: firstIds?.[from] ?? from },
		limits: limits.map((limit) => (limit.scope === 'channel' ? { ...limit, target: id(limit.target) } : limit)),
		allowedChannels: allowedChannels.map(id),
		spoilerChannels: spoilerChannels.map(id),
		reviewChannels: reviewChannels.map(id),
		logChannel: id(logChannel),
		noticeChannel: id(noticeChannel),
	};
}

/** Tells whether results are posted as spoilers in a channel. They are when the settings could not be read. */
export const isSpoiler = (settings: Settings | undefined, { channel }: Place): boolean =>
	settings?.spoilerChannels.includes(channel) ?? true;

/** Tells whether pictures that are made in a place are reviewed. Direct messages are not: nobody else sees them. */
export const isReviewed = ({ reviewChannels }: Settings, { channel, direct }: Place): boolean =>
	!direct && reviewChannels.includes(channel);

/** How long it is known who changed the settings. */
const AUDIT_MS = 366 * 24 * 3600_000;

/** One change of a server's settings. Entries are numbered from 1. */
export type AuditEntry = {
	version: number;
	/** Unix milliseconds. */
	at: number;
	by: { id: string; name: string };
	command: string;
	/** The settings that the command changed, as they were and as they are now. */
	before: Partial<Settings>;
	after: Partial<Settings>;
	/** The calls of unknown outcome that were given back, which are no settings. */
	refund?: { member: string; calls: number };
};

type StoredSettings = { version: number; settings: Omit<Settings, 'version'> };

/** Who resets the settings of a server that removed the bot. */
const NOBODY: AuditEntry['by'] = { id: '', name: '' };

/** How many entries of the log one commit deletes. */
const AUDIT_BATCH = 100;

/** The settings of all servers, with the log of their changes. */
export class SettingsRepository {
	readonly #space: Space;
	readonly #now: () => number;
	readonly #personalLimits: readonly Limit[];

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

	/** Carries the rules of a channel, and what is counted there, on to its new id. */
	async renameChannel(place: ServerId, from: string, to: string): Promise<void> {
		await this.change(place, NOBODY, '', (settings) => withChannel(settings, from, to));
	}

	async get(place: ServerId): Promise<Settings> {
		const stored = await this.#space.keyv.get<StoredSettings>(settingsKey(place));
		// Settings that were stored before an option was introduced lack it.
		const defaults = isPersonal(place) ? { ...DEFAULT_SETTINGS, limits: this.#personalLimits } : DEFAULT_SETTINGS;
		const settings: Settings = { ...defaults, ...stored?.settings, version: stored?.version ?? 0 };
		if (settings.previousZone && settings.previousZone.until <= this.#now()) delete settings.previousZone;
		return settings;
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
	): Promise<{ settings: Settings; entry: AuditEntry }> {
		for (;;) {
			const before = await this.get(place);
			const at = this.#now();
			const edited = edit(before);
			const { previousZone, uncounted } = await this.#changeOfZone(place, before, edited, at);
			const changed: Settings = { ...edited, previousZone };
			const diff = id === NOBODY.id ? { before: {}, after: {} } : diffSettings(before, changed);
			const { version: _, ...settings } = changed;
			const version = before.version + 1;
			const entry: AuditEntry = { version, at, by: { id, name }, command, ...diff, refund };
			// The number of the audit entry is the lock: of two changes to one version, the second is a duplicate and starts over. So
			// does a change of the time zone when a call was counted meanwhile.
			const key = auditKey(place, version);
			const result = await this.#space.commit({
				once: key,
				// From now on, guards of the previous version are refused.
				add: [
					...uncounted.map(({ key: each }) => ({ ...counterField(each), by: 0, atMost: 0 })),
					{ key: versionKey(place), by: 1 },
				],
				put: [
					{ key, value: entry, ttlMs: AUDIT_MS },
					{ key: settingsKey(place), value: { version, settings } satisfies StoredSettings },
				],
			});
			if (result === 'done') return { settings: { ...changed, version }, entry };
		}
	}

	/**
	 * Returns the zone that holds for the rest of the month: a new zone holds from the next month on, so that no change resets a cap. Where
	 * nothing was counted in the running month, such as before the first call, it holds at once, while its counters stay `uncounted`.
	 */
	async #changeOfZone(
		place: ServerId,
		before: Settings,
		{ timeZone, previousZone }: Settings,
		at: number,
	): Promise<{ previousZone: Settings['previousZone']; uncounted: { key: string }[] }> {
		if (timeZone === before.timeZone) return { previousZone, uncounted: [] };
		const present = zoneAt(before, at);
		if (timeZone === present) return { previousZone: undefined, uncounted: [] };
		const { id, resetsAt } = serverWindows(before, at).month;
		const owner = isPersonal(place) ? 'member' : 'server';
		const uncounted = (['count', 'chat'] as const).map((kind) => {
			return { key: counterKey(kind, place.platform, place.server, owner, id) };
		});
		const counts = await readCounters(this.#space, uncounted);
		return counts.some((count) => count > 0)
			? { previousZone: { timeZone: present, until: resetsAt }, uncounted: [] }
			: { previousZone: undefined, uncounted };
	}

	/**
	 * Returns a server to the default settings, and deletes the log of its changes. The number of changes goes on, and the reset is an
	 * empty change, so that concurrent changes and guards still work.
	 */
	async reset(place: ServerId): Promise<void> {
		if ((await this.get(place)).version === 0) return;
		const { settings } = await this.change(place, NOBODY, '', () => DEFAULT_SETTINGS);
		const keys = Array.from({ length: settings.version - 1 }, (_, index) => auditKey(place, index + 1));
		for (let from = 0; from < keys.length; from += AUDIT_BATCH)
			await this.#space.commit({ remove: keys.slice(from, from + AUDIT_BATCH) });
	}

	/** Returns the latest changes, newest first. */
	async audit(place: ServerId, count: number): Promise<AuditEntry[]> {
		const { version } = await this.get(place);
		const keys = Array.from({ length: Math.min(count, version) }, (_, index) => auditKey(place, version - index));
		const entries = await this.#space.keyv.getMany<AuditEntry>(keys);
		return entries.filter((entry) => entry !== undefined).filter(({ by }) => by.id !== NOBODY.id);
	}
}

/** Removes the name of a moderator from a change of the settings. */
export async function unnameAudit(space: Space, { key }: { key: string }): Promise<void> {
	const raw = await space.keyv.getRaw<AuditEntry>(key);
	if (!raw?.value || raw.value.by.name === '') return;
	const value: AuditEntry = { ...raw.value, by: { id: raw.value.by.id, name: '' } };
	await space.keyv.set(key, value, remainingMs(raw.expires));
}

/** Returns the settings that differ between two versions, as they were before and are after. */
function diffSettings(before: Settings, after: Settings): { before: Partial<Settings>; after: Partial<Settings> } {
	const names = (Object.keys({ ...before, ...after }) as (keyof Settings)[]).filter(
		(name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
	);
	const pick = (from: Settings) => Object.fromEntries(names.map((name) => [name, from[name]]));
	return { before: pick(before), after: pick(after) };
}

const settingsKey = ({ platform, server }: ServerId) => `settings:${platform}:${server}`;
const versionKey = ({ platform, server }: ServerId) => `version:${platform}:${server}`;
const auditKey = ({ platform, server }: ServerId, version: number) =>
	`audit:${platform}:${server}:${String(version).padStart(9, '0')}`;

/** Returns the step that makes a commit fail once the settings of a server have changed. */
export const settingsGuard = (place: ServerId, { version }: Settings) => ({
	key: versionKey(place),
	by: 0,
	atMost: version,
});

/**
 * Returns a person with the rights that they have in a place: members who have the role, or user group, that the server's settings name are
 * moderators. The settings are read each time, so that a change holds at once, in every process. What everyone may do does not wait for them.
 *
 * @throws StoreError when the access of moderators depends on settings that cannot be read; for other accesses, people keep the rights that
 * they have without them
 */
export async function withRights(
	{ settings }: Easel,
	person: Person,
	place: Place,
	access: ActionAccess,
): Promise<Person> {
	const { moderator, mayModerate = true, roles = [] } = person;
	if (access === 'everyone' || moderator || !mayModerate || roles.length === 0 || isPersonal(place)) return person;
	const current = settings.get(place);
	const { moderatorRole } = await (access === 'moderators' ? current : current.catch(() => DEFAULT_SETTINGS));
	const hasRole = moderatorRole !== undefined && roles.includes(moderatorRole);
	return hasRole ? { ...person, moderator: true, byRole: true } : person;
}
