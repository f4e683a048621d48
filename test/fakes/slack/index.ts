import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createClock } from '../clock.ts';
import type { Settings, Slack } from './context.ts';
import { createFaults } from './faults.ts';
import { createIds, secret } from './ids.ts';
import { ATELIER_APP, type Manifest } from './manifest.ts';
import { createDelivery } from './transport/delivery.ts';
import { send } from './transport/events.ts';
import { createFilesHost, serveFiles } from './transport/files-host.ts';
import { createRequests } from './transport/http-requests.ts';
import { createOAuth, uninstall } from './transport/oauth.ts';
import { createSockets, type Sockets } from './transport/socket.ts';
import { respond } from './user/triggers.ts';
import { createUsers, type SlackUser } from './user/user.ts';
import { readArgs } from './web-api/arguments.ts';
import { refuse, SlackError } from './web-api/errors.ts';
import { appMethods } from './web-api/methods/app.ts';
import { chatMethods } from './web-api/methods/chat.ts';
import { fileMethods } from './web-api/methods/files.ts';
import { peopleMethods } from './web-api/methods/people.ts';
import { streamMethods } from './web-api/methods/streams.ts';
import { viewMethods } from './web-api/methods/views.ts';
import { createApi, type RecordedCall } from './web-api/web-api.ts';
import type { Channel, Team } from './world/model.ts';
import { ATELIER, createWorld, type TeamDescription, type World } from './world/world.ts';

export type { Manifest } from './manifest.ts';
export type { SlackUser } from './user/user.ts';
export type { RecordedCall } from './web-api/web-api.ts';
export type { TeamDescription } from './world/world.ts';

export type SlackOptions = Partial<Omit<Settings, 'streams'>> & {
	streams?: Partial<Settings['streams']>;
	/** One workspace, Atelier, that Ada administers and where Björn is, with channels `general` and `gallery`, when not said. */
	teams?: readonly TeamDescription[];
	/** Commands, shortcuts, events and scopes of the application. */
	manifest?: Manifest;
};

/** A Slack on loopback ports. */
export type SlackFake = {
	/** `http://127.0.0.1:PORT/api/`, for `slackApiUrl`. Socket Mode's address comes from there. */
	apiUrl: string;
	/** Where people let the application in, for `authorizationUrl`. */
	authorizeUrl: string;
	/** The origin of files: uploads go there, and downloads come from there. */
	filesOrigin: string;
	/** The bot's in the first workspace. */
	botToken: string;
	/** `xapp-…`, of Socket Mode. */
	appToken: string;
	signingSecret: string;
	clientId: string;
	clientSecret: string;
	appId: string;
	/**
	 * What the application did that a well-behaved one does not, one sentence each: bad blocks, arguments that Slack does not
	 * know, what was not acknowledged within 3 s, tokens where they don't belong, pings of people who did not ask.
	 * Tests end with `expect(slack.violations).toEqual([])`.
	 */
	violations: string[];
	/** Every call of the Web API, in order. */
	calls: RecordedCall[];
	/** Can be moved forward: the life of triggers, answers, streams and tokens, and rate limits go by it. */
	clock: Slack['clock'];
	/** Changed at any time. */
	settings: Settings;
	/** `refuse`, `limit`, `serverError`, `slow`, `die`, and `add` for others. */
	faults: Slack['faults'];
	world: World;
	/** Connections of Socket Mode, and `disconnect`, `drop`, `whenConnected`. */
	sockets: Pick<Sockets, 'connected' | 'disconnect' | 'drop' | 'whenConnected'>;
	/** Sits down as a person (by handle) in a channel (by name or id; the first of their workspace when not said). */
	user(person: string, channel?: string | Channel): SlackUser;
	/** Sends any event. */
	event(event: Record<string, unknown> & { type: string }, team?: string): void;
	/** Asks the address of HTTP mode whether it is the application's; its answer's body. */
	verifyUrl(): Promise<string>;
	/** Somebody presses Allow on the page at this address: where their browser is sent back to. */
	allow(authorizeUrl: string, person: string): string;
	/** Somebody takes the application out of their workspace. */
	expel(team?: string): void;
	close(): Promise<void>;
};

const SETTINGS: Settings = {
	mode: 'socket',
	requestUrl: undefined,
	pace: 1,
	processing: { polls: 2, ms: 100 },
	emptyShares: false,
	thinFiles: false,
	bareMentions: false,
	filesAt: 'own host',
	loginPage: false,
	redirects: 'no',
	uploads: 'on',
	uploadBytes: 1_000_000_000,
	streams: { diesAfterMs: 5 * 60_000, diesAfterAppends: Number.POSITIVE_INFINITY, characters: 12_000 },
	duplicates: false,
	agents: true,
	rotation: false,
	signatures: 'right',
};

const FILES = /^\/(upload|files-pri|ticket)\//;

/**
 * Starts a Slack that a real, unmodified Bolt app can connect to, as strict as the real one:
 *
 *     const slack = await startSlack({ pace: 0.02 });
 *     const app = new App({ token: slack.botToken, appToken: slack.appToken, socketMode: true, clientOptions: { slackApiUrl: slack.apiUrl } });
 *     await app.start();
 *     const ada = slack.user('ada');
 *     await ada.types('/imagine a fox');
 *     expect(await ada.look()).toEqual([…]);
 *     await app.stop();
 *     await slack.close();
 *
 * An act of a user resolves when it was acknowledged, or 3 s after it was not. Users send also what Slack's own window would
 * refuse; `refuses` says what the window says.
 */
