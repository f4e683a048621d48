import { MessageFlags } from 'discord-api-types/v10';
import { z } from 'zod';
import { apiErrors, DiscordError, invalidForm } from '../api/errors.ts';
import { type Component, layout, rows, withinAll } from './components.ts';
import { addFieldError, readForm } from './read-form.ts';

/** The limit of a whole request, in bytes. https://docs.discord.com/developers/reference#uploading-files */
export const REQUEST_BYTES = 25 * 1024 * 1024;

/**
 * The upload limit of a file in bytes, except in boosted servers; 10 MiB before 2026-09-03.
 * https://github.com/discord/discord-api-docs/pull/8578
 */
export const FILE_BYTES = 20 * 1024 * 1024;

/** https://docs.discord.com/developers/resources/message#create-message */
const MAX_FILES = 10;

/** The characters of all embeds of a message. https://docs.discord.com/developers/resources/message#embed-object-embed-limits */
const MAX_EMBED_TEXT = 6000;

const snowflake = z.string().regex(/^\d{17,20}$/, 'Value is not snowflake.');

const embed = z.object({
	title: z.string().max(256).nullish(),
	description: z.string().max(4096).nullish(),
	url: z.string().nullish(),
	timestamp: z.string().nullish(),
	color: z.number().int().min(0).max(0xffffff).nullish(),
	footer: z
		.object({ text: z.string().min(1).max(2048) })
		.loose()
		.nullish(),
	author: z
		.object({ name: z.string().min(1).max(256) })
		.loose()
		.nullish(),
	image: z.object({ url: z.string() }).loose().nullish(),
	thumbnail: z.object({ url: z.string() }).loose().nullish(),
	fields: z
		.array(
			z.object({
				name: z.string().min(1).max(256),
				value: z.string().min(1).max(1024),
				inline: z.boolean().optional(),
			}),
		)
		.max(25)
		.nullish(),
});
export type Embed = z.output<typeof embed>;

const embeds = z
	.array(embed)
	.max(10)
	.superRefine((made, context) => {
		const length = made.reduce((sum, one) => {
			const { title, description, footer, author, fields } = one;
			const texts = [
				title,
				description,
				footer?.text,
				author?.name,
				...(fields ?? []).flatMap((f) => [f.name, f.value]),
			];
			return sum + texts.join('').length;
		}, 0);
		if (length > MAX_EMBED_TEXT)
			addFieldError(context, [], 'MAX_EMBED_SIZE_EXCEEDED', `Embed size exceeds maximum size of ${MAX_EMBED_TEXT}`);
	});

/** https://docs.discord.com/developers/resources/message#allowed-mentions-object */
const allowedMentions = z
	.object({
		parse: z.array(z.enum(['roles', 'users', 'everyone'])).optional(),
		users: z.array(snowflake).max(100).optional(),
		roles: z.array(snowflake).max(100).optional(),
		replied_user: z.boolean().optional(),
	})
	.superRefine(({ parse, ...lists }, context) => {
		for (const list of ['users', 'roles'] as const)
			if (parse?.includes(list) && lists[list]?.length)
				addFieldError(
					context,
					[],
					'MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE',
					`parse:["${list}"] excludes ${list}: [ids…]`,
				);
	});
export type AllowedMentions = z.output<typeof allowedMentions>;

/** https://docs.discord.com/developers/resources/message#create-message */
const message = z.object({
	content: z.string().max(2000).nullish(),
	embeds: embeds.nullish(),
	attachments: z
		.array(
			z.object({
				id: z.union([z.string(), z.number()]).transform(String),
				filename: z.string().max(1024).nullish(),
				description: z.string().max(1024).nullish(),
				is_spoiler: z.boolean().nullish(),
			}),
		)
		.max(MAX_FILES)
		.nullish(),
	flags: z.number().int().min(0).nullish(),
	nonce: z.union([z.string().max(25), z.number().int()]).nullish(),
	enforce_nonce: z.boolean().nullish(),
	allowed_mentions: allowedMentions.nullish(),
	message_reference: z.object({ message_id: snowflake, fail_if_not_exists: z.boolean().optional() }).loose().nullish(),
	tts: z.boolean().nullish(),
});
const withRows = message.extend({ components: rows.nullish() });
const withLayout = message.extend({ components: layout.nullish() });

/** The body of a request to create or edit a message. */
export type MessageBody = z.output<typeof message> & { components?: Component[] | null | undefined };

/** A file of a multipart body: `files[n]`. */
export type FilePart = { index: string; name: string; type: string; bytes: Buffer };

/** The properties of a message that limit its edits. */
type ExistingMessage = { flags: number; attachmentIds: readonly string[] };

