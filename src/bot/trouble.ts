import { randomBytes } from 'node:crypto';
import type { Log } from '../log.ts';
import { PictureError } from '../pictures/prepare.ts';
import { ServiceError } from '../service/errors.ts';
import { StoreError } from '../store/store.ts';
import type { CallOutcome } from '../usage/receipt.ts';
import { Refused } from './refusal.ts';

/** What a person reads when a request did not end in what they asked for. */
export type Trouble = {
	/** What happened, what it cost, what to do. */
	text: string;
	/** Asking the same again may help. */
	again: boolean;
};

/** Said when Easel stops while a request runs; its own class, so that it is told from every other abort. */
export class Stopping extends Error {
	override name = 'Stopping';
}

/** Any error as a sentence. What nobody foresaw is logged under a reference, which the sentence names. */
export function troubleOf(
	error: unknown,
	outcome: CallOutcome | 'free',
	log: Log,
	asked: 'picture' | 'answer' = 'picture',
): Trouble {
	const cost = COSTS[outcome];
	if (error instanceof Stopping || (error instanceof ServiceError && error.cause instanceof Stopping))
		return { text: `Easel was stopped while this ran. ${cost} You can ask again.`, again: true };
	if (error instanceof Refused) return { text: `${error.message} ${cost}`.trim(), again: false };
	if (error instanceof PictureError) return { text: `${error.message} ${cost}`.trim(), again: false };
	if (error instanceof ServiceError) {
		log.warn({ err: error }, 'The image service failed a request');
		const [what, again] = ofService(error, asked);
		return { text: `${what} ${cost}`.trim(), again };
	}
	if (error instanceof StoreError) {
		log.error({ err: error }, 'The store failed');
		return { text: `Easel's records can't be reached, so nothing was asked for. Try again in a minute.`, again: false };
	}
	const reference = randomBytes(4).toString('hex');
	log.error({ err: error, reference }, 'A request failed for a reason nobody foresaw');
	return { text: `Something went wrong in Easel (reference ${reference}). ${cost}`.trim(), again: true };
}

const COSTS = {
	free: '',
	failed: 'Nothing was counted.',
	succeeded: 'The call was counted.',
	unknown: 'The call stays counted, since the service may have made it.',
} as const;

function ofService(
	{ kind, detail, retryAfterSeconds }: ServiceError,
	asked: 'picture' | 'answer',
): [what: string, again: boolean] {
	const said = detail ? `: ${detail}` : '';
	const picture = asked === 'picture';
	switch (kind) {
		case 'key':
			return [
				`The image service does not accept this bot's key; whoever runs Easel has to look at SERVICE_API_KEY.`,
				false,
			];
		case 'balance':
			return ['The plan at the image service is used up and its balance is empty.', false];
		case 'content':
			return [
				`The image service refused this by its content rules${said}. Try other words${picture ? ' or another picture' : ''}.`,
				false,
			];
		case 'request':
			return [`The image service did not take the request${said}.`, false];
		case 'busy': {
			const when = retryAfterSeconds === undefined ? 'in a minute' : `in ${Math.ceil(retryAfterSeconds)} s`;
			return [`The image service is busy. Try again ${when}.`, true];
		}
		case 'unreachable':
			return [`The image service can't be reached right now. Try again in a minute.`, true];
		case 'unknown':
			if (!picture) return ['The image service gave no whole answer.', true];
			return [`The image service gave no answer, so nobody knows whether it made the picture.`, true];
		case 'answer':
			return [`The image service answered something that is no ${picture ? 'picture' : 'text'}.`, true];
	}
}
