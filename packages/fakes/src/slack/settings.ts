/** Behaviour of the fake that a test can change while it runs. */
export type Settings = {
	/** The transport of events. */
	mode: 'socket' | 'http';
	/** The application's address in HTTP mode. Undefined while the application is not running. */
	requestUrl: string | undefined;
	/** A factor for the periods of all limits and retries, so that tests are short. */
	pace: number;
	/** A file is processed after so many calls of `files.info`, or so many milliseconds. */
	processing: { polls: number; ms: number } | 'never';
	/** `shares` of a processed file stays empty even though the file was shared. */
	emptyShares: boolean;
	/** Events contain only the ids of files, as in shared channels. */
	thinFiles: boolean;
	/** `app_mention` lacks the files of its message. */
	bareMentions: boolean;
	/** Files are on a host of their own, or on that of the Web API. */
	filesAt: 'own host' | 'api host';
	/** Downloads return the login page, under its own type or that of any file. https://github.com/sonichi/sutando/pull/2268 */
	loginPage: boolean | 'mislabelled';
	/** Downloads are redirected to the same host, or to one that must never receive a token. */
	redirects: 'no' | 'same host' | 'elsewhere';
	/**
	 * Whether the app has a Messages tab; without one, it may not write direct messages.
	 * https://docs.slack.dev/reference/methods/chat.postMessage#errors
	 */
	messagesTab: boolean;
	/** For how long messages take edits, in milliseconds. https://docs.slack.dev/reference/methods/chat.update#errors */
	editWindowMs: number;
	/** Whether people and applications may upload. */
	uploads: 'on' | 'disabled' | 'storage full';
	/** The maximum size of an upload, in bytes. */
	uploadBytes: number;
	/**
	 * The app is distributed outside of the Marketplace: histories have one call a minute, with 15 messages.
	 * https://docs.slack.dev/changelog/2025/05/29/rate-limit-changes-for-non-marketplace-apps
	 */
	unlisted: boolean;
	/**
	 * The name of the workspace whose installation the events of a shared channel name; that of the last one by default. Slack names any.
	 * https://docs.slack.dev/apis/events-api/#authorizations
	 */
	named: string | undefined;
	/** Events are lost, as those are that no application has acknowledged for six minutes. https://docs.slack.dev/apis/events-api/#retries */
	losesEvents: boolean;
	/** Every event is delivered twice. */
	duplicates: boolean;
	/** Tokens expire after twelve hours. https://docs.slack.dev/authentication/using-token-rotation */
	rotation: boolean;
	/** Whether a token is valid until it expires when another has replaced it. Slack's page does not say. */
	replacedTokens: 'valid' | 'revoked';
	/** The signatures of requests in HTTP mode. */
	signatures: 'right' | 'forged' | 'old' | 'future' | 'absent';
};

export const DEFAULT_SETTINGS: Settings = {
	mode: 'socket',
	requestUrl: undefined,
	pace: 1,
	processing: { polls: 2, ms: 100 },
	emptyShares: false,
	thinFiles: false,
	bareMentions: false,
	filesAt: 'api host',
	loginPage: false,
	redirects: 'no',
	messagesTab: true,
	editWindowMs: Number.POSITIVE_INFINITY,
	uploads: 'on',
	uploadBytes: 1_000_000_000,
	unlisted: false,
	named: undefined,
	losesEvents: false,
	duplicates: false,
	rotation: false,
	replacedTokens: 'valid',
	signatures: 'right',
};