export async function startSlack({ teams = [ATELIER], manifest = ATELIER_APP, ...options }: SlackOptions = {}) {
	const clock = createClock();
	const ids = createIds(clock.now);
	const violations: string[] = [];
	const calls: RecordedCall[] = [];
	const [main, filesServer, elsewhere] = await Promise.all([listen(), listen(), listen()]);

	const world = createWorld(
		ids,
		manifest.features?.bot_user?.display_name ?? 'Easel',
		manifest.oauth_config?.scopes?.bot ?? [],
	);
	for (const description of teams) {
		const team = world.addTeam(description);
		if (description.installed ?? teams.length === 1) world.install(team);
	}
	const sockets = createSockets(() => slack);
	const slack: Slack = {
		clock,
		ids,
		world,
		settings: { ...SETTINGS, ...options, streams: { ...SETTINGS.streams, ...options.streams } },
		manifest,
		faults: createFaults(),
		appId: ids.next('A'),
		appToken: secret('xapp-1-'),
		signingSecret: secret(''),
		clientId: '1234567890.0987654321',
		clientSecret: secret(''),
		delivery: createDelivery(() => slack, { socket: sockets, http: createRequests(() => slack) }),
		triggers: new Map(),
		responseUrls: new Map(),
		installationOf: (token) =>
			[...world.teams.values()]
				.map(({ installation }) => installation)
				.find((one) => one?.token === token || (one?.retired.get(token) ?? 0) > clock.now()),
		violate: (what) => void violations.push(what),
		address: {
			api: () => main.url,
			files: () => (slack.settings.filesAt === 'own host' ? filesServer.url : main.url),
			elsewhere: () => elsewhere.url,
		},
	};
	const oauth = createOAuth(() => slack);
	const methods = {
		...chatMethods,
		...streamMethods,
		...fileMethods,
		...viewMethods,
		...peopleMethods,
		...appMethods,
	};
	const api = createApi(
		slack,
		methods,
		{
			'oauth.v2.access': (args) => oauth.access(args),
			'apps.connections.open'(_, token) {
				if (token === undefined) throw refuse('not_authed');
				if (token.startsWith('xoxb-')) throw refuse('not_allowed_token_type');
				if (token !== slack.appToken) throw refuse('invalid_auth');
				return { url: sockets.open() };
			},
			'api.test': (args) => ({ args }),
		},
		calls,
	);
	const hosts = createFilesHost(slack);
	const users = createUsers(slack);

	main.server.on('upgrade', sockets.upgrade);
	main.server.on('request', async (request, response) => {
		const url = new URL(request.url ?? '/', main.url);
		if (url.pathname.startsWith('/api/')) return api(request, response);
		if (FILES.test(url.pathname)) return serveFiles(slack, hosts.files)(request, response);
		const answered = url.pathname.match(/^\/commands\/\w+\/(\w+)$/)?.[1];
		if (!answered || request.method !== 'POST') return void response.writeHead(404).end();
		if (request.headers.authorization) slack.violate('a token was sent to a response_url');
		try {
			respond(slack, answered, await readArgs(request, url));
			response.writeHead(200, { 'content-type': 'text/plain' }).end('ok');
		} catch (reason) {
			if (!(reason instanceof SlackError)) slack.violate(`the fake itself failed: ${reason}`);
			const { code = 'fatal_error', more = {}, violation = false } = reason instanceof SlackError ? reason : {};
			if (violation) slack.violate(`response_url: ${code} ${JSON.stringify(more)}`);
			const status = code === 'used_url' || code === 'expired_url' ? 404 : 500;
			response.writeHead(status, { 'content-type': 'application/json' });
			response.end(JSON.stringify({ ok: false, error: code, ...more }));
		}
	});
	filesServer.server.on('request', serveFiles(slack, hosts.files));
	elsewhere.server.on('request', serveFiles(slack, hosts.elsewhere));

	return {
		apiUrl: `${main.url}/api/`,
		authorizeUrl: `${main.url}/oauth/v2/authorize`,
		filesOrigin: filesServer.url,
		botToken: world.team().installation?.token ?? '',
		appToken: slack.appToken,
		signingSecret: slack.signingSecret,
		clientId: slack.clientId,
		clientSecret: slack.clientSecret,
		appId: slack.appId,
		violations,
		calls,
		clock,
		settings: slack.settings,
		faults: slack.faults,
		world,
		sockets,
		user(person, channel) {
			const user = world.person(person);
			return users(user, typeof channel === 'object' ? channel : world.channel(channel, user.team));
		},
		event: (event, team) => send(slack, world.team(team), event),
		async verifyUrl() {
			const payload = { token: 'verification-token', type: 'url_verification', challenge: secret('') };
			const ack = await slack.delivery.deliver({ kind: 'events_api', payload, name: 'url_verification' });
			const answered = (ack.body as { challenge?: string; text?: string } | undefined) ?? {};
			return (answered.challenge ?? answered.text) === payload.challenge ? 'right' : 'wrong';
		},
		allow: (url, person) => oauth.authorize(new URL(url), world.person(person)),
		expel: (team) => uninstall(slack, world.team(team) as Team),
		async close() {
			clock.stop();
			await sockets.close();
			await Promise.all([main, filesServer, elsewhere].map(({ server }) => end(server)));
		},
	} satisfies SlackFake as SlackFake;
}

async function listen(): Promise<{ server: Server; url: string }> {
	const server = createServer();
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

async function end(server: Server): Promise<void> {
	server.closeAllConnections();
	await new Promise((resolve) => server.close(resolve));
}
