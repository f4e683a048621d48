import type { Receipt } from '../../src/domain/receipt.ts';
import type { Button } from '../../src/domain/reply.ts';
import type { Store } from '../../src/store/store.ts';
import type { Model, Violation } from './model.ts';
import type { Wall } from './platform.ts';
import type { Books } from './service.ts';
import { LOG } from './story.ts';

/**
 * What must hold, by number. 1, 2, 10, the sign of 6 and the order of 9 are looked at in every step, 5 every few hundred, the others
 * once all is at rest.
 */
export const RULES: Record<number, string> = {
	1: 'no call is let through beyond a cap that is in force',
	2: 'one delivery, at most one call that the service took',
	3: 'what the service took is delivered, or kept and offered, or held as counted, and its person is told',
	4: 'after recovery no job is open and no message says that it works',
	5: 'counters are the sum of receipts, and every ended job has one',
	6: 'what is given back goes where it came from: each window counts its own calls, and nothing else',
	7: 'every request that was counted ends in an answer, and its words are what the records say',
	8: 'of what is delivered every picture is shown, each once, by whichever way',
	9: 'the moderators’ log tells of a picture once, and not before it is delivered or kept',
	10: 'nothing is taken that the rules of its server refuse at that moment',
	11: 'what nobody knows whether the service took it stays counted',
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
	const everything = [...wall.messages.values()];
	const messages = everything.filter(({ place }) => place.channel !== LOG);
	const receipts = new Map<string, Receipt>();
	for (const [key, value] of entries)
		if (key.startsWith('receipt:')) receipts.set((value as Receipt).id, value as Receipt);
	const keysOf = (id: string) => [id, `${id}.2`, `${id}.direct`];
	const answersTo = (id: string) => keysOf(id).flatMap((key) => wall.messages.get(key) ?? []);
	const wasRefused = (id: string) => keysOf(id).some((key) => wall.refused.has(key));
	/** How often each of its pictures is shown. */
	const shownOf = (id: string) => {
		const shots = messages.flatMap(({ pictures }) => pictures).filter(({ delivery }) => delivery === id);
		return Array.from(
			{ length: books.made.get(id) ?? 0 },
			(_, index) => shots.filter((one) => one.index === index).length,
		);
	};
	const isOffered = (id: string) => kept.has(id) && offered.has(id);
	const isOf = (id: string) => (key: string) => key === id || key.startsWith(`${id}.`);

	for (const [id, count] of books.accepted) {
		const receipt = receipts.get(id);
		const seen = shownOf(id).some((times) => times > 0);
		const texts = answersTo(id).map(({ text }) => text);
		const told =
			texts.some((text) => /stays counted|call was counted/.test(text)) || wasRefused(id) || wall.unseen.has(id);
		if (receipt?.outcome === 'failed') broken(3, `${id} was given back, and the service had taken it ${count} times`);
		else if (!seen && !isOffered(id) && texts.some((text) => text.includes('Use /usage')))
			broken(3, `${id} is said to be offered, and is not`);
		else if (!seen && !isOffered(id) && !told)
			broken(3, `${id} was taken by the service and is neither delivered nor offered, and nobody is told`);
	}

	for (const id of books.unknown)
		if (receipts.get(id)?.outcome === 'failed')
			broken(11, `${id} was given back, and the service had given no complete error`);

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
			// Delivered twice, it may be refused once where the other answer has had to go elsewhere.
			const isElsewhere = answers.length > 1 && keysOf(id).some((one) => wall.failed.has(one));
			if (FREE.test(text) && !givenBack && !wall.unseen.has(id) && !isElsewhere)
				broken(7, `${says}, but it was counted`);
			if (pictures.some(({ delivery }) => delivery === id) && !UNDER_PICTURE.test(text) && !wall.unseen.has(id))
				broken(7, `${says} under its picture`);
			if (text.includes('Something went wrong in Easel') && !wall.failed.has(id)) broken(7, says);
		}
	}

	for (const [id, { state, overtaken }] of model.taken) {
		const times = shownOf(id);
		if (state !== 'delivered' || receipts.get(id)?.outcome !== 'succeeded' || times.length === 0) continue;
		const shown = `${id} is delivered, and its pictures are shown so many times: ${times.join()}`;
		const isTold = answersTo(id).some(({ text }) => /could be saved|stays counted/.test(text));
		// Who was taken for dead may have more pictures than could be delivered, and end before it has posted them.
		if (times.includes(0) && !isTold && !overtaken && !isOffered(id)) broken(8, shown);
		// Who is told that it failed can't know what is there.
		const isKnown = !overtaken && ![...wall.failed].some(isOf(id));
		if (isKnown && times.some((count) => count > 1)) broken(8, shown);
	}

	const entriesOf = new Map<string, number>();
	for (const { buttons } of everything.filter(({ place }) => place.channel === LOG))
		entriesOf.set(loggedIn(buttons), (entriesOf.get(loggedIn(buttons)) ?? 0) + 1);
	for (const [id, count] of entriesOf) if (count > 1) broken(9, `${id} is ${count} times in the log`);
	return violations;
}

/** The delivery that an entry of the moderators' log is about. */
export const loggedIn = (buttons: readonly Button[]) => buttons[0]?.id.split(':')[2] ?? '';

function differing(one: Map<string, number>, other: Map<string, number>): [key: string, one: number, other: number][] {
	return [...new Set([...one.keys(), ...other.keys()])]
		.map((key): [string, number, number] => [key, one.get(key) ?? 0, other.get(key) ?? 0])
		.filter(([, a, b]) => a !== b);
}
