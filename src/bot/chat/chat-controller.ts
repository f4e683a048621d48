import { isClosed, type Job } from '../../domain/job.ts';
import type { MessageHandle, Person, Place, PlaceScope } from '../../domain/place.ts';
import type { IncomingMessage, MessageChange, Request } from '../../domain/platform.ts';
import { translatorFor } from '../../i18n/translator.ts';
import { settleAfterCrash } from '../../jobs/outcome.ts';
import type { Lease } from '../../usage/lease.ts';
import type { ActionResult } from '../declaration/actions.ts';
import type { ThreadOpening } from '../declaration/command.ts';
import { LiveText } from '../markdown/live-text.ts';
import type { BotServices } from '../services.ts';
import { type ChatActions, createChatActions } from './chat-actions.ts';
import { ChatListener } from './chat-listener.ts';
import { answerButtons, endingNote } from './chat-messages.ts';
import { ChatPictures } from './chat-pictures.ts';
import { ChatResponder } from './chat-responder.ts';
import type { Conversations } from './conversations.ts';
import { clipped } from './history.ts';
import { type TranscriptEntry, threadKey, type Utterance } from './transcript.ts';
import { TurnScheduler } from './turn-scheduler.ts';

/** Messages that follow each other this closely are one turn. */
const FOLLOW_UP_MS = 1500;

type ChatOptions = {
	services: BotServices;
	conversations: Conversations;
	lease: Lease;
	followUpMs?: number | undefined;
	/** Keeps track of work that no request waits for. */
	track: (work: Promise<unknown>) => void;
};

/** Connects chat threads to chat completions. Idle threads take no memory. */
export class ChatController {
	/** The handlers of the buttons in threads. */
	readonly actions: ChatActions;
	readonly #options: ChatOptions;
	readonly #listener: ChatListener;
	readonly #responder: ChatResponder;
	readonly #turns: TurnScheduler;

	constructor(options: ChatOptions) {
		const { services, conversations, lease, followUpMs = FOLLOW_UP_MS } = options;
		this.#options = options;
		const pictures = new ChatPictures(services);
		const responder = new ChatResponder({ ...services, pictures }, conversations, lease);
		const turns = new TurnScheduler({ services, conversations, responder, lease, followUpMs });
		const forget = (place: Place, person: Person) => this.#forgetThread(place, person);
		this.#responder = responder;
		this.#turns = turns;
		this.#listener = new ChatListener({ services, conversations, lease, turns, pictures, followUpMs, forget });
		this.actions = createChatActions({
			services,
			conversations,
			responder,
			turns,
			forget: ({ channel, person }) => forget(channel.place, person),
		});
	}

	/** See `ChatListener.open`. */
	open(opening: ThreadOpening, screened: string, invocation: Request): Promise<ActionResult> {
		return this.#listener.open(opening, screened, invocation);
	}

	/** Tells whether the bot should read a message: it mentions the bot, is a direct message, or is in a thread of the bot. */
	async concerns({ addressed, toOthers, channel: { place } }: IncomingMessage): Promise<boolean> {
		// Looked up for every message in a thread, also when the result is not needed, so that messages keep their order.
		const isOurs = place.thread !== undefined && (await this.#isOurs(place));
		return addressed || place.direct === true || (!toOthers && isOurs);
	}

	/** While the store fails, only a message that would be answered gets the sentence about it. */
	async #isOurs(place: Place): Promise<boolean> {
		const { services, conversations } = this.#options;
		try {
			return (await conversations.find(place)) !== undefined;
		} catch (error) {
			services.log.warn({ err: error }, 'A thread could not be looked up');
			return conversations.lastSeen(place)?.mentionsOnly === false;
		}
	}

	/** See `ChatListener.hear`. */
	hear(message: IncomingMessage): Promise<ActionResult> {
		return this.#listener.hear(message);
	}

