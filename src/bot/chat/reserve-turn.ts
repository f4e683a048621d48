import type { Channel } from '../../domain/channel.ts';
import type { Job } from '../../domain/job.ts';
import type { Refusal } from '../../domain/platform.ts';
import { translatorFor } from '../../i18n/translator.ts';
import { capReachedMessage } from '../messages/usage-messages.ts';
import type { BotServices } from '../services.ts';
import type { Utterance } from './transcript.ts';

/**
 * Reserves a chat turn at the cost of a person.
 *
 * @param key of the answer's first message
 * @param id of the job; a retry has the answer's key with a suffix
 */
export function reserveTurn(
	{ ledger, policy }: BotServices,
	channel: Channel,
	key: string,
	id: string,
	{ roles, ...person }: Utterance['person'],
) {
	const { place } = channel;
	const asking = { channel, person: { ...person, ...(roles && { roles }), moderator: false }, text: '' };
	return ledger.reserve({
		id,
		command: 'chat',
		what: 'chat',
		place,
		person,
		roles,
		answer: { place, key },
		checkPolicy: policy.checkerOf('chat', asking),
	});
}

/** Reserves a chat turn for the first of these people whose caps allow it. Returns the first refusal when none do. */
export async function reserveTurnForAny(
	services: BotServices,
	channel: Channel,
	key: string,
	people: readonly Utterance['person'][],
): Promise<Job | Refusal> {
	let refused = '';
	for (const person of people) {
		const job = await reserveTurn(services, channel, key, key, person);
		if (job === 'duplicate') throw new Error('The key of a new answer is in use');
		if (!('denied' in job)) return job;
		refused ||= capReachedMessage(translatorFor(person.locale), job, channel);
	}
	return { refused };
}
