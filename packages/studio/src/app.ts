import { createHash, randomUUID, timingSafeEqual } from 'node:crypto';
import { Hono } from 'hono';
import { type Memory, shareMemory } from './budget.ts';
import { createChat } from './chat/chat.ts';
import { type Counters, memoryCounters } from './counters.ts';
import { answerEmbeddings } from './embeddings/embeddings.ts';
import { ApiError } from './http/api-error.ts';
import { createImages } from './images/images.ts';
import { findModel, listModels } from './models.ts';
import { answerModerations } from './moderations/moderations.ts';
import { createQuota, type QuotaOptions } from './quota.ts';
import { type Artist, artist as threads } from './workers.ts';

export type StudioOptions = Partial<QuotaOptions> & {
	/** Reads words and makes the pictures; in worker threads when undefined. */
	artist?: Artist;
	/** The bearer key that is required; any key when undefined. */
	apiKey?: string | undefined;
	/** The memory for decoded pictures of a program that embeds the studio; 128 MB when undefined. */
	memory?: Memory;
	/** Milliseconds between two tokens of a chat stream. */
	msPerToken?: number;
	/** Pictures that are drawn or wait; beyond that, 429. */
	mostDrawings?: number;
	/** Called with internal errors, and the `x-request-id` of the answer. */
	report?: (error: unknown, requestId: string) => void;
};

/** Slow enough to see the words arrive, far faster than people read. */
const MS_PER_TOKEN = 12;

const PRICE_MILLS = 30;

/** A request that would wait long is better told so. */
const MOST_DRAWINGS = 64;

/**
 * The whole image service as one Hono app: `/v1/…` and, as the second address has it, `/api/v1/images/generations`. It can
 * be served alone, or beside others that own the addresses outside these prefixes.
 */
export function createStudio(options: StudioOptions = {}): Hono<StudioEnv> {
	const { now = () => new Date(), report = () => {}, msPerToken = MS_PER_TOKEN } = options;
	const checkBearer = createBearerCheck(options.apiKey);
	if (options.memory) shareMemory(options.memory);
	const counters = answering(options.counters ?? memoryCounters());
	const { balanceMills = 0, priceMills = PRICE_MILLS } = options;
	const quota = createQuota({ ...options, balanceMills, priceMills, counters, now });
	const { artist = threads, mostDrawings = MOST_DRAWINGS } = options;
	const images = createImages({ artist, quota, counters, mostDrawings, now });
	const chat = createChat({ read: artist.read, now, msPerToken });

	const app = new Hono<StudioEnv>();
	app.use(async (context, next) => {
		context.set('requestId', `req_${randomUUID().replaceAll('-', '')}`);
		await next();
		context.header('x-request-id', context.get('requestId'));
	});
	for (const prefix of ['/v1/*', '/api/v1/*']) {
		app.use(prefix, (context, next) => {
			checkBearer(context.req.header('authorization'));
			return next();
		});
	}

	const routes: readonly Route[] = [
		['POST', '/v1/images/generations', images.generate],
		['POST', '/api/v1/images/generations', images.generate],
		['POST', '/v1/images/edits', images.edit],
		['POST', '/v1/images/compose', images.compose],
		['POST', '/v1/chat/completions', chat],
		['POST', '/v1/embeddings', (request) => answerEmbeddings(request, artist.read)],
		['POST', '/v1/moderations', (request) => answerModerations(request, artist.read)],
		['GET', '/v1/models', () => Response.json(listModels())],
		['GET', '/v1/models/:id', (_, id) => Response.json(findModel(id))],
		['GET', '/v1/usage', async () => Response.json(await quota.usage())],
	];
	for (const [method, path, answer] of routes) {
		app.on(method, path, (context) => answer(context.req.raw, context.req.param('id') ?? ''));
		app.all(path, () => {
			throw new ApiError(405, `This address takes ${method} only.`, {
				code: 'method_not_allowed',
				headers: { allow: method },
			});
		});
	}
	app.notFound(() => {
		const addresses = routes.map(([method, path]) => `${method} ${path}`).join(', ');
		return new ApiError(404, `There is nothing at this address; there are ${addresses}.`, {
			code: 'not_found',
		}).toResponse();
	});
	app.onError((error, context) => {
		const refusal = context.req.raw.signal.aborted
			? new ApiError(499, 'The client left before the answer.')
			: error instanceof ApiError
				? error
				: new ApiError(500, 'The studio made a mistake.', { code: 'internal_error', cause: error });
		if (refusal.status >= 500) report(refusal.cause ?? error, context.get('requestId'));
		return refusal.toResponse();
	});
	return app;
}

type StudioEnv = { Variables: { requestId: string } };
type Route = readonly [method: 'GET' | 'POST', path: string, answer: (request: Request, id: string) => Answer];
type Answer = Response | Promise<Response>;

/** Returns counters whose failures are answers. */
function answering({ get, add }: Counters): Counters {
	const refuse = (cause: unknown): never => {
		throw new ApiError(503, "The studio's store does not answer; nothing is drawn that can't be counted.", {
			code: 'store_unavailable',
			cause,
		});
	};
	return { get: (key) => get(key).catch(refuse), add: (...args) => add(...args).catch(refuse) };
}

/** Returns the check of `Authorization: Bearer KEY`. Without a configured key any key is accepted, but one is required. */
function createBearerCheck(apiKey: string | undefined): (authorization: string | undefined) => void {
	const expected = apiKey === undefined ? undefined : digest(apiKey);
	return (authorization) => {
		const key = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
		if (key === undefined) throw noKey('Send an API key as "Authorization: Bearer KEY".');
		// Digests have the same length, so the comparison always takes the same time.
		if (expected && !timingSafeEqual(digest(key), expected)) throw noKey('This API key is not valid.');
	};
}

const digest = (text: string) => createHash('sha256').update(text).digest();

function noKey(message: string) {
	return new ApiError(401, message, { code: 'invalid_api_key', headers: { 'www-authenticate': 'Bearer' } });
}
