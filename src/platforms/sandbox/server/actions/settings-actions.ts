import { BadRequest } from '../bad-request.ts';
import { PEOPLE, SERVERS } from '../directory.ts';
import type { EmulatedPlatform } from '../limits.ts';
import type { SandboxSettings } from '../store/settings.ts';
import type { SandboxActionContext } from './context.ts';

export const setEmulated = async (context: SandboxActionContext, { platform }: { platform: EmulatedPlatform }) =>
	publish(context, await context.settings.emulate(platform));

export async function setModerator(
	context: SandboxActionContext,
	input: { server: string; person: string; moderator: boolean },
): Promise<SandboxSettings> {
	if (!SERVERS.some(({ id }) => id === input.server)) throw new BadRequest(404, 'There is no such server.');
	if (!PEOPLE.some(({ id }) => id === input.person)) throw new BadRequest(404, 'There is no such person.');
	return publish(context, await context.settings.setModerator(input.server, input.person, input.moderator));
}

function publish({ hub }: SandboxActionContext, settings: SandboxSettings): SandboxSettings {
	hub.publish({ name: 'settings', data: settings });
	return settings;
}
