import type { PictureShape } from './picture-sizes.ts';

/**
 * A file that a person uploaded. Its bytes are fetched by `read`, so that origin checks and tokens stay inside the
 * platform.
 */
export type Upload = {
	name: string;
	/** The media type that the platform reports. It must not be trusted. */
	type?: string;
	/** The size in bytes, where the platform reports it. */
	size?: number;
	/** Rejects with `FileTooLargeError` when the file has more than `maxBytes`. */
	read(signal: AbortSignal, maxBytes: number): Promise<Uint8Array>;
	/** Yields the same bytes as they come; absent where they are in the store. */
	pieces?(signal: AbortSignal, maxBytes: number): AsyncIterable<Uint8Array>;
	/** Returns an address at which the people who see the file can download it; absent for files that no message shows. */
	link?(): Promise<string | undefined>;
};

/** Thrown when a file has more bytes than are to be read. */
export class FileTooLargeError extends Error {
	override name = 'FileTooLargeError';
	/** In bytes, where it is known. */
	readonly size: number | undefined;

	constructor(size?: number) {
		super('A file is too large to be read');
		this.size = size;
	}
}

/** A picture to post. Its bytes are posted unchanged. */
export type Picture = {
	/** The file name with its extension. */
	name: string;
	bytes: Uint8Array;
	/** The alt text. */
	alt: string;
	/** Its number among the pictures of a result, from 1, where there are several. Shown with it where the platform can. */
	number?: number;
	/** Hidden until a reader reveals it. */
	spoiler?: true;
};

/**
 * The beginning of the file names of previews, which are shown until the picture is finished. `Post.pictures` does not count them: they are
 * no result. No name of a result begins with it.
 */
export const PREVIEW_NAME = 'easel.preview.';

/** Tells whether a file is a preview. Platforms may add to its name, as Discord does for spoilers. */
export const isPreview = ({ name }: { name: string }): boolean => name.includes(PREVIEW_NAME);

/** A file that is not a picture. */
export type Attachment = { name: string; bytes: Uint8Array };

export type Button = {
	/** See `encodeActionId`. What its subject refers to is in the store. */
	id: string;
	label: string;
	kind?: 'plain' | 'danger';
};

export type Reply = {
	/** Markdown. Mentions in it notify nobody. */
	text: string;
	/**
	 * A text that is still being written: `text` without what completes it for now, such as the end of a code fence. It
	 * changes only by additions at its end, until an edit without `growing`. Platforms that can append to a message need
	 * not rewrite it.
	 */
	growing?: string;
	pictures?: readonly Picture[];
	/** The pictures that will follow, and their shape, where it is known. Platforms may show their outlines meanwhile. */
	expected?: { count: number; shape?: PictureShape };
	/** Used by `post` only. */
	files?: readonly Attachment[];
	buttons?: readonly Button[];
	/** A `private` reply is visible only to the person who asked. Edits cannot change it. Default `public`. */
	visibility?: 'public' | 'private';
};
