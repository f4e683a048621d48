import {
	type APIActionRowComponent,
	type APIComponentInMessageActionRow,
	ButtonStyle,
	ComponentType,
	MessageFlags,
	type RESTPatchAPIWebhookWithTokenMessageJSONBody,
} from 'discord.js';
import type { Button, Picture, Reply } from '../../../domain/reply.ts';
import { clip } from '../../../domain/text.ts';
import { MAX_ALT, MAX_BUTTON_LABEL, MAX_CUSTOM_ID, MAX_FILES, MAX_ROWS, MAX_TEXT, ROW_BUTTONS } from './limits.ts';
import type { File } from './multipart.ts';

/** A message as Discord takes it, to be posted or for an edit: the JSON, and the files that go with it. */
export type MessageBody = { payload: RESTPatchAPIWebhookWithTokenMessageJSONBody; files: readonly File[] };

/** Throws `RangeError` for what Discord would not take, so that it is never sent. */
export function messageBodyOf({ text, pictures, files = [], buttons = [] }: Reply): MessageBody {
	if (text.length > MAX_TEXT)
		throw new RangeError(`A message has at most ${MAX_TEXT} characters; this has ${text.length}`);
	const all: (File & { alt?: string })[] = [...(pictures ?? []).map(covered), ...files];
	if (all.length > MAX_FILES) throw new RangeError(`A message has at most ${MAX_FILES} files; this has ${all.length}`);
	const replaced = pictures !== undefined || files.length > 0;
	return {
		payload: {
			content: text.toWellFormed(),
			components: rowsOf(buttons),
			allowed_mentions: { parse: [] },
			// Files that are not named here go; without any word of them they stay.
			...(replaced && {
				attachments: all.map((file, id) => ({
					id: String(id),
					filename: file.name,
					...(file.alt && { description: clip(file.alt, MAX_ALT) }),
				})),
			}),
		},
		files: all,
	};
}

/** Covered by its name: https://docs.discord.com/developers/reference#uploading-files */
const covered = ({ spoiler, ...picture }: Picture) => ({
	...picture,
	...(spoiler && { name: `SPOILER_${picture.name}` }),
});

function rowsOf(buttons: readonly Button[]): APIActionRowComponent<APIComponentInMessageActionRow>[] {
	if (buttons.length > ROW_BUTTONS * MAX_ROWS)
		throw new RangeError(`A message has at most ${ROW_BUTTONS * MAX_ROWS} buttons`);
	const rows = Array.from({ length: Math.ceil(buttons.length / ROW_BUTTONS) }, (_, row) =>
		buttons.slice(row * ROW_BUTTONS, (row + 1) * ROW_BUTTONS),
	);
	return rows.map((row) => ({ type: ComponentType.ActionRow, components: row.map(buttonOf) }));
}

function buttonOf({ id, label, kind }: Button): APIComponentInMessageActionRow {
	if (id.length > MAX_CUSTOM_ID) throw new RangeError(`A button's id has at most ${MAX_CUSTOM_ID} characters: ${id}`);
	return {
		type: ComponentType.Button,
		style: kind === 'danger' ? ButtonStyle.Danger : ButtonStyle.Secondary,
		custom_id: id,
		label: clip(label, MAX_BUTTON_LABEL),
	};
}

/** The flags of a new message. */
export const flagsOf = (isPrivate: boolean) => (isPrivate ? { flags: MessageFlags.Ephemeral as const } : {});
