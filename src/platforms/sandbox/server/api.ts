import { type Context, Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { SandboxActions } from './actions.ts';
import { large, readForm, readJson, small } from './body.ts';
import type { SandboxFiles, StoredFile } from './files.ts';
import { sameOriginOnly } from './guard.ts';
import {
	BadRequest,
	commandInput,
	lookInput,
	messageInput,
	moderatorInput,
	pageInput,
	parse,
	pressInput,
	removeInput,
	rewriteInput,
	streamInput,
	suggestInput,
	threadInput,
	viewInput,
} from './input.ts';
import type { Reading } from './reading.ts';
import { createStatic } from './static.ts';

const POLICY = [
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

/** The page, its files, the JSON interface and the event stream. Every fault is `{ error: 'One sentence.' }`. */
export function createRoutes(options: {
	actions: SandboxActions;
	reading: Reading;
	files: SandboxFiles;
	hosts: readonly string[];
	failed: (error: unknown) => void;
}): Hono {
	const { actions, reading, files } = options;
	const routes = new Hono();
	const asset = createStatic(`${import.meta.dirname}/../page`);
	const guard = sameOriginOnly(options.hosts);
	const notFound = (c: Context) => c.json({ error: 'There is nothing under this address.' }, 404);

	routes.use('/', guard);
	routes.use('/sandbox/*', guard, async (c, next) => {
		await next();
		c.header('X-Content-Type-Options', 'nosniff');
		c.header('Cross-Origin-Resource-Policy', 'same-origin');
		c.header('Referrer-Policy', 'no-referrer');
	});

	routes.get('/', (c) => {
		c.header('Content-Security-Policy', POLICY);
		c.header('X-Content-Type-Options', 'nosniff');
		c.header('Referrer-Policy', 'no-referrer');
		return asset(c, 'index.html') ?? notFound(c);
	});

	routes.get('/sandbox/api/state', async (c) =>
		c.json(await reading.snapshot({ ...parse(viewInput, c.req.query()), ...readerOf(c) })),
	);
	routes.get('/sandbox/api/rooms/:room/messages', async (c) =>
		c.json(await reading.history(c.req.param('room'), parse(pageInput, c.req.query()))),
	);
	routes.post('/sandbox/api/messages', large, async (c) => {
		const { input, brought } = await readForm(c);
		return c.json(await actions.say({ ...parse(messageInput, input), ...readerOf(c) }, brought), 201);
	});
	routes.post('/sandbox/api/commands', large, async (c) => {
		const { input, brought } = await readForm(c);
		return c.json(await actions.command({ ...parse(commandInput, input), ...readerOf(c) }, brought), 202);
	});
	routes.post('/sandbox/api/presses', small, async (c) =>
		c.json(await actions.press({ ...parse(pressInput, await readJson(c)), ...readerOf(c) }), 202),
	);
	routes.post('/sandbox/api/threads', small, async (c) =>
		c.json(await actions.startThread(parse(threadInput, await readJson(c))), 201),
	);
	routes.post('/sandbox/api/removals', small, async (c) =>
		c.json(await actions.remove(parse(removeInput, await readJson(c)))),
	);
	routes.post('/sandbox/api/rewrites', small, async (c) =>
		c.json(await actions.rewrite(parse(rewriteInput, await readJson(c)))),
	);
	routes.get('/sandbox/api/suggestions', async (c) =>
		c.json(await actions.suggest(parse(suggestInput, c.req.query()))),
	);
	routes.put('/sandbox/api/look', small, async (c) =>
		c.json(await actions.setLook(parse(lookInput, await readJson(c)).look)),
	);
	routes.put('/sandbox/api/moderators', small, async (c) =>
		c.json(await actions.setModerator(parse(moderatorInput, await readJson(c)))),
	);

	routes.get('/sandbox/events', async (c) => {
		const { as, since } = parse(streamInput, c.req.query());
		const stream = reading.events(c.req.header('last-event-id') ?? since, as);
		return c.body(stream, 200, {
			'Content-Type': 'text/event-stream; charset=utf-8',
			'Cache-Control': 'no-store',
			'X-Accel-Buffering': 'no',
		});
	});

	routes.get('/sandbox/files/:id/:name', async (c) => {
		const file = await files.describe(c.req.param('id'));
		const bytes = file && (await files.read(file.id));
		return bytes ? c.body(bytes, 200, fileHeaders(file, c.req.query('download') !== undefined)) : notFound(c);
	});

	routes.get('/sandbox/:name', (c) => asset(c, c.req.param('name')) ?? notFound(c));
	routes.all('/sandbox/*', notFound);

	routes.onError((error, c) => {
		if (error instanceof BadRequest) return c.json({ error: error.message }, error.status as ContentfulStatusCode);
		options.failed(error);
		return c.json({ error: 'Something broke in the sandbox; the log says what.' }, 500);
	});
	return routes;
}

/** The first language that the browser asks for, which is the page's `navigator.language`. */
const readerOf = (c: Context) => ({
	locale: /^[a-z]{2,3}(-\w{2,8})*/i.exec(c.req.header('accept-language') ?? '')?.[0],
});

/** Bytes under an id never change. */
function fileHeaders(file: StoredFile, download: boolean): Record<string, string> {
	const picture = file.type.startsWith('image/');
	const name = encodeURIComponent(file.name).replaceAll(/['()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`);
	return {
		'Content-Type': file.type,
		'Content-Disposition': `${picture && !download ? 'inline' : 'attachment'}; filename*=UTF-8''${name}`,
		'Content-Security-Policy': "default-src 'none'; sandbox",
		'Cache-Control': 'private, max-age=31536000, immutable',
	};
}
