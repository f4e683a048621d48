import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Slack } from './context.ts';
import { type createFilesHost, serveFiles } from './transport/files-host.ts';
import { postToResponseUrl } from './user/triggers.ts';
import { readArgs } from './web-api/arguments.ts';
import { SlackError, slackError } from './web-api/errors.ts';

const FILE_PATHS = /^\/(upload|files-pri|ticket)\//;
const RESPONSE_URL = /^\/commands\/\w+\/(\w+)$/;

/** Starts an HTTP server on a free port of the loopback interface. */
export async function listen(): Promise<{ server: Server; url: string }> {
	const server = createServer();
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

export async function end(server: Server): Promise<void> {
	server.closeAllConnections();
	await new Promise((resolve) => server.close(resolve));
}

/** Returns the handler of the main host: the Web API, response URLs and, depending on the settings, files. */
export const mainHost =
	(
		slack: Slack,
		api: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
		hosts: ReturnType<typeof createFilesHost>,
	): RequestListener =>
	async (request, response) => {
		const url = new URL(request.url ?? '/', slack.address.api());
		if (url.pathname.startsWith('/api/')) return api(request, response);
		if (FILE_PATHS.test(url.pathname)) return serveFiles(slack, hosts.files)(request, response);
		const id = url.pathname.match(RESPONSE_URL)?.[1];
		if (!id || request.method !== 'POST') return void response.writeHead(404).end();
		return serveResponseUrl(slack, id, url, request, response);
	};

async function serveResponseUrl(
	slack: Slack,
	id: string,
	url: URL,
	request: IncomingMessage,
	response: ServerResponse,
): Promise<void> {
	if (request.headers.authorization) slack.violate('a token was sent to a response_url');
	const fault = slack.faults.take('response_url');
	if (fault && 'die' in fault) return void request.socket.destroy();
	if (fault && 'limited' in fault) return void response.writeHead(429, { 'retry-after': String(fault.limited) }).end();
	if (fault && 'status' in fault) return void response.writeHead(fault.status).end('server_error');
	try {
		if (fault && 'error' in fault) throw slackError(fault.error);
		postToResponseUrl(slack, id, await readArgs(request, url));
		response.writeHead(200, { 'content-type': 'text/plain' }).end('ok');
	} catch (reason) {
		if (!(reason instanceof SlackError)) slack.violate(`the fake itself failed: ${reason}`);
		const { code = 'fatal_error', more = {}, violation = false } = reason instanceof SlackError ? reason : {};
		if (violation) slack.violate(`response_url: ${code} ${JSON.stringify(more)}`);
		// A refused content is named in plain text. https://github.com/sourcegraph/sourcegraph-public-snapshot/issues/49979
		if (/^(?:invalid_|no_text|msg_)/.test(code)) return void response.writeHead(400).end(code);
		const status = code === 'used_url' || code === 'expired_url' ? 404 : 500;
		response.writeHead(status, { 'content-type': 'application/json' });
		response.end(JSON.stringify({ ok: false, error: code, ...more }));
	}
}
