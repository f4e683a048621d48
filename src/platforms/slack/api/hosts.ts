/** Which addresses are Slack's own, and which of them may see the bot's token. */
export type Hosts = {
	/** Something may be fetched from there, or sent there. */
	mayCall(url: URL): boolean;
	/** The token may be sent along: to Slack itself, and to the host that takes its place as the Web API. */
	maySeeToken(url: URL): boolean;
	/** The same for where a host that has seen it points to. */
	mayPassToken(from: URL, to: URL): boolean;
};

/**
 * @param apiUrl the Web API's base address
 * @param origins further ones that files may be fetched from, without the token
 */
export function createHosts(apiUrl: string, origins: readonly string[] = []): Hosts {
	const api = URL.parse(apiUrl)?.hostname;
	const others = new Set(origins);
	const maySeeToken = (url: URL) => isSlack(url) || url.hostname === api;
	return {
		maySeeToken,
		mayPassToken: (from, to) => isSlack(to) || (to.origin === from.origin && maySeeToken(from)),
		mayCall: (url) => maySeeToken(url) || others.has(url.origin),
	};
}

/** https://docs.slack.dev/reference/objects/file-object: files are at `files.slack.com`, on Grid at `files.TEAM.slack.com`. */
const isSlack = ({ protocol, hostname, port }: URL) =>
	protocol === 'https:' && port === '' && (hostname === 'slack.com' || hostname.endsWith('.slack.com'));
