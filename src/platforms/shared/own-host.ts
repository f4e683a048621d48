import { isIP } from 'node:net';

/**
 * Tells whether a `Host` header names this host: by an IP address, as `localhost`, or by one of `names`. Other names may belong to
 * a hostile web site that has made its own name point to this host (DNS rebinding) and could read the answers.
 *
 * @param header the header, as `name` or `name:port`
 * @param names further names of this host, in lower case
 */
export function isOwnHost(header: string, names: ReadonlySet<string>): boolean {
	const name = hostnameOf(header);
	if (!name) return false;
	return names.has(name) || name === 'localhost' || name.endsWith('.localhost') || isIP(name) !== 0;
}

/** Returns the name of `name:port` in lower case, without the brackets of an IPv6 address. Undefined when it is not valid. */
export function hostnameOf(header: string): string | undefined {
	const url = URL.parse(`http://${header}`);
	return url && url.host === header.toLowerCase().replace(/:80$/, '')
		? url.hostname.replaceAll(/^\[|\]$/g, '').toLowerCase()
		: undefined;
}
