import { isFile, type Options } from '../../test-user.ts';
import type { Team } from '../world/model.ts';

/** Returns the text of a slash command with these options, such as `imagine a red fox n:2`. Files are left out. */
export function slashText(command: string, { prompt, ...options }: Options, team: Team): string {
	const pairs = Object.entries(options).flatMap(([name, value]) =>
		isFile(value) ? [] : [`${name}:${quoted(named(String(value), team))}`],
	);
	return [command, ...(prompt === undefined ? [] : [String(prompt)]), ...pairs].join(' ');
}

const quoted = (value: string) => (/\s/.test(value) ? `"${value.replace(/["\\]/g, '\\$&')}"` : value);

/** Returns the name of a person, group or channel by its id. */
function named(value: string, team: Team): string {
	const user = team.users.get(value);
	if (user) return `@${user.name}`;
	const group = team.groups.get(value);
	if (group) return `@${group.handle}`;
	const channel = team.channels.get(value);
	return channel ? `#${channel.name}` : value;
}
