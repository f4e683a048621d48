import { hash } from 'node:crypto';
import type { Upload } from '../../domain/channel.ts';
import type { ButtonPress, Origin } from '../../domain/platform.ts';
import { quoted } from '../../domain/text.ts';
import type { Easel } from '../../easel.ts';
import type { Translate } from '../../i18n/translator.ts';
import { type Marks, readMarks } from '../../pictures/marks.ts';
import { type Size, sniff } from '../../pictures/parts.ts';
import { PictureError } from '../../pictures/prepare.ts';
import { backgroundMessage, type PictureRequest } from '../../requests/requests.ts';
import { withPosted } from '../../requests/uploads.ts';
import { type ActionHandler, reply } from '../declaration/actions.ts';
import { privately } from '../declaration/command.ts';
import { maySee } from './lists.ts';

/** The prompt is shown whole, up to what a message holds beside the other facts. */
const MAX_SHOWN_PROMPT = 1000;

/** A message of a platform has no more. Slack allows more files, of which the first are looked at. */
const MAX_PICTURES = 10;

/** Says who made a picture, with which words, model and size, when, and from which pictures, and what the file says of its making. */
export const aboutAction: ActionHandler = {
	async press(press, _, { easel, t }) {
		const { channel, person } = press;
		const refused = await easel.policy.check('look', { channel, person });
		if (refused) return refused;
		const files = await readFiles(easel, press, press.attached);
		const found = await findRequest(easel, press, files);
		// The same sentence for what does not exist and for what the person may not see.
		if (!found || !(await maySee(easel, press, found.request)))
			return reply([t('about.none'), ...marksOf(t, files)].join('\n'));
		const { job, request, file } = found;
		const { at } = (await easel.ledger.find(job)) ?? {};
		const size = file && 'size' in file ? file.size : undefined;
		return { reply: privately([factsOf(t, press, request, size, at), ...marksOf(t, files)].join('\n')) };
	},
};

/** What is known of a file, or why it could not be read. */
type ReadFile = { size: Size | undefined; digest: string; marks: Marks } | PictureError;

async function readFiles(easel: Easel, { person, channel }: Origin, attached: readonly Upload[]): Promise<ReadFile[]> {
	const requester = { place: channel.place, person };
	const files: ReadFile[] = [];
	for (const upload of attached.slice(0, MAX_PICTURES)) {
		const file = withPosted(easel, requester, [upload], async ([bytes = new Uint8Array()]): Promise<ReadFile> => {
			const size = sniff(bytes);
			return { size: size?.width ? size : undefined, digest: hash('sha256', bytes), marks: readMarks(bytes) };
		});
		const read = await file.catch((error: unknown) => {
			if (error instanceof PictureError) return error;
			throw error;
		});
		files.push(read);
	}
	return files;
}

type FoundRequest = { job: string; request: PictureRequest; file: ReadFile | undefined };

/** Finds the request by the message, or by the bytes of a picture that somebody has posted again. */
async function findRequest(
	easel: Easel,
	{ message }: ButtonPress,
	files: readonly ReadFile[],
): Promise<FoundRequest | undefined> {
	const own = await easel.requests.find(message.key);
	return own ? { job: message.key, request: own, file: files[0] } : findByBytes(easel, files);
}

async function findByBytes(
	{ requests, pictureStore }: Easel,
	files: readonly ReadFile[],
): Promise<FoundRequest | undefined> {
	for (const file of files) {
		const job = 'digest' in file ? await pictureStore.jobOf(file.digest) : undefined;
		const request = job === undefined ? undefined : await requests.find(job);
		if (job !== undefined && request) return { job, request, file };
	}
	return undefined;
}

/** Finds the request of pictures that a message shows, where the person may see it. */
export async function findShown(easel: Easel, asking: Origin, attached: readonly Upload[]) {
	const found = await findByBytes(easel, await readFiles(easel, asking, attached));
	return found && (await maySee(easel, asking, found.request)) ? found : undefined;
}

/** Returns what the files say of their making, each sentence once; with the numbers of its pictures, unless all say the same. */
function marksOf(t: Translate, files: readonly ReadFile[]): string[] {
	const numbers = Map.groupBy(files.keys(), (index) => sentenceOf(t, files[index]));
	if (numbers.size <= 1) return [...numbers.keys()];
	return [...numbers].map(([text, indexes]) =>
		t('about.numbered', { numbers: indexes.map((index) => index + 1).join(', '), text }),
	);
}

function sentenceOf(t: Translate, file: ReadFile | undefined): string {
	if (!file || file instanceof PictureError) return file?.messageIn(t) ?? '';
	const { signed, source } = file.marks;
	if (signed) return t('about.signed');
	return source ? t('about.marked', { term: source }) : t('about.unmarked');
}

function factsOf(
	t: Translate,
	{ channel }: ButtonPress,
	{ person, prompt, model, quality, background, size: askedSize, inputs, source, made }: PictureRequest,
	size: Size | undefined,
	at: number | undefined,
): string {
	const pictures = Object.keys(inputs).length;
	const both = (got: string | undefined, asked: string | undefined) =>
		got && asked ? t('about.asked', { got: quoted(got), asked: quoted(asked) }) : quoted(got ?? asked ?? '');
	const shownModel = both(made?.model, model);
	const shownSize = made?.size
		? both(made.size.replace('x', ' × '), askedSize)
		: size && `${size.width} × ${size.height}`;
	const facts = [
		t('about.who', { name: quoted(person.name) }),
		t('about.words', { prompt: quoted(prompt, MAX_SHOWN_PROMPT) }),
		shownModel && t('about.model', { model: shownModel }),
		shownSize && t('about.size', { size: shownSize }),
		(made?.quality ?? quality) && t('about.quality', { quality: both(made?.quality, quality) }),
		background && backgroundMessage(t, { made }),
		made?.format && t('about.format', { format: made.format.toUpperCase() }),
		at !== undefined && t('about.when', { when: channel.when(at) }),
		pictures > 0 && t('about.pictures', { count: pictures }),
		source && (source.link ? t('about.sourceLink', { link: source.link }) : t('about.source')),
	];
	return facts.filter(Boolean).join('\n');
}
