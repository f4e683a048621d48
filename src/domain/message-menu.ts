import { encodeActionId } from './action-id.ts';
import type { CommandDescription } from './command.ts';

/** An entry of the menu that platforms show on every message. */
export type MessageMenuEntry = {
	/** The action id that choosing it presses. */
	button: string;
	/**
	 * The id of a message of at most 24 characters: also the title of the form that it opens.
	 * https://docs.slack.dev/reference/app-manifest · https://docs.slack.dev/reference/views/modal-views
	 */
	name: 'menu.edit' | 'menu.compose' | 'menu.about';
	/** English, at most 150 characters. https://docs.slack.dev/reference/app-manifest */
	description: string;
	/** The command that it leads to. The entry is offered only where the command is. */
	command: string;
	/** Whether it needs a message with pictures. */
	needsPictures: boolean;
};

export const EDIT_IMAGE: MessageMenuEntry = {
	button: encodeActionId({ action: 'edit', version: 1, subject: 'menu' }),
	name: 'menu.edit',
	description: 'Edit a picture of this message with an instruction',
	command: 'edit',
	needsPictures: true,
};

export const COMPOSE_IMAGES: MessageMenuEntry = {
	button: encodeActionId({ action: 'compose', version: 1, subject: 'menu' }),
	name: 'menu.compose',
	description: 'Combine the pictures of this message into one',
	command: 'compose',
	needsPictures: true,
};

const ABOUT_PICTURE: MessageMenuEntry = {
	button: encodeActionId({ action: 'about', version: 1, subject: 'menu' }),
	name: 'menu.about',
	description: 'Show who made a picture of this message, with which words, and when',
	command: 'history',
	needsPictures: true,
};

const ENTRIES: readonly MessageMenuEntry[] = [EDIT_IMAGE, COMPOSE_IMAGES, ABOUT_PICTURE];

/** Returns the entries whose commands are available. */
export const messageMenu = (commands: readonly Pick<CommandDescription, 'name'>[]): MessageMenuEntry[] =>
	ENTRIES.filter((entry) => commands.some(({ name }) => name === entry.command));

/** Returns the entry with this action id; undefined for the id of a button. */
export const menuEntryOf = (button: string): MessageMenuEntry | undefined =>
	ENTRIES.find((entry) => entry.button === button);
