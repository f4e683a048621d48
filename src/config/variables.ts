import { readFileSync, statSync } from 'node:fs';
import { closest, distance } from 'fastest-levenshtein';
import { z } from 'zod';
import { parseShards } from '../platforms/discord/gateway/shards.ts';
import { PROFILE_NAMES } from '../service/profiles.ts';
import { parseFilesAddress, parseStoreAddress } from '../store/addresses.ts';
import imageCosts from '../usage/image-costs.json' with { type: 'json' };
import { type PriceTable, readPrices, usdAmount } from '../usage/prices.ts';

const text = z.string().trim().min(1);
const url = z
	.url({ protocol: /^https?$/, error: 'is not an http or https address' })
	.refine((address) => !hasMoreThanPath(address), {
		error({ input }) {
			const { origin, pathname } = new URL(String(input));
			return `has more than scheme, host, port and path; write ${origin}${pathname}`;
		},
	});

/** The address of a service, or of an operation of it. In the documentation of Azure, a version follows, which the profile has. */
const serviceUrl = text.transform((address) => address.replace(/\?api-version=[\w.-]*$/i, '')).pipe(url);

/** Returns the address of a proxy with its scheme: without one it is http, as for other programs. */
export const withScheme = (address: string): string => (address.includes('://') ? address : `http://${address}`);

/** The address of a proxy, perhaps with a user and a password. */
const proxy = text
	.transform(withScheme)
	.pipe(z.url({ protocol: /^https?$/, error: 'is not an http or https address' }));

const HEADER_VALUE = [
	/^[\x21-\x7e]+$/,
	'has a blank, or characters that an HTTP header cannot contain; write it alone, without a word before it',
] as const;

/** A secret that is sent in an HTTP header. */
const headerValue = text.regex(...HEADER_VALUE);

/** A secret of the operator's own, long enough that nobody can guess it, not even with the time of many machines. */
const ownSecret = text.min(32, 'has fewer than 32 characters; make one with: openssl rand -hex 32');

const wholeNumber = z.coerce.number({ error: 'is not a number' }).int('is not a whole number').min(0, 'is below 0');

/** Discord's ids are numbers of up to 64 bits; Slack's begin with T for a workspace, E for an organization. */
export const SERVER_ID = /^(\d{15,20}|[TE][A-Z0-9]{7,})$/;

const anyOf = new Intl.ListFormat('en-GB', { type: 'disjunction' });
const oneOf = <const Words extends readonly string[]>(...words: Words) =>
	z.enum(words, `must be ${anyOf.format(words)}`);

/** A list whose entries have to be something, such as `not a host name`. */
const listIn = (isEntry: (text: string) => boolean, otherwise: string) =>
	z
		.string()
		.transform(listOf)
		.refine((entries) => entries.every(isEntry), `contains an entry that is ${otherwise}`)
		.default([]);

const serverIds = listIn(
	(id) => SERVER_ID.test(id),
	'neither the id of a Discord server, such as 613425648685547541, nor of a Slack workspace, such as T012AB3CD',
);

const originsBy = (isValid: (text: string) => boolean, example: string) =>
	listIn(isValid, `not an origin such as ${example}`).transform((all) => all.map((one) => new URL(one).origin));

/** Amounts are in mills, thousandths of a dollar, so that sums are exact. */
const mills = z.coerce
	.number({ error: 'is not an amount in USD' })
	.min(0, 'is below 0')
	.max(1_000_000, 'is above 1,000,000 USD')
	.transform((usd, context) => {
		const amount = Math.round(usd * 1000);
		if (Math.abs(usd * 1000 - amount) < 1e-6) return amount;
		context.addIssue('has more than three decimals');
		return z.NEVER;
	});

/** An amount in USD, as micro-USD. */
const usd = z.coerce.number({ error: 'is not an amount in USD' }).pipe(usdAmount);

