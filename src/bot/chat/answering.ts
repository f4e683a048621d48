import { randomUUID } from 'node:crypto';
import { type Translate, translatorFor } from '../../i18n/translator.ts';
import { ServiceError } from '../../service/errors.ts';
import { isClosed, type Job } from '../../usage/job.ts';
import type { Lease } from '../../usage/lease.ts';
import type { CallOutcome } from '../../usage/receipt.ts';
import type { Core } from '../core.ts';
import { createLiveText } from '../markdown/live-text.ts';
import type { Channel, Handle, Person, Place } from '../platform.ts';
import { refusalWords } from '../standing-words.ts';
import { troubleOf } from '../trouble.ts';
import type { Answer, AnswerState, Conversations, Entry, Said } from './conversations.ts';
import { excess, historyOf } from './history.ts';
import { every, showTyping } from './ticks.ts';
import { attempt, outcomeOf, Stopped, stateOf } from './turn-end.ts';
import { answerButtons, endingNote, oldestDropped, stopButton } from './words.ts';

/** What came of a running answer is written down this often, so that a crash costs no more of it. */
const SAVE_MS = 1000;

/** Answers in threads, one at a time in each: from what is waiting to a message that stands. */
export type Answering = {
	/** Answers what waits in a thread; undefined when nothing does, or another process is at it. */
	next(place: Place, channel: Channel): Promise<AnswerState | undefined>;
	/** Writes the last answer anew, in its place, at the cost of whoever asks. */
	again(place: Place, key: string, channel: Channel, person: Person): Promise<AnswerState | { refused: string }>;
	/** Ends an answer that this process writes; false when it writes none of that name. */
	stop(key: string): boolean;
	stopWhere(matches: (place: Place) => boolean): void;
	/** Marks what a process that is gone has left half written. */
	interrupted(job: Job): Promise<void>;
};

