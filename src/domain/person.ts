export type Person = {
	id: string;
	name: string;
	/** May use the moderators' commands in this place. The platform determines it for every event. */
	moderator: boolean;
	/** Ids of the roles or user groups that caps can be set for. */
	roles?: readonly string[];
	/** BCP 47, as the platform reports it. */
	locale?: string;
};
