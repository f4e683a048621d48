import { randomBytes } from 'node:crypto';
import type { CallOutcome } from '../../domain/receipt.ts';
import { SentenceError } from '../../i18n/sentence-error.ts';
import type { Translate } from '../../i18n/translator.ts';
import type { Log } from '../../log.ts';
import { ServiceError } from '../../service/errors.ts';
import { StoreError } from '../../store/store.ts';
import { ShutdownError } from '../abort-errors.ts';

/** What a person reads when a request did not end in what they asked for. */
export type ErrorMessage = {
	/** What happened, what it cost, what to do. */
	text: string;
	/** Asking the same again may help. */
	again: boolean;
};

/** Any error as a sentence. What nobody foresaw is logged under a reference, which the sentence names. */
export function errorMessageOf(
	t: Translate,
	error: unknown,
	outcome: CallOutcome | 'free',
	log: Log,
	asked: 'picture' | 'answer' = 'picture',
): ErrorMessage {
	const cost = costOf(t, outcome);
	if (error instanceof ShutdownError || (error instanceof ServiceError && error.cause instanceof ShutdownError))
		return { text: t('Easel was stopped while this ran. {cost} You can ask again.', { cost }), again: true };
	if (error instanceof SentenceError) return { text: `${error.said(t)} ${cost}`.trim(), again: false };
	if (error instanceof ServiceError) {
		log.warn({ err: error }, 'The image service failed a request');
		const [what, again] = ofService(t, error, asked);
		return { text: `${what} ${cost}`.trim(), again };
	}
	if (error instanceof StoreError) {
		log.error({ err: error }, 'The store failed');
		return {
			text: t("Easel's records can't be reached, so nothing was asked for. Try again in a minute."),
			again: false,
		};
	}
	const reference = randomBytes(4).toString('hex');
	log.error({ err: error, reference }, 'A request failed for a reason nobody foresaw');
	const text = `${t('Something went wrong in Easel (reference {reference}).', { reference })} ${cost}`.trim();
	return { text, again: true };
}

function costOf(t: Translate, outcome: CallOutcome | 'free'): string {
	switch (outcome) {
		case 'free':
			return '';
		case 'failed':
			return t('Nothing was counted.');
		case 'succeeded':
			return t('The call was counted.');
		case 'unknown':
			return t('The call stays counted, since the service may have made it.');
	}
}

function ofService(
	t: Translate,
	{ kind, status, detail, retryAfterSeconds }: ServiceError,
	asked: 'picture' | 'answer',
): [what: string, again: boolean] {
	const said = detail ? t(': {detail}', { detail }) : '';
	switch (kind) {
		case 'key':
			return [
				t("The image service does not accept this bot's key; whoever runs Easel has to look at SERVICE_API_KEY."),
				false,
			];
		case 'balance':
			return [t('The plan at the image service is used up and its balance is empty.'), false];
		case 'content':
			return [
				t(
					'The image service refused this by its content rules{said}. {asked, select, picture {Try other words or another picture.} other {Try other words.}}',
					{ said, asked },
				),
				false,
			];
		case 'request':
			return [t('The image service did not take the request{said}.', { said }), false];
		case 'busy':
			if (retryAfterSeconds === undefined) return [t('The image service is busy. Try again in a minute.'), true];
			return [
				t('The image service is busy. Try again in {seconds, number} s.', { seconds: Math.ceil(retryAfterSeconds) }),
				true,
			];
		case 'unreachable':
			return [t("The image service can't be reached right now. Try again in a minute."), true];
		case 'failure':
			return [t('The image service failed (status {status}){said}.', { status: String(status), said }), true];
		case 'no-answer':
			if (asked === 'answer') return [t('The image service gave no answer.'), true];
			return [t('The image service gave no answer, so nobody knows whether it made the picture.'), true];
		case 'cut-off':
			return [t('The image service gave no whole answer.'), true];
		case 'invalid':
			return [
				t('The image service answered something that is no {asked, select, picture {picture} other {text}}.', {
					asked,
				}),
				true,
			];
	}
}
