import { randomUUID } from 'node:crypto';
import type { Keyv } from 'keyv';
import { encodeActionId, parseActionId } from '../../../domain/action-id.ts';
import type { Button, Picture, Reply } from '../../../domain/reply.ts';
import type { Translate } from '../../../i18n/translator.ts';
import type { Log } from '../../../log.ts';
import type { Image } from '../api/blocks.ts';
import { type MessageBlocks, messageBlocksOf } from '../api/blocks.ts';
import { isOutcomeUnknown } from '../api/slack-errors.ts';
import type { SlackMessage } from '../api/slack-message.ts';
import { type SlackFiles, Unshown } from './files.ts';
import type { MentionNames } from './mentions.ts';

/** As long as the other buttons under a result work. */
const COVERED_MS = 366 * 24 * 3600_000;

/** The action that shows covered pictures to the person who presses. */
export const SHOW = { action: 'show', version: 1 } as const;

/** Pictures that are covered, by what their button's id ends in. */
type Covered = { server: string; images: readonly Image[] };

/** How a message stands: where, and with which pictures. */
export type PostedReply = { said: SlackMessage; images: readonly Image[]; covered?: string | undefined };

export type ReplyPoster = ReturnType<typeof createReplyPoster>;

/** Puts replies into messages, with their pictures. */
export function createReplyPoster(options: { files: SlackFiles; names: MentionNames; keyv: Keyv; log: Log }) {
	const { files, names, keyv, log } = options;

	const coveredName = (id: string) => `covered:${id}`;

	async function cover(server: string, images: readonly Image[]): Promise<string> {
		const id = randomUUID();
		await keyv.set(coveredName(id), { server, images } satisfies Covered, COVERED_MS);
		return id;
	}

	/** The pictures that stay as they are, and a text. */
	async function plain(server: string, reply: Reply, shown: Pick<PostedReply, 'images' | 'covered'>, t: Translate) {
		return messageBlocksOf(await names.spelled(server, reply.text), shown.images, buttonsOf(reply, shown.covered, t));
	}

	/** Slack does not get done with the pictures: it posts them itself, below a message that says so. */
	async function aside(
		server: string,
		reply: Reply,
		pictures: readonly Picture[],
		write: (body: MessageBlocks) => Promise<SlackMessage>,
		t: Translate,
	): Promise<SlackMessage> {
		const note = t('slack.hiddenPictures', {
			count: pictures.length,
		});
		const said = await write(await plain(server, { ...reply, text: `${reply.text}\n\n*${note}*` }, { images: [] }, t));
		await files.share(server, pictures, { channel: said.channel, thread: said.thread ?? said.ts });
		return said;
	}

	return {
		/**
		 * Writes a message that shows a reply's pictures, once Slack is able to show them; after half a minute, they are posted below it.
		 * @param write posts the message, or puts it into the place of what is there
		 */
		async withPictures(
			server: string,
			reply: Reply & { pictures: readonly Picture[] },
			write: (body: MessageBlocks) => Promise<SlackMessage>,
			t: Translate,
		): Promise<PostedReply> {
			const { pictures } = reply;
			const ids = await files.upload(server, pictures);
			const all = pictures.map(({ alt, spoiler }, index) => ({ file: ids[index] ?? '', alt, spoiler }));
			const images = all.filter(({ spoiler }) => !spoiler).map(({ file, alt }) => ({ file, alt }));
			const hidden = all.filter(({ spoiler }) => spoiler).map(({ file, alt }) => ({ file, alt }));
			const covered = hidden.length > 0 ? await cover(server, hidden) : undefined;
			const body = await plain(server, reply, { images, covered }, t);
			try {
				const said = await files.shown(
					server,
					images.map(({ file }) => file),
					() => write(body),
				);
				return { said, images, covered };
			} catch (error) {
				// A message that may be there after all keeps its pictures.
				if (!isOutcomeUnknown(error)) await files.remove(server, ids);
				if (!(error instanceof Unshown)) throw error;
				log.warn({ err: error }, 'Slack does not show a picture in a message');
				return { said: await aside(server, reply, pictures, write, t), images: [] };
			}
		},

		/** A message whose pictures, if it has any, are there already. */
		plain,

		/** Those behind a message's button, by the button's id; undefined where they are not kept (any more). */
		async covered(button: string): Promise<readonly Image[] | undefined> {
			const { action, subject = '' } = parseActionId(button) ?? {};
			return action === SHOW.action ? (await keyv.get<Covered>(coveredName(subject)))?.images : undefined;
		},

		async forget(server: string, { images, covered }: Pick<PostedReply, 'images' | 'covered'>): Promise<void> {
			const hidden = covered === undefined ? undefined : await keyv.get<Covered>(coveredName(covered));
			if (covered !== undefined) await keyv.delete(coveredName(covered));
			await files.remove(
				server,
				[...images, ...(hidden?.images ?? [])].map(({ file }) => file),
			);
		},
	};
}

/** Covered pictures are behind a button: Slack has nothing that hides them until somebody wants to see them. */
const buttonsOf = ({ buttons = [] }: Reply, covered: string | undefined, t: Translate): readonly Button[] =>
	covered === undefined
		? buttons
		: [{ id: encodeActionId({ ...SHOW, subject: covered }), label: t('slack.showPicture') }, ...buttons];
