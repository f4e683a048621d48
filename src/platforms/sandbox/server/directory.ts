/** The servers, channels, roles and people of the sandbox. They are fixed. */

type Named = { id: string; name: string };
export type Server = Named & {
	channels: readonly (Named & { topic: string })[];
	/** With members, so that caps of roles can be tried. */
	roles: readonly (Named & { members: readonly string[] })[];
};

export const EASEL = 'easel';

/** @param topics those of its channels @param members the ids of people, by role */
function server(
	name: string,
	topics: Readonly<Record<string, string>>,
	members: Readonly<Record<string, readonly string[]>>,
): Server {
	const named = (text: string) => text.toLowerCase().replaceAll(' ', '-');
	const id = named(name);
	return {
		...{ id, name },
		channels: Object.entries(topics).map(([channel, topic]) => ({ id: `${id}-${channel}`, name: channel, topic })),
		roles: Object.entries(members).map(([role, people]) => ({
			id: `${id}-${named(role)}`,
			name: role,
			members: people,
		})),
	};
}

export const SERVERS: readonly Server[] = [
	server(
		'Atelier',
		{ general: 'Ask for a picture, show what you made', gallery: 'Finished pieces only', random: 'Anything goes' },
		{ Painters: ['ada', 'bjorn'], Apprentices: ['chiyo'] },
	),
	server(
		'Print Club',
		{ general: 'Ink, paper and pictures', posters: 'Large formats', random: 'Anything goes' },
		{ Printers: ['chiyo', 'dele'], Guests: ['ada'] },
	),
];

export const PEOPLE: readonly Named[] = [
	{ id: 'ada', name: 'Ada' },
	{ id: 'bjorn', name: 'Björn' },
	{ id: 'chiyo', name: 'Chiyo' },
	{ id: 'dele', name: 'Dele' },
];

export const rolesOf = (person: string): string[] =>
	SERVERS.flatMap(({ roles }) => roles.filter(({ members }) => members.includes(person)).map(({ id }) => id));

/** Returns a name with its mark, such as `@Ada` or `#general`. */
export function nameOf(kind: 'person' | 'channel' | 'role', id: string): string | undefined {
	const named = {
		person: PEOPLE,
		channel: SERVERS.flatMap(({ channels }) => channels),
		role: SERVERS.flatMap(({ roles }) => roles),
	}[kind].find((one) => one.id === id);
	return named && `${kind === 'channel' ? '#' : '@'}${named.name}`;
}
