import type { CommandDescription, Field } from '../../domain/command.ts';
import type { Easel } from '../../easel.ts';
import type { Translate } from '../../i18n/translator.ts';
import type { Capabilities } from '../../service/service.ts';
import type { Command } from './command.ts';
import { describeCommand } from './options.ts';

/** Returns the commands that a service with these capabilities can carry out. */
const availableCommands = (commands: readonly Command[], capabilities: Capabilities): Command[] =>
	commands.filter(({ needs }) => needs === undefined || capabilities[needs]);

/** Returns the available commands that people can type, as platforms list, register and show them. */
export const describeCommands = (commands: readonly Command[], capabilities: Capabilities): CommandDescription[] =>
	availableCommands(commands, capabilities)
		.filter(({ hidden }) => !hidden)
		.map((command) => describeCommand(command, capabilities));

/** The available commands, by name. */
export class CommandCatalogue {
	/** The commands as forms show them. */
	readonly descriptions: ReadonlyMap<string, CommandDescription>;
	readonly #commands: ReadonlyMap<string, Command>;

	constructor(commands: readonly Command[], capabilities: Capabilities) {
		const available = availableCommands(commands, capabilities);
		this.#commands = new Map(available.map((command) => [command.name, command]));
		this.descriptions = new Map(available.map((command) => [command.name, describeCommand(command, capabilities)]));
	}

	find(name: string): Command | undefined {
		return this.#commands.get(name);
	}

	fields(name: string): readonly Field[] {
		return this.descriptions.get(name)?.fields ?? [];
	}

	/** Returns those fields of a command, in this order, described in a person's language; all by default. */
	formFields(t: Translate, command: string, names?: readonly string[]): Field[] {
		const fields = this.fields(command);
		return (names ?? fields.map(({ name }) => name)).flatMap((name) => {
			const field = fields.find((one) => one.name === name);
			return field ? { ...field, description: t.declared(field.description) } : [];
		});
	}
}

/** How long the list is cached, and how long no new attempt is made after a failure. */
const CACHE_MS = 5 * 60_000;
const RETRY_AFTER_MS = 15_000;

/** The most completions that Discord shows. https://docs.discord.com/developers/interactions/application-commands */
const MAX_COMPLETIONS = 25;

/** The names of the service's models, which it may not list. */
export class ModelNames {
	readonly #easel: Easel;
	#names: Promise<string[]> = Promise.resolve([]);
	#cachedUntil = Number.NEGATIVE_INFINITY;

	constructor(easel: Easel) {
		this.#easel = easel;
	}

	/** Returns the models whose names contain a text; those that begin with it come first. */
	async complete(typed: string): Promise<string[]> {
		const text = typed.trim().toLowerCase();
		const matching = (await this.#list()).filter((name) => name.toLowerCase().includes(text));
		const rank = (name: string) => (name.toLowerCase().startsWith(text) ? 0 : 1);
		return matching.toSorted((a, b) => rank(a) - rank(b)).slice(0, MAX_COMPLETIONS);
	}

	#list(): Promise<string[]> {
		const { service, stopping, now } = this.#easel;
		if (now() < this.#cachedUntil) return this.#names;
		this.#cachedUntil = now() + CACHE_MS;
		this.#names = service.models(stopping).catch(() => {
			this.#cachedUntil = now() + RETRY_AFTER_MS;
			return [];
		});
		return this.#names;
	}
}
