import { randomUUID } from 'node:crypto';
import type { Button, Channel, Post } from '../../domain/channel.ts';
import type { Job, TokenUsage } from '../../domain/job.ts';
import type { MessageHandle, Person, Place } from '../../domain/place.ts';
import type { AnswerState } from '../../domain/platform.ts';
import type { Easel } from '../../easel.ts';
import { SentenceError } from '../../i18n/sentence-error.ts';
import { type Translate, translatorFor } from '../../i18n/translator.ts';
import { type CallResult, callOnce, outcomeOfCrash } from '../../jobs/outcome.ts';
import { tryAndLog } from '../../log.ts';
import { ServiceError } from '../../service/errors.ts';
import type { ToolCall } from '../../service/service.ts';
import { usageStatus } from '../../usage/caps.ts';
import { actionButton } from '../declaration/actions.ts';
import { LiveText } from '../markdown/live-text.ts';
import { directChannel, directMessagePreface, errorMessageOf, refusalReason } from '../messages/error-messages.ts';
import { refusalOf } from '../messages/usage-messages.ts';
import { notifyOfUsage } from '../moderation/notices.ts';
import { type DrawingTools, drawingsOf, drawingTools } from './drawing-tools.ts';
import { drawnIn, isOfPictures, postPictures } from './drawn-pictures.ts';
import { filesNotes } from './message-files.ts';
import {
	type ChatAnswer,
	type Conversation,
	excess,
	historyOf,
	isAnswer,
	MAX_PICTURES,
	mayControl,
	type Numbered,
	newAnswer,
	peopleWaiting,
	picturesSeen,
	type SeenPictures,
	type TranscriptEntry,
	type Utterance,
} from './transcript.ts';

/** Platforms show that somebody types for about ten seconds. https://docs.discord.com/developers/resources/channel */
const TYPING_MS = 8000;

/** The longest answer, in UTF-16 units: seven messages on Discord. Another turn continues it. */
const MAX_ANSWER = 12_500;

/** The interval at which the text of a running answer is saved: a crash loses no more of it than this. */
const SAVE_MS = 1000;

/** A turn whose call has been reserved. */
type Turn = {
	job: Job;
	channel: Channel;
	conversation: Conversation | undefined;
	answer: Numbered<ChatAnswer>;
	/** The transcript before it. */
	entries: readonly Numbered[];
	/** Aborted when a person stops the answer. */
	stopped: AbortSignal;
	/** As the service counts them. */
	tokens?: TokenUsage;
	/** Markdown to show under the answer, however it ends. */
	notes: string[];
	/** What the model has drawn. */
	drawn: Uint8Array[];
	/** To be called when that is posted. */
	release: (() => void)[];
	/** The tools that it was offered, and its calls. */
	offer?: DrawingTools | undefined;
	called: ToolCall[];
	/** The answer was stopped at `MAX_ANSWER`. */
	isCut?: boolean;
};

