import { BlockList, isIP } from 'node:net';
import querystring from 'node:querystring';
import type { z } from 'zod';
import type { FilesOptions } from '../store/addresses.ts';
import { quoteOf } from '../usage/prices.ts';
import { listOf, SERVER_ID, variables, withScheme } from './variables.ts';

/** Names of variables with secrets, whose values must not appear in the log. */
const SECRET_NAMES = /_(TOKEN|KEY|SECRET)$/;

/** Reached without a proxy, as the embedded studio is. */
const LOOPBACK = 'localhost,127.0.0.1,::1';

/** Variables that other programs also read in lower case. */
const PROXY_NAMES = ['HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY'];

/** Shorter values of headers are not redacted: they would hide ordinary words. */
const MIN_SECRET = 12;

export type Config = ReturnType<typeof configFrom>;

type Values = z.output<typeof variables>;

function configFrom(values: Values, env: Environment) {
	return {
		/** The image service. Without a `baseUrl` it is the embedded studio. */
		service: serviceFrom(values),
		/** Whether the alt texts of results are their prompts, or say what they show. */
		altText: values.ALT_TEXT,
		/** What chat models are told besides Easel's own words. */
		chatPrompt: values.CHAT_SYSTEM_PROMPT,
		/** The service's plan: image calls included a month, the price of a call beyond them, in mills, and the operator's caps. */
		plan: {
			imagesPerMonth: values.PLAN_IMAGES_PER_MONTH,
			price: values.PRICE_PER_EXTRA_IMAGE_USD,
			prices: values.IMAGE_COSTS?.rows,
			caps: {
				serverPerDay: values.SERVER_IMAGES_PER_DAY,
				serverPerMonth: values.SERVER_IMAGES_PER_MONTH,
				memberPerDay: values.MEMBER_IMAGES_PER_DAY,
				serverUsdPerMonth: values.SERVER_USD_PER_MONTH,
				memberUsdPerDay: values.MEMBER_USD_PER_DAY,
			},
		},
		/** When failed calls pause paid ones. */
		pause: { failures: values.PAUSE_AFTER_FAILURES, pauseMs: values.PAUSE_MINUTES * 60_000 },
		/** The servers that are served. */
		servers: { allowed: values.SERVERS_ALLOWED, denied: values.SERVERS_DENIED },
		/** Image calls a day in direct messages, for people under no server's caps. */
		directImagesPerDay: values.DIRECT_IMAGES_PER_DAY,
		/** How long prompts, pictures, chats and names are kept. */
		retentionMs: values.RETENTION_DAYS * 24 * 3600_000,
		store: values.STORE_URL,
		/** The file that lists erasures, for restored stores. */
		erasuresFile: values.ERASURES_FILE,
		/** The folder of commands from outside. */
		pluginsFolder: values.PLUGINS_DIR,
		/** Where pictures are kept; beside the store when undefined. */
		files: filesFrom(values),
		studio: {
			apiKey: values.STUDIO_API_KEY,
			imagesPerMonth: values.STUDIO_IMAGES_PER_MONTH,
			balanceMills: values.STUDIO_BALANCE_USD,
			priceMills: values.PRICE_PER_EXTRA_IMAGE_USD,
		},
		discord: discordFrom(values),
		slack: slackFrom(values),
		attachmentOrigins: values.ATTACHMENT_ORIGINS,
		sandbox: values.SANDBOX === 'on' || (values.SANDBOX === 'auto' && !values.DISCORD_TOKEN && !slackFrom(values)),
		http: { host: values.HOST, port: values.PORT },
		/** Names with a dot under which Prometheus asks for the metrics. */
		metricsHosts: values.METRICS_HOSTS,
		/** Where other machines reach the HTTP listener, such as `https://easel.example.com`. */
		publicUrl: values.PUBLIC_URL?.replace(/(?<!\/)\/+$/, ''),
		log: {
			level: values.LOG_LEVEL,
			format: values.LOG_FORMAT === 'auto' ? (process.stdout.isTTY ? 'pretty' : 'json') : values.LOG_FORMAT,
			secrets: secretsIn(env),
		} as const,
	};
}

