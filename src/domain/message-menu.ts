import type { CommandDescription } from './command.ts';

/** An entry of the menu that every message has. */
export type MessageMenuEntry = {
	/** The id of the button that it stands for. */
	button: string;
	name: string;
	description: string;
	/** The command that it leads to. */
	command: string;
};

const ENTRIES: readonly MessageMenuEntry[] = [
	{
		button: 'edit:1:menu',
		name: 'Edit image',
		description: 'Change a picture of this message by an instruction',
		command: 'edit',
	},
	{
		button: 'compose:1:menu',
		name: 'Compose images',
		description: 'Make one picture from those of this message',
		command: 'compose',
	},
];

/** Returns the entries whose commands are available. */
export const messageMenu = (commands: readonly CommandDescription[]): MessageMenuEntry[] =>
	ENTRIES.filter((entry) => commands.some(({ name }) => name === entry.command));
