import type { Button, Channel, Post } from '../../domain/channel.ts';
import { type CallOutcome, type Job, type TokenUsage, UserAbortError } from '../../domain/job.ts';
import type { MessageHandle } from '../../domain/place.ts';
import type { AnswerState } from '../../domain/platform.ts';
import type { Easel } from '../../easel.ts';
import { type Translate, translatorFor } from '../../i18n/translator.ts';
import { type CallResult, callOnce, outcomeOfCrash } from '../../jobs/outcome.ts';
import { tryAndLog } from '../../log.ts';
import { ServiceError } from '../../service/errors.ts';
import { actionButton } from '../declaration/actions.ts';
import { LiveText } from '../markdown/live-text.ts';
import { directChannel, directMessagePreface, errorMessageOf, refusalReason } from '../messages/error-messages.ts';
import { notifyOfUsage } from '../moderation/notices.ts';
import { excess, historyOf, picturesSeen } from './history.ts';
import { type ChatAnswer, isAnswer, type TranscriptEntry, type Utterance } from './transcript.ts';

/** Platforms show that somebody types for about ten seconds. https://docs.discord.com/developers/resources/channel */
const TYPING_MS = 8000;

/**
 * Shows that an answer is coming, until it is stopped.
 *
 * @param stop the button that the platform's own stop button presses
 */
function showTyping(channel: Channel, stop: Button): { stop(): void } {
	const show = () => void channel.typing?.(stop).catch(() => {});
	show();
	const timer = setInterval(show, TYPING_MS).unref();
	return { stop: () => clearInterval(timer) };
}

/** The interval at which the text of a running answer is saved: a crash loses no more of it than this. */
const SAVE_MS = 1000;

/** A turn whose call has been reserved. */
type Turn = {
	job: Job;
	channel: Channel;
	/** The number of the answer in the transcript. */
	number: number;
	answer: ChatAnswer;
	/** The transcript before it. */
	entries: readonly TranscriptEntry[];
	/** Markdown to show under the answer, however it ends. */
	note?: string;
	/** Stops the answer. Also aborted here, when another process was asked to stop it. */
	controller: AbortController;
};

/** What is learned while the model is asked. */
type CallFacts = {
	/** As the service counts them. */
	tokens?: TokenUsage;
	/** The messages that are answered have pictures, and the model takes none. */
	ignoresPictures?: boolean;
};

/** The end of an answer: its text, the note under it, and what became of the call. */
type Ending = { text: string; note: string; state: AnswerState; outcome: CallOutcome };

/**
 * Writes the answer of a reserved turn into the thread. Never rejects: the answer says what failed, and what could not be stored is
 * left to the next sweep.
 */
export async function writeAnswer(easel: Easel, turn: Turn): Promise<AnswerState> {
	const { conversations, ledger, failurePause, ownJobs, log } = easel;
	const { job, channel, number, answer, controller } = turn;
	const { key } = answer;
	const t = translatorFor(job.person.locale);
	const stop = actionButton(t, 'stop', key);
	const typing = showTyping(channel, stop);
	const live = new LiveText(channel, {
		key,
		buttons: [stop],
		// While the store fails, the answer that is paid for is shown all the same.
		post: { withoutStore: true },
		onFirst: typing.stop,
	});
	let saved = answer.text;
	const autosave = startAutosave(SAVE_MS, async () => {
		if (await conversations.isStopRequested(key)) controller.abort(new UserAbortError());
		const text = live.text();
		if (text.length === saved.length) return;
		saved = text;
		await conversations.replace(turn.job.place, number, { ...answer, text });
	});
	const call: CallFacts = {};
	const result = await callModel(easel, turn, call, (delta) => live.push(delta));
	if (result.outcome !== 'succeeded') await failurePause.record(result.error);
	typing.stop();
	await autosave.stop();

	const ending = endingOf(easel, t, turn, call, result, live.text());
	const { text, note } = ending;
	const hasText = text.trim() !== '';
	// If the process ends before the last edit succeeds, the next process finds the whole text.
	await tryAndLog(log, 'An answer could not be saved', () =>
		conversations.replace(job.place, number, { ...answer, text }),
	);
	const posts = await tryAndLog(log, 'An answer could not be posted', () =>
		live
			.end({ note, buttons: answerButtons(t, key, hasText) })
			.catch((reason: unknown) => answerDirectly(easel, t, job, { text, note }, reason)),
	);
	// The process is about to exit, and nothing else would end it.
	if (ending.state === 'interrupted') await channel.endTyping?.().catch(() => {});
	const record = async () => {
		const handles = (posts ?? []).map(({ handle }) => handle);
		await conversations.replace(job.place, number, { ...answer, text, state: ending.state, posts: handles });
		await ledger.end(turn.job, { outcome: ending.outcome, pictures: 0, tokens: call.tokens });
	};
	await record().catch((error: unknown) => {
		log.error({ err: error, job: job.id }, 'A turn could not be settled');
		ownJobs.defer(job.id, record);
	});
	await tryAndLog(log, 'A notice failed', () => notify(easel, job));
	return ending.state;
}

