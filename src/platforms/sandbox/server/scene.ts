import type { Person } from '../../../domain/person.ts';
import { BadRequest } from './input.ts';
import { type Messages, type StoredMessage, visibleTo } from './messages.ts';
import type { Room, Rooms } from './rooms.ts';

/** Who does something, where, and what language their browser asks for. */
export type Asked = { as: string; room: string; locale?: string | undefined };

/** Who does something, and where. */
export function createScenes(rooms: Rooms, messages: Messages) {
	return {
		/** Whether the person is a moderator there is looked up for every event anew. */
		async scene({ as: personId, room: roomId, locale }: Asked): Promise<{ room: Room; person: Person }> {
			const room = await rooms.room(roomId);
			if (!room || (room.onlyFor ?? personId) !== personId) throw new BadRequest(404, 'There is no such channel.');
			const person = await rooms.person(personId, room.server);
			if (!person) throw new BadRequest(404, 'There is no such person.');
			return { room, person: { ...person, ...(locale && { locale }) } };
		},

		/** A message that this person may see. */
		async messageFor(person: string, room: Room, number: number): Promise<StoredMessage> {
			const message = await messages.get(room.id, number);
			if (!message || !visibleTo(message, person)) throw new BadRequest(404, 'That message is gone.');
			return message;
		},
	};
}
