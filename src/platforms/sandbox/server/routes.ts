import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { etag } from 'hono/etag';
import { translatorFor } from '../../../i18n/translator.ts';
import { isStoreFailure } from '../../shared/failure-message.ts';
import { isOwnHost } from '../../shared/own-host.ts';
import { ACTIONS } from './actions.ts';
import { serveAsset } from './assets.ts';
import {
	BadRequest,
	createUploadLimit,
	knownPerson,
	openInbox,
	page,
	parse,
	person,
	read,
	type SandboxContext,
	small,
	suggestion,
} from './requests.ts';
import { historyOf, pageMessages, snapshotFor } from './snapshot.ts';
import { mediaTypeOf } from './store.ts';

const CONTENT_SECURITY_POLICY =
	"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; base-uri 'none'; " +
	"form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'";

/**
 * The page, its files, the JSON interface and the event stream. Every error is `{ error: 'One sentence.' }`.
 * @param hosts names under which the page may be opened
 */
export function createRoutes(context: SandboxContext, hosts: readonly string[]): Hono {
	const routes = new Hono();
	const sameOrigin = sameOriginOnly(hosts);
	for (const path of ['/', '/sandbox/*'])
		routes.use(path, sameOrigin, async (c, next) => {
			await next();
			c.header('X-Content-Type-Options', 'nosniff');
			c.header('Cross-Origin-Resource-Policy', 'same-origin');
			c.header('Referrer-Policy', 'no-referrer');
		});
	addReads(routes, context);
	addActions(routes, context);
	routes.get('/', etag(), (c) => {
		c.header('Content-Security-Policy', CONTENT_SECURITY_POLICY);
		return serveAsset(c, 'index.html') ?? notFound(c);
	});
	routes.get('/sandbox/:name{.+}', etag(), (c) => serveAsset(c, c.req.param('name')) ?? notFound(c));
	routes.all('/sandbox/*', notFound);
	routes.onError((error, c) => {
		const t = translatorFor(localeOf(c));
		if (error instanceof BadRequest) return c.json({ error: error.messageIn(t) }, error.status);
		context.onError(error);
		if (isStoreFailure(error)) return c.json({ error: t('errors.store') }, 503);
		return c.json({ error: t('sandbox.server.failed') }, 500);
	});
	return routes;
}

/**
 * Refuses requests of other web sites.
 * - DNS rebinding: a hostile name can point to this host, an address or `localhost` cannot. Other names have to be listed.
 * - Cross-site requests: browsers send their origin in `Sec-Fetch-Site` (https://www.w3.org/TR/fetch-metadata/) and `Origin`. Other
 *   programs send neither, and act for no web site.
 */
function sameOriginOnly(hosts: readonly string[]): MiddlewareHandler {
	const names = new Set(hosts.map((host) => host.toLowerCase()));
	return async (c, next) => {
		const host = c.req.header('host') ?? '';
		if (!isOwnHost(host, names)) throw new BadRequest(403, 'The sandbox answers only under its own address.');
		const site = c.req.header('sec-fetch-site') ?? 'none';
		const origin = c.req.header('origin');
		const isForeign = origin !== undefined && URL.parse(origin)?.host !== host.toLowerCase();
		const isEntry = c.req.path === '/' && c.req.method === 'GET';
		if (!isEntry && (isForeign || !['same-origin', 'none'].includes(site)))
			throw new BadRequest(403, 'Other websites cannot use the sandbox.');
		await next();
	};
}

function addReads(routes: Hono, context: SandboxContext): void {
	routes.get('/sandbox/api/state', async (c) => c.json(await snapshotFor(context, personOf(c), localeOf(c))));
	routes.get('/sandbox/api/texts', (c) => c.json({ person: personOf(c), ...pageMessages(localeOf(c)) }));
	routes.get('/sandbox/api/channels/:channel/messages', async (c) =>
		c.json(await historyOf(context, c.req.param('channel'), parse(page, c.req.query()))),
	);
	routes.get('/sandbox/api/suggestions', async (c) =>
		c.json(await openInbox(context).suggest(parse(suggestion, c.req.query()))),
	);
	routes.get('/sandbox/events', (c) => {
		const person = personOf(c);
		// The stream of a stopped platform would stay silent.
		openInbox(context);
		return c.body(context.hub.stream(person), 200, {
			'Content-Type': 'text/event-stream; charset=utf-8',
			'Cache-Control': 'no-store',
			'X-Accel-Buffering': 'no',
		});
	});
	routes.get('/sandbox/files/:id{[\\w-]{1,100}}/:name', async (c) => {
		const { id, name } = c.req.param();
		const bytes = await context.store.readFile(id);
		return bytes ? c.body(bytes, 200, fileHeaders(name, bytes, c.req.query('download') !== undefined)) : notFound(c);
	});
}

function addActions(routes: Hono, context: SandboxContext): void {
	// Of the page alone: each check makes requests with secrets, and to an address that is typed.
	routes.use('/sandbox/api/connections', async (c, next) =>
		context.tryOut && c.req.header('sec-fetch-site') === 'same-origin' ? next() : notFound(c),
	);
	const uploads = createUploadLimit();
	for (const [path, { fields, status = 200, hasFiles, run }] of Object.entries(ACTIONS))
		routes.post(`/sandbox/api/${path}`, hasFiles ? uploads : small, async (c) => {
			const { input, files } = await read(c);
			return c.json(await run(context, { ...parse(fields, input), locale: localeOf(c) }, files), status);
		});
}

const personOf = (c: Context) => knownPerson(parse(person, c.req.query()).as);

const notFound = (c: Context) => c.json({ error: 'There is nothing under this address.' }, 404);

/** The first language that the browser prefers, which is `navigator.language` in the page. */
const localeOf = (c: Context) => /^[a-z]{2,3}(-\w{2,8})*/i.exec(c.req.header('accept-language') ?? '')?.[0];

/** The bytes under an id never change. */
function fileHeaders(fileName: string, bytes: Uint8Array, isDownload: boolean): Record<string, string> {
	const type = mediaTypeOf(bytes);
	const isShown = type.startsWith('image/') && !isDownload;
	const name = encodeURIComponent(fileName).replaceAll(/['()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`);
	return {
		'Content-Type': type,
		'Content-Disposition': `${isShown ? 'inline' : 'attachment'}; filename*=UTF-8''${name}`,
		'Content-Security-Policy': "default-src 'none'; sandbox",
		'Cache-Control': 'private, max-age=31536000, immutable',
	};
}
