/** Where something happens. Plain data: it is stored with jobs and handles, and survives a restart. */
export type Place = {
	/** The platform's name: `discord`, `slack`, `sandbox`. */
	platform: string;
	/** Discord's server, Slack's workspace. Caps belong to it. */
	server: string;
	channel: string;
	thread?: string;
	/** A conversation of one person with the bot. Its `server` is the one whose caps the person comes under, or `user:` and their id. */
	direct?: true;
};

/** A thread, or with less said all threads of a channel or of a server. */
export type PlaceScope = Pick<Place, 'platform' | 'server'> & Partial<Pick<Place, 'channel' | 'thread'>>;

/** Names a message for good: plain data that `Platform.find` takes, also in another process. */
export type MessageHandle = {
	place: Place;
	/** The `key` that the message was posted under. */
	key: string;
	/** What else the platform needs to find it. */
	data?: Record<string, string>;
};
