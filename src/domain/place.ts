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

/** A server of a platform. */
export type ServerId = { platform: string; server: string };

export const isSameServer = (one: ServerId, other: ServerId) =>
	one.platform === other.platform && one.server === other.server;

/** Tells whether a place belongs to one person rather than to a server. */
export const isPersonal = ({ server }: { server: string }) => server.startsWith('user:');

/** A thread, or without the optional fields all threads of a channel or a server. */
export type PlaceScope = ServerId & { channel?: string; thread?: string };

/** Identifies a message permanently. `Platform.find` accepts it, also in another process. */
export type MessageHandle = {
	place: Place;
	/** The key under which the message was posted. */
	key: string;
	/** Further data that the platform needs to find it. */
	data?: Record<string, string>;
};

export type Person = {
	id: string;
	name: string;
	/** Whether the person may use moderators' commands in this place. The platform determines it for each event. */
	moderator: boolean;
	/** Only by the role that the server's settings name, and not on the platform itself. The core determines it. */
	byRole?: true;
	/** False for people who are no moderators here whatever their roles are: guests, and everybody in direct messages on Discord. */
	mayModerate?: false;
	/** A guest, or somebody of another workspace in a shared channel: the server's settings may exclude them. */
	outsider?: true;
	/** An app or another bot: it is answered only where the server's settings name it. */
	app?: true;
	/** Ids of the person's roles or user groups, for which caps can be set. */
	roles?: readonly string[];
	/** The language (BCP 47) that the platform reports. */
	locale?: string;
};

/** The part of a person that is stored with what they asked for. */
export type Requester = Pick<Person, 'id' | 'name' | 'locale'>;

/** A person on a platform, whatever they do there. */
export type PersonOn = { place: { platform: string }; person: { id: string } };

/** The operator's lists of Discord servers, and of Slack workspaces and organizations, by their ids. */
export type ServerLists = {
	/** Empty: all are served. */
	allowed: readonly string[];
	/** Never served. */
	denied: readonly string[];
};

/** Tells whether a place is served: by its server, or for direct messages by the server whose caps apply there. */
export type ServesPlace = (place: ServerId) => boolean;

/**
 * Returns the check of the operator's lists. Who uses the bot in direct messages, and has used it in no server, belongs to no server:
 * they are served where no list says which servers are. The sandbox runs on the operator's own machine and is always served.
 */
export function servesPlaceOf({ allowed, denied }: ServerLists): ServesPlace {
	const [allows, denies] = [new Set(allowed), new Set(denied)];
	return ({ platform, server }) =>
		platform === 'sandbox' || ((allows.size === 0 || allows.has(server)) && !denies.has(server));
}
