import { randomUUID } from 'node:crypto';
import type { Button, Channel, MessageHandle, Person, Picture, Place, Post } from '../../domain/channel.ts';
import type { Job, TokenUsage } from '../../domain/job.ts';
import type { AnswerState } from '../../domain/platform.ts';
import type { Easel } from '../../easel.ts';
import { SentenceError, type Translate, translatorFor } from '../../i18n/translator.ts';
import { type CallResult, makeCall, outcomeOfCrash } from '../../jobs/outcome.ts';
import { isPassing } from '../../jobs/posting.ts';
import { tryAndLog } from '../../log.ts';
import { ServiceError } from '../../service/errors.ts';
import type { ChatPart } from '../../service/service.ts';
import { usageStatus } from '../../usage/caps.ts';
import { actionButton } from '../declaration/actions.ts';
import { LiveText } from '../markdown/live-text.ts';
import { directChannel, directMessagePreface, errorMessageOf, refusalReason } from '../messages/error-messages.ts';
import { notifyOfUsage, refusalOf } from '../messages/usage-messages.ts';
import { type Drawn, drawingsOf, drawingTools, drawnIn, isOfPictures, postPictures } from './drawings.ts';
import { type AskingTurn, promptOf } from './prompt.ts';
import {
	askedAfter,
	askedIn,
	type ChatAnswer,
	isAnswer,
	jobIdOf,
	mayControl,
	type Numbered,
	newAnswer,
	type Utterance,
} from './transcript.ts';

/** Platforms show that somebody types for about ten seconds. https://docs.discord.com/developers/resources/channel */
const TYPING_MS = 8000;

/** The longest answer, in UTF-16 units: seven messages on Discord. Another turn continues it. */
const MAX_ANSWER = 12_500;

/** The interval at which the text of a running answer is saved: a crash loses no more of it than this. */
const SAVE_MS = 1000;

/** A turn whose call has been reserved, and what becomes of it. */
type Turn = AskingTurn &
	Drawn & {
		channel: Channel;
		answer: Numbered<ChatAnswer>;
		/** Aborted when a person stops the answer, or deletes its message. */
		stopped: AbortSignal;
		tokens?: TokenUsage;
		/** What is shown under the answer once there is some: about the pictures and files of the messages. */
		materialNotes: string[];
		/** The answer was stopped at `MAX_ANSWER`. */
		isCut?: boolean;
	};

type Reserved = Pick<Turn, 'job' | 'channel' | 'answer' | 'entries' | 'stopped'>;

/** Answers the messages that wait in a thread. Returns undefined when there are none, or another process is answering them. */
export function answerNext(easel: Easel, channel: Channel): Promise<AnswerState | undefined> {
	const { place } = channel;
	const { conversations, lease, ownJobs } = easel;
	const next = newAnswer(`chat.${randomUUID()}`, lease.processId, []);
	const work = async (stopped: AbortSignal) => {
		const slot = await takeSlot(easel, place, next);
		if (!slot) return undefined;
		const { entry: answer, before: entries, people } = slot;
		let refusal: SentenceError | undefined;
		for (const person of people) {
			const job = await reserveTurn(easel, channel, answer, person);
			if (!(job instanceof SentenceError)) return writeAnswer(easel, { job, channel, answer, entries, stopped });
			refusal ??= job;
		}
		await conversations.replace(place, { ...answer, state: 'refused' });
		const text = refusal!.messageIn(translatorFor(people[0]!.locale));
		await channel.post({ text, visibility: 'private' }, answer.key);
		return 'refused';
	};
	return ownJobs.run(jobIdOf(next), work, { place });
}

/** Replaces the last answer with a new one, at the cost of the person who asks for it. */
export async function retryAnswer(
	easel: Easel,
	channel: Channel,
	person: Person,
	key: string,
): Promise<AnswerState | SentenceError> {
	const { place } = channel;
	const { conversations, lease, ownJobs } = easel;
	const entries = await conversations.read(place);
	const last = entries.findLast(isAnswer);
	if (last?.key !== key) return new SentenceError('thread.retry.notLast');
	if (!mayControl(last, person)) return new SentenceError('thread.errors.notYours');
	if (await isRunning(easel, last)) return new SentenceError('thread.retry.writing');
	const { number, to } = last;
	const answer = { ...newAnswer(key, lease.processId, to), attempt: last.attempt + 1, number };
	const work = async (stopped: AbortSignal) => {
		const job = await reserveTurn(easel, channel, answer, person);
		if (job instanceof SentenceError) return job;
		await conversations.replace(place, answer);
		await clearPosts(easel, last, person);
		const before = entries.filter((entry) => entry.number < number);
		return writeAnswer(easel, { job, channel, answer, entries: before, stopped });
	};
	const ended = await ownJobs.run(jobIdOf(answer), work, { place });
	return ended ?? new SentenceError('thread.retry.writing');
}

