import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ConfigError, loadConfig } from './config.ts';
import { variables } from './variables.ts';

const faultsOf = (env: Record<string, string>, options = {}) => {
	try {
		loadConfig(env, options);
		return [];
	} catch (error) {
		if (error instanceof ConfigError) return error.faults;
		throw error;
	}
};

const SIGNING = '8f742231b10e8888abcd99eee77785a5';

describe('the configuration', () => {
	test('defaults to the sandbox, the embedded studio and SQLite', () => {
		expect(loadConfig({})).toMatchObject({
			service: { baseUrl: undefined, timeoutMs: undefined, models: { image: 'alpha-image' } },
			store: 'sqlite:data/easel.db',
			sandbox: true,
			http: { host: '127.0.0.1', port: 3000 },
			studio: { priceMills: 30, balanceMills: 0 },
		});
	});

	test('treats an empty variable as not set', () => {
		expect(loadConfig({ PORT: '', SERVICE_BASE_URL: ' ', LOG_LEVEL: '' }).http.port).toBe(3000);
	});

	test('reports every fault at once, each on a line that names its variable', () => {
		const faults = faultsOf({
			SERVICE_BASE_URL: 'not an address',
			SERVICE_TIMEOUT_SECONDS: 'soon',
			PORT: '70000',
			LOG_LEVEL: 'loud',
			STUDIO_BALANCE_USD: '0.00001',
			SANDBOX: 'maybe',
			STORE_URL: 'ftp://x',
			DISCORD_SHARDS: '3/16',
			DISCORD_API_URL: 'https://ada:hunter2@proxy.test/api',
			DISCORD_TOKEN: 'a token\nof two lines',
			MEMBER_USD_PER_DAY: '5',
		});
		for (const name of [
			'SERVICE_BASE_URL',
			'SERVICE_TIMEOUT_SECONDS',
			'PORT',
			'LOG_LEVEL',
			'STUDIO_BALANCE_USD',
			'SANDBOX',
			'STORE_URL',
			'DISCORD_SHARDS',
			'DISCORD_API_URL',
			'DISCORD_TOKEN',
			'MEMBER_USD_PER_DAY',
		])
			expect(
				faults.filter((fault) => fault.startsWith(`${name} `)),
				name,
			).toHaveLength(1);
		expect(faults.join('\n')).toContain('SERVICE_API_KEY is missing');
		expect(faults.join('\n')).not.toContain('hunter2');
	});

	test('has prices from a file or of its own, for every model and cap that needs them', () => {
		const service = { SERVICE_BASE_URL: 'https://images.test', SERVICE_API_KEY: 'key', IMAGE_MODEL: 'gpt-image-2' };
		const { plan } = loadConfig({
			...service,
			IMAGE_COSTS: 'default',
			SERVER_USD_PER_MONTH: '12.5',
			MEMBER_USD_PER_DAY: '0.000001',
		});
		expect(plan.prices?.[0]).toMatchObject({ quality: 'low', usd_per_picture: 6000 });
		expect(plan.caps).toMatchObject({ serverUsdPerMonth: 12_500_000, memberUsdPerDay: 1 });
		expect(
			faultsOf({ ...service, IMAGE_COSTS: 'default', IMAGE_MODEL: 'one', IMAGE_MODELS: 'gpt-image-2,two' }),
		).toEqual([
			'IMAGE_COSTS has no row for one, which is configured. Add one, or one without a model.',
			'IMAGE_COSTS has no row for two, which is configured. Add one, or one without a model.',
		]);
		expect(faultsOf({ SERVER_USD_PER_MONTH: '5', MEMBER_USD_PER_DAY: 'much' })).toEqual([
			'MEMBER_USD_PER_DAY is not an amount in USD.',
			'SERVER_USD_PER_MONTH needs IMAGE_COSTS: without prices it would never be reached.',
			'MEMBER_USD_PER_DAY needs IMAGE_COSTS: without prices it would never be reached.',
		]);
		expect(faultsOf({ SERVER_USD_PER_MONTH: '5' })).toEqual([
			'SERVER_USD_PER_MONTH needs IMAGE_COSTS: without prices it would never be reached.',
		]);
		expect(faultsOf({ SERVER_USD_PER_MONTH: '5', PLAN_IMAGES_PER_MONTH: '10' })).toEqual([]);
		expect(faultsOf({ IMAGE_COSTS: '/nowhere.json' })).toEqual([
			'IMAGE_COSTS names a file that cannot be read (ENOENT).',
		]);
		expect(faultsOf({ IMAGE_COSTS: 'LICENSE' })).toEqual([
			'IMAGE_COSTS names a file that cannot be read (it is not JSON).',
		]);
	});

	test('has other services, headers and fields, and names each of their faults without quoting a value', () => {
		const env = { SERVICE_BASE_URL: 'https://images.test/api/v3', SERVICE_API_KEY: 'key' };
		const sound = {
			...{ ...env, CHAT_BASE_URL: 'https://chat.test/v1', CHAT_API_KEY: 'chat-key', EMBEDDING_API_KEY: 'other-key' },
			...{ SERVICE_HEADERS: '{"X-Pass": "a header secret"}', SERVICE_IMAGE_FIELDS: '{"quality": "low"}' },
			SERVICE_PICTURE_ORIGINS: 'https://*.fal.media:443 https://cdn.test:8443/',
		};
		const { service, log } = loadConfig(sound);
		expect(service).toMatchObject({
			...{ baseUrl: env.SERVICE_BASE_URL, chat: { baseUrl: 'https://chat.test/v1', apiKey: 'chat-key' } },
			...{ embedding: { baseUrl: undefined, apiKey: 'other-key' }, headers: { 'x-pass': 'a header secret' } },
			...{ imageFields: { quality: 'low' }, pictureOrigins: ['https://*.fal.media', 'https://cdn.test:8443'] },
		});
		expect(log.secrets).toEqual(['key', 'chat-key', 'other-key', 'a header secret']);
		const faults = faultsOf({
			...{
				...env,
				CHAT_BASE_URL: 'https://chat.test',
				SERVICE_HEADERS: '{"x-pass": "hunter2',
				ATTACHMENT_ORIGINS: '*',
			},
			...{
				SERVICE_IMAGE_FIELDS: '["hunter2"]',
				CHAT_FIELDS: '{"model": "x"}',
				SERVICE_PICTURE_ORIGINS: 'https://*.media',
			},
		});
		expect(faults).toEqual([
			'SERVICE_PICTURE_ORIGINS contains an entry that is not an origin such as https://files.example.com or https://*.example.com.',
			'SERVICE_HEADERS is not a JSON object such as {"X-Team": "art"}.',
			'SERVICE_IMAGE_FIELDS is not a JSON object such as {"quality": "low"}.',
			'CHAT_FIELDS has model, which Easel sets itself.',
			'ATTACHMENT_ORIGINS contains an entry that is not an origin such as https://files.example.com.',
		]);
		expect(faultsOf({ CHAT_BASE_URL: 'https://chat.test' })).toEqual([
			'CHAT_API_KEY is missing; it is needed when CHAT_BASE_URL is set.',
		]);
		expect(loadConfig({ ...env, CHAT_BASE_URL: 'https://chat.test' }).service.chat).toEqual({
			baseUrl: 'https://chat.test',
			apiKey: 'key',
		});
		expect(faultsOf({ CHAT_API_KEY: 'key', ATTACHMENT_ORIGINS: 'https://*.fal.media' })).toEqual([
			expect.stringMatching(/^ATTACHMENT_ORIGINS contains/),
			'CHAT_BASE_URL is missing; CHAT_API_KEY is set, and the embedded studio does not take it.',
		]);
		expect(faultsOf({ SERVICE_HEADERS: '{"Content-Length": "1"}' })).toEqual([
			'SERVICE_HEADERS has content-length, which Easel sets itself.',
		]);
	});

	test('has the proxies of the environment, in either case, but not for this machine', () => {
		const env = {
			https_proxy: 'http://ada:hunter2@proxy.test:3128',
			HTTP_PROXY: 'http://proxy.test',
			NO_PROXY: '.test',
		};
		const { service, log } = loadConfig(env);
		expect(service.proxies).toEqual({
			...{ https: env.https_proxy, http: env.HTTP_PROXY, none: '.test,localhost,127.0.0.1,::1' },
		});
		expect(log.secrets).toEqual(['hunter2']);
	});

	test('says which part of an address to write', () => {
		const SERVICE_BASE_URL = 'https://ada:hunter2@a.test/v1?key=secret';
		expect(faultsOf({ SERVICE_BASE_URL, SERVICE_API_KEY: 'key' })).toEqual([
			'SERVICE_BASE_URL has more than scheme, host, port and path; write https://a.test/v1.',
		]);
	});

	test('reaches services in the networks of NO_PROXY without a proxy', () => {
		const addresses = {
			SERVICE_BASE_URL: 'http://192.168.7.9:8080',
			CHAT_BASE_URL: 'http://[fd00::1]',
			SERVICE_API_KEY: 'key',
		};
		const noneOf = (NO_PROXY: string) => loadConfig({ ...addresses, NO_PROXY }).service.proxies.none;
		const networks = '10.0.0.0/8,192.168.0.0/16 [fd00::]/8,bad/99,1.2.3.4/x,/';
		expect(noneOf(networks)).toBe(`${networks},localhost,127.0.0.1,::1,192.168.7.9,fd00::1`);
		expect(noneOf('192.168.0.0/24')).toBe('192.168.0.0/24,localhost,127.0.0.1,::1');
	});

	test('takes the address of an operation, with the version that Azure has behind it', () => {
		const SERVICE_BASE_URL = 'https://ada.openai.azure.com/openai/deployments/x/images/generations';
		const { service } = loadConfig({
			SERVICE_BASE_URL: `${SERVICE_BASE_URL}?api-version=2025-04-01-preview`,
			SERVICE_API_KEY: 'key',
		});
		expect(service.baseUrl).toBe(SERVICE_BASE_URL);
	});

	test('takes the address of a proxy without its scheme, as other programs do', () => {
		const { service, log } = loadConfig({ HTTPS_PROXY: 'ada:hunter2@proxy.test:3128', HTTP_PROXY: 'proxy:3128' });
		expect(service.proxies).toMatchObject({ https: 'http://ada:hunter2@proxy.test:3128', http: 'http://proxy:3128' });
		expect(log.secrets).toEqual(['hunter2']);
		expect(faultsOf({ HTTPS_PROXY: 'socks5://proxy:1080' })).toEqual(['HTTPS_PROXY is not an http or https address.']);
	});

	test('takes values without the quotes around them, which Docker does not remove', () => {
		const { service, chatPrompt, log } = loadConfig({
			SERVICE_BASE_URL: "'https://a.test'",
			SERVICE_API_KEY: '"key-123"',
			CHAT_SYSTEM_PROMPT: 'Say "yes"',
		});
		expect([service.baseUrl, service.apiKey, chatPrompt]).toEqual(['https://a.test', 'key-123', 'Say "yes"']);
		expect(log.secrets).toEqual(['key-123']);
	});

	test('says that a key is written alone', () => {
		const sentence =
			'has a blank, or characters that an HTTP header cannot contain; write it alone, without a word before it.';
		expect(faultsOf({ SERVICE_API_KEY: 'Bearer sk-1', DISCORD_TOKEN: 'Bot abc' })).toEqual(
			['SERVICE_API_KEY', 'DISCORD_TOKEN'].map((name) => `${name} ${sentence}`),
		);
	});

	test('keeps the password of a store out of the log, as it is written and as it is meant', () => {
		const { log } = loadConfig({ STORE_URL: 'redis://ada:hunter%402@db.test:6379' });
		expect(log.secrets).toEqual(['hunter%402', 'hunter@2']);
		// The path of a file is none, whatever signs it has.
		expect(loadConfig({ STORE_URL: 'sqlite:/home/ada@work/easel.db' }).log.secrets).toEqual([]);
	});

	test('names a sandbox that is off without any platform, beside other faults, where a platform is needed', () => {
		const env = { SANDBOX: 'off', STORE_URL: 'redis://user:hunter#2@localhost' };
		expect(faultsOf(env, { needsPlatform: true })).toEqual([
			expect.stringMatching(/^STORE_URL is invalid. Write it as redis:/),
			'SANDBOX is off and no platform has credentials, so there is nothing to run.',
		]);
		expect(loadConfig({ SANDBOX: 'off' }).sandbox).toBe(false);
		expect(faultsOf({ SANDBOX: 'off', DISCORD_TOKEN: 'token' }, { needsPlatform: true })).toEqual([]);
	});

	test('turns the sandbox off for a platform with credentials, unless SANDBOX is on', () => {
		const env = { DISCORD_TOKEN: 'token', DISCORD_SHARDS: '0-3/16', DISCORD_MESSAGE_CONTENT: 'off' };
		expect(loadConfig(env)).toMatchObject({
			sandbox: false,
			discord: {
				token: 'token',
				apiUrl: 'https://discord.com/api',
				shards: { shards: [0, 1, 2, 3], shardCount: 16 },
				messageContent: false,
				register: true,
			},
		});
		expect(loadConfig({ ...env, SANDBOX: 'on' }).sandbox).toBe(true);
	});

	test('reads the three kinds of connection to Slack, each of which turns the sandbox off', () => {
		const socket = { SLACK_BOT_TOKEN: 'xoxb-1', SLACK_APP_TOKEN: 'xapp-1' };
		expect(loadConfig({ ...socket, SLACK_MODERATORS: 'U1, W2' })).toMatchObject({
			sandbox: false,
			slack: {
				access: { kind: 'socket', botToken: 'xoxb-1', appToken: 'xapp-1' },
				apiUrl: 'https://slack.com/api/',
				moderators: ['U1', 'W2'],
			},
		});
		expect(loadConfig({ ...socket, SANDBOX: 'on' }).sandbox).toBe(true);
		const http = { SLACK_BOT_TOKEN: 'xoxb-1', SLACK_SIGNING_SECRET: SIGNING, SLACK_API_URL: 'http://127.0.0.1:1/api' };
		expect(loadConfig(http).slack).toMatchObject({ access: { kind: 'http' }, apiUrl: 'http://127.0.0.1:1/api/' });
		expect(loadConfig(MANY_WORKSPACES).slack?.access).toEqual({
			kind: 'oauth',
			clientId: '1.2',
			clientSecret: 'client secret',
			stateSecret: 'a state secret of 32 characters.',
			signingSecret: SIGNING,
		});
		expect(loadConfig({ SLACK_API_URL: 'http://127.0.0.1:1/api', SLACK_MODERATORS: 'U1' })).toMatchObject({
			sandbox: true,
			slack: undefined,
		});
	});

	const MANY_WORKSPACES = {
		SLACK_CLIENT_ID: '1.2',
		SLACK_CLIENT_SECRET: 'client secret',
		SLACK_STATE_SECRET: 'a state secret of 32 characters.',
		SLACK_SIGNING_SECRET: SIGNING,
	};

	test.for<[env: Record<string, string>, named: string[]]>([
		[{ SLACK_BOT_TOKEN: 'xoxb-1' }, ['SLACK_APP_TOKEN', 'SLACK_SIGNING_SECRET']],
		[{ SLACK_APP_TOKEN: 'xapp-1' }, ['SLACK_BOT_TOKEN']],
		[{ SLACK_SIGNING_SECRET: SIGNING }, ['SLACK_BOT_TOKEN', 'SLACK_CLIENT_ID']],
		[{ SLACK_APP_TOKEN: 'xapp-1', SLACK_SIGNING_SECRET: SIGNING }, ['SLACK_APP_TOKEN', 'SLACK_SIGNING_SECRET']],
		[
			{ SLACK_BOT_TOKEN: 'xoxb-1', SLACK_APP_TOKEN: 'xapp-1', SLACK_SIGNING_SECRET: SIGNING },
			['SLACK_APP_TOKEN', 'SLACK_SIGNING_SECRET'],
		],
		[{ SLACK_CLIENT_ID: '1.2' }, ['SLACK_CLIENT_SECRET', 'SLACK_STATE_SECRET', 'SLACK_SIGNING_SECRET']],
		[{ ...MANY_WORKSPACES, SLACK_SIGNING_SECRET: '' }, ['SLACK_SIGNING_SECRET']],
		[{ ...MANY_WORKSPACES, SLACK_BOT_TOKEN: 'xoxb-1' }, ['SLACK_BOT_TOKEN', 'SLACK_CLIENT_ID']],
		[{ SLACK_BOT_TOKEN: 'xapp-1', SLACK_SIGNING_SECRET: SIGNING }, ['SLACK_BOT_TOKEN']],
		[{ SLACK_BOT_TOKEN: 'xoxb-1', SLACK_APP_TOKEN: 'xoxb-2' }, ['SLACK_APP_TOKEN']],
		[{ ...MANY_WORKSPACES, SLACK_STATE_SECRET: 'x'.repeat(31) }, ['SLACK_STATE_SECRET']],
		[{ STUDIO_API_KEY: 'x'.repeat(31) }, ['STUDIO_API_KEY']],
		[{ STUDIO_API_KEY: 'a sentence with more than 32 characters' }, ['STUDIO_API_KEY']],
		[{ SLACK_MODERATORS: '@ada' }, ['SLACK_MODERATORS']],
		[{ METRICS_HOSTS: 'http://easel.internal.example' }, ['METRICS_HOSTS']],
		[{ SLACK_API_URL: 'slack.com/api' }, ['SLACK_API_URL']],
	])('reports one fault, which names the variables, for %o', ([env, named]) => {
		const faults = faultsOf(env);
		expect(faults).toHaveLength(1);
		for (const name of named) expect(faults[0]).toContain(name);
		expect(faults[0]).not.toMatch(/state secret|xoxb-[12]|xapp-1|@ada/);
	});

	test('reads origins of attachments as scheme, host and port', () => {
		const { attachmentOrigins } = loadConfig({
			ATTACHMENT_ORIGINS: 'https://files.example.com, http://127.0.0.1:8080',
		});
		expect(attachmentOrigins).toEqual(['https://files.example.com', 'http://127.0.0.1:8080']);
		for (const wrong of ['files.example.com', 'https://a.test/path', 'ftp://a.test'])
			expect(faultsOf({ ATTACHMENT_ORIGINS: wrong })[0], wrong).toContain('ATTACHMENT_ORIGINS');
	});

	test('reads amounts as whole mills', () => {
		expect(loadConfig({ PRICE_PER_EXTRA_IMAGE_USD: '0.03', STUDIO_BALANCE_USD: '1.005' }).studio).toMatchObject({
			priceMills: 30,
			balanceMills: 1005,
		});
	});

	test('reads the servers that are served', () => {
		const env = { SERVERS_ALLOWED: '613425648685547541, T012AB3CD', SERVERS_DENIED: 'E012AB3CD' };
		expect(loadConfig(env).servers).toEqual({ allowed: ['613425648685547541', 'T012AB3CD'], denied: ['E012AB3CD'] });
		expect(faultsOf({ SERVERS_ALLOWED: 'our club' })[0]).toMatch(/^SERVERS_ALLOWED contains an entry that is neither/);
		expect(faultsOf({ SERVERS_ALLOWED: 'T012AB3CD', SERVERS_DENIED: 'T012AB3CD' })).toEqual([
			'SERVERS_DENIED contains T012AB3CD, as SERVERS_ALLOWED does.',
		]);
	});

	test("reads the operator's caps", () => {
		const env = { SERVER_IMAGES_PER_DAY: '50', SERVER_IMAGES_PER_MONTH: '600', MEMBER_IMAGES_PER_DAY: '0' };
		expect(loadConfig(env).plan.caps).toEqual({ serverPerDay: 50, serverPerMonth: 600, memberPerDay: 0 });
		expect(faultsOf({ SERVER_IMAGES_PER_DAY: '-1', MEMBER_IMAGES_PER_DAY: '1.5' })).toEqual([
			'SERVER_IMAGES_PER_DAY is below 0.',
			'MEMBER_IMAGES_PER_DAY is not a whole number.',
		]);
	});

	test('reads where files are kept', () => {
		const keys = { FILES_ACCESS_KEY: 'key', FILES_SECRET_KEY: 'hunter2' };
		expect(loadConfig({}).files).toBeUndefined();
		expect(loadConfig({ FILES_URL: ' /var/lib/easel ' }).files).toEqual({ kind: 'folder', path: '/var/lib/easel' });
		const { files, log } = loadConfig({ FILES_URL: 's3://pictures?endpoint=https://s3.test', ...keys });
		expect(files).toEqual({
			kind: 's3',
			endpoint: 'https://s3.test',
			bucket: 'pictures',
			prefix: '',
			accessKey: 'key',
			secretKey: 'hunter2',
		});
		expect(log.secrets).toEqual(['key', 'hunter2']);
		expect(faultsOf({ FILES_URL: 's3://pictures', ...keys, PORT: 'many' })).toEqual([
			'FILES_URL has no endpoint; write a folder, or s3://BUCKET?endpoint=https://HOST.',
			'PORT is not a number.',
		]);
		expect(faultsOf({ FILES_URL: 's3://pictures?endpoint=https://s3.test' })).toEqual([
			'FILES_ACCESS_KEY is missing; it is needed for the bucket of FILES_URL.',
			'FILES_SECRET_KEY is missing; it is needed for the bucket of FILES_URL.',
		]);
		expect(faultsOf({ FILES_URL: 'data/files', FILES_SECRET_KEY: 'hunter2' })).toEqual([
			'FILES_SECRET_KEY is set, but FILES_URL names no bucket.',
		]);
	});

	test('does not repeat a secret in a fault', () => {
		const secret = 'clé-très-secrète';
		expect(faultsOf({ SERVICE_BASE_URL: 'https://x.test', SERVICE_API_KEY: secret }).join()).not.toContain(secret);
	});

	test('is complete in .env.example', () => {
		const example = readFileSync(new URL('../../.env.example', import.meta.url), 'utf8');
		const named = new Set(example.match(/^# ?([A-Z][A-Z_]+)=/gm)?.map((line) => line.replace(/^# ?|=$/g, '')));
		expect([...named].sort()).toEqual(Object.keys(variables.shape).sort());
	});
});
