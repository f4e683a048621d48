export type Person = {
	id: string;
	name: string;
	/** Whether the person may use moderators' commands in this place. The platform determines it for each event. */
	moderator: boolean;
	/** Ids of the person's roles or user groups, for which caps can be set. */
	roles?: readonly string[];
	/** The language (BCP 47) that the platform reports. */
	locale?: string;
};
