import { BlockList, isIP } from 'node:net';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8);
loopback.addAddress('::1', 'ipv6');

/** Tells whether a host is this machine alone. */
export function isLoopback(host: string): boolean {
	const name = host.replace(/^\[|\]$/g, '').toLowerCase();
	if (name === 'localhost' || name.endsWith('.localhost')) return true;
	const family = isIP(name);
	return family !== 0 && loopback.check(name, family === 6 ? 'ipv6' : 'ipv4');
}
