import type { Channel, Post } from '../domain/channel.ts';
import type { Person } from '../domain/person.ts';
import type { MessageHandle, Place } from '../domain/place.ts';
import type { Platform } from '../domain/platform.ts';

/** Messages and channels on any of the platforms. */
export type PlatformAccess = {
	/** Tells whether this process runs the platform of a place. Work on other platforms is left to processes that run them. */
	runs(place: Pick<Place, 'platform'>): boolean;
	/** Returns a message of the bot; undefined when it is gone. */
	find(handle: MessageHandle): Promise<Post | undefined>;
	/** Returns a channel to post in without a request from there; undefined when it is gone. */
	open(place: Place): Promise<Channel | undefined>;
	/** Returns the channel for direct messages to a person; undefined when they cannot be sent any. */
	direct(place: Place, person: Pick<Person, 'id'>): Promise<Channel | undefined>;
};

/** Finds the platform by the place. On a platform that this process does not run, nothing is found. */
export function createPlatformAccess(platforms: readonly Platform[]): PlatformAccess {
	const platformOf = (place: Pick<Place, 'platform'>) => platforms.find(({ name }) => name === place.platform);
	return {
		runs: (place) => platformOf(place) !== undefined,
		find: async (handle) => platformOf(handle.place)?.find(handle),
		open: async (place) => platformOf(place)?.channel(place),
		direct: async (place, person) => platformOf(place)?.direct(place, person),
	};
}
