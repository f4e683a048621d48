import type { Keyv } from 'keyv';
import type { Person } from '../../../domain/person.ts';
import type { Place } from '../../../domain/place.ts';
import { LOOKS, type Look } from './limits.ts';
import { createSerial } from './serial.ts';

type Named = { id: string; name: string };
type Server = Named & { channels: readonly (Named & { topic: string })[]; roles: readonly Named[] };

/** A channel, or a thread in one: where messages are. */
export type Room = {
	id: string;
	server: string;
	channel: string;
	title: string;
	thread: boolean;
	/** A private thread: only this person sees it. */
	onlyFor?: string;
};

/** A thread's id is `channel.number`, after the message that it hangs on: starting it twice gives one thread. */
export type Thread = { id: string; channel: string; title: string; onlyFor?: string };

/** What the people of the sandbox set. */
export type RoomSettings = { look: Look; moderators: Readonly<Record<string, readonly string[]>> };

export type Rooms = ReturnType<typeof createRooms>;

/** The bot's name as an author. */
export const EASEL = 'easel';

export const SERVERS: readonly Server[] = [
	{
		id: 'atelier',
		name: 'Atelier',
		channels: [
			{ id: 'atelier-general', name: 'general', topic: 'Ask for a picture, show what you made' },
			{ id: 'atelier-gallery', name: 'gallery', topic: 'Finished pieces only' },
			{ id: 'atelier-random', name: 'random', topic: 'Anything goes' },
		],
		roles: [
			{ id: 'atelier-painters', name: 'Painters' },
			{ id: 'atelier-apprentices', name: 'Apprentices' },
		],
	},
	{
		id: 'print-club',
		name: 'Print Club',
		channels: [
			{ id: 'print-club-general', name: 'general', topic: 'Ink, paper and pictures' },
			{ id: 'print-club-posters', name: 'posters', topic: 'Large formats' },
			{ id: 'print-club-random', name: 'random', topic: 'Anything goes' },
		],
		roles: [
			{ id: 'print-club-printers', name: 'Printers' },
			{ id: 'print-club-guests', name: 'Guests' },
		],
	},
];

export const PEOPLE: readonly Named[] = [
	{ id: 'ada', name: 'Ada' },
	{ id: 'bjorn', name: 'Björn' },
	{ id: 'chiyo', name: 'Chiyo' },
	{ id: 'dele', name: 'Dele' },
];

/** Who has which role, so that caps of roles can be tried. */
const ROLES: Readonly<Record<string, readonly string[]>> = {
	'atelier-painters': ['ada', 'bjorn'],
	'atelier-apprentices': ['chiyo'],
	'print-club-printers': ['chiyo', 'dele'],
	'print-club-guests': ['ada'],
};

/** Somebody's or something's name, marked as people write it. */
export function nameOf(kind: 'person' | 'channel' | 'role', id: string): string | undefined {
	const named = {
		person: PEOPLE,
		channel: SERVERS.flatMap(({ channels }) => channels),
		role: SERVERS.flatMap(({ roles }) => roles),
	}[kind].find((one) => one.id === id);
	return named && `${kind === 'channel' ? '#' : '@'}${named.name}`;
}

const DEFAULTS: RoomSettings = { look: LOOKS[0], moderators: { atelier: ['ada'], 'print-club': ['chiyo'] } };

/** How many threads a channel lists; older ones are reached from the message that they hang on. */
const LISTED_THREADS = 50;

/** Discord's limit: https://docs.discord.com/developers/resources/channel#start-thread-from-message */
const TITLE_LENGTH = 100;

/** Servers, channels and people are given; threads and settings are kept. */
export function createRooms(keyv: Keyv) {
	const serial = createSerial();
	const channels = new Map<string, Room>();
	for (const server of SERVERS)
		for (const { id, name } of server.channels)
			channels.set(id, { id, server: server.id, channel: id, title: name, thread: false });

	const settings = async () => (await keyv.get<RoomSettings>('settings')) ?? DEFAULTS;

	function changeSettings(change: (settings: RoomSettings) => RoomSettings): Promise<RoomSettings> {
		return serial(async () => {
			const changed = change(await settings());
			await keyv.set('settings', changed);
			return changed;
		});
	}

	return {
		settings,
		setLook: (look: Look) => changeSettings((settings) => ({ ...settings, look })),

		setModerator(server: string, person: string, moderator: boolean): Promise<RoomSettings> {
			return changeSettings((settings) => {
				const others = (settings.moderators[server] ?? []).filter((id) => id !== person);
				return {
					...settings,
					moderators: { ...settings.moderators, [server]: moderator ? [...others, person] : others },
				};
			});
		},

		/** Undefined when nobody has that id. */
		async person(id: string, server: string): Promise<Person | undefined> {
			const found = PEOPLE.find((person) => person.id === id);
			const { moderators } = await settings();
			const roles = Object.keys(ROLES).filter((role) => ROLES[role]?.includes(id));
			return found && { ...found, moderator: moderators[server]?.includes(id) ?? false, roles };
		},

		/** A channel or thread by its id. */
		async room(id: string): Promise<Room | undefined> {
			const channel = channels.get(id);
			if (channel) return channel;
			const thread = await keyv.get<Thread>(`thread:${id}`);
			const parent = thread && channels.get(thread.channel);
			if (!thread || !parent) return undefined;
			const { title, onlyFor } = thread;
			return { ...parent, id, title, thread: true, ...(onlyFor !== undefined && { onlyFor }) };
		},

		/** The newest threads of a channel that this person may see, newest first. */
		async threads(channel: string, person: string): Promise<Thread[]> {
			const listed = (await keyv.get<Thread[]>(`threads:${channel}`)) ?? [];
			return listed.filter(({ onlyFor }) => onlyFor === undefined || onlyFor === person);
		},

		/** @param onlyFor whose private thread it is */
		openThread(
			channel: string,
			number: number,
			title: string,
			onlyFor?: string,
		): Promise<{ thread: Thread; created: boolean }> {
			return serial(async () => {
				const id = `${channel}.${number}`;
				const existing = await keyv.get<Thread>(`thread:${id}`);
				if (existing) return { thread: existing, created: false };
				const thread = { id, channel, title: cleanTitle(title), ...(onlyFor !== undefined && { onlyFor }) };
				await keyv.set(`thread:${id}`, thread);
				const listed = (await keyv.get<Thread[]>(`threads:${channel}`)) ?? [];
				await keyv.set(`threads:${channel}`, [thread, ...listed].slice(0, LISTED_THREADS));
				return { thread, created: true };
			});
		},
	};
}

export function placeOf(room: Room): Place {
	const place = { platform: 'sandbox', server: room.server, channel: room.channel };
	return room.thread ? { ...place, thread: room.id } : place;
}

function cleanTitle(title: string): string {
	const line = title
		.toWellFormed()
		.replaceAll(/[\s\p{Cc}]+/gu, ' ')
		.trim();
	return [...line].slice(0, TITLE_LENGTH).join('') || 'Thread';
}
