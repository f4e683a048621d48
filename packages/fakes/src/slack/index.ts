import { createClock } from '../clock.ts';
import type { Slack } from './context.ts';
import { createFaults } from './faults.ts';
import { createIds, secret } from './ids.ts';
import { ATELIER_APP, type Manifest } from './manifest.ts';
import { end, listen, mainHost } from './server.ts';
import { DEFAULT_SETTINGS, type Settings } from './settings.ts';
import { createDelivery } from './transport/delivery.ts';
import { deliverEvent, sendEvent } from './transport/events.ts';
import { createFilesHost, serveFiles } from './transport/files-host.ts';
import { createHttpTransport } from './transport/http-requests.ts';
import { createOAuth, uninstall } from './transport/oauth.ts';
import { createSockets, type Sockets } from './transport/socket.ts';
import type { SlackUser } from './user/slack-user.ts';
import { createUsers } from './user/user.ts';
import { slackError } from './web-api/errors.ts';
import { METHODS } from './web-api/methods/index.ts';
import { createApi, type Plain, type RecordedCall } from './web-api/web-api.ts';
import { ATELIER, type TeamDescription } from './world/descriptions.ts';
import type { Channel, Team } from './world/model.ts';
import { World } from './world/world.ts';

export type { Manifest } from './manifest.ts';
export type { SlackUser } from './user/slack-user.ts';
export type { RecordedCall } from './web-api/web-api.ts';
export type { TeamDescription } from './world/descriptions.ts';

export type SlackOptions = Partial<Settings> & {
	/** By default one workspace, Atelier, with its admin Ada, its member Björn and the channels `general` and `gallery`. */
	teams?: readonly TeamDescription[];
	/** The application's commands, shortcuts, events and scopes. */
	manifest?: Manifest;
};

/** A Slack on loopback ports. */
export type SlackFake = {
	/** `http://127.0.0.1:PORT/api/`, for `slackApiUrl`. It also returns the address for Socket Mode. */
	apiUrl: string;
	/** The page where people install the application, for `authorizationUrl`. */
	authorizeUrl: string;
	/** The origin of uploads and downloads with the setting `filesAt: 'own host'`. */
	filesOrigin: string;
	/** The origin that downloads are redirected to with the setting `redirects: 'elsewhere'`. */
	elsewhereOrigin: string;
	/** The bot token of the first workspace. */
	botToken: string;
	/** The token for Socket Mode, `xapp-…`. */
	appToken: string;
	signingSecret: string;
	clientId: string;
	clientSecret: string;
	appId: string;
	/**
	 * Violations by the application, one sentence each: invalid blocks, unknown arguments, deliveries that are not
	 * acknowledged within 3 s, tokens sent to the wrong host, mentions of people who did not ask.
	 * Tests end with `expect(slack.violations).toEqual([])`.
	 */
	violations: string[];
	/** All calls of the Web API, in their order. */
	calls: RecordedCall[];
	/** Can be moved forward. The lifetimes of triggers, response URLs and tokens, and the rate limits go by it. */
	clock: Slack['clock'];
	/** Can be changed at any time. */
	settings: Settings;
	/** `refuse`, `limit`, `serverError`, `slow`, `die`, and `add` for others. */
	faults: Slack['faults'];
	world: World;
	/** The connections of Socket Mode. */
	sockets: Pick<Sockets, 'connected' | 'disconnect' | 'drop' | 'frame' | 'whenConnected'>;
	/** Returns a person by their handle, in a channel by its name or id. By default it is the first channel of their workspace. */
	user(person: string, channel?: string | Channel): SlackUser;
	/** Delivers any event. */
	event(event: Record<string, unknown> & { type: string }, team?: string): void;
	/** Shares a channel with another workspace. */
	share(channel: Channel, team: string): void;
	/** Gives a channel another id, as when a private one is shared with another workspace. */
	changeId(channel: Channel): void;
	/** Verifies the application's address in HTTP mode. */
	verifyUrl(): Promise<'right' | 'wrong'>;
	/** Presses *Allow* on the installation page. Returns the address that the person is redirected to. */
	allow(authorizeUrl: string, person: string): string;
	/** Removes the application from a workspace. */
	uninstall(team?: string): void;
	close(): Promise<void>;
};

/**
 * Starts a Slack that an unmodified Bolt app can connect to, as strict as the real one:
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
 * A user's action resolves when the application has acknowledged it, or 3 s later. Users also send what Slack's client would not
 * accept; `refuses` returns the client's error.
 */
