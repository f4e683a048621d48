import { randomBytes } from 'node:crypto';
import type { Channel, Place, Show } from '../../domain/channel.ts';
import { type CallOutcome, CancelledError, ShutdownError } from '../../domain/job.ts';
import type { Platforms } from '../../domain/platform.ts';
import { quoted } from '../../domain/text.ts';
import { type MessageId, PlatformRefusedError, SentenceError, type Translate } from '../../i18n/translator.ts';
import type { Log } from '../../log.ts';
import { ServiceError, type ServiceErrorKind } from '../../service/errors.ts';
import { StoreError } from '../../store/store.ts';

export type ErrorMessage = {
	/** Says what happened, what it cost and what to do. */
	text: string;
	/** Set when the same request may succeed if it is made again. */
	again: boolean;
};

/**
 * Returns the message about any error. An unexpected error is logged with a reference that the message names.
 * @param outcome `free` for a request that makes no paid call
 * @param asked whether the request was for a picture or for text
 */
export function errorMessageOf(
	t: Translate,
	error: unknown,
	outcome: CallOutcome | 'free',
	log: Log,
	asked: 'picture' | 'answer' = outcome === 'free' ? 'answer' : 'picture',
): ErrorMessage {
	const isPaid = error instanceof ServiceError && error.kind === 'address';
	const costId = COSTS[isPaid ? 'succeeded' : outcome];
	const cost = costId ? t(costId, { asked }) : '';
	const withCost = (text: string) => `${text} ${cost}`.trim();
	const abort = error instanceof ServiceError ? error.cause : error;
	if (abort instanceof ShutdownError) return { text: t('errors.stopped', { cost }), again: true };
	if (abort instanceof CancelledError) {
		const sentence = abort.by === 'moderator' ? 'errors.cancelledByModerator' : 'errors.cancelled';
		return { text: t(sentence, { cost }), again: true };
	}
	if (error instanceof SentenceError) return { text: withCost(error.messageIn(t)), again: false };
	if (error instanceof ServiceError) {
		log.warn({ err: error }, 'The image service failed a request');
		const { text, again } = serviceErrorMessage(t, error, asked);
		return { text: withCost(text), again };
	}
	if (error instanceof StoreError) {
		log.error({ err: error }, 'The store failed');
		return { text: t('errors.store'), again: false };
	}
	const reference = randomBytes(4).toString('hex');
	log.error({ err: error, reference }, 'A request failed unexpectedly');
	return { text: withCost(t('errors.internal', { reference })), again: true };
}

const COSTS: Readonly<Record<CallOutcome | 'free', MessageId | undefined>> = {
	free: undefined,
	failed: 'errors.cost.none',
	succeeded: 'errors.cost.counted',
	unknown: 'errors.cost.unknown',
};

/** The sentence of each kind of error, and whether the same request may succeed if it is made again. */
const SERVICE_ERRORS: Readonly<Record<ServiceErrorKind, readonly [sentence: MessageId, again: boolean]>> = {
	key: ['errors.service.key', false],
	balance: ['errors.service.plan', false],
	content: ['errors.service.content', false],
	request: ['errors.service.rejected', false],
	busy: ['errors.service.busy', true],
	unreachable: ['errors.service.unreachable', true],
	failure: ['errors.service.failed', true],
	'no-answer': ['errors.service.noAnswer', true],
	'cut-off': ['errors.service.cutOff', true],
	length: ['errors.service.length', false],
	address: ['errors.service.address', false],
	invalid: ['errors.service.invalid', true],
};

/** Returns the sentence of an error whose reason is known. */
function reasonId({ kind, code, about, retryAfterSeconds, variable }: ServiceError): MessageId | undefined {
	if (kind === 'unreachable' && variable !== undefined) return 'errors.service.proxy';
	if (code === 'MOVED') return 'errors.service.moved';
	if (kind === 'invalid' && code === 'EMPTY') return 'errors.service.empty';
	if (kind === 'busy' && retryAfterSeconds !== undefined) return 'errors.service.busyFor';
	if (kind !== 'request') return undefined;
	if (code === 'NOT_OFFERED') return 'errors.service.notOffered';
	if (code === 'nothing_to_do') return 'errors.service.nothingToDo';
	if (about === 'size') return 'errors.service.size';
	return about === 'model' ? 'errors.service.model' : undefined;
}

function serviceErrorMessage(t: Translate, error: ServiceError, asked: 'picture' | 'answer'): ErrorMessage {
	const { kind, status, detail, retryAfterSeconds = 0, variable = 'SERVICE_API_KEY' } = error;
	const [sentence, again] = SERVICE_ERRORS[kind];
	// A service that does not know the key may repeat parts of it; one that knows it says why it is not enough.
	const isShown = detail && !(kind === 'key' && status !== 403);
	const said = isShown ? t('errors.service.detail', { detail: quoted(detail.replace(ENDS, '')) }) : '';
	const values = { said, asked, variable, status: String(status), wait: waitOf(t, retryAfterSeconds) };
	return { text: t(reasonId(error) ?? sentence, values), again };
}

/** What ends a sentence: ours goes on. */
const ENDS = /(?<![.!?。！？])[.!?。！？]+$/;

/** Returns a time to wait in a unit that is easy to grasp, rounded up. */
function waitOf({ language }: Translate, seconds: number): string {
	const [unit, length] = seconds < 120 ? ['second', 1] : seconds < 7200 ? ['minute', 60] : ['hour', 3600];
	return new Intl.NumberFormat(language, { style: 'unit', unit }).format(Math.ceil(Math.max(1, seconds) / length));
}

/** Returns the channel for direct messages to a person; undefined when there is none, or when the request came from it. */
export async function directChannel(
	platforms: Platforms,
	place: Place,
	person: { id: string },
): Promise<Channel | undefined> {
	const direct = await platforms.direct(place, person).catch(() => undefined);
	return direct?.place.channel === place.channel ? undefined : direct;
}

/**
 * Returns the first line of an answer that comes as a direct message: where the request was made.
 * @param why a sentence about the reason; empty when it is not known
 */
export function directMessagePreface(t: Translate, { thread, channel }: Place, direct: Show, why: string) {
	const where = direct.refer('channel', thread ?? channel);
	return t('delivery.direct', { where, why: why && ` ${why}` });
}

/** Returns the sentence of a platform that refused a message; empty for any other error. */
export const refusalReason = (t: Translate, reason: unknown) =>
	reason instanceof PlatformRefusedError ? reason.messageIn(t) : '';
