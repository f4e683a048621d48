import { Hono } from 'hono';
import { expect } from 'vitest';
import { commands } from '../../commands/index.ts';
import { eventually } from '../../packages/fakes/src/eventually.ts';
import {
	type SlackOptions as FakeOptions,
	type SlackFake,
	type SlackUser,
	startSlack,
} from '../../packages/fakes/src/slack/index.ts';
import type { Team } from '../../packages/fakes/src/slack/world/model.ts';
import type { SeenMessage, TestUser } from '../../packages/fakes/src/test-user.ts';
import { describeCommands } from '../../src/bot/declaration/options.ts';
import { listen } from '../../src/http.ts';
import { createLog } from '../../src/log.ts';
import { createSlack, type SlackOptions } from '../../src/platforms/slack/index.ts';
import { manifestOf } from '../../src/platforms/slack/manifest.ts';
import { PROFILES, type ProfileName } from '../../src/service/profiles.ts';
import { openStore } from '../../src/store/open-store.ts';
import { createClaim } from '../../src/store/store.ts';
import { type OperatorSettings, startBot } from './easel.ts';
import { openHarness, type PlatformHarness } from './platform.ts';

/** Rate limits apply, with periods of a fiftieth. */
const PACE = 0.02;

/** How an app of many workspaces is reached. Only the path of its address is used. */
const MANY = { by: 'http', address: 'http://127.0.0.1', workspaces: 'many' } as const;

/** `oauth`: by HTTP, installed in every workspace. */
type Mode = 'socket' | 'http' | 'oauth';

/**
 * Starts Easel in a fake workspace, with a store in a file by default and the service at `serviceUrl`.
 *
 * @param more settings of the fake
 */
export const openSlackHarness =
	(mode: Mode, more: FakeOptions = {}) =>
	async (
		serviceUrl: string,
		store?: string,
		profile: ProfileName = 'easel',
	): Promise<PlatformHarness & { slack: SlackFake }> => {
		const described = describeCommands(commands, PROFILES[profile].capabilities);
		const slack = await startSlack({
			mode: mode === 'socket' ? mode : 'http',
			pace: PACE,
			processing: { polls: 1, ms: 100 },
			manifest: manifestOf(described, mode === 'oauth' ? MANY : { by: 'socket' }),
			...more,
		});
		const start = (storeUrl: string, settings?: OperatorSettings) =>
			startEasel(slack, { mode, serviceUrl, storeUrl, profile, settings });
		return { ...(await openHarness(slack, start, slackUserOf, store)), slack };
	};

type StartOptions = {
	mode: Mode;
	serviceUrl: string;
	storeUrl: string;
	profile: ProfileName;
	settings: OperatorSettings | undefined;
};

async function startEasel(slack: SlackFake, { mode, serviceUrl, storeUrl, profile, settings }: StartOptions) {
	const log = await createLog({ level: process.env['EASEL_TEST_LOG'] ?? 'silent', format: 'json', secrets: [] });
	const store = await openStore(storeUrl);
	const space = store.space('slack');
	const { platform, routes } = createSlack({
		access: accessOf(slack, mode),
		...(settings?.serves && { serves: settings.serves }),
		apiUrl: slack.apiUrl,
		commands: describeCommands(commands, PROFILES[profile].capabilities),
		moderators: [],
		attachmentOrigins: [],
		space,
		claim: createClaim(space),
		timing: { rateLimitFactor: PACE },
		log,
	});
	const listener = routes && (await listen(new Hono().route('/', routes), { host: '127.0.0.1', port: 0 }));
	const easel = await startBot(platform, serviceUrl, store, log, profile, settings);
	slack.settings.requestUrl = listener && `${listener.address}/slack/events`;
	if (listener && mode === 'oauth')
		for (const team of slack.world.teams.values()) if (!team.installation) await install(slack, listener.address, team);
	return {
		health: easel.health,
		async stop() {
			slack.settings.requestUrl = undefined;
			await easel.stop(async () => listener?.close());
		},
	};
}

function accessOf(slack: SlackFake, kind: Mode): SlackOptions['access'] {
	const { botToken, appToken, signingSecret, clientId, clientSecret } = slack;
	if (kind === 'socket') return { kind, botToken, appToken };
	if (kind === 'http') return { kind, botToken, signingSecret };
	return { kind, clientId, clientSecret, signingSecret, stateSecret: 'state secret' };
}

/** Installs Easel in a workspace. */
async function install(slack: SlackFake, address: string, { name, users }: Team): Promise<void> {
	const begun = await fetch(`${address}/slack/install`, { redirect: 'manual' });
	const cookie = begun.headers.getSetCookie().map((whole) => whole.split(';')[0] ?? '')[0] ?? '';
	const [person] = users.values();
	const allowed = new URL(slack.allow(begun.headers.get('location') ?? '', `${person?.handle}@${name}`));
	const { ok } = await fetch(`${address}${allowed.pathname}${allowed.search}`, { headers: { cookie } });
	if (!ok) throw new Error('Easel could not be installed');
}

/** Errors of a form are shown in the form, which stays open, so that trying again needs no button. */
const TRY_AGAIN = 'Try again';
const isFormError = ({ id }: SeenMessage) => id.startsWith('form:');

/** Covered pictures are behind a button, which shows them in direct messages. */
const SHOW = 'Show picture';

function slackUserOf(user: SlackUser): TestUser {
	/** The messages that show covered pictures, by the id of the message with the button. */
	const shown = new Map<string, Promise<SeenMessage>>();
	const direct = user.directMessages();

	async function uncover(covered: SeenMessage): Promise<SeenMessage> {
		const before = new Set((await direct.look()).map(({ id }) => id));
		await user.press(covered, SHOW);
		return eventually(async () => {
			const there = (await direct.look()).find(({ id, pictures }) => !before.has(id) && pictures.length > 0);
			expect(there).toBeDefined();
			return there as SeenMessage;
		});
	}

	async function look(): Promise<SeenMessage[]> {
		const all = await user.look();
		const covered = all.filter(({ buttons }) => buttons.includes(SHOW));
		for (const one of covered) if (!shown.has(one.id)) shown.set(one.id, uncover(one));
		const showing = await Promise.all([...shown].map(async ([id, seen]) => [id, await seen] as const));
		const hidden = new Set(showing.map(([, { id }]) => id));
		return all.flatMap((seen) => {
			if (hidden.has(seen.id)) return [];
			if (isFormError(seen)) return [{ ...seen, buttons: [TRY_AGAIN] }];
			if (!seen.buttons.includes(SHOW)) return [seen];
			const pictures = showing.find(([id]) => id === seen.id)?.[1].pictures ?? [];
			const buttons = seen.buttons.filter((label) => label !== SHOW);
			return [{ ...seen, buttons, pictures: pictures.map((picture) => ({ ...picture, spoiler: true as const })) }];
		});
	}

	return {
		...user,
		look,
		async press(seen, label, delivery) {
			if (!isFormError(seen)) await user.press(seen, label, delivery);
		},
	};
}
