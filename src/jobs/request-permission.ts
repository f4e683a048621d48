import { capReachedMessage } from '../bot/messages/usage-messages.ts';
import type { Policy } from '../bot/moderation/policy.ts';
import type { Channel } from '../domain/channel.ts';
import type { Person } from '../domain/place.ts';
import { translatorFor } from '../i18n/translator.ts';
import type { Ledger } from '../usage/ledger.ts';

type Parts = { policy: Policy; ledger: Ledger };

/**
 * Returns why a person cannot make pictures here at present, by the moderators' rules or a cap; undefined when they can. It is checked
 * before pictures are kept for someone who has not made a request yet.
 */
export async function whyNotPermitted(
	{ policy, ledger }: Parts,
	channel: Channel,
	person: Person,
): Promise<string | undefined> {
	const violation = await policy.checkPerson({ channel, person });
	if (violation !== undefined) return violation;
	const reached = await ledger.capReached(channel.place, { id: person.id, roles: person.roles });
	return reached && capReachedMessage(translatorFor(person.locale), reached, channel);
}
