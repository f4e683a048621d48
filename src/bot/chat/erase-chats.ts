import type { Place } from '../../domain/place.ts';
import type { ChatResponder } from './chat-responder.ts';
import type { TurnScheduler } from './turn-scheduler.ts';

/**
 * Erases chats for good: stops the answers that are being written there, which would otherwise be saved afterwards.
 *
 * @param matches tells whether a thread is erased
 * @param erase called twice
 */
export async function eraseChats(
	responder: ChatResponder,
	turns: TurnScheduler,
	matches: (place: Place) => boolean,
	erase: () => Promise<void>,
): Promise<void> {
	// First, so that no message is left to be answered.
	await erase();
	responder.stopWhere(matches);
	await turns.settled(matches);
	await erase();
}