const serviceFrom = (values: Values) => ({
	baseUrl: values.SERVICE_BASE_URL,
	altBaseUrl: values.SERVICE_ALT_BASE_URL,
	apiKey: values.SERVICE_API_KEY,
	profile: values.SERVICE_PROFILE,
	pictureOrigins: values.SERVICE_PICTURE_ORIGINS,
	headers: values.SERVICE_HEADERS,
	proxies: {
		https: values.HTTPS_PROXY,
		http: values.HTTP_PROXY,
		none: [values.NO_PROXY, LOOPBACK, ...hostsInNetworks(values)].filter(Boolean).join(','),
	},
	imageFields: values.SERVICE_IMAGE_FIELDS,
	/** Other services, or other keys, for chat and for embeddings. */
	chat: otherService(values.CHAT_BASE_URL, values.CHAT_API_KEY, values.SERVICE_API_KEY),
	embedding: otherService(values.EMBEDDING_BASE_URL, values.EMBEDDING_API_KEY, values.SERVICE_API_KEY),
	chatFields: values.CHAT_FIELDS,
	/** Undefined: as the profile has it. */
	timeoutMs: values.SERVICE_TIMEOUT_SECONDS && values.SERVICE_TIMEOUT_SECONDS * 1000,
	previews: values.SERVICE_PREVIEWS,
	chatPictures: values.CHAT_PICTURES,
	chatMaxTokens: values.CHAT_MAX_TOKENS,
	imageModels: [values.IMAGE_MODEL, ...values.IMAGE_MODELS],
	models: {
		image: values.IMAGE_MODEL,
		chat: values.CHAT_MODEL,
		embedding: values.EMBEDDING_MODEL,
		moderation: values.MODERATION_MODEL,
	},
});

/** Returns the hosts that `NO_PROXY` names by a network: the client of proxies knows names and addresses alone. */
function hostsInNetworks({ NO_PROXY = '', SERVICE_PICTURE_ORIGINS: origins, ...values }: Values): string[] {
	const { SERVICE_BASE_URL, SERVICE_ALT_BASE_URL, CHAT_BASE_URL, EMBEDDING_BASE_URL } = values;
	const urls = [SERVICE_BASE_URL, SERVICE_ALT_BASE_URL, CHAT_BASE_URL, EMBEDDING_BASE_URL, ...origins];
	const hosts = urls.map((url = '') => withoutBrackets(URL.parse(url)?.hostname ?? ''));
	return hosts.filter((host) => isWithin(listOf(NO_PROXY), host));
}

/** Tells whether a host is an address in one of some networks, such as `10.0.0.0/8`. What is no network has none. */
export function isWithin(networks: readonly string[], host: string): boolean {
	const list = new BlockList();
	for (const [address = '', bits] of networks.map((one) => withoutBrackets(one).split('/')))
		if (Number(bits) <= (MOST_BITS[isIP(address)] ?? -1)) list.addSubnet(address, Number(bits), familyOf(address));
	return isIP(host) !== 0 && list.check(host, familyOf(host));
}

const MOST_BITS: Readonly<Record<number, number>> = { 4: 32, 6: 128 };
const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** Addresses of IPv6 have brackets in a URL. */
export const withoutBrackets = (host: string): string => host.replaceAll(/[[\]]/g, '');

const otherService = (baseUrl: string | undefined, ownKey: string | undefined, serviceKey: string | undefined) => {
	const apiKey = ownKey ?? (baseUrl === undefined ? undefined : serviceKey);
	return apiKey === undefined ? undefined : { baseUrl, apiKey };
};

const discordFrom = ({ DISCORD_TOKEN: token, ...values }: Values) =>
	token === undefined
		? undefined
		: {
				token,
				apiUrl: values.DISCORD_API_URL,
				shards: values.DISCORD_SHARDS,
				messageContent: values.DISCORD_MESSAGE_CONTENT === 'on',
				register: values.DISCORD_REGISTER === 'on',
			};

