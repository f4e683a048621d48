import type { z } from 'zod';
import { type Command, command, commands } from '../../schemas/commands.ts';
import { readForm } from '../../schemas/read-form.ts';
import { type CommandRegistry, GLOBAL, type RegisteredCommand } from '../../world/command-registry.ts';
import { apiErrors } from '../errors.ts';
import type { Route, RouteRequest } from '../route.ts';

/** Global commands, and those of servers. https://docs.discord.com/developers/interactions/application-commands#endpoints */
export const commandRoutes = (registry: CommandRegistry): Route[] => [
	...routesAt('/applications/:application/commands', registry),
	...routesAt('/applications/:application/guilds/:guild/commands', registry),
];

const routesAt = (path: string, registry: CommandRegistry): Route[] => [
	{ method: 'GET', path, run: (request) => localized(request, registry.in(scopeOf(request))) },
	{
		method: 'PUT',
		path,
		run: (request) => registry.replace(scopeOf(request), readForm(commands, request.json)),
	},
	{
		method: 'POST',
		path,
		run: (request) => registry.register(scopeOf(request), readForm(command as z.ZodType<Command>, request.json)),
	},
	{ method: 'GET', path: `${path}/:command`, run: (request) => find(registry, request) },
	{
		method: 'PATCH',
		path: `${path}/:command`,
		run: (request) => {
			const changed = { ...find(registry, request), ...(request.json as object) };
			return registry.register(scopeOf(request), readForm(command, changed));
		},
	},
	{
		method: 'DELETE',
		path: `${path}/:command`,
		run: (request) => registry.remove(scopeOf(request), find(registry, request)),
	},
];

function scopeOf({ discord, params }: RouteRequest): string {
	if (params['application'] !== discord.world.me.id) throw apiErrors.missingAccess();
	const server = params['guild'];
	if (server === undefined) return GLOBAL;
	if (!discord.world.servers.get(server)?.joined) throw apiErrors.missingAccess();
	return server;
}

function find(registry: CommandRegistry, request: RouteRequest): RegisteredCommand {
	const found = registry.in(scopeOf(request)).find(({ id }) => id === request.params['command']);
	if (!found) throw apiErrors.unknownCommand();
	return found;
}

/** Localizations are returned on request only. */
const localized = ({ query }: RouteRequest, all: RegisteredCommand[]) =>
	query.get('with_localizations') === 'true' ? all : all.map(withoutLocalizations);

function withoutLocalizations(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(withoutLocalizations);
	if (typeof value !== 'object' || value === null) return value;
	const entries = Object.entries(value).filter(([key]) => !key.endsWith('_localizations'));
	return Object.fromEntries(entries.map(([key, inner]) => [key, withoutLocalizations(inner)]));
}
