import { counterName } from '../../../src/usage/windows.ts';
import { answerKeysOf, deliveryOfLogEntry, type FinalState, isAbout } from './final-state.ts';
import { COUNTED, INTERNAL_ERROR, KEPT, NOTHING_COUNTED, PARTLY_SAVED, PICTURE_CAPTION } from './messages.ts';
import type { Violation } from './model.ts';

/** Returns how the rules are broken once all processes have ended, recovery has run, and nothing is under way. */
export function checkFinalState(state: FinalState): Violation[] {
	return Object.entries(CHECKS).flatMap(([rule, check]) =>
		[...check(state)].map((description) => ({ rule: Number(rule), description })),
	);
}

/** Returns how the rules are broken once nothing is under way, while processes run. */
export function checkRunningProcesses(state: FinalState): Violation[] {
	const { keeping } = state;
	const unposted = [...keeping.received]
		.filter(([id, process]) => process.isRunning && !keeping.posted.has(id) && !state.mayBeUnposted(id))
		.map(([id]) => `${id} has reached a process, which has not posted it`);
	const waiting = [...keeping.pictures()]
		.filter((picture) => !state.isShown(picture) && !state.isOffered(picture.delivery) && !state.isWithheld(picture))
		.filter(({ delivery }) => keeping.keeperOf(delivery)?.isRunning)
		.map(({ delivery, index }) => `${delivery}#${index} waits for the process that kept it`);
	return [...unposted, ...waiting].map((description) => ({ rule: 3, description }));
}

/** Checks by the numbers of their rules. Each yields descriptions of violations. */
const CHECKS: Record<number, (state: FinalState) => Iterable<string>> = {
	3: checkAcceptedCalls,
	4: checkNothingIsOpen,
	5: checkReceipts,
	6: checkCounters,
	7: checkAnswers,
	8: checkPictures,
	9: checkModerationLog,
	11: checkUnknownOutcomes,
	15: checkReviews,
};

function* checkAcceptedCalls(state: FinalState): Generator<string> {
	for (const [id, count] of state.service.accepted) {
		const isShown = state.timesShown(id).some((times) => times > 0);
		const texts = state.textsAbout(id);
		if (state.receipts.get(id)?.outcome === 'failed')
			yield `${id} was refunded, and the service had accepted it ${count} times`;
		else if (isShown || state.isOffered(id) || state.isInReview(id)) continue;
		else if (texts.some((text) => KEPT.test(text))) yield `${id} is said to be offered, and is not`;
		else if (state.decisions.get(id)?.verdict === 'rejected' && texts.some((text) => COUNTED.test(text))) continue;
		else if (state.keeping.received.has(id) && !state.keeping.wasFaulted(id))
			yield `${id} has reached a process, and is neither delivered nor offered`;
		else if (!texts.some((text) => COUNTED.test(text)))
			yield `${id} was accepted by the service, and is neither delivered nor offered nor explained`;
	}
	for (const picture of state.keeping.pictures())
		if (!state.isShown(picture) && !state.isOffered(picture.delivery) && !state.isWithheld(picture))
			yield `${picture.delivery}#${picture.index} was kept, and is neither delivered nor offered`;
}

function* checkUnknownOutcomes(state: FinalState): Generator<string> {
	for (const id of state.service.unknown)
		if (state.receipts.get(id)?.outcome === 'failed')
			yield `${id} was refunded, and the service had returned no complete error`;
}

function* checkNothingIsOpen(state: FinalState): Generator<string> {
	for (const id of state.openJobs) yield `${id} is still open`;
	for (const { key, text } of state.messages())
		if (text.includes('…') && !state.platform.rejected.has(key)) yield `${key} still says ${JSON.stringify(text)}`;
}

function* checkReceipts(state: FinalState): Generator<string> {
	const computed = new Map<string, number>();
	for (const { outcome, debits } of state.receipts.values())
		if (outcome !== 'failed') for (const [key, by] of debits) computed.set(key, (computed.get(key) ?? 0) + by);
	for (const { key, actual, expected } of differences(countersOf(state), computed))
		yield `${key} is ${actual}; receipts add up to ${expected}`;
	for (const id of state.model.calls.keys()) if (!state.receipts.has(id)) yield `${id} has no receipt`;
}

