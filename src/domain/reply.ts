/** A file that a person brings. Its bytes are fetched when it is read, so that origin checks and tokens stay inside the platform. */
export type Upload = {
	name: string;
	/** The media type that the platform reports. Not to be trusted. */
	type?: string;
	/** The size in bytes, when the platform reports it. */
	size?: number;
	read(signal: AbortSignal): Promise<Uint8Array>;
};

/** A picture to post with exactly these bytes. */
export type Picture = {
	/** A file name with its extension. */
	name: string;
	bytes: Uint8Array;
	/** The text for screen readers. */
	alt: string;
	/** Covered until a reader uncovers it. */
	spoiler?: true;
};

/** A file other than a picture. */
export type Attachment = { name: string; bytes: Uint8Array };

export type Button = {
	/** See `encodeActionId`. What its subject refers to is in the store. */
	id: string;
	label: string;
	kind?: 'plain' | 'danger';
};

export type Reply = {
	/** Markdown. Mentions in it never ping. */
	text: string;
	/**
	 * Markdown that is still being written: `text` without the additions that complete it for now, such as the end of a code fence.
	 * Each edit only appends to it, so that platforms that can append need not replace the message. The last edit has none.
	 */
	growing?: string;
	pictures?: readonly Picture[];
	/** Only with `post`. */
	files?: readonly Attachment[];
	buttons?: readonly Button[];
	/** `private`: only the person who asked sees it. Fixed when posted; ignored by edits. Default `public`. */
	visibility?: 'public' | 'private';
};
