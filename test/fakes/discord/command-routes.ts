import type { z } from 'zod';
import { type Command, command, commands } from './command-forms.ts';
import type { Discord } from './context.ts';
import { error } from './errors.ts';
import { readForm } from './forms.ts';
import type { Call, Route } from './route.ts';

/** A command that is registered, everywhere or in one server. */
export type Registered = Command & { id: string; version: string; application_id: string; guild_id?: string };

export type Commands = ReturnType<typeof createCommands>;

/** Commands, by the server that they are for; those for everywhere under the empty name. */
export function createCommands() {
	const scopes = new Map<string, Registered[]>();
	const of = (scope: string) => scopes.get(scope) ?? [];

	/** The same name keeps its id. */
	function register(discord: Discord, scope: string, one: Command): Registered {
		const known = of(scope).find(({ type, name }) => type === one.type && name === one.name);
		const made: Registered = {
			default_member_permissions: null,
			nsfw: false,
			contexts: null,
			integration_types: [0],
			...one,
			id: known?.id ?? discord.snowflake(),
			version: discord.snowflake(),
			application_id: discord.world.me.id,
			...(scope && { guild_id: scope }),
		};
		scopes.set(scope, [...of(scope).filter((other) => other !== known), made]);
		return made;
	}

	function scopeOf({ discord, params }: Call): string {
		if (params['application'] !== discord.world.me.id) throw error.missingAccess();
		const server = params['guild'];
		if (server === undefined) return '';
		if (!discord.world.servers.get(server)?.joined) throw error.missingAccess();
		return server;
	}

	function one(call: Call): Registered {
		const found = of(scopeOf(call)).find(({ id }) => id === call.params['command']);
		if (!found) throw error.unknownCommand();
		return found;
	}

	/** With translations only where they are asked for. */
	const plain = ({ query }: Call, all: Registered[]) =>
		query.get('with_localizations') === 'true' ? all : all.map(withoutTranslations);

	const routesAt = (path: string): Route[] => [
		{ method: 'GET', path, run: (call) => plain(call, of(scopeOf(call))) },
		{
			method: 'PUT',
			path,
			run: (call) => {
				const scope = scopeOf(call);
				const all = readForm(commands, call.json);
				const made = all.map((asked) => register(call.discord, scope, asked));
				scopes.set(scope, made);
				return made;
			},
		},
		{
			method: 'POST',
			path,
			run: (call) => register(call.discord, scopeOf(call), readForm(command as z.ZodType<Command>, call.json)),
		},
		{ method: 'GET', path: `${path}/:command`, run: one },
		{
			method: 'PATCH',
			path: `${path}/:command`,
			run: (call) => {
				const before = one(call);
				return register(call.discord, scopeOf(call), readForm(command, { ...before, ...(call.json as object) }));
			},
		},
		{
			method: 'DELETE',
			path: `${path}/:command`,
			run: (call) => {
				const gone = one(call);
				scopes.set(
					scopeOf(call),
					of(scopeOf(call)).filter((other) => other !== gone),
				);
			},
		},
	];

	return {
		routes: [
			...routesAt('/applications/:application/commands'),
			...routesAt('/applications/:application/guilds/:guild/commands'),
		],
		/** What people see in a server, its own before those for everywhere. */
		visible: (server?: string): Registered[] => [...(server ? of(server) : []), ...of('')],
	};
}

function withoutTranslations(node: Registered): Registered {
	const strip = (value: unknown): unknown => {
		if (Array.isArray(value)) return value.map(strip);
		if (typeof value !== 'object' || value === null) return value;
		const kept = Object.entries(value).filter(([key]) => !key.endsWith('_localizations'));
		return Object.fromEntries(kept.map(([key, inner]) => [key, strip(inner)]));
	};
	return strip(node) as Registered;
}
