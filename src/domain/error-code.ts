/** Returns a short code of an error, such as `ECONNREFUSED`, which contains nothing that anybody wrote. */
export function codeOf(error: unknown): string {
	for (let one: unknown = error; one instanceof Error; one = one.cause) {
		const { code } = one as { code?: unknown };
		if (typeof code === 'string' && /^[A-Z][A-Z0-9_]{2,60}$/.test(code)) return code;
		// https://nodejs.org/api/globals.html#class-aborterror
		if (one.name === 'AbortError' || one.name === 'TimeoutError') return 'TIMEOUT';
	}
	return error instanceof Error && /^[A-Za-z]{3,40}$/.test(error.name) ? error.name : 'unknown';
}

/** A remedy for a code of a connection that failed. */
export function connectionStep(code: string): string {
	if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
		return 'Check the name in the address, and that this machine can resolve names.';
	if (code === 'ECONNREFUSED') return 'Check host and port of the address, and that the other side runs.';
	if (/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO/.test(code))
		return 'Check the certificate of the address; name a private issuer in NODE_EXTRA_CA_CERTS.';
	return 'Check the address, and that a firewall or proxy lets this machine through.';
}