/** Streams the model's answer. Settles as `callOnce` does. */
function callModel(
	easel: Easel,
	turn: Turn,
	facts: CallFacts,
	push: (delta: string) => void,
): Promise<CallResult<void>> {
	const { service, ledger, conversations, failurePause, stopping } = easel;
	const { job, controller } = turn;
	return callOnce(async (sent) => {
		stopping.throwIfAborted();
		const paused = await failurePause.refusal();
		if (paused) throw paused;
		const model = (await conversations.find(job.place))?.model;
		const history = await screenedHistory(easel, turn);
		const seen = await picturesSeen(easel, model, history);
		facts.ignoresPictures = !seen && hasUnansweredPictures(history);
		const messages = historyOf(history, seen);
		const own = await ledger.send(job);
		if (!own) throw new Error('Another process has taken this turn over');
		turn.job = own;
		sent();
		const onTokens = (tokens: TokenUsage) => {
			facts.tokens = tokens;
		};
		const signal = AbortSignal.any([stopping, controller.signal]);
		let hasText = false;
		for await (const delta of service.chat({ messages, model }, signal, onTokens)) {
			push(delta);
			hasText ||= delta.trim() !== '';
		}
		if (!hasText) throw new ServiceError('invalid', 'The chat model answered with nothing.');
	});
}

/** Returns the part of the transcript that the model gets. Messages that the moderation model refuses are removed from the thread. */
async function screenedHistory(
	{ policy, conversations }: Easel,
	{ job, entries, number }: Turn,
): Promise<TranscriptEntry[]> {
	const first = number - entries.length;
	const start = excess(entries);
	const history = entries.slice(start);
	const unscreened = history.flatMap((entry, index) =>
		entry.kind === 'said' && entry.unscreened ? [{ index, entry }] : [],
	);
	const isAllowed = await policy.checkContext(
		job.place,
		unscreened.map(({ entry }) => entry.text),
	);
	for (const [position, { index, entry }] of unscreened.entries()) {
		const { unscreened: _, ...screened } = entry;
		history[index] = isAllowed[position] ? screened : { kind: 'gone' };
		await conversations.replace(job.place, first + start + index, history[index]);
	}
	return history;
}

/** Tells whether a message since the last answer has pictures. */
function hasUnansweredPictures(entries: readonly TranscriptEntry[]): boolean {
	const waiting = entries.slice(entries.findLastIndex(isAnswer) + 1);
	return waiting.some((entry) => entry.kind === 'said' && entry.pictures !== undefined);
}

/**
 * Returns the note under an answer that was not completed.
 *
 * @param sentence says why, where that is known
 */
function endingNote(t: Translate, state: AnswerState, sentence = ''): string {
	switch (state) {
		case 'stopped':
			return t('thread.stopped');
		case 'cut':
			return `${t('thread.truncated')} ${sentence}`.trim();
		case 'interrupted':
			return t('thread.interrupted');
		default:
			return sentence;
	}
}

/** The buttons under an answer that has ended. */
const answerButtons = (t: Translate, key: string, hasText: boolean): Button[] => [
	actionButton(t, 'retry', key),
	...(hasText ? [actionButton(t, 'draw', key), actionButton(t, 'forget', 'thread')] : []),
];

