import { randomUUID } from 'node:crypto';
import type { Channel } from '../../domain/channel.ts';
import type { Person } from '../../domain/person.ts';
import type { Place } from '../../domain/place.ts';
import { type Translate, translatorFor } from '../../i18n/translator.ts';
import type { Lease } from '../../usage/lease.ts';
import { UserAbortError } from '../abort-errors.ts';
import { actionButton } from '../declaration/actions.ts';
import { tryAndLog } from '../messages/try-and-log.ts';
import { capReachedMessage } from '../messages/usage-messages.ts';
import type { BotServices } from '../services.ts';
import { oldestDropped } from './chat-messages.ts';
import type { AnswerState, ChatAnswer, Conversations, Entry, Utterance } from './conversations.ts';
import { excess } from './history.ts';
import { writeAnswer } from './write-answer.ts';

/** Answers in threads, one at a time in each: from what is waiting to a message that stands. */
export type Answering = {
	/** Answers what waits in a thread; undefined when nothing does, or another process is at it. */
	next(place: Place, channel: Channel): Promise<AnswerState | undefined>;
	/** Writes the last answer anew, in its place, at the cost of whoever asks. */
	again(place: Place, key: string, channel: Channel, person: Person): Promise<AnswerState | { refused: string }>;
	/** Ends an answer that this process writes; false when it writes none of that name. */
	stop(key: string): boolean;
	stopWhere(matches: (place: Place) => boolean): void;
};

export function createAnswering(services: BotServices, conversations: Conversations, lease: Lease): Answering {
	const running = new Map<string, { place: Place; controller: AbortController }>();

	/** Of this process it is known; another's lease tells. */
	async function isRunning({ state, process, key }: ChatAnswer): Promise<boolean> {
		if (state !== 'running') return false;
		return process === lease.processId ? running.has(key) : !(await lease.hasExpired(process));
	}

	/** The last answer, but for one that was begun by a process which ended before it could ask for anything. */
	async function lastAnswer(entries: readonly Entry[]): Promise<{ at: number; last?: ChatAnswer }> {
		for (let at = entries.length - 1; at >= 0; at--) {
			const last = entries[at];
			if (last?.kind !== 'answer') continue;
			if (last.state !== 'running' || (await isRunning(last)) || (await services.ledger.has(last.key)))
				return { at, last };
		}
		return { at: -1 };
	}

	async function reserve(channel: Channel, key: string, id: string, { name, ...person }: Utterance['person']) {
		const { place } = channel;
		const by = { id: person.id, name, ...(person.locale && { locale: person.locale }) };
		const asking = { channel, person: { ...person, name, moderator: false }, text: '' };
		return services.ledger.reserve({
			id,
			command: 'chat',
			what: 'chat',
			place,
			person: by,
			roles: person.roles,
			answer: { place, key },
			checkPolicy: services.policy.checkPolicy('chat', asking),
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
				let people: Utterance['person'][] = [];
				const slot = await conversations.append(place, async ({ entries }) => {
					const { at, last } = await lastAnswer(entries);
					if (last && (await isRunning(last))) return undefined;
					people = askersIn(entries.slice(at + 1));
					return people.length === 0 ? undefined : newAnswer(key, lease.processId, people);
				});
				if (!slot) return undefined;
				const { number, before } = slot;
				const answer = newAnswer(key, lease.processId, people);

				// Whoever of them may ask, pays for all.
				let refusal: string | undefined;
				for (const person of people) {
					const t = translatorFor(person.locale);
					const job = await reserve(channel, key, key, person);
					if (job === 'duplicate') throw new Error('A new answer has an old name.');
					if ('denied' in job) {
						refusal ??= capReachedMessage(t, job, channel);
						continue;
					}
					const note = await makeRoom(t, place, before.first, before.entries);
					return writeAnswer(services, conversations, {
						job,
						channel,
						number,
						answer,
						entries: before.entries,
						note,
						controller,
					});
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
			if (last?.kind !== 'answer' || last.key !== key) return { refused: t('thread.retry.notLast') };
			if (!mayRule(last, person)) return { refused: t(NOT_YOURS) };
			if (await isRunning(last)) return { refused: t('thread.retry.writing') };
			return underWay(place, key, async (controller) => {
				const { id, name, roles, locale } = person;
				const attempt = last.attempt + 1;
				const by = { id, name, ...(roles && { roles }), ...(locale && { locale }) };
				const job = await reserve(channel, key, `${key}.${attempt}`, by);
				if (job === 'duplicate') return { refused: t('thread.retry.writing') };
				if ('denied' in job) return { refused: capReachedMessage(t, job, channel) };
				const answer: ChatAnswer = { ...newAnswer(key, lease.processId, [by]), to: last.to, attempt };
				await conversations.replace(place, first + index, answer);
				await clearAway(t, last);
				return writeAnswer(services, conversations, {
					job,
					channel,
					number: first + index,
					answer,
					entries: entries.slice(0, index),
					controller,
				});
			});
		},

		stop(key) {
			const one = running.get(key);
			one?.controller.abort(new UserAbortError());
			return one !== undefined;
		},

		stopWhere(matches) {
			for (const { place, controller } of running.values()) if (matches(place)) controller.abort(new UserAbortError());
		},
	};

	/** Makes place for an answer that is written anew: its first message stays, and is written over. */
	async function clearAway(t: Translate, { posts, key }: ChatAnswer) {
		for (const [index, handle] of posts.entries())
			await tryAndLog(services.log, 'A message of an old answer stays', async () => {
				const post = await services.find(handle);
				await (index === 0 ? post?.edit({ text: '…', buttons: [actionButton(t, 'stop', key)] }) : post?.delete());
			});
	}
}

/** Who may stop an answer or have it written anew. */
export const mayRule = ({ to }: ChatAnswer, { id, moderator }: Person) => moderator || to.includes(id);

export const NOT_YOURS = 'thread.errors.notYours';

const newAnswer = (key: string, process: string, people: readonly Utterance['person'][]): ChatAnswer => ({
	kind: 'answer',
	key,
	state: 'running',
	process,
	attempt: 1,
	text: '',
	posts: [],
	to: people.map(({ id }) => id),
});

/** Who waits for an answer, each once, in the order in which they wrote. */
function askersIn(entries: readonly Entry[]): Utterance['person'][] {
	const people = new Map<string, Utterance['person']>();
	for (const entry of entries)
		if (entry.kind === 'said' && !entry.aside && !people.has(entry.person.id))
			people.set(entry.person.id, entry.person);
	return [...people.values()];
}
