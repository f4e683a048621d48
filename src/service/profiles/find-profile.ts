import { hash } from 'node:crypto';
import type { Capabilities } from '../capabilities.ts';
import { detectProfile } from './detect.ts';
import type { ServiceProfile } from './profile.ts';
import { PROFILE_NAMES, PROFILES, type ProfileName, profileOfAddress } from './profiles.ts';

/** How the service is configured. */
export type ServiceSettings = {
	/** Absent for the embedded studio. */
	baseUrl?: string | undefined;
	apiKey?: string | undefined;
	profile: ProfileName | 'auto';
	/** The image models to suggest, the default first. */
	imageModels: readonly string[];
};

/** Remembers which profile a service has. */
type Memory = {
	get(key: string): unknown;
	set(key: string, value: ProfileName, ttlMs: number): unknown;
};

/** How long a profile is remembered, so that a service that was replaced or updated is looked at again. */
const REMEMBER_MS = 7 * 24 * 3600_000;

/** Returns the name of the profile that is configured, or known by the address; undefined when the service has to be asked. */
export function configuredProfile({
	profile,
	baseUrl,
}: Pick<ServiceSettings, 'profile' | 'baseUrl'>): ProfileName | undefined {
	if (profile !== 'auto') return profile;
	return baseUrl === undefined ? 'easel' : profileOfAddress(baseUrl);
}

/**
 * Returns the name of the service's profile: as configured, known by the address, remembered, or found out by free requests.
 *
 * @returns undefined when the service does not say which API it has
 */
export async function findProfile(settings: ServiceSettings, memory: Memory): Promise<ProfileName | undefined> {
	const { baseUrl, apiKey } = settings;
	const configured = configuredProfile(settings);
	if (configured !== undefined || baseUrl === undefined) return configured;
	const key = `profile:${hash('sha256', baseUrl)}`;
	const remembered = await memory.get(key);
	const known = PROFILE_NAMES.find((name) => name === remembered);
	if (known !== undefined) return known;
	const detected = await detectProfile(baseUrl, apiKey);
	if (detected !== undefined) await memory.set(key, detected, REMEMBER_MS);
	return detected;
}

/** Returns a profile that suggests the configured image models, too. */
export function profileNamed(name: ProfileName, { imageModels }: Pick<ServiceSettings, 'imageModels'>): ServiceProfile {
	const profile: ServiceProfile = PROFILES[name];
	const hints = new Map(profile.capabilities.models.map((model) => [model.id, model]));
	const ids = new Set([...imageModels, ...hints.keys()]);
	const capabilities: Capabilities = { ...profile.capabilities, models: [...ids].map((id) => hints.get(id) ?? { id }) };
	return { ...profile, capabilities };
}
