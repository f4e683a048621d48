import { randomUUID } from 'node:crypto';
import { isPersonal, type ServerId } from '../domain/place.ts';
import { type PersonRef, personKeysOf } from '../store/collection.ts';
import type { Space } from '../store/store.ts';
import type { AuditEntry } from './settings.ts';
import { ofPerson, totalEntry } from './totals.ts';

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

/** An entry whose person is to be made nameless. */
type Named<Value> = { key: string; value: Value; person: PersonRef };

/** Moves a member's total to the id of an erased member, whatever is counted meanwhile, and other processes move. */
export async function unnameTotal(space: Space, { key, person: named }: Named<unknown>): Promise<void> {
	const person = { ...named, server: named.server ?? '' };
	const { index, member } = totalEntry(key);
	const erased = (await erasedAmong(space, person, [person.id])).get(person.id);
	if (!erased) return;
	const moved = { index, member: ofPerson(member, erased.id) };
	// Without a server there is no report, and the account itself is named by the person.
	const isKept = !isPersonal(person);
	const lock = `sums:${person.platform}:${person.server}`;
	for (;;) {
		const moves = (await space.keyv.get<number>(lock)) ?? 0;
		const counts = await space.keyv.get<Record<string, number>>(key);
		if (counts === undefined) return;
		const add = Object.entries(counts).flatMap(([field, count]) => [
			{ key, field, by: 0, atMost: count },
			...(isKept ? [{ key: `${index}:${moved.member}`, field, by: count }] : []),
		]);
		const result = await space.commit({
			add: [{ key: lock, by: 1, atMost: moves + 1 }, ...add],
			remove: [key],
			index: isKept ? [moved] : [],
			unindex: [{ index, member }],
		});
		if (result === 'done') return;
	}
}

/** Removes the name of a moderator from a change of the settings. */
export async function unnameAudit(space: Space, { key }: Named<unknown>): Promise<void> {
	const raw = await space.keyv.getRaw<AuditEntry>(key);
	if (!raw?.value || raw.value.by.name === '') return;
	const value: AuditEntry = { ...raw.value, by: { id: raw.value.by.id, name: '' } };
	await space.keyv.set(key, value, raw.expires ? Math.max(1, raw.expires - Date.now()) : undefined);
}
