import type { Person } from '../../../../domain/place.ts';
import { BadRequest } from '../bad-request.ts';
import type { SandboxChannel, SandboxChannels } from '../store/channels.ts';
import { isVisibleTo, type StoredMessage } from '../store/message.ts';
import type { MessageStore } from '../store/messages.ts';
import type { SettingsStore } from '../store/settings.ts';

/** The person who does something, the channel or thread they do it in, and the language of their browser. */
export type Actor = { as: string; channel: string; locale?: string | undefined };

/**
 * Returns the channel, and the person with the rights they have there now.
 *
 * @throws BadRequest when there is no such channel for this person
 */
export async function authorize(
	{ channels, settings }: { channels: SandboxChannels; settings: SettingsStore },
	{ as: personId, channel: channelId, locale }: Actor,
): Promise<{ channel: SandboxChannel; person: Person }> {
	const channel = await channels.find(channelId);
	if (!channel || (channel.onlyFor ?? personId) !== personId) throw new BadRequest(404, 'There is no such channel.');
	const person = await settings.person(personId, channel.server);
	if (!person) throw new BadRequest(404, 'There is no such person.');
	return { channel, person: { ...person, ...(locale && { locale }) } };
}

/** @throws BadRequest when this person sees no such message */
export async function visibleMessage(
	messages: MessageStore,
	person: string,
	channel: SandboxChannel,
	number: number,
): Promise<StoredMessage> {
	const message = await messages.get(channel.id, number);
	if (!message || !isVisibleTo(message, person)) throw new BadRequest(404, 'sandbox.server.noMessage');
	return message;
}