/** Every variable, by its name. docs/configuration.md explains them. */
export const variables = z.object({
	SERVICE_BASE_URL: serviceUrl.optional(),
	SERVICE_ALT_BASE_URL: serviceUrl.optional(),
	SERVICE_PROFILE: oneOf('auto', ...PROFILE_NAMES).default('auto'),
	SERVICE_PICTURE_ORIGINS: originsBy(isOriginPattern, 'https://files.example.com or https://*.example.com'),
	SERVICE_PREVIEWS: wholeNumber.max(3, 'is above 3').default(1),
	SERVICE_API_KEY: headerValue.optional(),
	SERVICE_HEADERS: text.transform(readBy(parseHeaders)).optional(),
	HTTPS_PROXY: proxy.optional(),
	HTTP_PROXY: proxy.optional(),
	NO_PROXY: text.optional(),
	SERVICE_IMAGE_FIELDS: fieldsWithout('model', 'prompt', 'n', 'image', 'images', 'mask', 'stream', 'partial_images'),
	CHAT_BASE_URL: serviceUrl.optional(),
	CHAT_API_KEY: headerValue.optional(),
	CHAT_FIELDS: fieldsWithout('model', 'messages', 'n', 'stream', 'stream_options', 'tools'),
	EMBEDDING_BASE_URL: serviceUrl.optional(),
	EMBEDDING_API_KEY: headerValue.optional(),
	SERVICE_TIMEOUT_SECONDS: z.coerce
		.number({ error: 'is not a number of seconds' })
		.positive('must be above 0')
		.max(3600, 'is more than an hour')
		.optional(),
	IMAGE_MODEL: text.default('alpha-image'),
	IMAGE_MODELS: z.string().transform(listOf).default([]),
	CHAT_MODEL: text.default('alpha3.6-35b'),
	CHAT_SYSTEM_PROMPT: text.max(8000, 'has more than 8000 characters').optional(),
	CHAT_MAX_TOKENS: wholeNumber.min(1, 'is below 1').optional(),
	CHAT_PICTURES: oneOf('auto', 'on', 'off').default('auto'),
	ALT_TEXT: oneOf('prompt', 'describe').default('prompt'),
	EMBEDDING_MODEL: text.default('alpha3-embedding'),
	MODERATION_MODEL: text.optional(),
	RETENTION_DAYS: wholeNumber.min(1, 'is below 1').max(3660, 'is above 3660').default(30),
	ERASURES_FILE: text.default('data/erasures.jsonl'),
	PLUGINS_DIR: text.optional(),
	STORE_URL: text.transform(readBy(checkedStoreAddress)).default('sqlite:data/easel.db'),
	FILES_URL: text.transform(readBy(parseFilesAddress)).optional(),
	FILES_ACCESS_KEY: text.optional(),
	FILES_SECRET_KEY: text.optional(),
	STUDIO_API_KEY: ownSecret.regex(...HEADER_VALUE).optional(),
	STUDIO_IMAGES_PER_MONTH: wholeNumber.optional(),
	STUDIO_BALANCE_USD: mills.default(0),
	PAUSE_AFTER_FAILURES: wholeNumber.default(100),
	PAUSE_MINUTES: wholeNumber.min(1, 'is below 1').max(1440, 'is more than a day').default(5),
	PRICE_PER_EXTRA_IMAGE_USD: mills.default(30),
	PLAN_IMAGES_PER_MONTH: wholeNumber.optional(),
	IMAGE_COSTS: text.transform(readPriceFile).optional(),
	SERVER_USD_PER_MONTH: usd.optional(),
	MEMBER_USD_PER_DAY: usd.optional(),
	SERVER_IMAGES_PER_DAY: wholeNumber.optional(),
	SERVER_IMAGES_PER_MONTH: wholeNumber.optional(),
	MEMBER_IMAGES_PER_DAY: wholeNumber.optional(),
	SERVERS_ALLOWED: serverIds,
	SERVERS_DENIED: serverIds,
	DIRECT_IMAGES_PER_DAY: wholeNumber.default(10),
	DISCORD_TOKEN: headerValue.optional(),
	DISCORD_API_URL: url.default('https://discord.com/api'),
	DISCORD_SHARDS: text.transform(readBy(parseShards)).default('auto'),
	DISCORD_REGISTER: oneOf('on', 'off').default('on'),
	DISCORD_MESSAGE_CONTENT: oneOf('on', 'off').default('on'),
	SLACK_BOT_TOKEN: headerValue.regex(/^(?!xapp-|xoxp-)/, 'is not a bot token, which begins with xoxb-').optional(),
	SLACK_APP_TOKEN: headerValue.regex(/^(?!xox)/, 'is not an app-level token, which begins with xapp-').optional(),
	SLACK_SIGNING_SECRET: text.optional(),
	SLACK_CLIENT_ID: text.optional(),
	SLACK_CLIENT_SECRET: text.optional(),
	SLACK_STATE_SECRET: ownSecret.optional(),
	SLACK_PREVIOUS_STATE_SECRET: text.optional(),
	SLACK_API_URL: url.default('https://slack.com/api/'),
	SLACK_MODERATORS: listIn((id) => /^[A-Z0-9]+$/.test(id), 'not an id such as U012AB3CD'),
	ATTACHMENT_ORIGINS: originsBy(isOrigin, 'https://files.example.com'),
	SANDBOX: oneOf('on', 'off', 'auto').default('auto'),
	HOST: text.default('127.0.0.1'),
	PUBLIC_URL: url.optional(),
	PORT: wholeNumber.max(65_535, 'is above 65535').default(3000),
	METRICS_HOSTS: listIn(
		(name) => /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(name),
		'not a host name such as easel.example.com',
	),
	LOG_LEVEL: oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent').default('info'),
	LOG_FORMAT: oneOf('json', 'pretty', 'auto').default('auto'),
});

