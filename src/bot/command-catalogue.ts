import type { CommandDescription, Field } from '../domain/command.ts';
import type { Person } from '../domain/person.ts';
import type { Translate } from '../i18n/translator.ts';
import type { Capabilities } from '../service/service.ts';
import { availableCommands } from './declaration/available-commands.ts';
import type { Command } from './declaration/command.ts';
import { describeCommand } from './declaration/fields.ts';

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

	/** Lists the commands that a person may use. */
	help(t: Translate, person: Person): string {
		const offered = [...this.#commands.values()].filter(
			({ hidden, moderators }) => !hidden && (!moderators || person.moderator),
		);
		const lines = offered.map(({ name, description }) => `- \`/${name}\` ${t.declared(description)}`);
		return [t('help.intro'), ...lines].join('\n');
	}
}
