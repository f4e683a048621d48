export type Person = {
	id: string;
	name: string;
	/** Whether the person may use moderators' commands in this place. The platform determines it for each event. */
	moderator: boolean;
	/** Only by the role that the server's settings name, and not on the platform itself. The core determines it. */
	byRole?: true;
	/** False for people who are no moderators here whatever their roles are: guests, and everybody in direct messages on Discord. */
	mayModerate?: false;
	/** Ids of the person's roles or user groups, for which caps can be set. */
	roles?: readonly string[];
	/** The language (BCP 47) that the platform reports. */
	locale?: string;
};
