/** A workspace to create. */
export type TeamDescription = {
	name?: string;
	/** The name of the organization (Enterprise Grid) that the workspace belongs to. */
	enterprise?: string;
	/** The application is installed for the whole organization, of which this is the only workspace. */
	orgWide?: boolean;
	/** By handle, which `SlackFake.user` takes. */
	users?: Readonly<Record<string, UserDescription>>;
	/** The application is a member of public channels, and of private ones only with `bot`. */
	channels?: readonly (string | ChannelDescription)[];
	/** The handles of members, by the handle of the user group. */
	groups?: Readonly<Record<string, readonly string[]>>;
	/** Whether the application is installed. By default it is in a single workspace. */
	installed?: boolean;
};

/** `app`: another app's bot user. `workflow`: its messages do not name it, as those of Workflow Builder. */
export type UserDescription = {
	name?: string;
	locale?: string;
	admin?: boolean;
	owner?: boolean;
	guest?: boolean;
	app?: boolean | 'workflow';
};

export type ChannelDescription = {
	name: string;
	private?: boolean;
	archived?: boolean;
	/** Handles; by default everybody except guests. */
	members?: readonly string[];
	bot?: boolean;
};

/** A workspace with the admin Ada and the member Björn. Both are in the user group `painters`. */
export const ATELIER: TeamDescription = {
	name: 'Atelier',
	users: { ada: { name: 'Ada', admin: true }, bjorn: { name: 'Björn' } },
	channels: ['general', 'gallery'],
	groups: { painters: ['ada', 'bjorn'], apprentices: [] },
};