	changed(change: MessageChange): Promise<void> {
		return applyChange(this.#options.services, this.#options.conversations, change);
	}

	/** Deletes everything that is kept of the threads there. */
	forget(where: PlaceScope): Promise<void> {
		const { conversations } = this.#options;
		return eraseChats(
			this.#responder,
			this.#turns,
			(place) => isWithin(place, where),
			() => conversations.purge(where),
		);
	}

	/**
	 * Erases people's messages, the answers to them, and the threads that they have begun; see `Conversations.erasePeople`.
	 * @returns the messages in which the answers were posted
	 */
	async erasePeople(is: Parameters<Conversations['erasePeople']>[0]): Promise<MessageHandle[]> {
		const { conversations } = this.#options;
		const posts: MessageHandle[] = [];
		const threads = new Set<string>();
		await eraseChats(
			this.#responder,
			this.#turns,
			(place) => threads.has(threadKey(place)),
			async () => {
				const { places, answers } = await conversations.erasePeople(is);
				for (const place of places) threads.add(threadKey(place));
				posts.push(...answers.flatMap((answer) => answer.posts));
			},
		);
		return posts;
	}

	/** Ends an answer that was being written by a process that is gone. */
	interrupted(job: Job): Promise<void> {
		return endInterrupted(this.#options.services, this.#options.conversations, job);
	}

	/** Answers the messages that waited for processes that are gone, on the platforms that this process runs. */
	async resume(): Promise<void> {
		const { services, conversations, lease, track } = this.#options;
		for await (const { place, process } of conversations.waiting()) {
			if (!services.runs(place) || !(await lease.hasExpired(process))) continue;
			const channel = await services.open(place);
			if (channel) track(this.#turns.schedule(place, channel, 0));
			else await conversations.waitNoLonger(place);
		}
	}

	/** The number of threads that have turns. */
	get busyThreads(): number {
		return this.#turns.busyThreads;
	}

	async #forgetThread(place: Place, { locale }: Person): Promise<ActionResult> {
		const isHere = (other: Place) => threadKey(other) === threadKey(place);
		await eraseChats(this.#responder, this.#turns, isHere, () => this.#options.conversations.clear(place));
		return { say: { text: translatorFor(locale)('thread.forgotten') } };
	}
}

const isWithin = (place: Place, { platform, server, channel, thread }: PlaceScope) =>
	place.platform === platform &&
	place.server === server &&
	(channel === undefined || place.channel === channel) &&
	(thread === undefined || place.thread === thread);

/**
 * Erases chats for good: stops the answers that are being written there, which would otherwise be saved afterwards.
 *
 * @param matches tells whether a thread is erased
 * @param erase called twice
 */
async function eraseChats(
	responder: ChatResponder,
	turns: TurnScheduler,
	matches: (place: Place) => boolean,
	erase: () => Promise<void>,
): Promise<void> {
	// First, so that no message is left to be answered.
	await erase();
	responder.stopWhere(matches);
	await turns.settled(matches);
	await erase();
}

/**
 * Ends an answer whose process is gone: marks the text that was saved as interrupted, and settles the turn by the same rules as a
 * picture request.
 */
async function endInterrupted(services: BotServices, conversations: Conversations, job: Job): Promise<void> {
	const { place, key } = job.answer;
	const t = translatorFor(job.person.locale);
	const { first, entries } = await conversations.read(place);
	const index = entries.findLastIndex((entry) => entry.kind === 'answer' && entry.key === key);
	const answer = entries[index];
	const text = answer?.kind === 'answer' ? answer.text : '';
	const settled = await settleAfterCrash(services.ledger, job, text !== '');
	if (isClosed(settled)) return;
	const channel = await services.open(place);
	void channel?.endTyping?.().catch(() => {});
	if (answer?.kind !== 'answer' || answer.state !== 'running' || !channel)
		return services.ledger.close(settled, 'undeliverable');
	// The key of the answer replaces the messages that were posted.
	const live = new LiveText(channel, { key });
	live.push(text);
	const posts = await live.end({ note: endingNote(t, 'interrupted'), buttons: answerButtons(t, key, text !== '') });
	await deleteFrom(services, { place, key }, posts.length);
	const handles = posts.map(({ handle }) => handle);
	await conversations.replace(place, first + index, { ...answer, state: 'interrupted', posts: handles });
	await services.ledger.close(settled, 'delivered');
}

/** Deletes the answer's messages from this number on: more may have been posted than were saved. */
async function deleteFrom({ find }: BotServices, { place, key }: MessageHandle, from: number) {
	for (let number = from; ; number++) {
		const post = await find({ place, key: `${key}.${number}` });
		if (!post) return;
		await post.delete();
	}
}

type ChangeServices = Pick<BotServices, 'policy' | 'open'>;

/** Applies an edited or deleted message to the transcript of its thread. */
export async function applyChange(
	services: ChangeServices,
	conversations: Pick<Conversations, 'find' | 'read' | 'replace'>,
	{ id, place, text }: MessageChange,
): Promise<void> {
	if (!(await conversations.find(place))) return;
	const { first, entries } = await conversations.read(place);
	for (const [index, entry] of entries.entries()) {
		const changed = await changedEntry(services, entry, { id, place, text });
		if (changed) await conversations.replace(place, first + index, changed);
	}
}

async function changedEntry(
	services: ChangeServices,
	entry: TranscriptEntry,
	{ id, place, text }: { id: string; place: Place; text: string | undefined },
): Promise<TranscriptEntry | undefined> {
	if (entry.kind === 'said' && entry.id === id) {
		const isAllowed = text !== undefined && (await isTextAllowed(services, place, entry.person, text));
		return isAllowed ? { ...entry, text: clipped(text.trim()), unscreened: true } : { kind: 'gone' };
	}
	// A deleted answer loses its text alone: the messages before it stay answered.
	if (entry.kind === 'answer' && text === undefined && entry.posts.some(({ key }) => key === id))
		return { ...entry, text: '' };
	return undefined;
}

/** Tells whether the server's rules allow the new text of a message. One that breaks them is no longer sent to the model. */
async function isTextAllowed(
	{ policy, open }: ChangeServices,
	place: Place,
	person: Utterance['person'],
	text: string,
): Promise<boolean> {
	const channel = (await open(place).catch(() => undefined)) ?? { place, refer: (_: string, id: string) => id };
	return (await policy.checkMessage({ channel, person: { ...person, moderator: false }, text })) === undefined;
}