function endingOf(
	{ stopping, log }: Easel,
	t: Translate,
	{ note, controller }: Turn,
	{ ignoresPictures }: CallFacts,
	result: CallResult<void>,
	text: string,
): Ending {
	const hasText = text.trim() !== '';
	const error = result.outcome === 'succeeded' ? undefined : result.error;
	const state = stateOf(error, controller.signal, stopping, hasText);
	// A call that returned text was made, even if it failed later.
	const outcome = hasText ? 'succeeded' : result.outcome;
	const why =
		state === 'cut' || state === 'failed'
			? errorMessageOf(t, error, state === 'cut' ? 'free' : outcome, log, 'answer').text
			: '';
	const blind = hasText && ignoresPictures ? t('thread.picturesUnseen') : undefined;
	const lines = [note, blind, endingNote(t, state, why)];
	return { text, note: lines.filter(Boolean).join('\n'), state, outcome };
}

function stateOf(error: unknown, stop: AbortSignal, stopping: AbortSignal, hasText: boolean): AnswerState {
	if (error === undefined) return 'done';
	if (stop.aborted) return 'stopped';
	if (stopping.aborted) return 'interrupted';
	return hasText ? 'cut' : 'failed';
}

async function notify(easel: Easel, { place, person }: Job) {
	const settings = await easel.settings.get(place);
	const usage = await easel.ledger.usageStatus(place, { id: person.id }, 'chat', settings);
	await notifyOfUsage(easel, place, usage, settings);
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
 * @param text all that the model wrote
 * @param note shown under it
 * @throws reason when the person cannot be sent direct messages
 */
async function answerDirectly(
	{ platforms }: Easel,
	t: Translate,
	{ place, person, message: { key } }: Job,
	{ text, note }: { text: string; note: string },
	reason: unknown,
): Promise<Post[]> {
	const direct = await directChannel(platforms, place, person);
	if (!direct) throw reason;
	const preface = directMessagePreface(t, place, direct, refusalReason(t, reason));
	const post = await direct.post({ text: preface }, `${key}.direct`);
	const live = new LiveText(direct, { key: `${key}.direct` });
	live.push(text);
	return [post, ...(await live.end({ note }))];
}

/**
 * Reserves a chat turn at the cost of a person.
 *
 * @param key of the answer's first message
 * @param id of the job; a retry has the answer's key with a suffix
 */
export function reserveTurn(
	{ ledger, policy }: Easel,
	channel: Channel,
	key: string,
	id: string,
	{ roles, ...person }: Utterance['person'],
) {
	const { place } = channel;
	const asking = { channel, person: { ...person, roles, moderator: false }, text: '' };
	return ledger.reserve({
		id,
		command: 'chat',
		what: 'chat',
		place,
		person,
		roles,
		message: { place, key },
		checkPolicy: policy.checkerOf('chat', asking),
	});
}

/**
 * Ends an answer whose process is gone: marks the text that was saved as interrupted, and settles the turn by the same rules as a
 * picture request.
 */
export async function endInterrupted(easel: Easel, job: Job): Promise<void> {
	const { ledger, conversations, platforms } = easel;
	const { place, key } = job.message;
	const t = translatorFor(job.person.locale);
	const { first, entries } = await conversations.read(place);
	const index = entries.findLastIndex((entry) => isAnswer(entry) && entry.key === key);
	const answer = entries[index];
	const text = answer?.kind === 'answer' ? answer.text : '';
	const end = { outcome: outcomeOfCrash(job, text !== ''), pictures: 0 };
	const channel = await platforms.open(place);
	void channel?.endTyping?.().catch(() => {});
	if (answer?.kind !== 'answer' || answer.state !== 'running' || !channel) return void (await ledger.end(job, end));
	// The key of the answer replaces the messages that were posted.
	const live = new LiveText(channel, { key });
	live.push(text);
	const posts = await live.end({ note: endingNote(t, 'interrupted'), buttons: answerButtons(t, key, text !== '') });
	await deleteFrom(easel, { place, key }, posts.length);
	const handles = posts.map(({ handle }) => handle);
	await conversations.replace(place, first + index, { ...answer, state: 'interrupted', posts: handles });
	await ledger.end(job, end);
}

/** Deletes the answer's messages from this number on: more may have been posted than were saved. */
async function deleteFrom({ platforms }: Easel, { place, key }: MessageHandle, from: number): Promise<void> {
	for (let number = from; ; number++) {
		const post = await platforms.find({ place, key: `${key}.${number}` });
		if (!post) return;
		await post.delete();
	}
}