function* checkCounters(state: FinalState): Generator<string> {
	for (const { key, actual, expected } of differences(countersOf(state), state.model.counters()))
		yield `${key} is ${actual}; by the commits it must be ${expected}`;
	for (const [id, { sent, refunded }] of state.model.calls)
		if (!sent && !refunded) yield `${id} was never sent, and was not refunded`;
}

function* checkAnswers(state: FinalState): Generator<string> {
	const { rejected, failed, missed } = state.platform;
	for (const [id, { refunded }] of state.model.calls) {
		const answers = state.answersTo(id);
		if (answers.length === 0 && !state.wasRejected(id)) yield `${id} has no answer`;
		// Of two answers, one may say that nothing was counted where a failed delivery was repeated elsewhere.
		const isElsewhere = answers.length > 1 && answerKeysOf(id).some((key) => failed.has(key));
		for (const { key, text, pictures } of answers) {
			if (rejected.has(key)) continue;
			const says = `${key} says ${JSON.stringify(text)}`;
			// The opposite is no violation: a process that could not store the refund cannot know of it.
			if (NOTHING_COUNTED.test(text) && !refunded && !missed.has(id) && !isElsewhere)
				yield `${says}, but it was counted`;
			const isCaption = PICTURE_CAPTION.test(text) || (COUNTED.test(text) && state.keeping.wasFaulted(id));
			if (pictures.some(({ delivery }) => delivery === id) && !isCaption) yield `${says} below its picture`;
			if (INTERNAL_ERROR.test(text) && !failed.has(id)) yield says;
		}
	}
}

function* checkPictures(state: FinalState): Generator<string> {
	for (const [id, call] of state.model.calls) {
		const times = state.timesShown(id);
		if (call.state !== 'delivered' || state.receipts.get(id)?.outcome !== 'succeeded' || times.length === 0) continue;
		const description = `${id} is delivered, and its pictures are shown this often: ${times.join()}`;
		const isExplained = state
			.answersTo(id)
			.some(({ text }) => PARTLY_SAVED.test(text) || (COUNTED.test(text) && state.keeping.wasFaulted(id)));
		// Pictures that were never kept are lost with their process.
		const isLost = (count: number, index: number) =>
			count === 0 && !(isExplained && !state.keeping.wasKept({ delivery: id, index }));
		// Late pictures may be in review, or have been rejected in one, although a sentence has ended their job.
		const isReviewed = state.isInReview(id) || state.decisions.get(id)?.verdict === 'rejected';
		if (times.some(isLost) && !state.isOffered(id) && !isReviewed) yield description;
		// After a post was reported as failed, the bot cannot know that the pictures are visible.
		const hasFailedPost = [...state.platform.failed].some((key) => isAbout(id, key));
		if (!call.claimedWhileAlive && !hasFailedPost && times.some((count) => count > 1)) yield description;
	}
}

function* checkModerationLog(state: FinalState): Generator<string> {
	const counts = new Map<string, number>();
	for (const { buttons } of state.logEntries()) {
		const id = deliveryOfLogEntry(buttons);
		counts.set(id, (counts.get(id) ?? 0) + 1);
	}
	for (const [id, count] of counts) if (count > 1) yield `${id} is in the moderation log ${count} times`;
}

function* checkReviews(state: FinalState): Generator<string> {
	for (const [id, { verdict, pictures }] of state.decisions) {
		if (state.isOffered(id)) continue;
		const times = state.timesShown(id);
		const isMissing = times.slice(0, pictures).some((count) => count === 0);
		if (verdict === 'approved' && isMissing) yield `${id} was approved, and is shown this often: ${times.join()}`;
	}
}

function countersOf({ entries }: FinalState): Map<string, number> {
	return new Map(
		[...entries]
			.filter(([key]) => /^used:count:/.test(key))
			.flatMap(([key, value]) =>
				Object.entries(value as Record<string, number>).map(([field, count]) => [counterName(key, field), count]),
			),
	);
}

function differences(actual: Map<string, number>, expected: Map<string, number>) {
	return [...new Set([...actual.keys(), ...expected.keys()])]
		.map((key) => ({ key, actual: actual.get(key) ?? 0, expected: expected.get(key) ?? 0 }))
		.filter((counter) => counter.actual !== counter.expected);
}
