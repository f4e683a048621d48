import type { Channel } from '../../domain/channel.ts';
import type { Job } from '../../domain/job.ts';
import type { CallOutcome } from '../../domain/receipt.ts';
import { type Translate, translatorFor } from '../../i18n/translator.ts';
import { ServiceError } from '../../service/errors.ts';
import { UserAbortError } from '../abort-errors.ts';
import { actionButton } from '../declaration/actions.ts';
import { createLiveText } from '../markdown/live-text.ts';
import { errorMessageOf } from '../messages/error-messages.ts';
import { tryAndLog } from '../messages/try-and-log.ts';
import { callOnce } from '../pictures/call-once.ts';
import type { BotServices } from '../services.ts';
import { answerButtons, endingNote } from './chat-messages.ts';
import { type AnswerState, type ChatAnswer, type Conversations, type Entry, handlesOf } from './conversations.ts';
import { answerDirectly } from './direct-answer.ts';
import { excess, historyOf } from './history.ts';
import { keepSaving, keepTyping } from './while-writing.ts';

/** What came of a running answer is written down this often, so that a crash costs no more of it. */
const SAVE_MS = 1000;

/** A turn that has been reserved. */
type Turn = {
	job: Job;
	channel: Channel;
	/** The answer's own, among what is kept of the thread. */
	number: number;
	answer: ChatAnswer;
	/** What was said before it. */
	entries: readonly Entry[];
	/** Markdown: what is said under it however it ends. */
	note?: string | undefined;
	/** Ends it; also aborted from here, when another process was asked to stop it. */
	controller: AbortController;
};

/**
 * From a reserved turn to an answer that stands. Never rejects: the answer says what failed on the way, and what could not be
 * written down is left as it is for the next sweep.
 */
export async function writeAnswer(
	services: BotServices,
	conversations: Conversations,
	parts: Turn,
): Promise<AnswerState> {
	const { job, channel, number, controller } = parts;
	let { answer } = parts;
	const { place } = job;
	const { key } = answer;
	const t = translatorFor(job.person.locale);
	const typing = keepTyping(channel);
	const live = createLiveText(channel, { key, buttons: [actionButton(t, 'stop', key)], onFirst: typing.stop });
	const saving = keepSaving(SAVE_MS, async () => {
		if (await conversations.isToStop(key)) controller.abort(new UserAbortError());
		const text = live.text();
		if (text.length === answer.text.length) return;
		answer = { ...answer, text };
		await conversations.replace(place, number, answer);
	});

	const end = await callOnce(async (sent) => {
		services.stopping.throwIfAborted();
		const model = (await conversations.find(place))?.model;
		if (!(await services.ledger.markSent(job))) throw new Error('Another process has taken this turn over.');
		sent();
		const request = { messages: historyOf(parts.entries.slice(excess(parts.entries))), ...(model && { model }) };
		const signal = AbortSignal.any([services.stopping, controller.signal]);
		for await (const piece of services.service.chat(request, signal)) live.push(piece);
		if (live.text().trim() === '') throw new ServiceError('invalid', 'The chat model answered with nothing.');
	});
	typing.stop();
	await saving.stop();

	const text = live.text();
	const hasText = text.trim() !== '';
	const error = end.outcome === 'succeeded' ? undefined : end.error;
	const state = stateOf(error, controller.signal, services.stopping, hasText);
	// The service wrote what came, however it ended.
	const outcome = hasText ? 'succeeded' : end.outcome;
	const sentence = sentenceFor(services, t, state, error, outcome);
	const note = [parts.note, endingNote(t, state, sentence)].filter(Boolean).join('\n');
	// Should the process end before the last edit has landed, the next one finds the whole text.
	await tryAndLog(services.log, 'An answer could not be kept', () =>
		conversations.replace(place, number, { ...answer, text }),
	);
	const posts = await tryAndLog(services.log, 'An answer could not be posted', () =>
		live
			.end({ ...(note && { note }), buttons: answerButtons(t, key, hasText) })
			.catch((reason: unknown) => answerDirectly(services, t, job, { text, note }, reason)),
	);
	await tryAndLog(services.log, 'A turn could not be settled', async () => {
		await conversations.replace(place, number, { ...answer, text, state, posts: handlesOf(posts) });
		const settled = await services.ledger.settle(end.wasSent ? { ...job, state: 'sent' } : job, outcome, 0);
		await services.ledger.close(settled, posts ? 'delivered' : 'undeliverable');
		await services.notices(place, await services.ledger.usageStatus(place, { id: job.person.id }, 'chat'));
	});
	return state;
}

/** How the answer stands. */
function stateOf(error: unknown, stop: AbortSignal, stopping: AbortSignal, hasText: boolean): AnswerState {
	if (error === undefined) return 'done';
	if (stop.aborted) return 'stopped';
	if (stopping.aborted) return 'interrupted';
	return hasText ? 'cut' : 'failed';
}

function sentenceFor(
	services: BotServices,
	t: Translate,
	state: AnswerState,
	error: unknown,
	outcome: CallOutcome,
): string {
	if (state === 'cut') return errorMessageOf(t, error, 'free', services.log, 'answer').text;
	return state === 'failed' ? errorMessageOf(t, error, outcome, services.log, 'answer').text : '';
}
