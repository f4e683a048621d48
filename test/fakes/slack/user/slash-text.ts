import { isFile, type Options } from '../../test-user.ts';
import type { Team } from '../world/model.ts';

/** What somebody types to say this: `imagine a red fox n:2`. Pictures can't be typed. */
export function slashText(command: string, { prompt, ...options }: Options, team: Team): string {
	const pairs = Object.entries(options).flatMap(([name, value]) =>
		isFile(value) ? [] : [`${name}:${quoted(named(String(value), team))}`],
	);
	return [command, ...(prompt === undefined ? [] : [String(prompt)]), ...pairs].join(' ');
}

const quoted = (value: string) => (/\s/.test(value) ? `"${value.replace(/["\\]/g, '\\$&')}"` : value);

/** Ids of people and channels are chosen from a list, which writes their names. */
function named(value: string, team: Team): string {
	const user = team.users.get(value);
	if (user) return `@${user.name}`;
	const group = team.groups.get(value);
	if (group) return `@${group.handle}`;
	const channel = team.channels.get(value);
	return channel ? `#${channel.name}` : value;
}