/** Adds a running answer to the transcript, unless one is running already or no message waits. */
async function takeSlot(easel: Easel, place: Place, next: ChatAnswer) {
	let people: readonly Utterance['person'][] = [];
	const slot = await easel.conversations.append(place, async (entries) => {
		const last = await lastAnswer(easel, entries);
		if (last && (await isRunning(easel, last))) return undefined;
		people = [...new Map(askedAfter(last, entries).map(({ person }) => [person.id, person])).values()];
		return people.length === 0 ? undefined : { ...next, to: people.map(({ id }) => id) };
	});
	return slot && { ...slot, people };
}

async function isRunning({ lease, ownJobs }: Easel, answer: ChatAnswer): Promise<boolean> {
	const { state, process } = answer;
	if (state !== 'running') return false;
	return process === lease.processId ? ownJobs.isRunning(jobIdOf(answer)) : !(await lease.hasExpired(process));
}

/** Returns the last answer, except for one whose process ended before it reserved a call. */
async function lastAnswer(easel: Easel, entries: readonly Numbered[]) {
	for (const answer of entries.filter(isAnswer).reverse())
		if (answer.state !== 'running' || (await isRunning(easel, answer)) || (await easel.ledger.has(jobIdOf(answer))))
			return answer;
	return undefined;
}

