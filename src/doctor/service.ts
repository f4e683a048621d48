import type { Config } from '../config/config.ts';
import { codeOf, connectionStep } from '../domain/text.ts';
import { ServiceClient } from '../service/client.ts';
import { ServiceError, type ServiceErrorKind } from '../service/errors.ts';
import { profileNamed } from '../service/find-profile.ts';
import type { ProfileName } from '../service/profiles.ts';
import { type Checks, type Finding, type Found, fault, ok, warning } from './check.ts';
import { isLoopback } from './host.ts';

/** How long one request of the checks may take, in milliseconds. */
const TIMEOUT_MS = 10_000;

type Service = Config['service'];

/**
 * Asks the service for documents only: nothing that it charges for.
 *
 * @param askProfile finds out which API the service has
 */
export function serviceChecks({ service }: Config, askProfile: () => Promise<ProfileName | undefined>): Checks {
	const { baseUrl, altBaseUrl } = service;
	if (baseUrl === undefined)
		return { models: () => ok('The embedded studio makes the pictures. SERVICE_BASE_URL is not set.') };
	return {
		models: async (signal) => checkModels(service, baseUrl, await askProfile(), signal),
		profile: async () => checkProfile(service, await askProfile()),
		...(altBaseUrl && { 'second address': (signal) => checkReached(altBaseUrl, signal) }),
		encryption: () => checkEncryption(service),
	};
}

async function checkModels(
	service: Service,
	baseUrl: string,
	profile: ProfileName | undefined,
	signal: AbortSignal,
): Promise<Found> {
	const client = new ServiceClient({
		...service,
		baseUrl,
		profile: profileNamed(profile ?? 'easel', service),
		timeoutMs: TIMEOUT_MS,
	});
	try {
		const offered = await client.models(signal);
		return [
			ok(`The service answers, takes the key, and offers ${offered.length} models. Nothing was bought.`),
			...missingModels(service, offered),
		];
	} catch (error) {
		if (error instanceof ServiceError) return failureOf(error);
		throw error;
	} finally {
		await client.close();
	}
}

function missingModels({ models }: Service, offered: readonly string[]): Finding[] {
	if (offered.length === 0) return [];
	const configured = { IMAGE_MODEL: models.image, CHAT_MODEL: models.chat, EMBEDDING_MODEL: models.embedding };
	const names = offered.slice(0, 8).join(', ');
	return Object.entries(configured)
		.filter(([, model]) => !offered.includes(model))
		.map(([variable, model]) =>
			warning(
				`The service does not list ${model}, which is the ${variable}.`,
				`Set ${variable} to a model that it offers: ${names}${offered.length > 8 ? ', …' : ''}.`,
				variable,
			),
		);
}

const REMEDIES: Partial<Record<ServiceErrorKind, (error: ServiceError) => Finding>> = {
	key: ({ status }) =>
		fault(
			`The service refuses the key (${status}).`,
			'Set SERVICE_API_KEY to a key that is valid at SERVICE_BASE_URL.',
			'SERVICE_API_KEY',
		),
	balance: () =>
		fault(
			'The service says that plan and balance are used up (402).',
			'Top up the account of this key at the service.',
			'SERVICE_API_KEY',
		),
	busy: ({ status }) => warning(`The service is busy (${status}).`, 'Try again in a minute.', 'SERVICE_BASE_URL'),
	unreachable: ({ code = 'unknown' }) =>
		fault(`The service cannot be reached (${code}).`, connectionStep(code), 'SERVICE_BASE_URL'),
};

function failureOf(error: ServiceError): Finding {
	const { kind, status } = error;
	const remedy = REMEDIES[kind];
	if (remedy) return remedy(error);
	if (status === 404)
		return warning(
			'The service lists no models (404), so that key and models could not be checked.',
			'If pictures fail as well, check the path in SERVICE_BASE_URL: /v1/… is added to it.',
			'SERVICE_BASE_URL',
		);
	return fault(
		`The service gave no list of models (${status ?? error.code ?? kind}).`,
		'Check that SERVICE_BASE_URL is the address of an image service.',
		'SERVICE_BASE_URL',
	);
}

function checkProfile({ profile }: Service, found: ProfileName | undefined): Finding {
	if (found === undefined)
		return warning(
			'The service does not say which API it has, so it is used as easel.',
			'Set SERVICE_PROFILE to the API of the service (docs/configuration.md).',
			'SERVICE_PROFILE',
		);
	return ok(`The API of the service is ${found}${profile === 'auto' ? ', as its answers show' : ', as configured'}.`);
}

/** Without the key, since nothing is known of the address but that it may be used. */
async function checkReached(address: string, signal: AbortSignal): Promise<Finding> {
	try {
		const { status } = await fetch(address, { method: 'HEAD', redirect: 'manual', signal });
		return ok(`The second address answers (${status}).`);
	} catch (error) {
		const code = codeOf(error);
		return fault(`The second address cannot be reached (${code}).`, connectionStep(code), 'SERVICE_ALT_BASE_URL');
	}
}

function checkEncryption({ baseUrl, altBaseUrl }: Service): Finding {
	const open = Object.entries({ SERVICE_BASE_URL: baseUrl, SERVICE_ALT_BASE_URL: altBaseUrl }).find(
		([, address]) => address?.startsWith('http:') && !isLoopback(new URL(address).hostname),
	);
	if (!open) return ok('The key leaves this machine encrypted only.');
	return warning(
		`${open[0]} is http, so the key and every prompt are sent unencrypted.`,
		`Use https in ${open[0]}, unless the network between is your own.`,
		open[0],
	);
}
