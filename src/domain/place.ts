/** A place on a platform. Plain data, stored with jobs and handles. */
export type Place = {
	/** The platform's name: `discord`, `slack`, `sandbox`. */
	platform: string;
	/** The id of a Discord server or a Slack workspace. Caps belong to it. */
	server: string;
	channel: string;
	thread?: string;
	/** A direct message. Its `server` is the one whose caps apply to the person, or `user:` and their id. */
	direct?: true;
};

/** A thread, or all threads of a channel or of a server. */
export type PlaceScope = Pick<Place, 'platform' | 'server'> & Partial<Pick<Place, 'channel' | 'thread'>>;

/** Identifies a message, also in another process. Plain data; see `Platform.find`. */
export type MessageHandle = {
	place: Place;
	/** The `key` that the message was posted under. */
	key: string;
	/** Further data that the platform needs to find it. */
	data?: Record<string, string>;
};
