import {
	type APIActionRowComponent,
	type APIComponentInMessageActionRow,
	type APIMessage,
	ButtonStyle,
	ComponentType,
	MessageFlags,
	type RESTPatchAPIWebhookWithTokenMessageJSONBody,
} from 'discord.js';
import type { Button, Picture, Reply } from '../../../domain/channel.ts';
import { oneLine } from '../../../domain/text.ts';
import { MAX_MESSAGE_TEXT } from './limits.ts';

/** https://docs.discord.com/developers/resources/message#attachment-object */
const MAX_ALT_TEXT = 1024;

/** https://docs.discord.com/developers/components/reference#action-row and #button */
const MAX_BUTTONS_PER_ROW = 5;
const MAX_BUTTON_LABEL = 80;

export type File = { name: string; bytes: Uint8Array };

/** The JSON of a message, to post or to edit it, and its files. */
export type MessageBody = { payload: RESTPatchAPIWebhookWithTokenMessageJSONBody; files: readonly File[] };

/** @throws RangeError when the text is too long */
export function messageBodyOf({ text: words, notify, pictures, files = [], buttons = [] }: Reply): MessageBody {
	const text = notify === undefined ? words : `<@${notify}> ${words}`;
	if (text.length > MAX_MESSAGE_TEXT)
		throw new RangeError(`A message has at most ${MAX_MESSAGE_TEXT} characters; this one has ${text.length}`);
	const all: (File & Partial<Pick<Picture, 'alt' | 'spoiler'>>)[] = [...(pictures ?? []), ...files];
	const replacesFiles = pictures !== undefined || files.length > 0;
	return {
		payload: {
			content: text.toWellFormed(),
			components: rowsOf(buttons),
			allowed_mentions: { parse: [], ...(notify !== undefined && { users: [notify] }) },
			flags: MessageFlags.SuppressEmbeds,
			// An edit removes the files that are not listed; without a list, all are kept.
			...(replacesFiles && {
				attachments: all.map((file, id) => ({
					id: String(id),
					filename: file.name,
					...(file.alt && { description: oneLine(file.alt, MAX_ALT_TEXT) }),
					// https://docs.discord.com/developers/change-log, 24 June 2026; discord-api-types, RESTAPIAttachment
					...(file.spoiler && { is_spoiler: true }),
				})),
			}),
		},
		files: all,
	};
}

/**
 * Returns the edit that gives the pictures of a message other alt texts. All attachments are listed by their ids, so that they stay.
 * https://docs.discord.com/developers/resources/message#attachment-object-attachment-request-structure
 */
export function describedBody({ attachments }: APIMessage, alts: readonly string[]): MessageBody {
	const left = [...alts];
	const described = attachments.map(({ id, content_type = '' }) => {
		const alt = content_type.startsWith('image/') ? left.shift() : undefined;
		return { id, ...(alt && { description: oneLine(alt, MAX_ALT_TEXT) }) };
	});
	return { payload: { attachments: described }, files: [] };
}

function rowsOf(buttons: readonly Button[]): APIActionRowComponent<APIComponentInMessageActionRow>[] {
	const rows = Array.from({ length: Math.ceil(buttons.length / MAX_BUTTONS_PER_ROW) }, (_, row) =>
		buttons.slice(row * MAX_BUTTONS_PER_ROW, (row + 1) * MAX_BUTTONS_PER_ROW),
	);
	return rows.map((row) => ({ type: ComponentType.ActionRow, components: row.map(buttonOf) }));
}

function buttonOf({ id, label, kind }: Button): APIComponentInMessageActionRow {
	return {
		type: ComponentType.Button,
		style: kind === 'danger' ? ButtonStyle.Danger : ButtonStyle.Secondary,
		custom_id: id,
		label: oneLine(label, MAX_BUTTON_LABEL),
	};
}

/**
 * The flags of a new message. Links in it have no previews; pictures are files, which the flag does not hide. Edits leave the flags as they
 * are, but for a deferred response, which gets the flag of previews with its message.
 * https://docs.discord.com/developers/resources/message#message-object-message-flags
 */
export const flagsOf = (isPrivate: boolean) =>
	isPrivate ? MessageFlags.SuppressEmbeds | MessageFlags.Ephemeral : MessageFlags.SuppressEmbeds;
