/** A channel, thread or direct message in which something happens. It is stored with jobs and handles. */
export type Place = {
	/** The platform's name: `discord`, `slack`, `sandbox`. */
	platform: string;
	/** The id of Discord's server or Slack's workspace, to which caps belong. */
	server: string;
	channel: string;
	thread?: string;
	/** A direct message between a person and the bot. `server` is the one whose caps apply, or `user:` and the person's id. */
	direct?: true;
};

/** Tells whether a place belongs to one person rather than to a server. */
export const isPersonal = ({ server }: Pick<Place, 'server'>) => server.startsWith('user:');

/** A thread, or without the optional fields all threads of a channel or a server. */
export type PlaceScope = Pick<Place, 'platform' | 'server'> & Partial<Pick<Place, 'channel' | 'thread'>>;

/** Identifies a message permanently. `Platform.find` accepts it, also in another process. */
export type MessageHandle = {
	place: Place;
	/** The key under which the message was posted. */
	key: string;
	/** Further data that the platform needs to find it. */
	data?: Record<string, string>;
};
