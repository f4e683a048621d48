import type { Store } from '../../src/store/store.ts';
import type { Receipt } from '../../src/usage/receipt.ts';
import type { Model, Violation } from './model.ts';
import type { Wall } from './platform.ts';
import type { Books } from './service.ts';

/** What must hold, by number. 1, 2 and the sign of 6 are looked at in every step, 5 every few hundred, the others once all is at rest. */
export const RULES: Record<number, string> = {
	1: 'no call is let through beyond a cap that is in force',
	2: 'one delivery, at most one call that the service took',
	3: 'what the service took is delivered, or kept and offered, or held as counted, and its person is told',
	4: 'after recovery no job is open and no message says that it works',
	5: 'counters are the sum of receipts, and every ended job has one',
	6: 'what is given back goes where it came from: each window counts its own calls, and nothing else',
	7: 'every request that was counted ends in an answer, and its words are what the records say',
};

/**
 * What may stand under a picture. That its call stays counted is said there when two things fail, the picture could not be kept
 * and its job not be closed: then nobody knows that it was delivered.
 */
const UNDER_PICTURE = /AI-generated|could not be posted|stays counted/;

const FREE = /[Nn]othing was (counted|asked for)/;

export type Ending = {
	store: Store;
	model: Model;
	books: Books;
	wall: Wall;
};

/** Everything that must be true once all processes have ended, one has started anew, and nothing is under way. */
export async function endingViolations({ store, model, books, wall }: Ending): Promise<Violation[]> {
	const violations: Violation[] = [];
	const broken = (rule: number, what: string) => violations.push({ rule, what });
	const entries = new Map(await Array.fromAsync(store.space('ledger').list('')));
	const kept = new Set((await store.space('pictures').files.names('kept:')).map((name) => name.split(':')[1] ?? ''));
	const offered = new Set(
		await Array.fromAsync(store.space('waiting').list(''), ([key]) => key.split('/').at(-1) ?? ''),
	);
	const messages = [...wall.messages.values()];
	const receipts = new Map<string, Receipt>();
	for (const [key, value] of entries)
		if (key.startsWith('receipt:')) receipts.set((value as Receipt).id, value as Receipt);
	const answersTo = (id: string) => [id, `${id}.2`].flatMap((key) => wall.messages.get(key) ?? []);
	const wasRefused = (id: string) => wall.refused.has(id) || wall.refused.has(`${id}.2`);

	for (const [id, count] of books.accepted) {
		const receipt = receipts.get(id);
		const seen = messages.some(({ pictures }) => pictures.includes(id));
		const texts = answersTo(id).map(({ text }) => text);
		const isOffered = kept.has(id) && offered.has(id);
		const told =
			texts.some((text) => /stays counted|call was counted/.test(text)) || wasRefused(id) || wall.unseen.has(id);
		if (receipt?.outcome === 'failed') broken(3, `${id} was given back, and the service had taken it ${count} times`);
		else if (!seen && !isOffered && texts.some((text) => text.includes('/usage offers it')))
			broken(3, `${id} is said to be offered, and is not`);
		else if (!seen && !isOffered && !told)
			broken(3, `${id} was taken by the service and is neither delivered nor offered, and nobody is told`);
	}

	for (const key of entries.keys()) if (key.startsWith('open:')) broken(4, `${key.slice(5)} is still open`);
	for (const { key, text } of messages)
		if (text.includes('…') && !wall.refused.has(key)) broken(4, `${key} still says ${JSON.stringify(text)}`);

	const summed = new Map<string, number>();
	for (const { outcome, takings } of receipts.values())
		if (outcome !== 'failed') for (const { key, by } of takings) summed.set(key, (summed.get(key) ?? 0) + by);
	const counters = new Map<string, number>();
	for (const [key, value] of entries) if (/^(count|cost):/.test(key)) counters.set(key, value as number);
	for (const [key, one, other] of differing(counters, summed)) broken(5, `${key} is ${one}; receipts come to ${other}`);
	for (const id of model.taken.keys()) if (!receipts.has(id)) broken(5, `${id} has no receipt`);

	for (const [key, one, other] of differing(counters, model.counters()))
		broken(6, `${key} is ${one}; by what was seen it is ${other}`);
	for (const [id, { sent, givenBack }] of model.taken)
		if (!sent && !givenBack) broken(6, `${id} was never sent, and was not given back`);

	for (const [id, { givenBack }] of model.taken) {
		const answers = answersTo(id);
		if (answers.length === 0 && !wasRefused(id)) broken(7, `${id} has no answer`);
		for (const { key, text, pictures } of answers) {
			if (wall.refused.has(key)) continue;
			const says = `${key} says ${JSON.stringify(text)}`;
			// The other way round is no broken promise: who could not write it down can't know that it was given back.
			if (FREE.test(text) && !givenBack && !wall.unseen.has(id)) broken(7, `${says}, but it was counted`);
			if (pictures.includes(id) && !UNDER_PICTURE.test(text) && !wall.unseen.has(id))
				broken(7, `${says} under its picture`);
			if (text.includes('Something went wrong in Easel') && !wall.failed.has(id)) broken(7, says);
		}
	}
	return violations;
}

function differing(one: Map<string, number>, other: Map<string, number>): [key: string, one: number, other: number][] {
	return [...new Set([...one.keys(), ...other.keys()])]
		.map((key): [string, number, number] => [key, one.get(key) ?? 0, other.get(key) ?? 0])
		.filter(([, a, b]) => a !== b);
}
