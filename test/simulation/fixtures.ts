import type { Person, Place } from '../../src/domain/channel.ts';

/** The members of both servers. `mo` moderates them. */
export const PEOPLE: readonly Person[] = [
	{ id: 'ada', name: 'Ada', moderator: false, roles: ['artist'] },
	{ id: 'ben', name: 'Ben', moderator: false, roles: ['artist', 'patron'] },
	{ id: 'cleo', name: 'Cleo', moderator: false },
	{ id: 'mo', name: 'Mo', moderator: true },
];
export const MODERATOR = { id: 'mo', name: 'Mo' };

export const personOf = (id: string): Person => PEOPLE.find((person) => person.id === id) as Person;

/** The time zones of the servers. */
export const ZONES = { greenwich: 'UTC', manhattan: 'America/New_York' } as const;
export type Server = keyof typeof ZONES;
export const SERVERS = Object.keys(ZONES) as Server[];

/** The platforms that the servers are on. */
const PLATFORM_OF: Record<Server, string> = { greenwich: 'east', manhattan: 'west' };
export const PLATFORMS = Object.values(PLATFORM_OF);

export const CHANNELS = ['lobby', 'studio'];

/** The channel of the moderation log. */
export const LOG_CHANNEL = 'log';

/** The channel whose pictures are reviewed in some runs. */
export const REVIEWED_CHANNEL = 'studio';

/** The words that prompts consist of, besides a number. */
export const SUBJECTS = ['pond', 'fox', 'tower'];

export const placeOf = (server: Server, channel: string): Place => ({ platform: PLATFORM_OF[server], server, channel });

/** Longer than the clock jumps in a run. */
export const RETENTION_MS = 366 * 24 * 3600_000;
