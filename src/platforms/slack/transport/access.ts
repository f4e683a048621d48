/** How Easel comes to Slack: one workspace by Socket Mode or by HTTP, or many by OAuth. */
export type Access =
	| { kind: 'socket'; botToken: string; appToken: string }
	| { kind: 'http'; botToken: string; signingSecret: string }
	| { kind: 'oauth'; clientId: string; clientSecret: string; stateSecret: string; signingSecret: string };
