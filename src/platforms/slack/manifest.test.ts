import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { App } from '@slack/bolt';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { commands as declared } from '../../../commands/index.ts';
import { INHERITED } from '../../../test/harness/process.ts';
import { lineLog } from '../../../test/harness/slack-fixture.ts';
import { describeCommands } from '../../bot/declaration/options.ts';
import { PROFILES } from '../../service/profiles.ts';
import { createSlack } from './index.ts';
import { BOT_SCOPES, manifestOf } from './manifest.ts';

const commands = describeCommands(declared, PROFILES.easel.capabilities);
const address = 'https://easel.example.com';
const socket = manifestOf(commands, { by: 'socket' });
const http = manifestOf(commands, { by: 'http', address, workspaces: 'one' });
const oauth = manifestOf(commands, { by: 'http', address, workspaces: 'many' });

afterEach(() => {
	vi.restoreAllMocks();
});

const text = (max: number, min = 1) => z.string().min(min).max(max);
const url = z.url({ protocol: /^https$/ }).max(3000);

/** The fields that Easel uses, with Slack's rules for them. https://docs.slack.dev/reference/app-manifest */
const shape = z.strictObject({
	display_information: z.strictObject({
		name: text(35),
		description: text(140),
		background_color: z.string().regex(/^#([0-9a-f]{3}){1,2}$/i),
	}),
	features: z.strictObject({
		app_home: z.strictObject({
			home_tab_enabled: z.boolean(),
			messages_tab_enabled: z.boolean(),
			messages_tab_read_only_enabled: z.boolean(),
		}),
		bot_user: z.strictObject({ display_name: text(80).regex(/^[a-z0-9._-]+$/), always_online: z.boolean() }),
		shortcuts: z
			.array(
				z.strictObject({
					type: z.enum(['message', 'global']),
					name: text(24),
					callback_id: text(255),
					description: text(150),
				}),
			)
			.min(1)
			.max(10),
		slash_commands: z
			.array(
				z.strictObject({
					command: text(32, 2).regex(/^\/[a-z0-9_-]+$/),
					description: text(2000),
					usage_hint: text(1000).optional(),
					should_escape: z.boolean(),
					url: url.optional(),
				}),
			)
			.min(1)
			.max(50),
		agent_view: z.strictObject({
			agent_description: text(300),
			suggested_prompts: z.array(z.strictObject({ title: text(75), message: text(2000) })).max(4),
		}),
	}),
	oauth_config: z.strictObject({
		redirect_urls: z.array(url).max(1000).optional(),
		scopes: z.strictObject({ bot: z.array(text(50)).max(255) }),
	}),
	settings: z.strictObject({
		event_subscriptions: z.strictObject({ request_url: url.optional(), bot_events: z.array(text(50)).max(100) }),
		interactivity: z.strictObject({
			is_enabled: z.boolean(),
			request_url: url.optional(),
			message_menu_options_url: url.optional(),
		}),
		org_deploy_enabled: z.boolean(),
		socket_mode_enabled: z.boolean(),
		token_rotation_enabled: z.boolean(),
	}),
});

describe('the manifest', () => {
	test.for([
		['for Socket Mode', socket],
		['for HTTP', http],
		['for many workspaces', oauth],
	] as const)('%s follows the rules of Slack', ([, manifest]) => {
		expect(z.prettifyError(shape.safeParse(manifest).error ?? new z.ZodError([]))).toBe('');
	});

	test('has every command once, with its declared description', () => {
		const names = socket.features.slash_commands.map(({ command }) => command);
		expect(new Set(names)).toEqual(new Set(commands.map(({ name }) => `/${name.split(' ')[0]}`)));
		expect(new Set(names).size).toBe(names.length);
		const imagine = socket.features.slash_commands.find(({ command }) => command === '/imagine');
		expect(imagine).toMatchObject({
			description: 'Draw a picture from a description',
			usage_hint: expect.stringMatching(/^prompt \[size:/),
		});
		const limits = socket.features.slash_commands.find(({ command }) => command === '/limits');
		expect(limits?.usage_hint).toContain('show … | set … | clear …');
	});

	test('has neither commands nor shortcuts for edits and compositions when the service offers none', () => {
		const capabilities = { ...PROFILES.easel.capabilities, edit: false, compose: false };
		const { features, display_information } = manifestOf(describeCommands(declared, capabilities), { by: 'socket' });
		expect(features.slash_commands.map(({ command }) => command)).not.toContain('/edit');
		expect(features.slash_commands.map(({ command }) => command)).not.toContain('/compose');
		expect(features.shortcuts?.map(({ name }) => name)).toEqual(['About this picture']);
		expect(display_information.description).toMatch(/^Makes pictures,/);
	});

	test('has addresses for HTTP only, and token rotation for OAuth only', () => {
		expect(JSON.stringify(socket)).not.toContain('http');
		expect(socket.settings).toMatchObject({ socket_mode_enabled: true, token_rotation_enabled: false });
		expect(http.settings).toMatchObject({
			socket_mode_enabled: false,
			token_rotation_enabled: false,
			org_deploy_enabled: false,
			event_subscriptions: { request_url: `${address}/slack/events` },
			interactivity: { request_url: `${address}/slack/events` },
		});
		for (const { url } of http.features.slash_commands as { url?: string }[])
			expect(url).toBe(`${address}/slack/events`);
		expect(oauth.settings).toMatchObject({ token_rotation_enabled: true, org_deploy_enabled: true });
		expect(oauth.oauth_config.redirect_urls).toEqual([`${address}/slack/oauth_redirect`]);
	});
});

describe('the manifest lists exactly what has a listener', () => {
	/** Returns the patterns that listeners are registered with, by kind. */
	function registered() {
		const kinds = ['event', 'message', 'command', 'shortcut'] as const;
		const spies = kinds.map((kind) => vi.spyOn(App.prototype, kind as 'event'));
		createSlack({
			access: { kind: 'http', botToken: 'xoxb-1', signingSecret: 'secret' },
			apiUrl: 'http://127.0.0.1:9/api/',
			commands,
			moderators: [],
			attachmentOrigins: [],
			space: {} as never,
			claim: async () => true,
			log: lineLog().log,
		});
		const patterns = spies.map(({ mock }) => mock.calls.map(([first]) => first as unknown));
		return Object.fromEntries(kinds.map((kind, index) => [kind, patterns[index] ?? []]));
	}

	test('events', () => {
		const { event = [], message = [] } = registered();
		const heard = [...event, ...(message.length > 0 ? ['message'] : [])];
		const named = socket.settings.event_subscriptions.bot_events.map((name) => name.replace(/^message\..*/, 'message'));
		expect(new Set(heard)).toEqual(new Set(named));
	});

	test('commands and shortcuts', () => {
		const { command = [], shortcut = [] } = registered();
		const takes = (pattern: unknown, name: string) =>
			pattern instanceof RegExp ? pattern.test(name) : pattern === name;
		for (const { command: name } of socket.features.slash_commands)
			expect(
				command.some((pattern) => takes(pattern, name)),
				name,
			).toBe(true);
		for (const { callback_id, type } of socket.features.shortcuts ?? [])
			expect(
				(shortcut as { type?: string; callback_id?: unknown }[]).some(
					(one) => one.type === `${type}_action` && takes(one.callback_id, callback_id),
				),
				callback_id,
			).toBe(true);
	});
});

/** The scopes that the page of each method lists. https://docs.slack.dev/reference/methods */
const METHODS: Readonly<Record<string, readonly string[]>> = {
	'assistant.threads.setStatus': ['assistant:write'],
	'assistant.threads.setSuggestedPrompts': ['assistant:write'],
	'auth.test': [],
	'bots.info': ['users:read'],
	'chat.delete': ['chat:write'],
	'chat.getPermalink': [],
	'chat.postEphemeral': ['chat:write'],
	'chat.postMessage': ['chat:write'],
	'chat.update': ['chat:write'],
	'conversations.info': ['channels:read', 'groups:read'],
	'conversations.history': ['channels:history', 'groups:history', 'im:history', 'mpim:history'],
	'conversations.open': ['im:write'],
	'conversations.replies': ['channels:history', 'groups:history', 'im:history', 'mpim:history'],
	'files.completeUploadExternal': ['files:write'],
	'files.delete': ['files:write'],
	'files.getUploadURLExternal': ['files:write'],
	'files.info': ['files:read'],
	'oauth.v2.access': [],
	'usergroups.list': ['usergroups:read'],
	'users.info': ['users:read'],
	'views.open': [],
	'views.publish': [],
};

/** Used where an admin has added the scope; the manifest does not request it. */
const OPTIONAL = new Set(['conversations.join']);

/** A method that is called by its name or by the library's function. */
const METHOD = /(?:\b(?:call|make)\(\s*\w+(?:\.\w+)*,\s*'|\bclient\s*\.)((?:[a-z0-9]+\.)+[a-zA-Z]+)['(]/g;

/** The scopes for receiving. https://docs.slack.dev/reference/events */
const INCOMING = ['app_mentions:read', 'commands'];

test('the scopes are exactly those that methods and events need', () => {
	const folder = new URL('.', import.meta.url);
	const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
		.filter((name) => name.endsWith('.ts') && !/\.(test|fixture)\.ts$/.test(name))
		.map((name) => readFileSync(new URL(name, folder), 'utf8'));
	const called = new Set(sources.flatMap((source) => [...source.matchAll(METHOD)].map(([, method = '']) => method)));
	const unknown = [...called].filter((method) => !(method in METHODS) && !OPTIONAL.has(method));
	expect(unknown).toEqual([]);
	const needed = new Set([...INCOMING, ...[...called].flatMap((method) => METHODS[method] ?? [])]);
	expect([...BOT_SCOPES].sort()).toEqual([...needed].sort());
});

describe('npm run manifest', () => {
	const run = (...words: string[]) => runWith({}, ...words);
	const runWith = (env: Record<string, string>, ...words: string[]) =>
		promisify(execFile)(process.execPath, ['src/cli/easel.ts', 'manifest', ...words], {
			env: { ...INHERITED, ...env },
		}).catch((error: unknown) => error);

	test('prints it as JSON', async () => {
		expect(JSON.parse(((await run()) as { stdout: string }).stdout)).toEqual(socket);
		const { stdout } = (await run('--http', `${address}/`, '--oauth')) as { stdout: string };
		expect(JSON.parse(stdout)).toEqual(oauth);
	});

	test('leaves out the commands that the configured service does not offer', async () => {
		const { stdout } = (await runWith({ SERVICE_PROFILE: 'openai-generations' })) as { stdout: string };
		const names = (manifest: { features: { slash_commands: { command: string }[] } }) =>
			manifest.features.slash_commands.map(({ command }) => command);
		const offered = names(JSON.parse(stdout));
		expect(names(JSON.parse(JSON.stringify(socket))).filter((name) => !offered.includes(name))).toEqual([
			'/edit',
			'/compose',
		]);
	});

	test.for([['--http', 'http://easel.example.com'], ['--http', 'easel'], ['--oauth'], ['--what']])(
		'refuses %o with one sentence',
		async (words) => {
			const { code, stdout, stderr } = (await run(...words)) as { code: number; stdout: string; stderr: string };
			expect([code, stdout]).toEqual([64, '']);
			expect(stderr).toMatch(/^[^\n]+; npm run manifest -- --help explains the arguments\.\n$/);
		},
	);
});