function slackFrom(values: Values) {
	const { SLACK_BOT_TOKEN: botToken, SLACK_APP_TOKEN: appToken, SLACK_SIGNING_SECRET: signingSecret } = values;
	const { SLACK_CLIENT_ID: clientId, SLACK_CLIENT_SECRET: clientSecret, SLACK_STATE_SECRET: stateSecret } = values;
	const common = {
		apiUrl: values.SLACK_API_URL.replace(/(?<!\/)\/*$/, '/'),
		moderators: values.SLACK_MODERATORS,
	};
	if (clientId && clientSecret && stateSecret && signingSecret) {
		const stateSecrets = { stateSecret, previousStateSecret: values.SLACK_PREVIOUS_STATE_SECRET };
		return { ...common, access: { kind: 'oauth', clientId, clientSecret, signingSecret, ...stateSecrets } as const };
	}
	if (botToken && appToken) return { ...common, access: { kind: 'socket', botToken, appToken } as const };
	if (botToken && signingSecret) return { ...common, access: { kind: 'http', botToken, signingSecret } as const };
	return undefined;
}

/** Returns where files are kept. `filesFaults` has ensured that a bucket has its keys. */
function filesFrom(values: Values): FilesOptions | undefined {
	const { FILES_URL: address, FILES_ACCESS_KEY: accessKey = '', FILES_SECRET_KEY: secretKey = '' } = values;
	return address?.kind === 's3' ? { ...address, accessKey, secretKey } : address;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the variables without quotes around their values, which Docker reads from a file as a part of them. */
export const unquoted = (env: Environment): Environment =>
	Object.fromEntries(
		Object.entries(env).map(([name, value]) => [name, value?.trim().replace(/^(["'])(.*)\1$/s, '$2')]),
	);

/** Returns the values that must not appear in the log. @param env without quotes */
export const secretsIn = (env: Environment): string[] => [
	...Object.entries(env).flatMap(([name, value]) => (value && SECRET_NAMES.test(name) ? [value] : [])),
	...PROXY_NAMES.flatMap((name) => passwordIn(withScheme((env[name] ?? env[name.toLowerCase()] ?? '').trim()))),
	...passwordIn(env['STORE_URL'] ?? ''),
	...(env['SERVICE_HEADERS'] ? headerValuesIn(env['SERVICE_HEADERS']) : []),
];

/** Returns the password of an address, as it is written and as it is meant; also of one that cannot be parsed. */
function passwordIn(address: string): string[] {
	const [, password] = /^\s*[a-z]+:\/\/[^:@/]*:(.+)@/i.exec(address) ?? [];
	return password === undefined ? [] : [...new Set([password, querystring.unescape(password)])];
}

/** Returns the values of headers; the whole text where they cannot be read. Short ones, such as a name, are no secrets. */
function headerValuesIn(text: string): string[] {
	const { data } = variables.shape.SERVICE_HEADERS.safeParse(text);
	return Object.values(data ?? { text }).filter((value) => value.length >= MIN_SECRET);
}

/** Thrown when the configuration cannot be used. `faults` has one line for every fault, which names its variable. */
export class ConfigError extends Error {
	override name = 'ConfigError';
	readonly faults: readonly string[];
	constructor(faults: readonly string[]) {
		super(faults.join('\n'));
		this.faults = faults;
	}
}

/**
 * Reads the configuration from the environment. An empty variable counts as not set.
 *
 * @param options.needsPlatform whether it is a fault that there is no platform to run
 * @throws ConfigError with every fault at once
 */
export function loadConfig(written: Environment, { needsPlatform = false } = {}): Config {
	const env = unquoted(written);
	const proxies = PROXY_NAMES.map((name) => [name, env[name.toLowerCase()]]);
	const given = Object.fromEntries([...proxies, ...Object.entries(env)].filter(([, value]) => value?.trim()));
	const read = variables.safeParse(given);
	const faults = [
		...(read.error?.issues ?? []).map(({ path, message }) => `${String(path[0])} ${message}.`),
		...serviceFaults(given),
		...slackFaults(given),
		...filesFaults(given),
		...serverFaults(given),
		...priceFaults(given),
		...(needsPlatform ? platformFaults(given) : []),
	];
	if (!read.success || faults.length > 0) throw new ConfigError(faults);
	return configFrom(read.data, env);
}

function platformFaults(given: Environment): string[] {
	const credentials = ['DISCORD_TOKEN', 'SLACK_BOT_TOKEN', 'SLACK_CLIENT_ID'];
	if (given['SANDBOX']?.trim() !== 'off' || credentials.some((name) => given[name])) return [];
	return ['SANDBOX is off and no platform has credentials, so there is nothing to run.'];
}

function* serviceFaults(given: Environment): Generator<string> {
	for (const service of ['SERVICE', 'CHAT', 'EMBEDDING']) {
		const [address, key] = [`${service}_BASE_URL`, `${service}_API_KEY`];
		if (given[address] && !given[key] && !given['SERVICE_API_KEY'])
			yield `${key} is missing; it is needed when ${address} is set.`;
		if (service !== 'SERVICE' && given[key] && !given[address] && !given['SERVICE_BASE_URL'])
			yield `${address} is missing; ${key} is set, and the embedded studio does not take it.`;
	}
	if (given['SERVICE_ALT_BASE_URL'] && !given['SERVICE_BASE_URL'])
		yield 'SERVICE_BASE_URL is missing; SERVICE_ALT_BASE_URL is only the second address.';
}

const PRICED = variables.pick({ IMAGE_COSTS: true, IMAGE_MODEL: true, IMAGE_MODELS: true });

/** Returns faults of prices that the models and the caps need. */
function* priceFaults(given: Environment): Generator<string> {
	const { IMAGE_COSTS: prices, IMAGE_MODEL = '', IMAGE_MODELS = [] } = PRICED.safeParse(given).data ?? {};
	for (const model of [IMAGE_MODEL, ...IMAGE_MODELS])
		if (prices && !quoteOf(prices.rows, { model, n: 1, inputs: 0 }))
			yield `IMAGE_COSTS has no row for ${model}, which is configured. Add one, or one without a model.`;
	if (given['IMAGE_COSTS'] || given['PLAN_IMAGES_PER_MONTH']) return;
	for (const name of ['SERVER_USD_PER_MONTH', 'MEMBER_USD_PER_DAY'])
		if (given[name]) yield `${name} needs IMAGE_COSTS: without prices it would never be reached.`;
}

const FOR_MANY = ['SLACK_CLIENT_ID', 'SLACK_CLIENT_SECRET', 'SLACK_STATE_SECRET'];

/** Yields the fault of Slack's variables together: they have to make one of three kinds of connection, or be unset. */
function* slackFaults(given: Environment): Generator<string> {
	const [bot, app, signing] = ['BOT_TOKEN', 'APP_TOKEN', 'SIGNING_SECRET'].map((name) => given[`SLACK_${name}`]);
	const many = FOR_MANY.find((name) => given[name]);
	if (many) {
		const one = (bot && 'SLACK_BOT_TOKEN') || (app && 'SLACK_APP_TOKEN');
		const missing = [...FOR_MANY, 'SLACK_SIGNING_SECRET'].filter((name) => !given[name]);
		if (one) yield `${one} is for one workspace and ${many} for many; remove one of the two.`;
		else if (missing.length > 0)
			yield `${new Intl.ListFormat('en').format(missing)} ${missing.length === 1 ? 'is' : 'are'} missing; needed with ${many}, for Slack in many workspaces.`;
	} else if (app && signing)
		yield 'SLACK_APP_TOKEN is for Socket Mode and SLACK_SIGNING_SECRET for HTTP; remove one of the two.';
	else if (bot && !app && !signing)
		yield 'SLACK_APP_TOKEN or SLACK_SIGNING_SECRET is missing; SLACK_BOT_TOKEN needs the one for Socket Mode, the other for HTTP.';
	else if (app && !bot) yield 'SLACK_BOT_TOKEN is missing; it is needed with SLACK_APP_TOKEN.';
	else if (signing && !bot)
		yield `SLACK_BOT_TOKEN is missing; needed with SLACK_SIGNING_SECRET for one workspace (for many: ${FOR_MANY.join(', ')}).`;
}

const FILES_KEYS = ['FILES_ACCESS_KEY', 'FILES_SECRET_KEY'];

/** A bucket needs both keys, and nothing else does. */
function filesFaults(given: Environment): string[] {
	if (/^\s*s3:/i.test(given['FILES_URL'] ?? ''))
		return FILES_KEYS.filter((name) => !given[name]).map(
			(name) => `${name} is missing; it is needed for the bucket of FILES_URL.`,
		);
	return FILES_KEYS.filter((name) => given[name]).map((name) => `${name} is set, but FILES_URL names no bucket.`);
}

/** Returns a fault for ids that are in both lists. */
function serverFaults(given: Environment): string[] {
	const allowed = listOf(given['SERVERS_ALLOWED'] ?? '');
	const both = listOf(given['SERVERS_DENIED'] ?? '').filter((id) => allowed.includes(id) && SERVER_ID.test(id));
	return both.length === 0 ? [] : [`SERVERS_DENIED contains ${both.join(', ')}, as SERVERS_ALLOWED does.`];
}
