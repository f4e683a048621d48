import { hash } from 'node:crypto';
import { parsed } from './contents.ts';
import { Endpoint, type ServiceAddresses } from './endpoint.ts';
import { isAbsence, isErrorObject, readError } from './errors.ts';
import { type HttpAnswer, type Proxies, readBody, Transport } from './exchange.ts';
import { PROFILE_NAMES, PROFILES, type ProfileName, profileOfAddress } from './profiles.ts';
import { jsonBody } from './requests.ts';

/** How the service is configured. */
export type ServiceSettings = Pick<ServiceAddresses, 'apiKey' | 'headers'> & {
	/** Absent for the embedded studio. */
	baseUrl?: string;
	proxies?: Proxies;
	profile: ProfileName | 'auto';
	/** The image models to suggest, the default first. */
	imageModels: readonly string[];
};

/** Remembers for a week which profile a service has shown, for times at which it does not answer. */
type Memory = { get(key: string): unknown; set(key: string, value: ProfileName, ttlMs: number): unknown };
const REMEMBER_MS = 7 * 24 * 3600_000;

/** Returns the name of the profile that is configured, or known by the address; undefined when the service has to be asked. */
export function configuredProfile({ profile, baseUrl }: ServiceSettings): ProfileName | undefined {
	if (profile !== 'auto') return profile;
	return baseUrl === undefined ? 'easel' : profileOfAddress(baseUrl);
}

/**
 * Returns the name of the service's profile: as configured, known by the address, found out by free requests, or remembered. What only the
 * absence of addresses suggests is not remembered: a gateway answers 404 to everything while the service behind it starts.
 *
 * @returns undefined when the service does not say which API it has
 */
export async function findProfile(settings: ServiceSettings, memory: Memory): Promise<ProfileName | undefined> {
	const { baseUrl } = settings;
	const configured = configuredProfile(settings);
	if (configured !== undefined || baseUrl === undefined) return configured;
	const key = `profile:${hash('sha256', baseUrl)}`;
	const detected = await detectProfile(baseUrl, settings);
	if (detected === undefined || detected === BY_ABSENCE) {
		const remembered = await memory.get(key);
		return PROFILE_NAMES.find((name) => name === remembered) ?? detected;
	}
	await memory.set(key, detected, REMEMBER_MS);
	return detected;
}

/** Longest wait for each answer, in milliseconds. */
const TIMEOUT_MS = 5000;
/** Longest answer that is read, in bytes. A list of models is far shorter. */
const MAX_BYTES = 4 * 1024 * 1024;

/** What a service seems to have that answers 404 to everything. */
const BY_ABSENCE: ProfileName = 'openai-generations';

/** Statuses by which a service says that an address does not exist, or that it exists and refuses an empty request. */
const ABSENT = [404, 405, 501];
const PRESENT = [400, 415, 422];

/**
 * Finds out which API a service has, by requests that cost nothing: documents, and requests for pictures without a prompt.
 * @returns undefined when the service does not say: it cannot be reached, does not accept the key, or answers in another way
 */
async function detectProfile(baseUrl: string, settings: ServiceSettings): Promise<ProfileName | undefined> {
	const { apiKey, headers, proxies } = settings;
	const transport = new Transport(TIMEOUT_MS, proxies);
	const options = { profile: PROFILES.openai, transport, timeoutMs: TIMEOUT_MS, apiKey, headers };
	const service = new Endpoint(baseUrl, options);
	const limited = () => AbortSignal.timeout(TIMEOUT_MS);
	const read = async (sent: Promise<HttpAnswer>) => {
		const answer = await sent;
		return { ...answer, body: parsed((await readBody(answer, MAX_BYTES)).toString()) };
	};
	const root = (name: string) => read(service.root(name, limited()));
	const statusOf = async (path: string) => {
		const { status, body } = await read(service.send(path, jsonBody({}), limited()));
		return isAbsence(readError(body).message) ? 404 : status;
	};
	try {
		const list = await read(service.send('/models', undefined, limited()));
		if (Object.keys(list.headers).some((name) => name.startsWith('x-litellm-'))) return 'litellm';
		if (Array.isArray(list.body)) return 'together';
		const ids = [Object(list.body).data].flat().map((model) => Object(model).id);
		// The published model of Easel's own interface.
		if (ids.includes('alpha-image')) return 'easel';
		if (ids.includes('sd-cpp-local')) return 'sd-server';
		const [localai, sglang] = await Promise.all([root('/.well-known/localai.json'), root('/models')]);
		if (localai.status === 200 && Object(localai.body) === localai.body && !isErrorObject(localai.body))
			return 'localai';
		if (/"pipeline_name"/.test(JSON.stringify(sglang.body) ?? '')) return 'sglang';
		const compose = await statusOf('/images/compose');
		if (PRESENT.includes(compose)) return 'easel';
		if (!ABSENT.includes(compose)) return undefined;
		const edits = await statusOf('/images/edits');
		if (PRESENT.includes(edits)) return 'openai';
		return ABSENT.includes(edits) ? BY_ABSENCE : undefined;
	} catch {
		return undefined;
	} finally {
		await transport.close();
	}
}
