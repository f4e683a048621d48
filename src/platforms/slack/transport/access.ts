/** The credentials for Slack: for one workspace by Socket Mode or HTTP, or for many by OAuth. */
export type Access =
	| { kind: 'socket'; botToken: string; appToken: string }
	| { kind: 'http'; botToken: string; signingSecret: string }
	| ({ kind: 'oauth'; clientId: string; clientSecret: string; signingSecret: string } & StateSecrets);

/** The operator's own secret, and the one before, with which stored tokens may still be encrypted. */
export type StateSecrets = { stateSecret: string; previousStateSecret?: string | undefined };
