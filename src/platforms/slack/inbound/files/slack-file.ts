/** A file as events have it, often only its id. https://docs.slack.dev/reference/objects/file-object */
export type SlackFile = {
	id: string;
	name?: string | null | undefined;
	mimetype?: string | undefined;
	filetype?: string | undefined;
	/** Bytes. */
	size?: number | undefined;
	url_private?: string | undefined;
	url_private_download?: string | undefined;
	/** `check_file_info` when `files.info` has the other fields. */
	file_access?: string | undefined;
	/** A picture that the bot's message shows only to those who press a button. */
	covered?: true;
};

const PICTURE_TYPES = /^(?:png|jpe?g|webp|gif|avif|heic|heif|tiff?|bmp|svg|psd)$/i;

/** Returns the pictures among the files of a message, with the fields that are needed to read them. */
export const picturesAmong = (files: readonly SlackFile[] = []): SlackFile[] => files.filter(isPicture).map(essentials);

/** Files of which only the id is known count as pictures. */
function isPicture({ mimetype, filetype, name }: SlackFile): boolean {
	if (mimetype) return mimetype.startsWith('image/');
	if (filetype) return PICTURE_TYPES.test(filetype);
	return !name || PICTURE_TYPES.test(name.split('.').at(-1) ?? '');
}

const essentials = ({
	id,
	name,
	mimetype,
	size,
	url_private_download,
	url_private,
	file_access,
}: SlackFile): SlackFile => ({ id, name, mimetype, size, url_private_download, url_private, file_access });
