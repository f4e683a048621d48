import type { z } from 'zod';
import { filesFaults, filesFrom } from './files.ts';
import { serverFaults } from './servers.ts';
import { slackFaults, slackFrom } from './slack.ts';
import { variables } from './variables.ts';

/** Names of variables with secrets, whose values must not appear in the log. */
const SECRET_NAMES = /_(TOKEN|KEY|SECRET)$/;

export type Config = ReturnType<typeof configFrom>;

function configFrom(values: z.output<typeof variables>, env: Environment) {
	return {
		/** The image service. Without a `baseUrl` it is the embedded studio. */
		service: {
			baseUrl: values.SERVICE_BASE_URL,
			altBaseUrl: values.SERVICE_ALT_BASE_URL,
			apiKey: values.SERVICE_API_KEY,
			profile: values.SERVICE_PROFILE,
			pictureOrigins: values.SERVICE_PICTURE_ORIGINS,
			/** Undefined: as the profile has it. */
			timeoutMs: values.SERVICE_TIMEOUT_SECONDS && values.SERVICE_TIMEOUT_SECONDS * 1000,
			previews: values.SERVICE_PREVIEWS,
			chatPictures: values.CHAT_PICTURES,
			imageModels: [values.IMAGE_MODEL, ...values.IMAGE_MODELS],
			models: {
				image: values.IMAGE_MODEL,
				chat: values.CHAT_MODEL,
				embedding: values.EMBEDDING_MODEL,
				moderation: values.MODERATION_MODEL,
			},
		},
		/** The service's plan: image calls included a month, the price of a call beyond them, in mills, and the operator's caps. */
		plan: {
			imagesPerMonth: values.PLAN_IMAGES_PER_MONTH,
			price: values.PRICE_PER_EXTRA_IMAGE_USD,
			caps: {
				serverPerDay: values.SERVER_IMAGES_PER_DAY,
				serverPerMonth: values.SERVER_IMAGES_PER_MONTH,
				memberPerDay: values.MEMBER_IMAGES_PER_DAY,
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
		/** Where pictures are kept; beside the store when undefined. */
		files: filesFrom(values),
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
					register: values.DISCORD_REGISTER === 'on',
				}
			: undefined,
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

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the values that must not appear in the log. */
export const secretsIn = (env: Environment): string[] =>
	Object.entries(env).flatMap(([name, value]) => (value && SECRET_NAMES.test(name) ? [value] : []));

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
export function loadConfig(env: Environment, { needsPlatform = false } = {}): Config {
	const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim()));
	const read = variables.safeParse(given);
	const faults = (read.error?.issues ?? []).map(({ path, message }) => `${String(path[0])} ${message}.`);
	faults.push(...missingTogether(given));
	if (needsPlatform) faults.push(...missingPlatform(given));
	if (!read.success || faults.length > 0) throw new ConfigError(faults);
	return configFrom(read.data, env);
}

function missingPlatform(given: Environment): string[] {
	const credentials = ['DISCORD_TOKEN', 'SLACK_BOT_TOKEN', 'SLACK_CLIENT_ID'];
	if (given['SANDBOX']?.trim() !== 'off' || credentials.some((name) => given[name])) return [];
	return ['SANDBOX is off and no platform has credentials, so there is nothing to run.'];
}

/** Faults of several variables together. */
function missingTogether(given: Environment): string[] {
	const faults = [];
	if (given['SERVICE_BASE_URL'] && !given['SERVICE_API_KEY'])
		faults.push('SERVICE_API_KEY is missing; it is needed when SERVICE_BASE_URL is set.');
	for (const name of ['SERVICE_BASE_URL', 'SERVICE_ALT_BASE_URL'])
		if (/\/v1\/*$/.test(given[name] ?? '')) faults.push(`${name} ends in /v1, which is added by Easel; leave it out.`);
	if (given['SERVICE_ALT_BASE_URL'] && !given['SERVICE_BASE_URL'])
		faults.push('SERVICE_BASE_URL is missing; SERVICE_ALT_BASE_URL is only the second address.');
	faults.push(...slackFaults(given), ...filesFaults(given), ...serverFaults(given));
	return faults;
}
