/** The servers, channels, roles and people of the sandbox. They are fixed. */

type Named = { id: string; name: string };
export type Server = Named & {
	channels: readonly (Named & { topic: string })[];
	/** With members, so that caps of roles can be tried. */
	roles: readonly (Named & { members: readonly string[] })[];
};

export const EASEL = 'easel';

export const SERVERS: readonly Server[] = [
	{
		id: 'atelier',
		name: 'Atelier',
		channels: [
			{ id: 'atelier-general', name: 'general', topic: 'Ask for a picture, show what you made' },
			{ id: 'atelier-gallery', name: 'gallery', topic: 'Finished pieces only' },
			{ id: 'atelier-random', name: 'random', topic: 'Anything goes' },
		],
		roles: [
			{ id: 'atelier-painters', name: 'Painters', members: ['ada', 'bjorn'] },
			{ id: 'atelier-apprentices', name: 'Apprentices', members: ['chiyo'] },
		],
	},
	{
		id: 'print-club',
		name: 'Print Club',
		channels: [
			{ id: 'print-club-general', name: 'general', topic: 'Ink, paper and pictures' },
			{ id: 'print-club-posters', name: 'posters', topic: 'Large formats' },
			{ id: 'print-club-random', name: 'random', topic: 'Anything goes' },
		],
		roles: [
			{ id: 'print-club-printers', name: 'Printers', members: ['chiyo', 'dele'] },
			{ id: 'print-club-guests', name: 'Guests', members: ['ada'] },
		],
	},
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
