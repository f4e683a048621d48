import { inLanguage } from '../../../bot/declaration/fields.ts';
import type { CommandDescription } from '../../../domain/command.ts';
import { messageMenu } from '../../../domain/message-menu.ts';
import { languages } from '../../../i18n/catalogues.ts';
import { translatorFor } from '../../../i18n/translator.ts';
import type { Hub } from './events.ts';
import { BadRequest } from './input.ts';
import { LIMITS } from './limits.ts';
import { type Messages, visibleTo } from './messages.ts';
import { EASEL, PEOPLE, type Rooms, SERVERS } from './rooms.ts';
import { createScenes } from './scene.ts';
import { viewOf } from './view.ts';

export type Reading = ReturnType<typeof createReading>;

/** What a person sees: all at once to begin with, a room's history page by page, and then what happens. */
export function createReading(options: {
	commands: readonly CommandDescription[];
	rooms: Rooms;
	messages: Messages;
	hub: Hub;
	/** Whether the platform takes events; a stream of a stopped one would stay silent for ever. */
	running: () => boolean;
}) {
	const { commands, rooms, messages, hub } = options;
	const { scene } = createScenes(rooms, messages);

	function checkPerson(id: string): void {
		if (!PEOPLE.some((person) => person.id === id)) throw new BadRequest(404, 'There is no such person.');
	}

	return {
		/** `cursor` is where the event stream takes over. */
		async snapshot({ as: personId, locale }: { as: string; locale?: string | undefined }) {
			checkPerson(personId);
			// Taken first: what changes while the rest is read comes again as an event, and a page can tell which is newer.
			const cursor = hub.cursor();
			const settings = await rooms.settings();
			const t = translatorFor(locale);
			const listed = commands.map((command) => inLanguage(t, command));
			const menu = messageMenu(commands).map((entry) => ({ ...entry, name: t(entry.name) }));
			const latest: Record<string, number> = {};
			const servers = [];
			for (const server of SERVERS) {
				const channels = [];
				for (const channel of server.channels) {
					const threads = await rooms.threads(channel.id, personId);
					for (const { id } of [channel, ...threads]) latest[id] = await messages.latest(id, personId);
					channels.push({ ...channel, threads });
				}
				servers.push({ ...server, channels });
			}
			const fixed = { people: PEOPLE, bot: EASEL, languages, limits: LIMITS };
			return { cursor, servers, ...fixed, commands: listed, menu, latest, settings };
		},

		/** Oldest first; `more` when there are older ones; `origin` is the message that a thread hangs on. */
		async history(roomId: string, page: { as: string; limit: number; before?: number | undefined }) {
			const { room, person } = await scene({ as: page.as, room: roomId });
			const { messages: found, more } = await messages.page(room.id, person.id, page.limit, page.before);
			const origin = room.thread ? await messages.get(room.channel, Number(room.id.split('.').at(-1))) : undefined;
			return {
				room,
				more,
				messages: found.map(viewOf),
				...(origin && visibleTo(origin, person.id) && { origin: viewOf(origin) }),
			};
		},

		events(since: string, personId: string): ReadableStream<Uint8Array> {
			checkPerson(personId);
			if (!options.running()) throw new BadRequest(503, 'Easel is not running just now; try again in a moment.');
			return hub.stream(since, personId);
		},
	};
}
