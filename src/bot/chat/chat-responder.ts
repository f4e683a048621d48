import { randomUUID } from 'node:crypto';
import type { Channel } from '../../domain/channel.ts';
import { type Job, UserAbortError } from '../../domain/job.ts';
import type { Person, Place } from '../../domain/place.ts';
import type { AnswerState, Refusal } from '../../domain/platform.ts';
import { translatorFor } from '../../i18n/translator.ts';
import { tryAndLog } from '../../log.ts';
import type { Lease } from '../../usage/lease.ts';
import { actionButton } from '../declaration/actions.ts';
import { capReachedMessage } from '../messages/usage-messages.ts';
import type { BotServices } from '../services.ts';
import type { ChatPictures } from './chat-pictures.ts';
import type { Conversations } from './conversations.ts';
import { excess } from './history.ts';
import {
	type ChatAnswer,
	type Conversation,
	isAnswer,
	newAnswer,
	peopleWaiting,
	type Transcript,
	type TranscriptEntry,
	type Utterance,
} from './transcript.ts';
import { writeAnswer } from './write-answer.ts';

type ChatLease = Lease;
type Writer = Utterance['person'];

/** A slot for an answer, taken in the transcript. */
type Slot = { number: number; before: Transcript; answer: ChatAnswer; people: readonly Writer[] };

/** Writes the answers in threads, one at a time in each, and stops them. */
export class ChatResponder {
	readonly #services: BotServices & { pictures: ChatPictures };
	readonly #conversations: Conversations;
	readonly #lease: ChatLease;
	/** The answers that this process is writing, by key. */
	readonly #running = new Map<string, { place: Place; controller: AbortController }>();

	constructor(services: BotServices & { pictures: ChatPictures }, conversations: Conversations, lease: ChatLease) {
		this.#services = services;
		this.#conversations = conversations;
		this.#lease = lease;
	}

