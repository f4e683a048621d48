import { randomBytes } from 'node:crypto';
import type { Channel, Show } from '../../domain/channel.ts';
import { type CallOutcome, CancelledError, ShutdownError } from '../../domain/job.ts';
import type { Place } from '../../domain/place.ts';
import type { Platforms } from '../../domain/platform.ts';
import { quoted } from '../../domain/text.ts';
import { PlatformRefusedError, SentenceError } from '../../i18n/sentence-error.ts';
import type { Translate } from '../../i18n/translator.ts';
import type { Log } from '../../log.ts';
import { ServiceError } from '../../service/errors.ts';
import { StoreError } from '../../store/store.ts';

/** The message about a request that failed. */
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
	asked: 'picture' | 'answer' = 'picture',
): ErrorMessage {
	const isPaid = error instanceof ServiceError && error.kind === 'address';
	const cost = costOf(t, isPaid ? 'succeeded' : outcome);
	const abort = error instanceof ServiceError ? error.cause : error;
	if (abort instanceof ShutdownError) return { text: t('errors.stopped', { cost }), again: true };
	if (abort instanceof CancelledError) {
		const sentence = abort.by === 'moderator' ? 'errors.cancelledByModerator' : 'errors.cancelled';
		return { text: t(sentence, { cost }), again: true };
	}
	if (error instanceof SentenceError) return { text: `${error.messageIn(t)} ${cost}`.trim(), again: false };
	if (error instanceof ServiceError) {
		log.warn({ err: error }, 'The image service failed a request');
		const [sentence, again] = serviceErrorMessage(t, error, asked);
		return { text: `${sentence} ${cost}`.trim(), again };
	}
	if (error instanceof StoreError) {
		log.error({ err: error }, 'The store failed');
		return { text: t('errors.store'), again: false };
	}
	const reference = randomBytes(4).toString('hex');
	log.error({ err: error, reference }, 'A request failed unexpectedly');
	const text = `${t('errors.internal', { reference })} ${cost}`.trim();
	return { text, again: true };
}

function costOf(t: Translate, outcome: CallOutcome | 'free'): string {
	switch (outcome) {
		case 'free':
			return '';
		case 'failed':
			return t('errors.cost.none');
		case 'succeeded':
			return t('errors.cost.counted');
		case 'unknown':
			return t('errors.cost.unknown');
	}
}

function serviceErrorMessage(
	t: Translate,
	{ kind, status, code, detail, about, retryAfterSeconds }: ServiceError,
	asked: 'picture' | 'answer',
): [sentence: string, again: boolean] {
	const said = detail ? t('errors.service.detail', { detail: quoted(detail.replace(/\.$/, '')) }) : '';
	switch (kind) {
		case 'key':
			// A service that does not know the key may repeat parts of it.
			return [t('errors.service.key', { said: status === 401 ? '' : said }), false];
		case 'balance':
			return [t('errors.service.plan', { said }), false];
		case 'content':
			return [t('errors.service.content', { said, asked }), false];
		case 'request':
			if (code === 'nothing_to_do') return [t('errors.service.nothingToDo', { said }), false];
			if (about === 'size') return [t('errors.service.size', { said }), false];
			if (about === 'model') return [t('errors.service.model', { said }), false];
			return [t('errors.service.rejected', { said }), false];
		case 'busy':
			if (retryAfterSeconds === undefined) return [t('errors.service.busy', { said }), true];
			return [t('errors.service.busyFor', { said, seconds: Math.ceil(retryAfterSeconds) }), true];
		case 'unreachable':
			return [t('errors.service.unreachable'), true];
		case 'failure':
			return [t('errors.service.failed', { status: String(status), said }), true];
		case 'no-answer':
			return [t('errors.service.noAnswer'), true];
		case 'cut-off':
			return [t('errors.service.cutOff', { said }), true];
		case 'length':
			return [t('errors.service.length'), false];
		case 'address':
			return [t('errors.service.address'), false];
		case 'invalid':
			return [t('errors.service.invalid', { asked }), true];
	}
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
