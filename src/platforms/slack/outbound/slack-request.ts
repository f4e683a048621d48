/** Who asked for something, and how they can be answered. */
export type SlackRequest = {
	user: string;
	/** The workspace that they are of. */
	team: string;
	responseUrl?: string;
	/** What is private will be edited, or shows pictures: Slack has that in direct messages alone. */
	inDirect?: boolean;
};