/** Answers the messages that wait in a thread. Returns undefined when there are none, or another process is answering them. */
export function answerNext(easel: Easel, place: Place, channel: Channel): Promise<AnswerState | undefined> {
	const { conversations, turns } = easel;
	const key = `chat.${randomUUID()}`;
	return turns.write(place, key, async (stopped) => {
		const slot = await takeSlot(easel, place, key);
		if (!slot) return undefined;
		const { entry: answer, before: entries, people } = slot;
		let refusal: SentenceError | undefined;
		for (const person of people) {
			const job = await reserveTurn(easel, channel, key, key, person);
			if (!(job instanceof SentenceError)) return writeAnswer(easel, { job, channel, answer, entries, stopped });
			refusal ??= job;
		}
		await conversations.replace(place, { ...answer, state: 'refused' });
		const text = refusal!.messageIn(translatorFor(people[0]!.locale));
		await channel.post({ text, visibility: 'private' }, key);
		return 'refused';
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
	const entries = await conversations.read(place);
	const last = entries.findLast(isAnswer);
	if (last?.key !== key) return new SentenceError('thread.retry.notLast');
	if (!mayControl(last, person)) return new SentenceError('thread.errors.notYours');
	if (await isRunning(easel, last)) return new SentenceError('thread.retry.writing');
	return turns.write(place, key, async (stopped) => {
		const { number, to, attempt } = { ...last, attempt: last.attempt + 1 };
		const job = await reserveTurn(easel, channel, key, `${key}.${attempt}`, person);
		if (job instanceof SentenceError) return job;
		const answer = { ...newAnswer(key, lease.processId, to), attempt, number };
		await conversations.replace(place, answer);
		await clearPosts(easel, last, person);
		const before = entries.filter((entry) => entry.number < number);
		return writeAnswer(easel, { job, channel, answer, entries: before, stopped });
	});
}

/** Adds a running answer to the transcript, unless one is running already or no message waits. */
async function takeSlot(easel: Easel, place: Place, key: string) {
	const { conversations, lease } = easel;
	let people: readonly Utterance['person'][] = [];
	const slot = await conversations.append(place, async (entries) => {
		const last = await lastAnswer(easel, entries);
		if (last && (await isRunning(easel, last))) return undefined;
		people = peopleWaiting(entries, last);
		const ids = people.map(({ id }) => id);
		return people.length === 0 ? undefined : newAnswer(key, lease.processId, ids);
	});
	return slot && { ...slot, people };
}

async function isRunning({ lease, turns }: Easel, { state, process, key }: ChatAnswer): Promise<boolean> {
	if (state !== 'running') return false;
	return process === lease.processId ? turns.isWriting(key) : !(await lease.hasExpired(process));
}

/** Returns the last answer, except for one whose process ended before it reserved a call. */
async function lastAnswer(easel: Easel, entries: readonly Numbered[]) {
	for (const answer of entries.filter(isAnswer).reverse())
		if (answer.state !== 'running' || (await isRunning(easel, answer)) || (await easel.ledger.has(answer.key)))
			return answer;
	return undefined;
}

/**
 * Reserves a chat turn at the cost of a person.
 *
 * @param key of the answer's first message
 * @param id of the job; a retry has the answer's key with a suffix
 */
async function reserveTurn(
	{ ledger, policy }: Easel,
	channel: Channel,
	key: string,
	id: string,
	{ id: requester, name, roles, locale }: Utterance['person'],
): Promise<Job | SentenceError> {
	const { place } = channel;
	const person = { id: requester, name, locale };
	const checkPolicy = policy.checkerOf('chat', { channel, person: { ...person, roles, moderator: false }, text: '' });
	const message = { place, key };
	const job = await ledger.reserve({ id, command: 'chat', what: 'chat', place, person, roles, message, checkPolicy });
	if (job === 'duplicate') return new SentenceError('thread.retry.writing');
	return 'state' in job ? job : refusalOf(translatorFor(locale), job, channel);
}

/** Empties the first message of an answer, which the new one is written into, and deletes its others. */
async function clearPosts({ platforms, log }: Easel, { posts, key }: ChatAnswer, { locale }: Person): Promise<void> {
	const buttons = [actionButton(translatorFor(locale), 'stop', key)];
	for (const [index, handle] of posts.entries())
		await tryAndLog(log, 'A message of an old answer could not be cleared', async () => {
			const post = await platforms.find(handle);
			await (index === 0 && !isOfPictures(key, handle) ? post?.edit({ text: '…', buttons }) : post?.delete());
		});
}

/**
 * Writes the answer of a reserved turn into the thread. Never rejects: the answer says what failed, and what could not be stored is
 * left to the next sweep.
 */
async function writeAnswer(
	easel: Easel,
	reserved: Omit<Turn, 'conversation' | 'notes' | 'drawn' | 'release' | 'called'>,
): Promise<AnswerState> {
	const { conversations, ledger, failurePause, ownJobs, log } = easel;
	const deleted = new AbortController();
	const stopped = AbortSignal.any([reserved.stopped, deleted.signal]);
	const turn: Turn = { ...reserved, stopped, conversation: undefined, notes: [], drawn: [], release: [], called: [] };
	const { job, channel, answer } = turn;
	const { place } = job;
	const { key } = answer;
	const t = translatorFor(job.person.locale);
	const stop = actionButton(t, 'stop', key);
	const show = () => void channel.typing?.().catch(() => {});
	show();
	const typing = setInterval(show, TYPING_MS).unref();
	const onFirst = () => clearInterval(typing);
	// While the store fails, the answer that is paid for is shown all the same.
	const onDeleted = () => deleted.abort();
	const live = new LiveText(channel, { key, buttons: [stop], post: { withoutStore: true }, onFirst, onDeleted });
	let saved = answer.text;
	const autosave = startAutosave(SAVE_MS, async () => {
		const text = live.text();
		if (text.length === saved.length) return;
		saved = text;
		await conversations.replace(place, { ...answer, text });
	});
	const result = await callModel(easel, turn, t, live);
	if (result.outcome !== 'succeeded') await failurePause.record(result.error);
	clearInterval(typing);
	await autosave.stop();

	const text = live.text();
	const hasText = text.trim() !== '';
	const hasAnswer = hasText || turn.drawn.length + turn.called.length > 0;
	const state = endTurn(easel, turn, t, result, hasAnswer);
	const plan = await tryAndLog(log, 'What a model wants to draw could not be read', () => planDrawings(turn, t));
	const { calls = [], requests = [] } = plan ?? {};
	const pictures = await tryAndLog(log, 'Pictures of an answer could not be prepared', () => drawnIn(easel, turn, t));
	const note = turn.notes.join('\n');
	// If the process ends before the last edit succeeds, the next process finds the whole text.
	const kept = { ...answer, text, ...(calls.length > 0 && { calls }) };
	await tryAndLog(log, 'An answer could not be saved', () => conversations.replace(place, kept));
	const posts = await tryAndLog(log, 'An answer could not be posted', () =>
		live
			.end({ note, buttons: answerButtons(t, key, hasText, turn.isCut) })
			.catch((reason: unknown) => answerDirectly(easel, t, job, text, note, reason)),
	);
	const buttons = hasText ? [] : answerButtons(t, key, false);
	const shown = await postPictures(easel, turn, t, { pictures: pictures ?? [], buttons });
	for (const release of turn.release) release();
	// A retry has emptied the message of the answer before.
	if (posts?.length === 0 && answer.attempt > 1)
		await tryAndLog(log, 'An empty answer could not be deleted', () => deletePost(easel, { place, key: `${key}.0` }));
	// While the turn is open: if the process ends before they are reserved, the answer is marked as interrupted.
	await Promise.all(requests.map((request) => beginDrawing(easel, turn, request)));
	const record = async () => {
		await conversations.replace(place, {
			...{ ...kept, state },
			...(shown.length > 0 && { pictures: turn.drawn.length }),
			posts: [...(posts ?? []).map(({ handle }) => handle), ...shown],
		});
		// A call that returned text was made, even if it failed later.
		const outcome = hasAnswer ? 'succeeded' : result.outcome;
		await ledger.end(turn.job, { outcome, pictures: 0, tokens: turn.tokens });
	};
	await record().catch((error: unknown) => {
		log.error({ err: error, job: job.id }, 'A turn could not be settled');
		ownJobs.defer(job.id, record);
	});
	await tryAndLog(log, 'A notice failed', () => notify(easel, job));
	return state;
}

/** Streams the model's answer. Settles as `callOnce` does. */
function callModel(easel: Easel, turn: Turn, t: Translate, live: LiveText): Promise<CallResult<void>> {
	const { service, ledger, conversations, failurePause, stopping } = easel;
	return callOnce(async (sent) => {
		stopping.throwIfAborted();
		const paused = await failurePause.refusal();
		if (paused) throw paused;
		turn.conversation = await conversations.find(turn.job.place);
		const model = turn.conversation?.model;
		const { history, contexts } = await screenedHistory(easel, turn, t);
		const seen = await picturesSeen(easel, model, history);
		const { persona, answerTokens: maxTokens } = await easel.settings.get(turn.job.place);
		const messages = historyOf(history, seen, contexts, { operator: easel.chatPrompt, persona });
		const asked = askedIn(history);
		const hasQuotes = contexts.size > 0 || asked.some(({ files, pictures }) => files ?? pictures);
		turn.offer = await drawingTools(easel, turn.job, history, asked, hasQuotes);
		const own = await ledger.send(turn.job);
		if (!own) throw new Error('Another process has taken this turn over');
		turn.job = own;
		sent();
		const onTokens = (tokens: TokenUsage) => {
			turn.tokens = tokens;
		};
		const signal = AbortSignal.any([stopping, turn.stopped]);
		let lost = 0;
		let [isNoted, isUnshown] = [false, false];
		const by = { platform: turn.job.place.platform, id: turn.job.person.id };
		const request = { messages, model, by, maxTokens, tools: turn.offer?.tools };
		for await (const part of service.chat(request, signal, onTokens)) {
			if (typeof part === 'string') {
				const room = MAX_ANSWER - live.text().length;
				live.push(part.length <= room ? part : part.slice(0, room).replace(/[\ud800-\udbff]$/, ''));
				turn.isCut = part.length > room;
				// Leaving the loop ends the call.
				if (turn.isCut) break;
			} else if ('retract' in part) live.retract();
			else if ('calls' in part) turn.called.push(...part.calls);
			else if ('unshown' in part) isUnshown = true;
			else {
				turn.drawn.push(...part.pictures.map(({ bytes }) => bytes));
				turn.release.push(part.release);
				lost += part.lost;
			}
			const hasBegun = live.text().trim() !== '' || turn.drawn.length + turn.called.length > 0;
			if (hasBegun && !isNoted) turn.notes.push(...materialNotes(t, history, seen));
			isNoted ||= hasBegun;
		}
		if (turn.isCut) turn.notes.push(t('thread.bounded', { most: MAX_ANSWER }));
		if (lost > 0) turn.notes.push(t('thread.drawn.lost', { count: lost }));
		if (isUnshown) turn.notes.push(t('thread.drawn.unshown'));
		if (!isNoted && !isUnshown && lost === 0)
			throw new ServiceError('invalid', 'The chat model answered with nothing.', { code: 'EMPTY' });
	});
}

/**
 * Returns the part of the transcript that the model gets, and what was said before its messages. The messages before that part are dropped,
 * which the answer says the first time. Messages that the moderation model refuses are removed from the thread.
 */
async function screenedHistory(
	{ policy, conversations }: Easel,
	{ job: { place }, conversation, entries, notes }: Turn,
	t: Translate,
): Promise<{ history: Numbered[]; contexts: ReadonlyMap<number, string> }> {
	const history = entries.slice(excess(entries));
	if (history.length < entries.length) {
		await conversations.drop(place, history[0]!.number);
		if (conversation && !conversation.told) {
			await conversations.save({ ...conversation, told: true });
			notes.push(t('thread.long'));
		}
	}
	const unscreened = history.filter((entry) => entry.kind === 'said').filter((entry) => entry.unscreened);
	const contexts = await conversations.contextsOf(place, history);
	const texts = [...unscreened.map(({ text }) => text), ...contexts.values()];
	const isAllowed = await policy.checkContext(place, texts);
	for (const [position, { unscreened: _, ...entry }] of unscreened.entries()) {
		const screened: Numbered = isAllowed[position] ? entry : { kind: 'gone', number: entry.number };
		history[history.findIndex(({ number }) => number === entry.number)] = screened;
		await conversations.replace(place, screened);
	}
	for (const [index, number] of [...contexts.keys()].entries())
		if (!isAllowed[unscreened.length + index]) contexts.delete(number);
	return { history, contexts };
}

/** Returns the messages that a turn answers. */
const askedIn = (entries: readonly TranscriptEntry[]): Utterance[] =>
	entries
		.slice(entries.findLastIndex(isAnswer) + 1)
		.filter((entry) => entry.kind === 'said')
		.filter(({ aside }) => !aside);

/** Decides what becomes of the model's calls, and adds to the notes what does not. */
async function planDrawings({ called, offer, job, notes }: Turn, t: Translate) {
	if (called.length === 0 || !offer) return undefined;
	const drawings = await drawingsOf(t, called, offer, job.id);
	notes.push(...drawings.notes);
	return drawings;
}

/** Makes a request for the person whom a turn answers, as if they had typed the command. */
function beginDrawing(
	{ invoke, ownJobs }: Easel,
	{ job, channel, entries }: Turn,
	request: { id: string; command: string; options: Record<string, unknown> },
): Promise<void> {
	const known = askedIn(entries).find(({ person: { id } }) => id === job.person.id)?.person ?? job.person;
	const person = { ...known, moderator: false };
	return ownJobs.begin(request.id, () => invoke({ ...request, person, channel }));
}

const deletePost = async ({ platforms }: Easel, handle: MessageHandle) => (await platforms.find(handle))?.delete();

/** Returns what an answer says about the pictures and files of the messages that it answers, as far as the model did not get them. */
function materialNotes(t: Translate, entries: readonly TranscriptEntry[], seen: SeenPictures): string[] {
	const asked = askedIn(entries);
	const over = asked.reduce((sum, { pictures }) => sum + Math.max(0, (pictures?.count ?? 0) - MAX_PICTURES), 0);
	const pictures = seen
		? over > 0 && [t('thread.picturesOver', { most: MAX_PICTURES, count: over })]
		: asked.some((entry) => entry.pictures !== undefined) && [t('thread.picturesUnseen')];
	const [files, unread] = [asked.flatMap((entry) => entry.files ?? []), asked.flatMap((entry) => entry.unread ?? [])];
	return [...(pictures || []), ...filesNotes(t, files, unread)];
}

/** The buttons under an answer that has ended. */
const answerButtons = (t: Translate, key: string, hasText: boolean, isCut = false): Button[] => [
	...(isCut ? [actionButton(t, 'continue', key)] : []),
	actionButton(t, 'retry', key),
	...(hasText ? [actionButton(t, 'draw', key), actionButton(t, 'forget', 'thread')] : []),
];

/** Returns how an answer has ended, and adds the note about that. */
function endTurn(
	{ stopping, log }: Easel,
	{ stopped, notes }: Turn,
	t: Translate,
	result: CallResult<void>,
	hasText: boolean,
): AnswerState {
	if (result.outcome === 'succeeded') return 'done';
	const sentence = (outcome: 'free' | 'failed' | 'unknown') =>
		errorMessageOf(t, result.error, outcome, log, 'answer').text;
	if (stopped.aborted) {
		notes.push(t('thread.stopped'));
		return 'stopped';
	}
	if (stopping.aborted) {
		notes.push(t('thread.interrupted'));
		return 'interrupted';
	}
	notes.push(hasText ? `${t('thread.truncated')} ${sentence('free')}`.trim() : sentence(result.outcome));
	return hasText ? 'cut' : 'failed';
}

async function notify(easel: Easel, { place, person }: Job) {
	const settings = await easel.settings.get(place);
	await notifyOfUsage(easel, place, await usageStatus(easel, settings, place, { id: person.id }, 'chat'), settings);
}

/**
 * Calls `save` at an interval, one call at a time. Failures are ignored: the next call saves as much.
 *
 * @returns `stop` resolves when the call that was running has ended
 */
export function startAutosave(ms: number, save: () => Promise<void>): { stop(): Promise<void> } {
	let running: Promise<void> | undefined;
	const timer = setInterval(() => {
		running ??= save()
			.catch(() => {})
			.finally(() => {
				running = undefined;
			});
	}, ms).unref();
	return {
		async stop() {
			clearInterval(timer);
			await running;
		},
	};
}

/**
 * Sends an answer that could not be posted, or not completely, as a direct message that says why.
 *
 * @param note shown under it
 * @throws reason when the person cannot be sent direct messages
 */
async function answerDirectly(
	{ platforms }: Easel,
	t: Translate,
	{ place, person, message }: Job,
	text: string,
	note: string,
	reason: unknown,
): Promise<Post[]> {
	const direct = await directChannel(platforms, place, person);
	if (!direct) throw reason;
	const key = `${message.key}.direct`;
	const post = await direct.post({ text: directMessagePreface(t, place, direct, refusalReason(t, reason)) }, key);
	const live = new LiveText(direct, { key });
	live.push(text);
	return [post, ...(await live.end({ note }))];
}

/**
 * Ends an answer whose process is gone: marks the text that was saved as interrupted, and settles the turn by the same rules as a
 * picture request.
 */
export async function endInterrupted({ ledger, conversations, platforms }: Easel, job: Job): Promise<void> {
	const { place, key } = job.message;
	const t = translatorFor(job.person.locale);
	const answer = (await conversations.read(place)).filter(isAnswer).findLast((entry) => entry.key === key);
	const text = answer?.text ?? '';
	const channel = await platforms.open(place);
	if (answer?.state === 'running' && channel) {
		// The key of the answer replaces the messages that were posted.
		const live = new LiveText(channel, { key });
		live.push(text);
		const posts = await live.end({ note: t('thread.interrupted'), buttons: answerButtons(t, key, text !== '') });
		// More may have been posted than was saved.
		for (let number = posts.length; ; number++) {
			const post = await platforms.find({ place, key: `${key}.${number}` });
			if (!post) break;
			await post.delete();
		}
		await conversations.replace(place, { ...answer, state: 'interrupted', posts: posts.map(({ handle }) => handle) });
	}
	await ledger.end(job, { outcome: outcomeOfCrash(job, text !== ''), pictures: 0 });
}
