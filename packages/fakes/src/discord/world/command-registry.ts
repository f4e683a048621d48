import type { Command } from '../schemas/commands.ts';

/** A command that is registered globally, or in one server. */
export type RegisteredCommand = Command & { id: string; version: string; application_id: string; guild_id?: string };

/** The scope of global commands. The scope of others is the id of their server. */
export const GLOBAL = '';

/** The registered commands, by scope. */
export class CommandRegistry {
	readonly #application: string;
	readonly #snowflake: () => string;
	readonly #scopes = new Map<string, RegisteredCommand[]>();

	/** @param application its id */
	constructor(application: string, snowflake: () => string) {
		this.#application = application;
		this.#snowflake = snowflake;
	}

	in(scope: string): RegisteredCommand[] {
		return this.#scopes.get(scope) ?? [];
	}

	/** Returns the commands that users see in a server: its own before the global ones. */
	visible(server?: string): RegisteredCommand[] {
		return [...(server ? this.in(server) : []), ...this.in(GLOBAL)];
	}

	/** Registers a command. It replaces one of the same name, and keeps its id. */
	register(scope: string, command: Command): RegisteredCommand {
		const replaced = this.in(scope).find(({ type, name }) => type === command.type && name === command.name);
		const registered: RegisteredCommand = {
			default_member_permissions: null,
			nsfw: false,
			contexts: null,
			integration_types: [0],
			...command,
			id: replaced?.id ?? this.#snowflake(),
			version: this.#snowflake(),
			application_id: this.#application,
			...(scope !== GLOBAL && { guild_id: scope }),
		};
		this.#scopes.set(scope, [...this.in(scope).filter((other) => other !== replaced), registered]);
		return registered;
	}

	/** Replaces all commands of a scope. */
	replace(scope: string, commands: readonly Command[]): RegisteredCommand[] {
		const registered = commands.map((command) => this.register(scope, command));
		this.#scopes.set(scope, registered);
		return registered;
	}

	remove(scope: string, command: RegisteredCommand): void {
		this.#scopes.set(
			scope,
			this.in(scope).filter((other) => other !== command),
		);
	}
}