	/** Answers the messages that wait in a thread. Returns undefined when there are none, or another process is answering them. */
	answerNext(place: Place, channel: Channel): Promise<AnswerState | undefined> {
		const key = `chat.${randomUUID()}`;
		return this.#run(place, key, async (controller) => {
			const slot = await this.#takeSlot(place, key);
			if (!slot) return undefined;
			const { number, before, answer } = slot;
			const job = await reserveTurnForAny(this.#services, channel, key, slot.people);
			if ('refused' in job) {
				await this.#conversations.replace(place, number, { ...answer, state: 'refused' });
				await channel.post({ text: job.refused, visibility: 'private' }, key);
				return 'refused';
			}
			const note = await this.#dropExcess(job, place, before);
			const { entries } = before;
			return writeAnswer(this.#services, this.#conversations, {
				job,
				channel,
				number,
				answer,
				entries,
				note,
				controller,
			});
		});
	}

	/** Replaces the last answer with a new one, at the cost of the person who asks for it. */
	async retry(place: Place, key: string, channel: Channel, person: Person): Promise<AnswerState | Refusal> {
		const t = translatorFor(person.locale);
		const { first, entries } = await this.#conversations.read(place);
		const index = entries.findLastIndex(isAnswer);
		const last = entries[index];
		if (last?.kind !== 'answer' || last.key !== key) return { refused: t('thread.retry.notLast') };
		if (!mayControl(last, person)) return { refused: t('thread.errors.notYours') };
		if (await this.#isRunning(last)) return { refused: t('thread.retry.writing') };
		return this.#run(place, key, async (controller) => {
			const { id, name, roles, locale } = person;
			const attempt = last.attempt + 1;
			const by = { id, name, ...(roles && { roles }), ...(locale && { locale }) };
			const job = await reserveTurn(this.#services, channel, key, `${key}.${attempt}`, by);
			if (job === 'duplicate') return { refused: t('thread.retry.writing') };
			if ('denied' in job) return { refused: capReachedMessage(t, job, channel) };
			const answer: ChatAnswer = { ...newAnswer(key, this.#lease.processId, [by]), to: last.to, attempt };
			const number = first + index;
			await this.#conversations.replace(place, number, answer);
			await this.#clearPosts(last, person);
			const before = entries.slice(0, index);
			return writeAnswer(this.#services, this.#conversations, {
				job,
				channel,
				number,
				answer,
				entries: before,
				controller,
			});
		});
	}

	/** Stops an answer. Returns false when this process is not writing it. */
	stop(key: string): boolean {
		const running = this.#running.get(key);
		running?.controller.abort(new UserAbortError());
		return running !== undefined;
	}

	/** Stops the answers of the matching threads. */
	stopWhere(matches: (place: Place) => boolean): void {
		for (const { place, controller } of this.#running.values())
			if (matches(place)) controller.abort(new UserAbortError());
	}

	/** Runs work during which the answer can be stopped. */
	async #run<T>(place: Place, key: string, work: (controller: AbortController) => Promise<T>): Promise<T> {
		const controller = new AbortController();
		this.#running.set(key, { place, controller });
		try {
			return await work(controller);
		} finally {
			this.#running.delete(key);
		}
	}

	/** Adds a running answer to the transcript, unless one is running already or no message waits. */
	async #takeSlot(place: Place, key: string): Promise<Slot | undefined> {
		let people: Writer[] = [];
		const { processId } = this.#lease;
		const slot = await this.#conversations.append(place, async ({ entries }) => {
			const last = await this.#lastAnswer(entries);
			if (last && (await this.#isRunning(last.answer))) return undefined;
			people = peopleWaiting(entries.slice(last ? last.index + 1 : 0));
			return people.length === 0 ? undefined : newAnswer(key, processId, people);
		});
		return slot && { ...slot, people, answer: newAnswer(key, processId, people) };
	}

	async #isRunning({ state, process, key }: ChatAnswer): Promise<boolean> {
		if (state !== 'running') return false;
		return process === this.#lease.processId ? this.#running.has(key) : !(await this.#lease.hasExpired(process));
	}

	/** Returns the last answer, except for one whose process ended before it reserved a call. */
	async #lastAnswer(entries: readonly TranscriptEntry[]): Promise<{ index: number; answer: ChatAnswer } | undefined> {
		for (const [index, answer] of [...entries.entries()].reverse()) {
			if (answer.kind !== 'answer') continue;
			const { state, key } = answer;
			if (state !== 'running' || (await this.#isRunning(answer)) || (await this.#services.ledger.has(key)))
				return { index, answer };
		}
		return undefined;
	}

	/** Drops the oldest entries when the thread has become too long. Returns a note the first time that this happens. */
	async #dropExcess({ person }: Job, place: Place, { first, entries }: Transcript): Promise<string | undefined> {
		const dropped = excess(entries);
		if (dropped === 0) return undefined;
		await this.#conversations.drop(place, first + dropped);
		const conversation: Conversation | undefined = await this.#conversations.find(place);
		if (!conversation || conversation.told) return undefined;
		await this.#conversations.save({ ...conversation, told: true });
		return translatorFor(person.locale)('thread.long');
	}

	/** Empties the first message of an answer, which the new one is written into, and deletes its others. */
	async #clearPosts({ posts, key }: ChatAnswer, { locale }: Person): Promise<void> {
		const buttons = [actionButton(translatorFor(locale), 'stop', key)];
		for (const [index, handle] of posts.entries())
			await tryAndLog(this.#services.log, 'A message of an old answer could not be cleared', async () => {
				const post = await this.#services.find(handle);
				await (index === 0 ? post?.edit({ text: '…', buttons }) : post?.delete());
			});
	}
}

/** Tells whether a person may stop an answer or have it written again. */
export const mayControl = ({ to }: ChatAnswer, { id, moderator }: Person): boolean => moderator || to.includes(id);

/**
 * Reserves a chat turn at the cost of a person.
 *
 * @param key of the answer's first message
 * @param id of the job; a retry has the answer's key with a suffix
 */
function reserveTurn(
	{ ledger, policy }: BotServices,
	channel: Channel,
	key: string,
	id: string,
	{ roles, ...person }: Utterance['person'],
) {
	const { place } = channel;
	const asking = { channel, person: { ...person, ...(roles && { roles }), moderator: false }, text: '' };
	return ledger.reserve({
		id,
		command: 'chat',
		what: 'chat',
		place,
		person,
		roles,
		answer: { place, key },
		checkPolicy: policy.checkerOf('chat', asking),
	});
}

/** Reserves a chat turn for the first of these people whose caps allow it. Returns the first refusal when none do. */
async function reserveTurnForAny(
	services: BotServices,
	channel: Channel,
	key: string,
	people: readonly Utterance['person'][],
): Promise<Job | Refusal> {
	let refused = '';
	for (const person of people) {
		const job = await reserveTurn(services, channel, key, key, person);
		if (job === 'duplicate') throw new Error('The key of a new answer is in use');
		if (!('denied' in job)) return job;
		refused ||= capReachedMessage(translatorFor(person.locale), job, channel);
	}
	return { refused };
}
