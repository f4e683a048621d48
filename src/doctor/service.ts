import type { Config } from '../config/config.ts';
import {
	type Check,
	type Checks,
	type Finding,
	type Findings,
	fault,
	ok,
	unreachable,
	warning,
} from '../domain/findings.ts';
import { ServiceClient } from '../service/client.ts';
import { ServiceError } from '../service/errors.ts';
import type { ListedModel } from '../service/models.ts';
import { type ProfileName, profileNamed, profileOfAddress } from '../service/profiles.ts';
import { isLoopback } from './configuration.ts';
import { modelUses, modelWarnings } from './models.ts';

/** How long one request of the checks may take, in milliseconds. */
const TIMEOUT_MS = 10_000;

type ServiceSettings = Config['service'];
type OtherService = NonNullable<ServiceSettings['chat']>;
/** Configured models, by their variables. */
type Models = Readonly<Record<string, readonly string[]>>;

/**
 * Asks the service for documents only: nothing that it charges for.
 *
 * @param askProfile finds out which API the service has
 */
export function serviceChecks({ service }: Config, askProfile: () => Promise<ProfileName | undefined>): Checks {
	const { baseUrl, altBaseUrl, chat, embedding } = service;
	const uses = modelUses(service);
	const ofOther = (name: ServiceName, { apiKey, ...other }: OtherService, models: Models): Check =>
		async function checkOther(signal) {
			const [address, headers] = other.baseUrl ? [other.baseUrl, undefined] : [baseUrl ?? '', service.headers];
			const profile = other.baseUrl ? (profileOfAddress(address) ?? 'openai') : await askProfile();
			return checkModels(name, { ...service, apiKey, baseUrl: address, headers }, profile, models, signal);
		};
	const others: Checks = {
		...(chat && { chat: ofOther('CHAT', chat, uses.chat) }),
		...(embedding && { embedding: ofOther('EMBEDDING', embedding, uses.embedding) }),
	};
	if (baseUrl === undefined)
		return { models: () => ok('The embedded studio makes the pictures. SERVICE_BASE_URL is not set.'), ...others };
	const models = { ...uses.image, ...(!chat && uses.chat), ...(!embedding && uses.embedding) };
	return {
		models: async (signal) => checkModels('SERVICE', { ...service, baseUrl }, await askProfile(), models, signal),
		profile: async () => checkProfile(service, await askProfile()),
		...others,
		...(altBaseUrl && { 'second address': (signal) => checkReached(altBaseUrl, signal) }),
		encryption: () => checkEncryption(service),
	};
}

/** The service for pictures, or another one: what the names of its variables begin with. */
type ServiceName = 'SERVICE' | 'CHAT' | 'EMBEDDING';

async function checkModels(
	name: ServiceName,
	service: ServiceSettings & { baseUrl: string },
	profile: ProfileName | undefined,
	configured: Models,
	signal: AbortSignal,
): Promise<Findings> {
	const own = { chat: undefined, embedding: undefined, timeoutMs: TIMEOUT_MS };
	const client = new ServiceClient({ ...service, ...own, profile: profileNamed(profile ?? 'easel', service) });
	try {
		const offered = await client.listModels('image', signal);
		return [
			ok(`The service answers, takes the key, and offers ${offered.length} models. Nothing was bought.`),
			...modelFindings(configured, offered),
		];
	} catch (error) {
		if (error instanceof ServiceError) return failureOf(name, error);
		throw error;
	} finally {
		await client.close();
	}
}

function modelFindings(configured: Models, offered: readonly ListedModel[]): Finding[] {
	const now = Date.now();
	const lasting = offered.filter(({ endsAt = Number.POSITIVE_INFINITY }) => endsAt > now).map(({ id }) => id);
	const names = `${lasting.slice(0, 8).join(', ')}${lasting.length > 8 ? ', …' : ''}`;
	return modelWarnings(configured, offered, now).map(({ variable, message }) =>
		warning(message, `Set ${variable} to a model that it offers: ${names}.`, variable),
	);
}

function failureOf(name: ServiceName, error: ServiceError): Finding {
	const { kind, status, code, variable: proxy } = error;
	const [address, key] = [`${name}_BASE_URL`, `${name}_API_KEY`];
	if (kind === 'key')
		return fault(`The service refuses the key (${status}).`, `Set ${key} to a key that is valid at ${address}.`, key);
	if (kind === 'balance') {
		const step = 'Top up the account of this key at the service.';
		return fault('The service says that plan and balance are used up (402).', step, key);
	}
	if (kind === 'busy') return warning(`The service is busy (${status}).`, 'Try again in a minute.', address);
	if (kind === 'unreachable' && proxy !== undefined) {
		const step = `Check the proxy's address and password in ${proxy}, or name the service's host in NO_PROXY.`;
		return fault(`A proxy does not connect to the service (${status}).`, step, proxy);
	}
	if (code === 'MOVED') {
		const step = `Set ${address} to where it is now. Keys do not follow.`;
		return fault(`The service has moved (${status}).`, step, address);
	}
	if (kind === 'unreachable') return unreachable('The service cannot be reached', error, address);
	if (status === 404) {
		const step = `If requests fail as well, check the path in ${address}: /v1/… is added to it, unless it ends in a version.`;
		return warning('The service lists no models (404), so that key and models could not be checked.', step, address);
	}
	const step = `Check that ${address} is the address of such a service.`;
	return fault(`The service gave no list of models (${status ?? code ?? kind}).`, step, address);
}

function checkProfile({ profile }: ServiceSettings, found: ProfileName | undefined): Finding {
	if (found === undefined)
		return warning(
			'The service does not say which API it has, so it is used as easel.',
			'Set SERVICE_PROFILE to the API of the service (docs/configuration.md).',
			'SERVICE_PROFILE',
		);
	return ok(`The API of the service is ${found}${profile === 'auto' ? ', as its answers show' : ', as configured'}.`);
}

/** Without the key, since nothing is known of the address but that it may be used. */
const checkReached = (address: string, signal: AbortSignal): Promise<Finding> =>
	fetch(address, { method: 'HEAD', redirect: 'manual', signal }).then(
		({ status }) => ok(`The second address answers (${status}).`),
		(error) => unreachable('The second address cannot be reached', error, 'SERVICE_ALT_BASE_URL'),
	);

function checkEncryption({ baseUrl, altBaseUrl, chat, embedding }: ServiceSettings): Finding {
	const addresses = { SERVICE_BASE_URL: baseUrl, SERVICE_ALT_BASE_URL: altBaseUrl };
	const others = { CHAT_BASE_URL: chat?.baseUrl, EMBEDDING_BASE_URL: embedding?.baseUrl };
	const open = Object.entries({ ...addresses, ...others }).find(
		([, address]) => address?.startsWith('http:') && !isLoopback(new URL(address).hostname),
	);
	if (!open) return ok('The key leaves this machine encrypted only.');
	return warning(
		`${open[0]} is http, so the key and every prompt are sent unencrypted.`,
		`Use https in ${open[0]}, unless the network between is your own.`,
		open[0],
	);
}
