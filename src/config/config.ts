import { z } from 'zod';
import { slackFaults, slackFrom } from './slack.ts';

/** Where the studio and the sandbox are found unless said otherwise. */
const DEFAULT_HOST = '127.0.0.1';
const DEFAULT_PORT = 3000;

const text = z.string().trim().min(1);
const url = z.url({ protocol: /^https?$/, error: 'is not an http or https address' });
const wholeNumber = z.coerce.number({ error: 'is not a number' }).int('is not a whole number').min(0, 'is below 0');

/** Money is counted in mills, a thousandth of a dollar, so that sums are exact. */
const mills = z.coerce
	.number({ error: 'is not an amount in USD' })
	.min(0, 'is below 0')
	.max(1_000_000, 'is not a sane amount in USD')
	.transform((usd, context) => {
		const amount = Math.round(usd * 1000);
		if (Math.abs(usd * 1000 - amount) < 1e-6) return amount;
		context.addIssue('has more than three decimals');
		return z.NEVER;
	});

/** Every variable, by its name. The meanings are told in .env.example. */
const variables = z.object({
	SERVICE_BASE_URL: url.optional(),
	SERVICE_ALT_BASE_URL: url.optional(),
	SERVICE_API_KEY: text.regex(/^[\x21-\x7e]+$/, 'has characters that no header can carry').optional(),
	SERVICE_TIMEOUT_SECONDS: z.coerce
		.number({ error: 'is not a number of seconds' })
		.positive('is not above 0')
		.max(3600, 'is more than an hour')
		.default(180),
	IMAGE_MODEL: text.default('alpha-image'),
	CHAT_MODEL: text.default('alpha3.6-35b'),
	EMBEDDING_MODEL: text.default('alpha3-embedding'),
	STORE_URL: text.default('sqlite:data/easel.db'),
	STUDIO_API_KEY: text.optional(),
	STUDIO_IMAGES_PER_MONTH: wholeNumber.optional(),
	STUDIO_BALANCE_USD: mills.default(0),
	PRICE_PER_EXTRA_IMAGE_USD: mills.default(30),
	PLAN_IMAGES_PER_MONTH: wholeNumber.optional(),
	DIRECT_IMAGES_PER_DAY: wholeNumber.default(10),
	DISCORD_TOKEN: text.optional(),
	DISCORD_API_URL: url.default('https://discord.com/api'),
	DISCORD_SHARDS: z
		.string()
		.trim()
		.regex(/^(auto|\d+(-\d+)?\/\d+)$/, 'is auto, or the shards of this process of how many, such as 0-3/16')
		.default('auto'),
	DISCORD_MESSAGE_CONTENT: z.enum(['on', 'off'], 'is on or off').default('on'),
	SLACK_BOT_TOKEN: text.regex(/^(?!xapp-|xoxp-)/, 'is no bot token, which begins with xoxb-').optional(),
	SLACK_APP_TOKEN: text.regex(/^(?!xox)/, 'is no app-level token, which begins with xapp-').optional(),
	SLACK_SIGNING_SECRET: text.optional(),
	SLACK_CLIENT_ID: text.optional(),
	SLACK_CLIENT_SECRET: text.optional(),
	SLACK_STATE_SECRET: text.optional(),
	SLACK_API_URL: url.default('https://slack.com/api/'),
	SLACK_MODERATORS: z
		.string()
		.transform(listOf)
		.refine((ids) => ids.every((id) => /^[A-Z0-9]+$/.test(id)), 'has something that is no id such as U012AB3CD')
		.default([]),
	ATTACHMENT_ORIGINS: z
		.string()
		.transform(listOf)
		.refine((origins) => origins.every(isOrigin), 'has something that is no origin such as https://files.example.com')
		.default([]),
	SANDBOX: z.enum(['on', 'off', 'auto'], 'is on, off or auto').default('auto'),
	HOST: text.default(DEFAULT_HOST),
	PORT: wholeNumber.max(65_535, 'is above 65535').default(DEFAULT_PORT),
	LOG_LEVEL: z
		.enum(
			['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
			'is trace, debug, info, warn, error, fatal or silent',
		)
		.default('info'),
	LOG_FORMAT: z.enum(['json', 'pretty', 'auto'], 'is json, pretty or auto').default('auto'),
});

/** What stands between commas or spaces. */
function listOf(text: string): string[] {
	return text.split(/[\s,]+/).filter(Boolean);
}

/** Scheme, host and port, and nothing else. */
function isOrigin(text: string): boolean {
	const parsed = URL.parse(text);
	return (
		parsed !== null && /^https?:$/.test(parsed.protocol) && parsed.origin === text.replace(/\/$/, '').toLowerCase()
	);
}

/** Names that hold secrets: their values are kept out of every line. */
const SECRET_NAMES = /_(TOKEN|KEY|SECRET)$/;

export type Config = ReturnType<typeof configFrom>;

function configFrom(values: z.output<typeof variables>, env: Environment) {
	return {
		/** Without a `baseUrl` the embedded studio answers. */
		service: {
			baseUrl: values.SERVICE_BASE_URL,
			altBaseUrl: values.SERVICE_ALT_BASE_URL,
			apiKey: values.SERVICE_API_KEY,
			timeoutMs: values.SERVICE_TIMEOUT_SECONDS * 1000,
			models: { image: values.IMAGE_MODEL, chat: values.CHAT_MODEL, embedding: values.EMBEDDING_MODEL },
		},
		/** What the service's plan includes a month, and the price of a call beyond it, in mills. */
		plan: { imagesPerMonth: values.PLAN_IMAGES_PER_MONTH, price: values.PRICE_PER_EXTRA_IMAGE_USD },
		/** Calls a day of somebody who asks in direct messages, and comes under no server's caps. */
		directImagesPerDay: values.DIRECT_IMAGES_PER_DAY,
		store: values.STORE_URL,
		studio: {
			apiKey: values.STUDIO_API_KEY,
			imagesPerMonth: values.STUDIO_IMAGES_PER_MONTH,
			balanceMills: values.STUDIO_BALANCE_USD,
			priceMills: values.PRICE_PER_EXTRA_IMAGE_USD,
		},
		discord: values.DISCORD_TOKEN
			? {
					token: values.DISCORD_TOKEN,
					apiUrl: values.DISCORD_API_URL,
					shards: values.DISCORD_SHARDS,
					messageContent: values.DISCORD_MESSAGE_CONTENT === 'on',
				}
			: undefined,
		slack: slackFrom(values),
		attachmentOrigins: values.ATTACHMENT_ORIGINS.map((origin) => new URL(origin).origin),
		sandbox: values.SANDBOX === 'on' || (values.SANDBOX === 'auto' && !values.DISCORD_TOKEN && !slackFrom(values)),
		http: { host: values.HOST, port: values.PORT },
		log: {
			level: values.LOG_LEVEL,
			format: values.LOG_FORMAT === 'auto' ? (process.stdout.isTTY ? 'pretty' : 'json') : values.LOG_FORMAT,
			secrets: Object.entries(env).flatMap(([name, value]) => (value && SECRET_NAMES.test(name) ? [value] : [])),
		} as const,
	};
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The configuration can't be used. `faults` has one line for every fault, each naming its variable. */
export class ConfigError extends Error {
	override name = 'ConfigError';
	readonly faults: readonly string[];
	constructor(faults: readonly string[]) {
		super(faults.join('\n'));
		this.faults = faults;
	}
}

/** Reads the environment; a variable set to nothing counts as not set. Throws `ConfigError` with every fault at once. */
export function loadConfig(env: Environment): Config {
	const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim()));
	const read = variables.safeParse(given);
	const faults = (read.error?.issues ?? []).map(({ path, message }) => `${String(path[0])} ${message}.`);
	faults.push(...missingTogether(given));
	if (!read.success || faults.length > 0) throw new ConfigError(faults);
	return configFrom(read.data, env);
}

/** What can't be said of one variable alone. */
function missingTogether(given: Environment): string[] {
	const faults = [];
	if (given['SERVICE_BASE_URL'] && !given['SERVICE_API_KEY'])
		faults.push('SERVICE_API_KEY is missing; it is needed when SERVICE_BASE_URL is set.');
	for (const name of ['SERVICE_BASE_URL', 'SERVICE_ALT_BASE_URL'])
		if (/\/v1\/*$/.test(given[name] ?? '')) faults.push(`${name} ends in /v1, which is added by Easel; leave it out.`);
	if (given['SERVICE_ALT_BASE_URL'] && !given['SERVICE_BASE_URL'])
		faults.push('SERVICE_BASE_URL is missing; SERVICE_ALT_BASE_URL is only the second address.');
	faults.push(...slackFaults(given));
	return faults;
}
