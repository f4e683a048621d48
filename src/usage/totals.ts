import { randomUUID } from 'node:crypto';
import { isPersonal, type ServerId } from '../domain/channel.ts';
import type { Receipt, TokenUsage } from '../domain/job.ts';
import { type Change, createPauses, type PersonRef, pagesOf, personKeysOf, type Space } from '../store/store.ts';
import { callKindOf } from './windows.ts';

/** The usage of a member, or of all. */
export type Figures = {
	/** Calls that count against caps. A call of unknown outcome counts; a failed one was refunded. */
	calls: number;
	pictures: number;
	failed: number;
	/** Of `calls`, those whose outcome is unknown. */
	unknown: number;
	/** What the calls have cost, in micro-USD: by the prices, or without any beyond the plan. */
	usd: number;
	/** The tokens of calls for pictures and of chat turns, where the service counts them. */
	tokens?: TokenUsage;
};

/** Calls that a member made in a day by one command. `person` is the member's id, `day` such as `2026-11-20`. */
export type DayTotal = Figures & { person: string; day: string; command: string };

export const NONE: Figures = { calls: 0, pictures: 0, failed: 0, unknown: 0, usd: 0 };

/** Returns the figures of a call. A chat turn counts with its tokens alone. */
export function figuresOf(receipt: Receipt): Figures {
	const { outcome, pictures, tokens } = receipt;
	if (callKindOf(receipt) !== 'pictures') return { ...NONE, tokens };
	const [failed, unknown] = [Number(outcome === 'failed'), Number(outcome === 'unknown')];
	return { calls: 1 - failed, pictures, failed, unknown, usd: receipt.usd, tokens };
}

export const sumOf = (all: readonly Figures[]): Figures => all.reduce((sum, figures) => plus(sum, figures), NONE);

const plus = (one: Figures, other: Figures, times = 1): Figures => ({
	calls: one.calls + times * other.calls,
	pictures: one.pictures + times * other.pictures,
	failed: one.failed + times * other.failed,
	unknown: one.unknown + times * other.unknown,
	usd: one.usd + times * other.usd,
	tokens: (one.tokens || other.tokens) && {
		input: (one.tokens?.input ?? 0) + times * (other.tokens?.input ?? 0),
		output: (one.tokens?.output ?? 0) + times * (other.tokens?.output ?? 0),
	},
});

/** The index of a server's totals of a month. Their keys begin with its name, and end with the member. */
const totalsIndex = ({ platform, server }: ServerId, month: string) => `total:${platform}:${server}:${month}`;

/** The figures of a total, each a counter of its entry, so that concurrent settlements add to one entry. */
const FIELDS = ['calls', 'pictures', 'failed', 'unknown', 'usd', 'input', 'output'] as const;

/** Returns the member of a total: `PERSON DAY COMMAND`. */
const memberOf = ({ person, day, command }: Pick<DayTotal, 'person' | 'day' | 'command'>) =>
	[encodeURIComponent(person), day, encodeURIComponent(command)].join(' ');

/** Returns what a total says. @param entry without it, whose it is */
export function totalOf(member: string, entry: unknown): DayTotal {
	const [person = '', day = '', command = ''] = member.split(' ');
	const { input = 0, output = 0, ...counted } = Object(entry) as Partial<Record<(typeof FIELDS)[number], number>>;
	const tokens = input + output > 0 ? { input, output } : undefined;
	return { ...NONE, ...counted, tokens, person: decodeURIComponent(person), day, command: decodeURIComponent(command) };
}

/** Tells whether reports contain a call. Chat turns have caps of their own, and count with their tokens alone. */
export const isReported = (receipt: Receipt): boolean =>
	callKindOf(receipt) === 'pictures' || receipt.tokens !== undefined;

/** Returns the part of a settlement that counts a call in the totals of its server, which are permanent. */
export function totalsChange(receipt: Receipt): Change {
	if (!isReported(receipt)) return {};
	const { tokens = { input: 0, output: 0 }, ...figures } = figuresOf(receipt);
	const { place, person, day = '', command } = receipt;
	const index = totalsIndex(place, day.slice(0, 7));
	const member = memberOf({ person: person.id, day, command });
	const counted = { ...figures, ...tokens };
	const add = FIELDS.filter((field) => counted[field] > 0).map((field) => {
		return { key: `${index}:${member}`, field, by: counted[field] };
	});
	return add.length > 0 ? { add, index: [{ index, member }] } : {};
}

/** Returns the totals of a server's month, one for each member, day and command. @param month `2026-11` */
export async function totalsOf(space: Space, server: ServerId, month: string): Promise<DayTotal[]> {
	const index = totalsIndex(server, month);
	const totals: DayTotal[] = [];
	for await (const members of pagesOf(space, index)) {
		const entries = await space.keyv.getMany(members.map((member) => `${index}:${member}`));
		totals.push(...members.map((member, position) => totalOf(member, entries[position])));
	}
	return totals;
}

/** Returns what is left of totals without the calls of some receipts. */
export async function withoutReceipts(totals: readonly DayTotal[], receipts: readonly Receipt[]): Promise<DayTotal[]> {
	const rest = new Map(totals.map((total) => [groupOf(total), total]));
	const pause = createPauses();
	for (const receipt of receipts) {
		await pause();
		const key = groupOf({ day: '', ...receipt, person: receipt.person.id });
		const total = rest.get(key);
		if (total) rest.set(key, { ...total, ...plus(total, figuresOf(receipt), -1) });
	}
	// A call that is settled between the two reads is in the receipts alone.
	return [...rest.values()].filter(
		({ calls, failed, tokens }) => calls + failed > 0 || (tokens && tokens.input + tokens.output > 0),
	);
}

const groupOf = ({ person, day, command }: { person: string; day: string; command: string }) =>
	`${day} ${command} ${person}`;

/** Returns the index and the member of a total's key. */
export function totalEntry(key: string): { index: string; member: string } {
	const end = key.lastIndexOf(':');
	return { index: key.slice(0, end), member: key.slice(end + 1) };
}

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

/** Moves a member's total to the id of an erased member, whatever is counted meanwhile, and other processes move. */
export async function unnameTotal(
	space: Space,
	{ key, person: named }: { key: string; person: PersonRef },
): Promise<void> {
	const person = { ...named, server: named.server ?? '' };
	const { index, member } = totalEntry(key);
	const erased = (await erasedAmong(space, person, [person.id])).get(person.id);
	if (!erased) return;
	const moved = { index, member: [encodeURIComponent(erased.id), ...member.split(' ').slice(1)].join(' ') };
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
