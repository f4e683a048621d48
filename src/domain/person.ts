export type Person = {
	id: string;
	name: string;
	/** May use the moderators' commands in this place; established by the platform for every event anew. */
	moderator: boolean;
	/** Ids of the roles or user groups that caps can be set for. */
	roles?: readonly string[];
	/** BCP 47, as the platform tells it. */
	locale?: string;
};
