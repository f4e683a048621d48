/** A file that somebody brought. Its bytes are fetched when read: origin checks and tokens stay inside the platform. */
export type Upload = {
	name: string;
	/** The media type that the platform claims; never trusted. */
	type?: string;
	/** Bytes, if the platform says. */
	size?: number;
	read(signal: AbortSignal): Promise<Uint8Array>;
};

/** A picture to post, as exactly these bytes. */
export type Picture = {
	/** File name with its ending. */
	name: string;
	bytes: Uint8Array;
	/** What a screen reader says. */
	alt: string;
	/** Covered until somebody wants to see it. */
	spoiler?: true;
};

/** A file that is no picture. */
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
	 * Markdown that is still being written: `text` without what makes it whole for now (the end of a code fence). It grows at its
	 * end alone, until an edit that has none. Where a platform can add to a message, it need not write it anew.
	 */
	growing?: string;
	pictures?: readonly Picture[];
	/** Only with `post`. */
	files?: readonly Attachment[];
	buttons?: readonly Button[];
	/** `private`: only the person who asked sees it. Fixed when posted; ignored by edits. Default `public`. */
	visibility?: 'public' | 'private';
};
