import { type Context, Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { translatorFor } from '../../../../i18n/translator.ts';
import { isStoreFailure } from '../../../shared/failure-message.ts';
import { pressButton, runCommand, suggest } from '../actions/command-actions.ts';
import type { SandboxActionContext } from '../actions/context.ts';
import { deleteMessage, editMessage, postMessage, startThread } from '../actions/message-actions.ts';
import { setEmulated, setModerator } from '../actions/settings-actions.ts';
import { readOptions } from '../actions/typed-command.ts';
import { BadRequest } from '../bad-request.ts';
import { pageMessages } from '../page-messages.ts';
import { eventsFor, historyOf, type ReadContext, snapshotFor } from '../snapshot.ts';
import type { FileStore, StoredFile } from '../store/files.ts';
import { serveAsset } from './assets.ts';
import { createUploadLimits, readForm, readJson, small } from './body.ts';
import {
	commandInput,
	emulationInput,
	messageInput,
	moderatorInput,
	pageInput,
	parse,
	personInput,
	pressInput,
	streamInput,
	suggestInput,
	targetInput,
	textInput,
	threadInput,
	typedInput,
} from './input.ts';
import { sameOriginOnly } from './same-origin.ts';

const CONTENT_SECURITY_POLICY = [
	"default-src 'none'",
	"script-src 'self'",
	"style-src 'self'",
	"img-src 'self' blob:",
	"connect-src 'self'",
	"base-uri 'none'",
	"form-action 'none'",
	"frame-ancestors 'none'",
	"require-trusted-types-for 'script'",
].join('; ');

type RouteOptions = {
	context: SandboxActionContext & ReadContext;
	/** Names under which the page may be opened. */
	hosts: readonly string[];
};

/** The page, its files, the JSON interface and the event stream. Every error is `{ error: 'One sentence.' }`. */
export function createRoutes({ context, hosts }: RouteOptions): Hono {
	const routes = new Hono();
	const sameOrigin = sameOriginOnly(hosts);
	routes.use('/', sameOrigin);
	routes.use('/sandbox/*', sameOrigin, async (c, next) => {
		await next();
		c.header('X-Content-Type-Options', 'nosniff');
		c.header('Cross-Origin-Resource-Policy', 'same-origin');
		c.header('Referrer-Policy', 'no-referrer');
	});
	addReads(routes, context);
	addActions(routes, context);
	addFiles(routes, context.files);
	addPage(routes);
	routes.all('/sandbox/*', notFound);
	routes.onError((error, c) => {
		const t = translatorFor(localeOf(c).locale);
		if (error instanceof BadRequest) return c.json({ error: error.messageIn(t) }, error.status as ContentfulStatusCode);
		context.onError(error);
		if (isStoreFailure(error)) return c.json({ error: t('errors.store') }, 503);
		return c.json({ error: t('sandbox.server.failed') }, 500);
	});
	return routes;
}

function addReads(routes: Hono, context: ReadContext): void {
	routes.get('/sandbox/api/state', async (c) =>
		c.json(await snapshotFor(context, { ...parse(personInput, c.req.query()), ...localeOf(c) })),
	);
	routes.get('/sandbox/api/texts', (c) => c.json(pageMessages(localeOf(c).locale)));
	routes.get('/sandbox/api/channels/:channel/messages', async (c) =>
		c.json(await historyOf(context, c.req.param('channel'), parse(pageInput, c.req.query()))),
	);
	routes.get('/sandbox/events', async (c) => {
		const { as, since } = parse(streamInput, c.req.query());
		const stream = eventsFor(context, c.req.header('last-event-id') ?? since, as);
		return c.body(stream, 200, {
			'Content-Type': 'text/event-stream; charset=utf-8',
			'Cache-Control': 'no-store',
			'X-Accel-Buffering': 'no',
		});
	});
}

function addActions(routes: Hono, context: SandboxActionContext): void {
	const uploads = createUploadLimits();
	routes.post('/sandbox/api/messages', ...uploads, async (c) => {
		const { input, files } = await readForm(c);
		return c.json(await postMessage(context, { ...parse(messageInput, input), ...localeOf(c) }, files), 201);
	});
	routes.post('/sandbox/api/edits', small, async (c) =>
		c.json(await editMessage(context, parse(textInput, await readJson(c)))),
	);
	routes.post('/sandbox/api/deletions', small, async (c) =>
		c.json(await deleteMessage(context, parse(targetInput, await readJson(c)))),
	);
	routes.post('/sandbox/api/threads', small, async (c) =>
		c.json(await startThread(context, parse(threadInput, await readJson(c))), 201),
	);
	routes.post('/sandbox/api/commands', ...uploads, async (c) => {
		const { input, files } = await readForm(c);
		return c.json(await runCommand(context, { ...parse(commandInput, input), ...localeOf(c) }, files), 202);
	});
	routes.post('/sandbox/api/options', small, async (c) =>
		c.json(await readOptions(context, { ...parse(typedInput, await readJson(c)), ...localeOf(c) })),
	);
	routes.post('/sandbox/api/presses', small, async (c) =>
		c.json(await pressButton(context, { ...parse(pressInput, await readJson(c)), ...localeOf(c) }), 202),
	);
	routes.get('/sandbox/api/suggestions', async (c) =>
		c.json(await suggest(context, parse(suggestInput, c.req.query()))),
	);
	routes.put('/sandbox/api/emulation', small, async (c) =>
		c.json(await setEmulated(context, parse(emulationInput, await readJson(c)))),
	);
	routes.put('/sandbox/api/moderators', small, async (c) =>
		c.json(await setModerator(context, parse(moderatorInput, await readJson(c)))),
	);
}

function addFiles(routes: Hono, files: FileStore): void {
	routes.get('/sandbox/files/:id/:name', async (c) => {
		const file = await files.describe(c.req.param('id'));
		const bytes = file && (await files.read(file.id));
		return bytes ? c.body(bytes, 200, fileHeaders(file, c.req.query('download') !== undefined)) : notFound(c);
	});
}

function addPage(routes: Hono): void {
	routes.get('/', (c) => {
		c.header('Content-Security-Policy', CONTENT_SECURITY_POLICY);
		c.header('X-Content-Type-Options', 'nosniff');
		c.header('Referrer-Policy', 'no-referrer');
		return serveAsset(c, 'index.html') ?? notFound(c);
	});
	routes.get('/sandbox/:name{.+}', (c) => serveAsset(c, c.req.param('name')) ?? notFound(c));
}

const notFound = (c: Context) => c.json({ error: 'There is nothing under this address.' }, 404);

/** The first language that the browser prefers, which is `navigator.language` in the page. */
const localeOf = (c: Context) => ({
	locale: /^[a-z]{2,3}(-\w{2,8})*/i.exec(c.req.header('accept-language') ?? '')?.[0],
});

/** The bytes under an id never change. */
function fileHeaders(file: StoredFile, isDownload: boolean): Record<string, string> {
	const isPicture = file.type.startsWith('image/');
	const name = encodeURIComponent(file.name).replaceAll(/['()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`);
	return {
		'Content-Type': file.type,
		'Content-Disposition': `${isPicture && !isDownload ? 'inline' : 'attachment'}; filename*=UTF-8''${name}`,
		'Content-Security-Policy': "default-src 'none'; sandbox",
		'Cache-Control': 'private, max-age=31536000, immutable',
	};
}