/** The names of all variables. */
export const VARIABLES: ReadonlySet<string> = new Set(Object.keys(variables.shape));

/**
 * Returns the variable that a misspelt name stands for: one that it differs from by two letters at most. Short names are similar to those
 * of other programs.
 */
export function similarName(name: string): string | undefined {
	const written = name.toUpperCase();
	if (written.length < 7 || VARIABLES.has(name) || /^(https?|no)_proxy$/.test(name)) return undefined;
	const similar = closest(written, [...VARIABLES]);
	return distance(written, similar) <= 2 ? similar : undefined;
}

/** Splits at commas and white space. */
export function listOf(text: string): string[] {
	return text.split(/[\s,]+/).filter(Boolean);
}

/** @param parse throws a TypeError with a predicate, such as "lacks a path" */
function readBy<Value>(parse: (text: string) => Value) {
	return (text: string, context: z.RefinementCtx): Value => {
		try {
			return parse(text);
		} catch (error) {
			context.addIssue((error as TypeError).message);
			return z.NEVER;
		}
	};
}

/** Far more than a table of a thousand rows. */
const MAX_TABLE_BYTES = 1024 * 1024;

/** Reads a table of prices from a file; `default` is the one that comes with Easel. Adds an issue for each fault in it. */
function readPriceFile(path: string, context: z.RefinementCtx): PriceTable {
	const read = (): unknown => {
		if (path === 'default') return imageCosts;
		if (statSync(path).size > MAX_TABLE_BYTES) throw new RangeError('The file is too large.');
		return JSON.parse(readFileSync(path, 'utf8'));
	};
	try {
		const { table, faults } = readPrices(read());
		if (table) return table;
		for (const fault of faults) context.addIssue(`has a fault: ${fault}`);
	} catch (error) {
		const { code = 'it is not JSON' } = error as NodeJS.ErrnoException;
		context.addIssue(`names a file that cannot be read (${error instanceof RangeError ? 'it is above 1 MB' : code})`);
	}
	return z.NEVER;
}

/** Returns the address itself: it is parsed again where the store is opened. */
function checkedStoreAddress(text: string): string {
	parseStoreAddress(text);
	return text;
}

/** Whether an address has credentials, a query or a fragment. */
function hasMoreThanPath(address: string): boolean {
	const url = URL.parse(address);
	return Boolean(url?.username || url?.password || url?.search || url?.hash);
}

/** Whether the text is scheme, host and port, and nothing else. */
function isOrigin(text: string): boolean {
	const { protocol = '', hostname = '', origin, href } = URL.parse(text) ?? {};
	return /^https?:$/.test(protocol) && !hostname.includes('*') && href === `${origin}/`;
}

/** Whether the text is an origin, or one with `*.` for every name below a domain of two labels or more. */
function isOriginPattern(text: string): boolean {
	return isOrigin(text.replace(/^(https?:\/\/)\*\.(?=[^./:]+\.[^./:])/i, '$1'));
}

/** Names of headers that the client sets itself. */
const OWN_HEADERS =
	/^(host|content-(type|length)|transfer-encoding|accept-encoding|connection|upgrade|expect|te|trailer|keep-alive)$/;

function parseHeaders(text: string): Record<string, string> {
	const headers = Object.entries(parseObject(text, '{"X-Team": "art"}')).map(([name, value]) => {
		if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || typeof value !== 'string' || !/^[\t\x20-\x7e]+$/.test(value))
			throw new TypeError(`has a header that cannot be sent: ${name.slice(0, 100)}`);
		return [name.toLowerCase(), value] as const;
	});
	const own = headers.find(([name]) => OWN_HEADERS.test(name));
	if (own) throw new TypeError(`has ${own[0]}, which Easel sets itself`);
	return Object.fromEntries(headers);
}

/** Reads fields of a request's body, but for those that Easel sets itself. */
function fieldsWithout(...own: readonly string[]) {
	return text
		.transform(
			readBy((json) => {
				const fields = parseObject(json, '{"quality": "low"}');
				const name = own.find((one) => one in fields);
				if (name !== undefined) throw new TypeError(`has ${name}, which Easel sets itself`);
				return fields;
			}),
		)
		.optional();
}

function parseObject(json: string, example: string): Record<string, unknown> {
	try {
		const value: unknown = JSON.parse(json);
		if (Object(value) === value && !Array.isArray(value)) return value as Record<string, unknown>;
	} catch {
		// The parser's own message quotes the text, which may be secret.
	}
	throw new TypeError(`is not a JSON object such as ${example}`);
}