export async function startSlack(options: SlackOptions = {}): Promise<SlackFake> {
	const [main, files, elsewhere] = await Promise.all([listen(), listen(), listen()]);
	const calls: RecordedCall[] = [];
	const violations: string[] = [];
	const { slack, sockets } = createContext(options, violations, {
		main: main.url,
		files: files.url,
		elsewhere: elsewhere.url,
	});
	const { clock, world } = slack;
	const oauth = createOAuth(slack);
	const hosts = createFilesHost(slack);
	const api = createApi(slack, METHODS, plainMethods(slack, sockets, oauth), calls);
	const userIn = createUsers(slack);
	main.server.on('upgrade', sockets.upgrade);
	main.server.on('request', mainHost(slack, api, hosts));
	files.server.on('request', serveFiles(slack, hosts.files));
	elsewhere.server.on('request', serveFiles(slack, hosts.elsewhere));

	return {
		apiUrl: `${main.url}/api/`,
		authorizeUrl: `${main.url}/oauth/v2/authorize`,
		filesOrigin: files.url,
		elsewhereOrigin: elsewhere.url,
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
			const account = world.person(person);
			return userIn(account, typeof channel === 'object' ? channel : world.channel(channel, account.team));
		},
		event: (event, team) => deliverEvent(slack, world.team(team), event),
		share: (channel, team) => world.share(channel, world.team(team)),
		changeId(channel) {
			const before = channel.id;
			channel.id = slack.ids.next('C');
			for (const { shares, shown } of world.files.values()) {
				const shared = shares.get(before);
				if (shared) shares.set(channel.id, shared);
				if (shown.delete(before)) shown.add(channel.id);
			}
			for (const team of [channel.team, ...channel.sharedWith]) {
				team.channels.delete(before);
				team.channels.set(channel.id, channel);
				// https://docs.slack.dev/reference/events/channel_id_changed
				sendEvent(slack, team, { type: 'channel_id_changed', old_channel_id: before, new_channel_id: channel.id });
			}
		},
		verifyUrl: () => verifyUrl(slack),
		allow: (url, person) => oauth.authorize(new URL(url), world.person(person)),
		uninstall: (team) => uninstall(slack, world.team(team) as Team),
		async close() {
			clock.stop();
			await sockets.close();
			await Promise.all([main, files, elsewhere].map(({ server }) => end(server)));
		},
	};
}

/** Creates the shared state, with its workspaces. */
function createContext(
	{ teams = [ATELIER], manifest = ATELIER_APP, ...settings }: SlackOptions,
	violations: string[],
	origins: Record<'main' | 'files' | 'elsewhere', string>,
): { slack: Slack; sockets: Sockets } {
	const clock = createClock();
	const ids = createIds(clock.now);
	const botName = manifest.features?.bot_user?.display_name ?? 'Easel';
	const world = new World(ids, botName, manifest.oauth_config?.scopes?.bot ?? []);
	for (const description of teams) {
		const team = world.addTeam(description);
		if (description.installed ?? teams.length === 1) world.install(team);
	}
	const sockets = createSockets(() => slack);
	const slack: Slack = {
		clock,
		ids,
		world,
		settings: { ...DEFAULT_SETTINGS, ...settings },
		manifest,
		faults: createFaults(),
		appId: ids.next('A'),
		appToken: secret('xapp-1-'),
		signingSecret: secret(''),
		clientId: '1234567890.0987654321',
		clientSecret: secret(''),
		delivery: createDelivery(() => slack, { socket: sockets, http: createHttpTransport(() => slack) }),
		triggers: new Map(),
		responseUrls: new Map(),
		installationOf: (token) =>
			[...world.teams.values()]
				.map(({ installation }) => installation)
				.find((one) => one?.token === token || (one?.retired.get(token) ?? 0) > clock.now()),
		violate: (sentence) => void violations.push(sentence),
		address: {
			api: () => origins.main,
			files: () => (slack.settings.filesAt === 'own host' ? origins.files : origins.main),
			elsewhere: () => origins.elsewhere,
		},
	};
	return { slack, sockets };
}

/** Methods that take no bot token. */
const plainMethods = (slack: Slack, sockets: Sockets, oauth: ReturnType<typeof createOAuth>): Plain => ({
	'oauth.v2.access': (args) => oauth.access(args),
	/** https://docs.slack.dev/reference/methods/apps.connections.open */
	'apps.connections.open'(_, token) {
		if (token === undefined) throw slackError('not_authed');
		if (token.startsWith('xoxb-')) throw slackError('not_allowed_token_type');
		if (token !== slack.appToken) throw slackError('invalid_auth');
		return { url: sockets.open() };
	},
	'api.test': (args) => ({ args }),
});

/** https://docs.slack.dev/reference/events/url_verification */
async function verifyUrl({ delivery }: Slack): Promise<'right' | 'wrong'> {
	const payload = { token: 'verification-token', type: 'url_verification', challenge: secret('') };
	const ack = await delivery.deliver({ kind: 'events_api', payload, name: 'url_verification' });
	const body = (ack.body as { challenge?: string; text?: string } | undefined) ?? {};
	return (body.challenge ?? body.text) === payload.challenge ? 'right' : 'wrong';
}
