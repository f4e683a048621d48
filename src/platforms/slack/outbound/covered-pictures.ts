import { randomUUID } from 'node:crypto';
import type { Keyv } from 'keyv';
import type { Button } from '../../../domain/channel.ts';
import { encodeActionId, parseActionId } from '../../../domain/command.ts';
import type { Translate } from '../../../i18n/translator.ts';
import type { Image } from '../api/blocks.ts';

/** The action that shows covered pictures to the person who presses. */
const SHOW = { action: 'show', version: 1 } as const;

type StoredPictures = { server: string; images: readonly Image[] };

/**
 * Pictures that are shown only to those who press a button: Slack cannot cover a picture in a message. The subject of the button's
 * action id is the id that its pictures are stored under.
 */
export class CoveredPictures {
	readonly #keyv: Keyv;
	readonly #ttlMs: number;

	/** @param ttlMs how long the button works; as long as the other buttons under a result */
	constructor(keyv: Keyv, ttlMs: number) {
		this.#keyv = keyv;
		this.#ttlMs = ttlMs;
	}

	/** Stores pictures. Returns their id. */
	async add(server: string, images: readonly Image[]): Promise<string> {
		const id = randomUUID();
		await this.#keyv.set(keyOf(id), { server, images } satisfies StoredPictures, this.#ttlMs);
		return id;
	}

	/** Returns the pictures that a button shows; undefined for other buttons, and when they are no longer stored. */
	async find(button: string): Promise<readonly Image[] | undefined> {
		return isShowButton(button) ? this.#find(parseActionId(button)?.subject ?? '') : undefined;
	}

	/** Returns the pictures of an id. */
	async imagesOf(id: string): Promise<readonly Image[]> {
		return (await this.#find(id)) ?? [];
	}

	/** Removes pictures by their id, and returns them. */
	async remove(id: string): Promise<readonly Image[]> {
		const images = await this.imagesOf(id);
		await this.#keyv.delete(keyOf(id));
		return images;
	}

	async #find(id: string): Promise<readonly Image[] | undefined> {
		return (await this.#keyv.get<StoredPictures>(keyOf(id)))?.images;
	}
}

const keyOf = (id: string) => `covered:${id}`;

export const isShowButton = (button: string): boolean => parseActionId(button)?.action === SHOW.action;

/** Returns the button that shows the pictures of an id. */
export const showButton = (id: string, t: Translate): Button => ({
	id: encodeActionId({ ...SHOW, subject: id }),
	label: t('slack.showPicture'),
});
