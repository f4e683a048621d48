import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Slack } from '../context.ts';
import { secret } from '../ids.ts';
import { bytesOf } from '../web-api/arguments.ts';
import { typeOf } from '../world/files.ts';
import { canSeeFile, hasFile } from '../world/messages.ts';
import type { StoredFile } from '../world/model.ts';

const LOGIN_PAGE =
	'<!DOCTYPE html><html><head><title>Slack</title></head><body>Sign in to your workspace</body></html>';

type FileResponse = { status: number; type?: string; body?: string | Uint8Array; headers?: Record<string, string> };

/**
 * The hosts of files: the one for uploads and downloads, and another that downloads may be redirected to. Without the token or its
 * scope, a download is the login page. https://docs.slack.dev/messaging/working-with-files, …/reference/objects/file-object
 */
export function createFilesHost(slack: Slack) {
	/** Files that can be downloaded without a token, by the ticket in their address. */
	const tickets = new Map<string, StoredFile>();

	async function upload(request: IncomingMessage, id: string): Promise<FileResponse> {
		const file = slack.world.files.get(id);
		const bytes = await contentOf(request);
		if (file?.state !== 'announced') {
			slack.violate('an upload was sent to an address that is unknown or was used already');
			return { status: 404, body: 'not found' };
		}
		checkTeam(request, file);
		if (bytes.length !== file.length) {
			slack.violate(`an upload has ${bytes.length} bytes; ${file.length} were announced`);
			return { status: 400, body: 'length mismatch' };
		}
		Object.assign(file, { bytes, type: typeOf(bytes, file.name), state: 'uploaded' });
		return { status: 200, type: 'text/plain', body: `OK - ${bytes.length}` };
	}

	function download(request: IncomingMessage, id: string, converted?: Uint8Array): FileResponse {
		const file = slack.world.files.get(id);
		const token = bearerOf(request) ?? '';
		const me = slack.installationOf(token);
		if (!file || file.state === 'deleted') return { status: 404, type: 'text/html', body: LOGIN_PAGE };
		checkTeam(request, file);
		const isRevoked = me?.token !== token && slack.settings.replacedTokens === 'revoked';
		const allowed =
			me && !isRevoked && hasFile(me.team, file) && me.scopes.has('files:read') && canSeeFile(me.user, file);
		const { loginPage } = slack.settings;
		if (!allowed || loginPage)
			return {
				status: 200,
				type: loginPage === 'mislabelled' ? 'application/octet-stream' : 'text/html',
				body: LOGIN_PAGE,
			};
		if (converted) return fileResponse({ ...file, bytes: converted, type: typeOf(converted, file.name) });
		if (slack.settings.redirects === 'no') return fileResponse(file);
		const ticket = secret('');
		tickets.set(ticket, file);
		const { files, elsewhere } = slack.address;
		const host = slack.settings.redirects === 'elsewhere' ? elsewhere() : files();
		return { status: 302, headers: { location: `${host}/ticket/${ticket}` } };
	}

	/** Records a token that is sent for a file of another workspace. */
	function checkTeam(request: IncomingMessage, file: StoredFile): void {
		const bearer = bearerOf(request);
		const me = bearer === undefined ? undefined : slack.installationOf(bearer);
		if (me && !hasFile(me.team, file))
			slack.violate(`the token of ${me.team.name} was sent for a file of ${file.team.name}`);
	}

	const serveTicket = (ticket: string): FileResponse => {
		const file = tickets.get(ticket);
		return file ? fileResponse(file) : { status: 404, body: 'not found' };
	};

	return {
		async files(request: IncomingMessage): Promise<FileResponse> {
			const { pathname } = new URL(request.url ?? '/', 'http://localhost');
			const uploaded = pathname.match(/^\/upload\/v1\/\w+\/(F\w+)$/)?.[1];
			if (uploaded && request.method === 'POST') return upload(request, uploaded);
			const downloaded = pathname.match(/^\/files-pri\/\w+-(F\w+)\//)?.[1];
			if (downloaded) {
				const thumb = new URL(request.url ?? '/', 'http://localhost').searchParams.get('thumb');
				const converted = slack.world.files.get(downloaded)?.converted;
				if (thumb && !(converted && thumb === '1024'))
					slack.violate('a thumbnail was downloaded instead of the original');
				return download(request, downloaded, thumb ? converted : undefined);
			}
			return serveTicket(pathname.match(/^\/ticket\/(\w+)$/)?.[1] ?? '');
		},
		async elsewhere(request: IncomingMessage): Promise<FileResponse> {
			if (request.headers.authorization) slack.violate('a token was sent to a host that is not Slack');
			return serveTicket(request.url?.match(/^\/ticket\/(\w+)$/)?.[1] ?? '');
		},
	};
}

/** Returns the handler of a host of files. */
export const serveFiles =
	(slack: Slack, answer: (request: IncomingMessage) => Promise<FileResponse>) =>
	async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
		const { status, type, body, headers } = await answer(request).catch((reason) => {
			slack.violate(`files: the fake itself failed: ${reason instanceof Error ? reason.stack : reason}`);
			return { status: 500 } as FileResponse;
		});
		request.resume();
		response.writeHead(status, { ...(type && { 'content-type': type }), ...headers });
		response.end(body);
	};

const bearerOf = (request: IncomingMessage) => request.headers.authorization?.match(/^Bearer (.+)$/)?.[1];

const fileResponse = ({ type, bytes }: StoredFile): FileResponse => ({
	status: 200,
	type,
	body: bytes,
	headers: { 'content-length': String(bytes.length) },
});

/** Returns the body, or the file of a form. */
async function contentOf(request: IncomingMessage): Promise<Uint8Array> {
	const bytes = await bytesOf(request);
	const type = request.headers['content-type'] ?? '';
	if (!type.startsWith('multipart/form-data')) return new Uint8Array(bytes);
	const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } }).formData();
	const file = [...form.values()].find((value) => typeof value !== 'string');
	return file === undefined ? new Uint8Array() : new Uint8Array(await (file as File).arrayBuffer());
}
