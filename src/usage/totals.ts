import { callKindOf, costOf, type Receipt, type TokenUsage } from '../domain/job.ts';
import type { ServerId } from '../domain/place.ts';
import { createPauses, pagesOf } from '../store/pages.ts';
import type { Change, Space } from '../store/store.ts';

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

const NONE: Figures = { calls: 0, pictures: 0, failed: 0, unknown: 0, usd: 0 };

/** Returns the figures of a call. A chat turn counts with its tokens alone. */
export function figuresOf(receipt: Receipt): Figures {
	const { outcome, pictures, tokens } = receipt;
	if (callKindOf(receipt) !== 'pictures') return { ...NONE, tokens };
	const [failed, unknown] = [Number(outcome === 'failed'), Number(outcome === 'unknown')];
	return { calls: 1 - failed, pictures, failed, unknown, usd: costOf(receipt), tokens };
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

/**
 * Returns what a total says. Members of earlier versions ended in `CALLS.PICTURES.FAILED.UNKNOWN.MILLS.INPUT.OUTPUT`, and their entries
 * counted how often a call with these figures was made.
 */
export function totalOf(member: string, entry: unknown): DayTotal {
	const [person = '', day = '', command = '', numbers = ''] = member.split(' ');
	const earlier = (text: string, index: number) =>
		Number(text) * Number(entry ?? 0) * (FIELDS[index] === 'usd' ? 1000 : 1);
	const counted: number[] =
		numbers === ''
			? FIELDS.map((field) => Number((Object(entry) as Record<string, unknown>)[field] ?? 0))
			: numbers.split('.').map(earlier);
	const [calls = 0, pictures = 0, failed = 0, unknown = 0, usd = 0, input = 0, output = 0] = counted;
	const tokens = input + output > 0 ? { input, output } : undefined;
	const figures = { calls, pictures, failed, unknown, usd, tokens };
	return { person: decodeURIComponent(person), day, command: decodeURIComponent(command), ...figures };
}

/** Returns the part of a settlement that counts a call in the totals of its server. @param day counted the call */
export function totalsChange(receipt: Receipt, day: string): Change {
	const { tokens = { input: 0, output: 0 }, ...figures } = figuresOf(receipt);
	const index = totalsIndex(receipt.place, day.slice(0, 7));
	const member = memberOf({ person: receipt.person.id, day, command: receipt.command });
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
	return [...grouped(totals).values()];
}

/** Returns what is left of totals without the calls of some receipts. */
export async function withoutReceipts(totals: readonly DayTotal[], receipts: readonly Receipt[]): Promise<DayTotal[]> {
	const rest = grouped(totals);
	const pause = createPauses();
	for (const receipt of receipts) {
		await pause();
		const key = groupOf({ person: receipt.person.id, day: receipt.day ?? '', command: receipt.command });
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

function grouped(totals: readonly DayTotal[]): Map<string, DayTotal> {
	const groups = new Map<string, DayTotal>();
	for (const total of totals) {
		const earlier = groups.get(groupOf(total));
		groups.set(groupOf(total), earlier ? { ...total, ...plus(earlier, total) } : total);
	}
	return groups;
}

/** Returns the index and the member of a total's key. */
export function totalEntry(key: string): { index: string; member: string } {
	const end = key.lastIndexOf(':');
	return { index: key.slice(0, end), member: key.slice(end + 1) };
}

/** Returns the member of a total in which another person takes the place of its own. */
export const ofPerson = (member: string, person: string): string =>
	[encodeURIComponent(person), ...member.split(' ').slice(1)].join(' ');
