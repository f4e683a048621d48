import { randomUUID } from 'node:crypto';
import type { Receipt } from '../domain/job.ts';
import { isPersonal, type ServerId } from '../domain/place.ts';
import { type PersonRef, personKeysOf } from '../store/kinds.ts';
import type { Change, Space } from '../store/store.ts';
import type { AuditEntry } from './settings/settings-repository.ts';
import type { DayTotal } from './totals.ts';

/** Longer than backups are kept: everything of a person that a restore could bring back has expired by then. */
export const ERASURE_MS = 400 * 24 * 3600_000;

const TOMBSTONE = 'erased-';

/** Tells whether an id in totals stands for a member who has erased their data. */
export const isErasedMember = (id: string): boolean => id.startsWith(TOMBSTONE);

/** Stands for a member who has erased their data, in totals. It is random, so that it does not lead back to the member. */
type ErasedMember = { id: string; at: number };

const erasedKey = (personKey: string) => `erased:${personKey}`;

/** Keeps the id that totals of a person are kept under from now on. A repeated erasure keeps the first one. */
export async function addErasedMember(space: Space, personKey: string, at: number): Promise<void> {
	const key = erasedKey(personKey);
	const { id } = (await space.keyv.get<ErasedMember>(key)) ?? { id: `${TOMBSTONE}${randomUUID().slice(0, 8)}` };
	await space.commit({ put: [{ key, value: { id, at } satisfies ErasedMember, ttlMs: ERASURE_MS }] });
}

/** Returns the erased members among people, by their ids. */
export async function erasedAmong(
	space: Space,
	server: ServerId,
	ids: readonly string[],
): Promise<Map<string, ErasedMember>> {
	const all = [...new Set(ids)].flatMap((id) => personKeysOf({ ...server, id }).map((key) => [id, key] as const));
	const found = await space.keyv.getMany<ErasedMember>(all.map(([, key]) => erasedKey(key)));
	return new Map(all.flatMap(([id], index) => (found[index] ? [[id, found[index]] as const] : [])));
}

export const sumsKey = ({ platform, server }: ServerId) => `sums:${platform}:${server}`;

/** Commits a change of receipts or totals, unless others are changed at the same time; then it is made again. */
export async function withSumsLock(space: Space, server: ServerId, changeOf: () => Promise<Change>): Promise<void> {
	const lock = sumsKey(server);
	for (;;) {
		const version = (await space.keyv.get<number>(lock)) ?? 0;
		const change = await changeOf();
		const add = [{ key: lock, by: 1, atMost: version + 1 }, ...(change.add ?? [])];
		if ((await space.commit({ ...change, add })) === 'done') return;
	}
}

/** Removes the name from a receipt. The id stays until the receipt is added up, because moderators may give back its call. */
export async function unnameReceipt(space: Space, key: string, { place, person }: Receipt): Promise<void> {
	if (person.name === '') return;
	await withSumsLock(space, place, async () => {
		const receipt = await space.keyv.get<Receipt>(key);
		if (!receipt) return {};
		return { put: [{ key, value: { ...receipt, person: { id: person.id, name: '' } } satisfies Receipt }] };
	});
}

/** Moves a member's totals to the id of an erased member. */
export const unnameTotals = (space: Space, person: PersonRef & ServerId, key: string): Promise<void> =>
	withSumsLock(space, person, async () => {
		const [totals, erased] = [
			await space.keyv.get<DayTotal[]>(key),
			(await erasedAmong(space, person, [person.id])).get(person.id),
		];
		const index = totals && indexOfTotals(key, totals);
		if (!index || !erased) return {};
		// Without a server there is no report, and the account itself is named by the person.
		if (isPersonal(person)) return { remove: [key], unindex: [{ index, member: person.id }] };
		const moved = totals.map((total) => ({ ...total, person: erased.id }));
		const earlier = (await space.keyv.get<DayTotal[]>(`${index}:${erased.id}`)) ?? [];
		return {
			put: [{ key: `${index}:${erased.id}`, value: [...earlier, ...moved] }],
			remove: [key],
			index: [{ index, member: erased.id }],
			unindex: [{ index, member: person.id }],
		};
	});

/** Returns the index of a member's totals, `totals:PLATFORM:SERVER:MONTH`, with which their key begins. */
const indexOfTotals = (key: string, totals: readonly DayTotal[]): string | undefined =>
	totals[0] && key.slice(0, -totals[0].person.length - 1);

/** Removes the name of a moderator from a change of the settings. */
export async function unnameAudit(space: Space, key: string): Promise<void> {
	const raw = await space.keyv.getRaw<AuditEntry>(key);
	if (!raw?.value || raw.value.by.name === '') return;
	const value: AuditEntry = { ...raw.value, by: { id: raw.value.by.id, name: '' } };
	await space.keyv.set(key, value, raw.expires ? Math.max(1, raw.expires - Date.now()) : undefined);
}