export function createAnswering(core: Core, conversations: Conversations, lease: Lease): Answering {
	const running = new Map<string, { place: Place; controller: AbortController }>();

	/** Of this process it is known; another's lease tells. */
	async function isRunning({ state, process, key }: Answer): Promise<boolean> {
		if (state !== 'running') return false;
		return process === lease.process ? running.has(key) : !(await lease.isOver(process));
	}

	/** The last answer, but for one that was begun by a process which ended before it could ask for anything. */
	async function lastAnswer(entries: readonly Entry[]): Promise<{ at: number; last?: Answer }> {
		for (let at = entries.length - 1; at >= 0; at--) {
			const last = entries[at];
			if (last?.kind !== 'answer') continue;
			if (last.state !== 'running' || (await isRunning(last)) || (await core.ledger.has(last.key))) return { at, last };
		}
		return { at: -1 };
	}

	async function reserve(channel: Channel, key: string, id: string, { name, ...person }: Said['person']) {
		const { place } = channel;
		const by = { id: person.id, name, ...(person.locale && { locale: person.locale }) };
		const asking = { channel, person: { ...person, name, moderator: false }, text: '' };
		return core.ledger.reserve({
			...{ id, command: 'chat', what: 'chat', place, person: by, roles: person.roles, answer: { place, key } },
			forbids: core.allow.forbids('chat', asking),
		});
	}

	/** What is too old to be sent is dropped; the first time, that is said. Returns the note. */
	async function makeRoom(
		t: Translate,
		place: Place,
		first: number,
		entries: readonly Entry[],
	): Promise<string | undefined> {
		const dropped = excess(entries);
		if (dropped === 0) return undefined;
		await conversations.drop(place, first + dropped);
		const conversation = await conversations.find(place);
		if (!conversation || conversation.told) return undefined;
		await conversations.set({ ...conversation, told: true });
		return oldestDropped(t);
	}

	/** From a reserved turn to an answer that stands. */
	async function write(parts: {
		job: Job;
		channel: Channel;
		number: number;
		answer: Answer;
		/** What was said before it. */
		entries: readonly Entry[];
		note?: string | undefined;
		controller: AbortController;
	}): Promise<AnswerState> {
		const { job, channel, number, controller } = parts;
		let { answer } = parts;
		const { place } = job;
		const { key } = answer;
		const t = translatorFor(job.person.locale);
		const typing = showTyping(channel);
		const live = createLiveText(channel, { key, buttons: [stopButton(t, key)], onFirst: typing.stop });
		const saving = every(SAVE_MS, async () => {
			if (await conversations.isToStop(key)) controller.abort(new Stopped());
			const text = live.text();
			if (text.length === answer.text.length) return;
			answer = { ...answer, text };
			await conversations.replace(place, number, answer);
		});

		const end = await attempt(async (sent) => {
			core.stopping.throwIfAborted();
			const model = (await conversations.find(place))?.model;
			if (!(await core.ledger.sent(job))) throw new Error('Another process has taken this turn over.');
			sent();
			const request = { messages: historyOf(parts.entries.slice(excess(parts.entries))), ...(model && { model }) };
			const signal = AbortSignal.any([core.stopping, controller.signal]);
			for await (const piece of core.service.chat(request, signal)) live.push(piece);
			if (live.text().trim() === '') throw new ServiceError('answer', 'The chat model answered with nothing.');
		});
		typing.stop();
		await saving.stop();

		const text = live.text();
		const hasText = text.trim() !== '';
		const state = stateOf(end.error, controller.signal, core.stopping, hasText);
		const outcome = hasText ? 'succeeded' : outcomeOf(end);
		const sentence = sentenceFor(t, state, end.error, outcome);
		const note = [parts.note, endingNote(t, state, sentence)].filter(Boolean).join('\n');
		// Should the process end before the last edit has landed, the next one finds the whole text.
		await carefully('An answer could not be kept', () => conversations.replace(place, number, { ...answer, text }));
		const posts = await carefully('An answer could not be posted', () =>
			live.end({ ...(note && { note }), buttons: answerButtons(t, key, hasText) }),
		);
		await carefully('A turn could not be settled', async () => {
			await conversations.replace(place, number, { ...answer, text, state, posts: handlesOf(posts) });
			const settled = await core.ledger.settle(end.wasSent ? { ...job, state: 'sent' } : job, outcome, 0);
			await core.ledger.close(settled, posts ? 'delivered' : 'undeliverable');
			await core.notices(place, await core.ledger.standing(place, { id: job.person.id }, 'chat'));
		});
		return state;
	}

	function sentenceFor(t: Translate, state: AnswerState, error: unknown, outcome: CallOutcome): string {
		if (state === 'cut') return troubleOf(t, error, 'free', core.log, 'answer').text;
		return state === 'failed' ? troubleOf(t, error, outcome, core.log, 'answer').text : '';
	}

	/** A store or platform that fails now must not cost the rest of what has to be done. */
	async function carefully<T>(what: string, work: () => Promise<T>): Promise<T | undefined> {
		try {
			return await work();
		} catch (error) {
			core.log.error({ err: error }, what);
			return undefined;
		}
	}

	/** Runs one answer where it can be found and stopped. */
	async function underWay<T>(place: Place, key: string, work: (controller: AbortController) => Promise<T>): Promise<T> {
		const controller = new AbortController();
		running.set(key, { place, controller });
		try {
			return await work(controller);
		} finally {
			running.delete(key);
		}
	}

	return {
		async next(place, channel) {
			const key = `chat.${randomUUID()}`;
			return underWay(place, key, async (controller) => {
				let people: Said['person'][] = [];
				const slot = await conversations.append(place, async ({ entries }) => {
					const { at, last } = await lastAnswer(entries);
					if (last && (await isRunning(last))) return undefined;
					people = askersIn(entries.slice(at + 1));
					return people.length === 0 ? undefined : newAnswer(key, lease.process, people);
				});
				if (!slot) return undefined;
				const { number, log } = slot;
				const answer = newAnswer(key, lease.process, people);

				// Whoever of them may ask, pays for all.
				let refusal: string | undefined;
				for (const person of people) {
					const t = translatorFor(person.locale);
					const job = await reserve(channel, key, key, person);
					if (job === 'duplicate') throw new Error('A new answer has an old name.');
					if ('refused' in job) {
						refusal ??= refusalWords(t, job, channel);
						continue;
					}
					const note = await makeRoom(t, place, log.first, log.entries);
					return write({ job, channel, number, answer, entries: log.entries, note, controller });
				}
				await conversations.replace(place, number, { ...answer, state: 'refused' });
				await channel.post({ text: refusal ?? '', visibility: 'private' }, key);
				return 'refused';
			});
		},

		async again(place, key, channel, person) {
			const t = translatorFor(person.locale);
			const { first, entries } = await conversations.read(place);
			const index = entries.findLastIndex(({ kind }) => kind === 'answer');
			const last = entries[index];
			if (last?.kind !== 'answer' || last.key !== key)
				return { refused: t('Only the last answer can be written anew, and only while this thread is remembered.') };
			if (!mayRule(last, person)) return { refused: t(NOT_YOURS) };
			if (await isRunning(last)) return { refused: t('This answer is still being written.') };
			return underWay(place, key, async (controller) => {
				const { id, name, roles, locale } = person;
				const attempt = last.attempt + 1;
				const by = { id, name, ...(roles && { roles }), ...(locale && { locale }) };
				const job = await reserve(channel, key, `${key}.${attempt}`, by);
				if (job === 'duplicate') return { refused: t('This answer is still being written.') };
				if ('refused' in job) return { refused: refusalWords(t, job, channel) };
				const answer: Answer = { ...newAnswer(key, lease.process, [by]), to: last.to, attempt };
				await conversations.replace(place, first + index, answer);
				await clearAway(t, last);
				return write({ job, channel, number: first + index, answer, entries: entries.slice(0, index), controller });
			});
		},

		stop(key) {
			const one = running.get(key);
			one?.controller.abort(new Stopped());
			return one !== undefined;
		},

		stopWhere(matches) {
			for (const { place, controller } of running.values()) if (matches(place)) controller.abort(new Stopped());
		},

		async interrupted(job) {
			const { place, key } = job.answer;
			const t = translatorFor(job.person.locale);
			const { first, entries } = await conversations.read(place);
			const index = entries.findLastIndex((entry) => entry.kind === 'answer' && entry.key === key);
			const answer = entries[index];
			const text = answer?.kind === 'answer' ? answer.text : '';
			const outcome = text ? 'succeeded' : job.state === 'reserved' ? 'failed' : 'unknown';
			let settled = await core.ledger.settle(job, outcome, 0);
			// It was sent after we had looked: then nobody knows what came of it.
			if (settled.state === 'sent') settled = await core.ledger.settle(settled, 'unknown', 0);
			if (isClosed(settled)) return;
			const channel = answer && (await core.open(place));
			if (answer?.kind !== 'answer' || answer.state !== 'running' || !channel)
				return core.ledger.close(settled, 'undeliverable');
			// Under the same name, so the messages that are there are written over.
			const live = createLiveText(channel, { key });
			live.push(text);
			const posts = await live.end({ note: endingNote(t, 'interrupted'), buttons: answerButtons(t, key, text !== '') });
			await removeRest(place, key, posts.length);
			await conversations.replace(place, first + index, { ...answer, state: 'interrupted', posts: handlesOf(posts) });
			await core.ledger.close(settled, 'delivered');
		},
	};

	/** More may have been posted than was written down of the text. */
	async function removeRest(place: Place, key: string, from: number) {
		for (let number = from; ; number++) {
			const post = await core.find({ place, key: `${key}.${number}` });
			if (!post) return;
			await post.delete();
		}
	}

	/** Makes place for an answer that is written anew: its first message stays, and is written over. */
	async function clearAway(t: Translate, { posts, key }: Answer) {
		for (const [index, handle] of posts.entries())
			await carefully('A message of an old answer stays', async () => {
				const post = await core.find(handle);
				await (index === 0 ? post?.edit({ text: '…', buttons: [stopButton(t, key)] }) : post?.delete());
			});
	}
}

/** Who may stop an answer or have it written anew. */
export const mayRule = ({ to }: Answer, { id, moderator }: Person) => moderator || to.includes(id);

export const NOT_YOURS = 'Only whom this answers, or a moderator, can do that.';

const newAnswer = (key: string, process: string, people: readonly Said['person'][]): Answer => ({
	...{ kind: 'answer', key, state: 'running', process, attempt: 1, text: '', posts: [] },
	to: people.map(({ id }) => id),
});

/** Who waits for an answer, each once, in the order in which they wrote. */
function askersIn(entries: readonly Entry[]): Said['person'][] {
	const people = new Map<string, Said['person']>();
	for (const entry of entries)
		if (entry.kind === 'said' && !entry.aside && !people.has(entry.person.id))
			people.set(entry.person.id, entry.person);
	return [...people.values()];
}

const handlesOf = (posts: readonly { handle: Handle }[] = []) => posts.map(({ handle }) => handle);