/** Checks the body and the files of a message. Throws the `DiscordError` that Discord would return. */
export function readMessage(
	body: unknown,
	files: readonly FilePart[],
	fileBytes: number,
	before?: ExistingMessage,
): MessageBody {
	const raw = readForm(z.object({ flags: z.number().int().nullish() }).loose(), body ?? {});
	const flags = (raw.flags ?? 0) | (before?.flags ?? 0);
	const v2 = (flags & MessageFlags.IsComponentsV2) !== 0;
	const read: MessageBody = readForm(v2 ? withLayout : withRows, raw);
	if (before && raw.flags != null && before.flags & MessageFlags.IsComponentsV2 & ~raw.flags)
		throw invalidForm([
			{ path: ['flags'], code: 'MESSAGE_CANNOT_REMOVE_COMPONENTS_V2_FLAG', message: 'The flag cannot be removed' },
		]);
	if (v2) refuseLegacyFields(read);
	checkFiles(read, files, fileBytes, before?.attachmentIds ?? []);
	if (v2) checkReferences(read, files);
	return read;
}

/** https://docs.discord.com/developers/components/reference#what-is-a-component */
function refuseLegacyFields(read: MessageBody): void {
	if (!read.content && !read.embeds?.length) return;
	const path = [read.content ? 'content' : 'embeds'];
	throw invalidForm([
		{
			path,
			code: 'MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2',
			message: `The '${path[0]}' field cannot be used when using MessageFlags.IS_COMPONENTS_V2`,
		},
	]);
}

/**
 * Every file has to be listed in `attachments` by its number, and every listed one has to be a file or an existing attachment.
 * https://docs.discord.com/developers/reference#uploading-files and https://docs.discord.com/developers/resources/message#edit-message
 */
function checkFiles(read: MessageBody, files: readonly FilePart[], maxBytes: number, before: readonly string[]): void {
	const listed = (read.attachments ?? []).map(({ id }) => id);
	const valid = new Set([...files.map(({ index }) => index), ...before]);
	const wrong = listed.findIndex((id, index) => !valid.has(id) || listed.indexOf(id) < index);
	if (wrong >= 0)
		throw invalidForm([
			{
				path: ['attachments', wrong, 'id'],
				code: 'ATTACHMENT_NOT_FOUND',
				message: `There is no file and no attachment ${listed[wrong]}, or it is listed twice`,
			},
		]);
	const unlisted = files.find(({ index }) => !listed.includes(index));
	if (unlisted)
		throw invalidForm([
			{ path: ['attachments'], code: 'ATTACHMENT_MISSING', message: `files[${unlisted.index}] is not listed` },
		]);
	const kept = read.attachments ? listed.length : before.length + files.length;
	if (kept > MAX_FILES)
		throw invalidForm([
			{ path: ['attachments'], code: 'BASE_TYPE_MAX_LENGTH', message: `Must be ${MAX_FILES} or fewer in length.` },
		]);
	for (const file of files)
		if (file.bytes.length > maxBytes)
			throw new DiscordError(413, 40005, `Request entity too large`, {
				errors: {
					files: { _errors: [{ code: 'ATTACHMENT_TOO_LARGE', message: `${file.bytes.length} > ${maxBytes}` }] },
				},
				violation: true,
			});
}

/**
 * The files that a layout shows have to be in the same request.
 * https://docs.discord.com/developers/components/reference#unfurled-media-item
 */
function checkReferences(read: MessageBody, files: readonly FilePart[]): void {
	const names = new Set(files.map(({ name }) => fileName(name)));
	for (const url of mediaOf(read.components ?? []).map((media) => media.url)) {
		const name = url.match(/^attachment:\/\/(.*)$/)?.[1];
		if (name !== undefined && !names.has(name))
			throw invalidForm([
				{
					path: ['components'],
					code: 'UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND',
					message: `The referenced attachment ${name} was not found`,
				},
			]);
	}
}

type Media = { url: string };

/** Returns the pictures and files that a layout shows. */
const mediaOf = (components: readonly Component[]): Media[] =>
	withinAll(components).flatMap((component) => {
		if (component.type === 11) return [component['media'] as Media];
		if (component.type === 12) return (component['items'] as { media: Media }[]).map((item) => item.media);
		if (component.type === 13) return [component['file'] as Media];
		return [];
	});

/** Removes from a file name the characters that Discord does not store. */
export const fileName = (name: string): string => name.replaceAll(' ', '_').replace(/[^\p{L}\p{N}._()-]/gu, '');

/** Throws for a new message without any content. https://docs.discord.com/developers/resources/message#create-message */
export function refuseEmpty({ content, embeds, components }: MessageBody, files: number): void {
	if (!content?.trim() && !embeds?.length && !components?.length && files === 0) throw apiErrors.emptyMessage();
}
