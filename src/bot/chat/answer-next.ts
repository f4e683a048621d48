import { randomUUID } from 'node:crypto';
import type { Channel } from '../../domain/channel.ts';
import type { Job } from '../../domain/job.ts';
import type { Person, Place } from '../../domain/place.ts';
import type { AnswerState } from '../../domain/platform.ts';
import type { Easel } from '../../easel.ts';
import { SentenceError } from '../../i18n/sentence-error.ts';
import { translatorFor } from '../../i18n/translator.ts';
import { tryAndLog } from '../../log.ts';
import { actionButton } from '../declaration/actions.ts';
import { refusalOf } from '../messages/usage-messages.ts';
import { excess } from './history.ts';
import {
	type ChatAnswer,
	isAnswer,
	mayControl,
	newAnswer,
	peopleWaiting,
	type Transcript,
	type TranscriptEntry,
	type Utterance,
} from './transcript.ts';
import { reserveTurn, writeAnswer } from './write-answer.ts';

type Writer = Utterance['person'];

/** Answers the messages that wait in a thread. Returns undefined when there are none, or another process is answering them. */
export function answerNext(easel: Easel, place: Place, channel: Channel): Promise<AnswerState | undefined> {
	const { conversations, turns } = easel;
	const key = `chat.${randomUUID()}`;
	return turns.write(place, key, async (controller) => {
		const slot = await takeSlot(easel, place, key);
		if (!slot) return undefined;
		const { number, before, answer, people } = slot;
		const job = await reserveForAny(easel, channel, key, people);
		if (job instanceof SentenceError) {
			await conversations.replace(place, number, { ...answer, state: 'refused' });
			await channel.post({ text: job.messageIn(translatorFor(people[0]?.locale)), visibility: 'private' }, key);
			return 'refused';
		}
		const note = await dropExcess(easel, job, place, before);
		return writeAnswer(easel, { job, channel, number, answer, entries: before.entries, note, controller });
	});
}

/** Replaces the last answer with a new one, at the cost of the person who asks for it. */
export async function retryAnswer(
	easel: Easel,
	place: Place,
	key: string,
	channel: Channel,
	person: Person,
): Promise<AnswerState | SentenceError> {
	const { conversations, turns, lease } = easel;
	const { first, entries } = await conversations.read(place);
	const index = entries.findLastIndex(isAnswer);
	const last = entries[index];
	if (last?.kind !== 'answer' || last.key !== key) return new SentenceError('thread.retry.notLast');
	if (!mayControl(last, person)) return new SentenceError('thread.errors.notYours');
	if (await isRunning(easel, last)) return new SentenceError('thread.retry.writing');
	return turns.write(place, key, async (controller) => {
		const { id, name, roles, locale } = person;
		const attempt = last.attempt + 1;
		const by = { id, name, roles, locale };
		const job = await reserveTurn(easel, channel, key, `${key}.${attempt}`, by);
		if (job === 'duplicate') return new SentenceError('thread.retry.writing');
		if (!('state' in job)) return refusalOf(translatorFor(person.locale), job, channel);
		const answer: ChatAnswer = { ...newAnswer(key, lease.processId, [by]), to: last.to, attempt };
		const number = first + index;
		await conversations.replace(place, number, answer);
		await clearPosts(easel, last, person);
		return writeAnswer(easel, { job, channel, number, answer, entries: entries.slice(0, index), controller });
	});
}

/** Adds a running answer to the transcript, unless one is running already or no message waits. */
async function takeSlot(easel: Easel, place: Place, key: string) {
	const { conversations, lease } = easel;
	let people: readonly Writer[] = [];
	let answer = newAnswer(key, lease.processId, people);
	const slot = await conversations.append(place, async ({ entries }) => {
		const last = await lastAnswer(easel, entries);
		if (last && (await isRunning(easel, last.answer))) return undefined;
		people = peopleWaiting(entries.slice(last ? last.index + 1 : 0));
		answer = newAnswer(key, lease.processId, people);
		return people.length === 0 ? undefined : answer;
	});
	return slot && { ...slot, people, answer };
}

async function isRunning({ lease, turns }: Easel, { state, process, key }: ChatAnswer): Promise<boolean> {
	if (state !== 'running') return false;
	return process === lease.processId ? turns.isWriting(key) : !(await lease.hasExpired(process));
}

/** Returns the last answer, except for one whose process ended before it reserved a call. */
async function lastAnswer(easel: Easel, entries: readonly TranscriptEntry[]) {
	for (const [index, answer] of [...entries.entries()].reverse()) {
		if (!isAnswer(answer)) continue;
		const { state, key } = answer;
		if (state !== 'running' || (await isRunning(easel, answer)) || (await easel.ledger.has(key)))
			return { index, answer };
	}
	return undefined;
}

/** Reserves a chat turn for the first of these people whose caps allow it. Returns the first refusal when none do. */
async function reserveForAny(
	easel: Easel,
	channel: Channel,
	key: string,
	people: readonly Writer[],
): Promise<Job | SentenceError> {
	let refusal: SentenceError | undefined;
	for (const person of people) {
		const job = await reserveTurn(easel, channel, key, key, person);
		if (job === 'duplicate') throw new Error('The key of a new answer is in use');
		if ('state' in job) return job;
		refusal ??= refusalOf(translatorFor(person.locale), job, channel);
	}
	if (!refusal) throw new Error('An answer to nobody');
	return refusal;
}

/** Drops the oldest entries when the thread has become too long. Returns a note the first time that this happens. */
async function dropExcess({ conversations }: Easel, { person }: Job, place: Place, { first, entries }: Transcript) {
	const dropped = excess(entries);
	if (dropped === 0) return undefined;
	await conversations.drop(place, first + dropped);
	const conversation = await conversations.find(place);
	if (!conversation || conversation.told) return undefined;
	await conversations.save({ ...conversation, told: true });
	return translatorFor(person.locale)('thread.long');
}

/** Empties the first message of an answer, which the new one is written into, and deletes its others. */
async function clearPosts({ platforms, log }: Easel, { posts, key }: ChatAnswer, { locale }: Person): Promise<void> {
	const buttons = [actionButton(translatorFor(locale), 'stop', key)];
	for (const [index, handle] of posts.entries())
		await tryAndLog(log, 'A message of an old answer could not be cleared', async () => {
			const post = await platforms.find(handle);
			await (index === 0 ? post?.edit({ text: '…', buttons }) : post?.delete());
		});
}
