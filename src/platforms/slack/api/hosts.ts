/** The hosts that Easel may call, and those that may receive the bot's token. */
export type Hosts = {
	/** Whether an address may be called, with or without the token. */
	mayCall(url: URL): boolean;
	/** Whether the token may be sent: to Slack, and to the scheme, host and port of the Web API. */
	maySeeToken(url: URL): boolean;
	/** Whether the token may be sent on a redirect. */
	mayPassToken(from: URL, to: URL): boolean;
};

/**
 * @param apiUrl the base address of the Web API
 * @param origins other origins that files may be fetched from, without the token
 */
export function createHosts(apiUrl: string, origins: readonly string[] = []): Hosts {
	const apiOrigin = URL.parse(apiUrl)?.origin;
	const others = new Set(origins);
	const maySeeToken = (url: URL) => isSlack(url) || url.origin === apiOrigin;
	return {
		maySeeToken,
		mayPassToken: (from, to) => isSlack(to) || (to.origin === from.origin && maySeeToken(from)),
		mayCall: (url) => maySeeToken(url) || others.has(url.origin),
	};
}

/** Files are at `files.slack.com`, on Grid at `files.TEAM.slack.com`. https://docs.slack.dev/reference/objects/file-object */
const isSlack = ({ protocol, hostname, port }: URL) =>
	protocol === 'https:' && port === '' && (hostname === 'slack.com' || hostname.endsWith('.slack.com'));