async function reserveTurn(
	{ ledger, policy }: Easel,
	channel: Channel,
	answer: ChatAnswer,
	{ id: requester, name, roles, locale }: Utterance['person'],
): Promise<Job | SentenceError> {
	const { place } = channel;
	const person = { id: requester, name, locale };
	const checkPolicy = policy.checkerOf('chat', { channel, person: { ...person, roles, moderator: false } });
	const message = { place, key: answer.key };
	const call = { id: jobIdOf(answer), command: 'chat', what: 'chat', place, person, roles, message } as const;
	const job = await ledger.reserve({ ...call, checkPolicy });
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
async function writeAnswer(easel: Easel, reserved: Reserved): Promise<AnswerState> {
	const { conversations, ledger, ownJobs, log } = easel;
	const t = translatorFor(reserved.job.person.locale);
	const turn: Turn = { ...reserved, t, notes: [], materialNotes: [], drawn: [], release: [], lost: 0, called: [] };
	const { job, answer } = turn;
	const { place } = job;
	const { live, result } = await stream(easel, turn);
	const text = live.text();
	const hasAnswer = isBegun(turn, live);
	const state = endTurn(easel, turn, result, hasAnswer);
	const plan = await tryAndLog(log, 'What a model wants to draw could not be read', () => drawingsOf(turn));
	const { calls = [], requests = [], notes = [] } = plan ?? {};
	turn.notes.push(...notes);
	const pictures = await tryAndLog(log, 'Pictures of an answer could not be prepared', () => drawnIn(easel, turn));
	// If the process ends before the last edit succeeds, the next process finds the whole text.
	const kept = { ...answer, text, ...(calls.length > 0 && { calls }) };
	await tryAndLog(log, 'An answer could not be saved', () => conversations.replace(place, kept));
	const post = (shown: LiveText) =>
		tryAndLog(log, 'An answer could not be posted', () => postAnswer(easel, turn, shown, pictures ?? []));
	const posted = await post(live);
	for (const release of turn.release) release();
	// While the turn is open: if the process ends before they are reserved, the answer is marked as interrupted.
	await Promise.all(requests.map((request) => beginDrawing(easel, turn, request)));
	// A call that returned text was made, even if it failed later.
	const outcome = hasAnswer ? 'succeeded' : result.outcome;
	const settle = () => ledger.end(turn.job, { outcome, pictures: 0, tokens: turn.tokens });
	const replace = (posts: readonly MessageHandle[]) => {
		const isDrawn = posts.some((handle) => isOfPictures(answer.key, handle));
		return conversations.replace(place, { ...kept, state, posts, ...(isDrawn && { pictures: turn.drawn.length }) });
	};
	const record = async (posts: readonly MessageHandle[]) => {
		await replace(posts);
		await settle();
	};
	const postAgain = async () => {
		if (!(await savedAnswer(easel, job))) return settle();
		const posts = await post(savedText(turn.channel, kept));
		return posts ? record(posts) : 'nowhere';
	};
	if (!posted) {
		ownJobs.defer(job.id, postAgain);
		// Other processes may answer what follows.
		await tryAndLog(log, 'An answer could not be saved', () => replace([]));
	} else
		await record(posted).catch((error: unknown) => {
			log.error({ err: error, job: job.id }, 'A turn could not be settled');
			ownJobs.defer(job.id, () => record(posted));
		});
	await tryAndLog(log, 'A notice failed', () => notify(easel, job));
	return state;
}

/** Shows the model's answer while it is written. Settles as `makeCall` does. */
async function stream(easel: Easel, turn: Turn): Promise<{ live: LiveText; result: CallResult<void> }> {
	const { conversations, ownJobs } = easel;
	const { job, channel, answer, t } = turn;
	const show = () => void channel.typing?.().catch(() => {});
	show();
	const typing = setInterval(show, TYPING_MS).unref();
	const live = new LiveText(channel, {
		key: answer.key,
		buttons: [actionButton(t, 'stop', answer.key)],
		// While the store fails, the answer that is paid for is shown all the same.
		post: { withoutStore: true },
		onFirst: () => clearInterval(typing),
		onDeleted: () => void ownJobs.cancel(job.id, 'requester'),
	});
	let saving: Promise<void> | undefined;
	// One save at a time. A failure is ignored: the next one saves as much.
	const save = () => {
		saving ??= conversations
			.replace(job.place, { ...answer, text: live.text() })
			.catch(() => {})
			.finally(() => {
				saving = undefined;
			});
	};
	const autosave = setInterval(save, SAVE_MS).unref();
	const result = await callModel(easel, turn, live);
	clearInterval(typing);
	clearInterval(autosave);
	await saving;
	return { live, result };
}

function callModel(easel: Easel, turn: Turn, live: LiveText): Promise<CallResult<void>> {
	const signal = AbortSignal.any([easel.stopping, turn.stopped]);
	return makeCall(easel, signal, async (send) => {
		const prompt = await promptOf(easel, turn);
		const { model, messages, maxTokens } = prompt;
		turn.materialNotes = prompt.notes;
		turn.offer = await drawingTools(easel, turn.job, prompt);
		turn.job = await send(turn.job);
		const onTokens = (tokens: TokenUsage) => {
			turn.tokens = tokens;
		};
		const { place, person } = turn.job;
		const by = { platform: place.platform, id: person.id };
		const request = { messages, model, by, maxTokens, tools: turn.offer?.tools };
		for await (const part of easel.service.chat(request, signal, onTokens)) {
			take(turn, live, part);
			// Leaving the loop ends the call.
			if (turn.isCut) break;
		}
		if (!isBegun(turn, live) && !turn.isUnshown && turn.lost === 0)
			throw new ServiceError('invalid', 'The chat model answered with nothing.', { code: 'EMPTY' });
	});
}

function take(turn: Turn, live: LiveText, part: ChatPart): void {
	if (typeof part === 'string') {
		const room = MAX_ANSWER - live.text().length;
		live.push(part.length <= room ? part : part.slice(0, room).replace(/[\ud800-\udbff]$/, ''));
		turn.isCut = part.length > room;
	} else if ('retract' in part) live.retract();
	else if ('calls' in part) turn.called.push(...part.calls);
	else if ('unshown' in part) turn.isUnshown = true;
	else {
		turn.drawn.push(...part.pictures.map(({ bytes }) => bytes));
		turn.release.push(part.release);
		turn.lost += part.lost;
	}
}

const isBegun = ({ drawn, called }: Turn, live: LiveText) =>
	live.text().trim() !== '' || drawn.length + called.length > 0;

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

/** Returns how an answer has ended, and adds the notes about that. */
function endTurn({ stopping, log }: Easel, turn: Turn, result: CallResult<void>, hasAnswer: boolean): AnswerState {
	const { t, notes, materialNotes, isCut, lost, isUnshown, stopped } = turn;
	if (hasAnswer) notes.push(...materialNotes);
	if (isCut) notes.push(t('thread.bounded', { most: MAX_ANSWER }));
	if (lost > 0) notes.push(t('thread.drawn.lost', { count: lost }));
	if (isUnshown) notes.push(t('thread.drawn.unshown'));
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
	notes.push(hasAnswer ? `${t('thread.truncated')} ${sentence('free')}`.trim() : sentence(result.outcome));
	return hasAnswer ? 'cut' : 'failed';
}

/** @throws the platform's error while it may only be out of reach, so that a sweep tries again */
async function postAnswer(
	easel: Easel,
	turn: Turn,
	live: LiveText,
	pictures: readonly Picture[],
): Promise<MessageHandle[]> {
	const { platforms, log } = easel;
	const { job, answer, t } = turn;
	const { key } = answer;
	const hasText = live.text().trim() !== '';
	const buttons = answerButtons(t, key, hasText, turn.isCut);
	const posts = await endText(easel, t, job, live, { note: turn.notes.join('\n'), buttons });
	const shown = await postPictures(easel, turn, { pictures, buttons: hasText ? [] : buttons });
	// A retry has emptied the message of the answer before.
	if (posts?.length === 0 && answer.attempt > 1)
		await tryAndLog(log, 'An empty answer could not be deleted', async () =>
			(await platforms.find({ place: job.place, key: `${key}.0` }))?.delete(),
		);
	return [...(posts ?? []).map(({ handle }) => handle), ...shown];
}

/**
 * Shows the end of an answer, or sends it as a direct message where the platform does not take it.
 *
 * @returns undefined when it cannot be posted at all
 * @throws the platform's error while it may only be out of reach
 */
function endText(
	easel: Easel,
	t: Translate,
	job: Job,
	live: LiveText,
	closing: { note: string; buttons: readonly Button[] },
): Promise<Post[] | undefined> {
	return live.end(closing).catch((reason: unknown) => {
		if (isPassing(job, reason, easel.now())) throw reason;
		const answering = () => answerDirectly(easel, t, job, live.text(), closing.note, reason);
		return tryAndLog(easel.log, 'An answer could not be posted', answering);
	});
}

const answerButtons = (t: Translate, key: string, hasText: boolean, isCut = false): Button[] => [
	...(isCut ? [actionButton(t, 'continue', key)] : []),
	actionButton(t, 'retry', key),
	...(hasText ? [actionButton(t, 'draw', key), actionButton(t, 'forget', 'thread')] : []),
];

async function notify(easel: Easel, { place, person }: Job) {
	const settings = await easel.settings.get(place);
	// Then no counters have to be read.
	if (settings.noticeChannel === undefined) return;
	await notifyOfUsage(easel, place, await usageStatus(easel, settings, place, { id: person.id }, 'chat'), settings);
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

/** Returns the answer of a turn; undefined when it was retried or forgotten meanwhile. */
async function savedAnswer({ conversations }: Easel, { id, place }: Job): Promise<Numbered<ChatAnswer> | undefined> {
	return (await conversations.read(place)).filter(isAnswer).findLast((entry) => jobIdOf(entry) === id);
}

/** Shows a text that was saved, in place of what was posted of it: under the key of its answer. Sweeps try again, and not this. */
function savedText(channel: Channel, { key, text }: ChatAnswer): LiveText {
	const live = new LiveText(channel, { key, attempts: 1 });
	live.push(text);
	return live;
}

/**
 * Ends an answer whose process is gone: marks the text that was saved as interrupted, and settles the turn by the same rules as a
 * picture request.
 */
export async function endInterrupted(easel: Easel, job: Job): Promise<void> {
	const { ledger, conversations, platforms } = easel;
	const { place, key } = job.message;
	const t = translatorFor(job.person.locale);
	const answer = await savedAnswer(easel, job);
	const text = answer?.text ?? '';
	const channel = await platforms.open(place);
	const isRunning = answer?.state === 'running';
	// One that has ended and has no messages waited for the end of an outage.
	if (answer && channel && (isRunning || answer.posts.length === 0)) {
		const note = isRunning || text === '' ? t('thread.interrupted') : '';
		const closing = { note, buttons: answerButtons(t, key, text !== '') };
		const posts = (await endText(easel, t, job, savedText(channel, answer), closing)) ?? [];
		const isHere = posts[0]?.handle.place.channel === place.channel;
		// More may have been posted than was saved.
		for (let number = posts.length; isHere; number++) {
			const post = await platforms.find({ place, key: `${key}.${number}` });
			if (!post) break;
			await post.delete();
		}
		await conversations.replace(place, {
			...answer,
			state: isRunning ? 'interrupted' : answer.state,
			posts: posts.map(({ handle }) => handle),
		});
	}
	await ledger.end(job, { outcome: outcomeOfCrash(job, text !== ''), pictures: 0 });
}
