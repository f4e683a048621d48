import { isPersonal, isSameServer, type ServerId } from '../../domain/channel.ts';
import type { Easel } from '../../easel.ts';
import { tryAndLog } from '../../log.ts';
import { Collection, idOfMember, membersOf, pagesOf, type Space, timedMember, timeKey } from '../../store/store.ts';
import { MONTHS, monthOf, receiptsOf, serverMonthOf } from '../../usage/jobs.ts';
import { ERASURE_MS } from '../../usage/totals.ts';

/** The time in which a server that invites the bot again gets its data back. */
const REMOVAL_MS = 30 * 24 * 3600_000;

/** The index of the servers whose data will be erased, by the time of the erasure. */
const REMOVALS = 'removals';

/** The number of pages of the receipts' index that one sweep compares with the platforms. */
const PAGES_PER_SWEEP = 100;

/** A server that the bot was removed from. It is kept after the erasure, so that leftover receipts do not schedule it again. */
type Removal = {
	/** When the removal was reported, or found; Unix milliseconds. */
	at: number;
	/** When the data is erased; Unix milliseconds. */
	due: number;
	/** `event` when the platform reported the removal, `found` when the bot is no longer in a server that has receipts. */
	cause: 'event' | 'found';
	isErased?: true;
};

export const removals = new Collection<Removal, ServerId>('erasures/removal:', {
	owner: 'server',
	holds: 'when a server removed the bot, and whether its data was erased',
	lifetime: ERASURE_MS,
	until: '400 days, or until it invites the bot again',
	key: ({ platform, server }) => `${platform}:${server}`,
	indexed: (key, removal) =>
		removal.isErased ? [] : [{ index: REMOVALS, member: timedMember(removal.due, idIn(key)) }],
});

/** Returns what comes after the first colon: the server in a key, or in the name of one. */
const idIn = (text: string) => text.slice(text.indexOf(':') + 1);

/** Erases the data of servers 30 days after the bot was removed from them, unless it is invited again. */
export class Removals {
	readonly #easel: Easel;
	readonly #space: Space;
	readonly #receipts: Space;
	/** The last member of the receipts' index that was compared; undefined at its beginning. */
	#comparedTo: string | undefined;

	constructor(easel: Easel) {
		this.#easel = easel;
		this.#space = removals.in(easel);
		this.#receipts = easel.store.space('ledger');
	}

	/** Schedules the erasure of a server. A repeated event only moves it to 30 days after the event. */
	async schedule(server: ServerId, cause: Removal['cause'] = 'event'): Promise<void> {
		const { now } = this.#easel;
		const earlier = await removals.get(this.#space, server);
		if (earlier && cause === 'found') return;
		const removal: Removal = { at: now(), due: now() + REMOVAL_MS, cause };
		await this.#space.commit(removals.replacing(this.#easel, server, removal, earlier));
	}

	/** Keeps the data of a server that the bot is in again. */
	async cancel(server: ServerId): Promise<void> {
		const removal = await removals.get(this.#space, server);
		if (removal) await this.#space.commit(removals.removal(removals.key(server), removal));
	}

	/** Schedules servers that removed the bot while nothing received their events, and erases those that are due. */
	async sweep(): Promise<void> {
		const { log, now } = this.#easel;
		await this.#findRemoved();
		for await (const member of membersOf(this.#space, REMOVALS, { before: timeKey(now() + 1) }))
			await tryAndLog(log, 'The data of a server could not be erased', () => this.#erase(member));
	}

	async #findRemoved(): Promise<void> {
		let pages = 0;
		const { now, retentionMs } = this.#easel;
		const after = this.#comparedTo ?? monthOf(now() - retentionMs);
		this.#comparedTo = undefined;
		for await (const page of pagesOf(this.#receipts, MONTHS, { after })) {
			for (const { server } of page.map(serverMonthOf))
				if ((await this.#isInServer(server)) === false) await this.schedule(server, 'found');
			if (++pages < PAGES_PER_SWEEP) continue;
			this.#comparedTo = page.at(-1);
			return;
		}
	}

	async #erase(member: string): Promise<void> {
		const { log } = this.#easel;
		const space = this.#space;
		const name = idOfMember(member);
		// Ids of servers may contain a colon.
		const server = { platform: name.slice(0, name.indexOf(':')), server: idIn(name) };
		const removal = await removals.get(space, server);
		if (!removal || removal.isErased || timedMember(removal.due, name) !== member) {
			await space.commit({ unindex: [{ index: REMOVALS, member }] });
			return;
		}
		const isInServer = await this.#isInServer(server);
		if (isInServer === undefined || (await this.#hasOpenJob(server))) return;
		// On Discord, a server can use the commands without the bot as a member.
		if (isInServer || (await this.#wasUsed(server, removal.at))) return this.cancel(server);
		await this.#easel.privacy.eraseServer(server);
		if (removal.cause === 'event') await this.#easel.settings.reset(server);
		// Last, so that an interrupted erasure is repeated.
		await space.commit(removals.replacing(this.#easel, server, { ...removal, isErased: true }, removal));
		log.info({ ...server }, 'The data of a server was erased that had removed the bot');
	}

	/** Returns undefined when this process cannot know it. */
	async #isInServer(server: ServerId): Promise<boolean | undefined> {
		if (isPersonal(server)) return undefined;
		return this.#easel.platforms.all.find(({ name }) => name === server.platform)?.isInServer?.(server.server);
	}

	async #hasOpenJob(server: ServerId): Promise<boolean> {
		for await (const { place } of this.#easel.ledger.openJobs()) if (isSameServer(place, server)) return true;
		return false;
	}

	async #wasUsed(server: ServerId, since: number): Promise<boolean> {
		const { settings, now } = this.#easel;
		for await (const _ of receiptsOf(this.#receipts, server, { from: since + 1, to: now() + 1 })) return true;
		return (await settings.audit(server, 1)).some(({ at }) => at > since);
	}
}
