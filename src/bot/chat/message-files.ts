import {
	FileGoneError,
	FileTooLargeError,
	fileKindOf,
	type Person,
	type Place,
	type Upload,
} from '../../domain/channel.ts';
import type { IncomingMessage } from '../../domain/platform.ts';
import { oneLine, quoted } from '../../domain/text.ts';
import type { Easel } from '../../easel.ts';
import { PlatformRefusedError, SentenceError, type Translate, translatorFor } from '../../i18n/translator.ts';
import { PictureError, reduce } from '../../pictures/prepare.ts';
import { type ReadUpload, withUploads } from '../../requests/uploads.ts';
import type { Material, PostedPictures, TextFile, UnreadFile } from './transcript.ts';

/** The text files of one message that are read, and the most bytes of each. */
const MAX_FILES = 5;
const MAX_FILE_BYTES = 100_000;

/** What a model gets of all of them, in UTF-16 units; a whole thread has 24,000. */
const MAX_CHARACTERS = 20_000;

/** The most pictures that a model gets with one request: the newest ones of the thread. Each has at most 1 MB. */
export const MAX_PICTURES = 4;

/** The most files that a sentence names. Discord allows ten attachments. */
const MAX_NAMED = 10;

type SortedFiles = { pictures: Upload[]; texts: Upload[]; unread: UnreadFile[] };

export function sortFiles(uploads: readonly Upload[]): SortedFiles {
	const sorted: SortedFiles = { pictures: [], texts: [], unread: [] };
	for (const upload of uploads) {
		const kind = fileKindOf(upload);
		if (upload.unreadable) sorted.unread.push(unreadFile(upload, upload.unreadable));
		else if (kind === 'picture') sorted.pictures.push(upload);
		else if (kind === 'text') sorted.texts.push(upload);
		else sorted.unread.push(unreadFile(upload, kind === 'voice' ? 'voice' : 'kind'));
	}
	return sorted;
}

export const unreadFile = ({ name }: { name: string }, why: UnreadFile['why'], said?: string): UnreadFile => ({
	...{ name: oneLine(name, 80) || '?', why },
	...(said && { said }),
});

/**
 * Reads what a message for the model brings: its text files, and the pictures that it asks about. A message of files alone that turn out to
 * be unreadable is `aside`: there is nothing to answer.
 *
 * @returns what the policy has against its files, if anything
 */
export async function readMaterial(
	easel: Easel,
	{ channel, person, text, uploads, repliedTo }: IncomingMessage,
	about: readonly Upload[],
	asked: QuestionOptions,
): Promise<Material | SentenceError> {
	const by = { place: channel.place, person };
	const { texts, unread } = sortFiles([...uploads, ...(repliedTo?.uploads ?? [])]);
	const refused = about.length > 0 && (await easel.policy.check('question', { channel, person, text }));
	if (refused) return refused;
	const pictures = about.length > 0 ? await keepPictures(easel, by, about, asked) : undefined;
	const files = await readTexts(easel, by, texts, unread);
	const words = files.map((file) => file.text).join('\n');
	const notAllowed = words === '' ? undefined : await easel.policy.check('chat', { channel, person, text: words });
	if (notAllowed) return notAllowed;
	const isNothing = oneLine(text) === '' && files.length === 0 && !pictures;
	return {
		pictures,
		...(files.length > 0 && { files }),
		...(unread.length > 0 && { unread }),
		...(isNothing && { aside: true, unscreened: true }),
	};
}

/** `isOptional`: the question may be about something else, so that pictures which the model does not get are not mentioned. */
type QuestionOptions = { model: string | undefined; isOptional?: boolean | undefined };

/** Names the files of a message that no model is asked about. */
export function unusedFiles({ uploads }: IncomingMessage): Material {
	const unread = uploads.slice(0, MAX_NAMED).map((upload) => unreadFile(upload, 'unused'));
	return { aside: true, unscreened: true, ...(unread.length > 0 && { unread }) };
}

/** Who brings files, and where. */
type By = { place: Place; person: Person };

/**
 * Reduces the pictures of a question to what a model needs, and keeps them for an hour, as uploads without a request. When the model
 * takes none, none is read.
 *
 * @throws PictureError when one cannot be used
 */
async function keepPictures(
	easel: Easel,
	by: By,
	uploads: readonly Upload[],
	{ model, isOptional = false }: QuestionOptions,
): Promise<PostedPictures | undefined> {
	const { service, temporaryUploads, consent } = easel;
	const names: string[] = [];
	const takesPictures = await service.takesPictures(model);
	for (const upload of takesPictures ? uploads.slice(0, MAX_PICTURES) : [])
		try {
			const refused = await consent.refusalOf(by, [upload]);
			if (refused) throw refused;
			const bytes = await withUploads(easel, by, [upload], async (read) => {
				const posted = await read(upload);
				const reduced = await reduce(posted);
				await consent.check(by, upload, posted, reduced);
				return reduced;
			});
			names.push(await temporaryUploads.keep(by, bytes));
		} catch (error) {
			if (!isOptional || !(error instanceof SentenceError)) throw error;
		}
	if (isOptional) return names.length > 0 ? { count: names.length, names } : undefined;
	return { count: uploads.length, names };
}

/** Reads the text files of a message. Those that cannot be read are added to `unread`. */
async function readTexts(easel: Easel, by: By, texts: readonly Upload[], unread: UnreadFile[]): Promise<TextFile[]> {
	const files: TextFile[] = [];
	let left = MAX_CHARACTERS;
	for (const upload of texts) {
		const isFull = files.length === MAX_FILES || left === 0;
		const read = isFull ? unreadFile(upload, 'many') : await readText(easel, by, upload);
		if (typeof read === 'string') {
			const text = read.slice(0, left).toWellFormed();
			left -= text.length;
			files.push({ name: oneLine(upload.name, 80), text, ...(text.length < read.length && { whole: read.length }) });
		} else unread.push(read);
	}
	return files;
}

async function readText(easel: Easel, by: By, upload: Upload): Promise<string | UnreadFile> {
	const { locale } = by.person;
	try {
		const decoded = async (read: ReadUpload) => decode(await read(upload), locale);
		const text = await withUploads(easel, by, [upload], decoded, { most: MAX_FILE_BYTES });
		return text ?? unreadFile(upload, 'binary');
	} catch (error) {
		if (error instanceof PlatformRefusedError)
			return unreadFile(upload, 'failed', error.messageIn(translatorFor(locale)));
		if (!(error instanceof PictureError)) throw error;
		if (error.cause instanceof FileGoneError) return unreadFile(upload, 'deleted');
		const isLarge = error.id === 'errors.picture.bytes' || error.cause instanceof FileTooLargeError;
		return unreadFile(upload, isLarge ? 'large' : 'failed');
	}
}

/**
 * What older programs write in a language, as browsers take it for pages that name no encoding.
 * https://html.spec.whatwg.org/multipage/parsing.html#determining-the-character-encoding
 */
const OLDER: Readonly<Record<string, string>> = { ja: 'shift_jis', ru: 'windows-1251', zh: 'gb18030' };

/** Control characters that no text has. */
const NO_TEXT = /[\0-\x06\x0e-\x19]/;

/** Returns the text in the bytes of a file; undefined when they are none. https://encoding.spec.whatwg.org/#bom-sniff */
function decode(bytes: Uint8Array, locale = ''): string | undefined {
	const mark = `${bytes[0]} ${bytes[1]}`;
	const marked = mark === '255 254' ? 'utf-16le' : mark === '254 255' ? 'utf-16be' : undefined;
	const older = OLDER[locale.slice(0, 2)] ?? 'windows-1252';
	const text = marked ? tryDecode(marked, bytes) : (tryDecode('utf-8', bytes) ?? tryDecode(older, bytes));
	return text === undefined || NO_TEXT.test(text) ? undefined : text.replaceAll('\r\n', '\n');
}

function tryDecode(encoding: string, bytes: Uint8Array): string | undefined {
	try {
		const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
		// Most letters would have accents, as those of other scripts seem to have.
		const isOther = encoding === 'windows-1252' && (text.match(/[^\0-\x7f]/g)?.length ?? 0) * 3 > text.length;
		return isOther ? undefined : text;
	} catch {
		return undefined;
	}
}

/** Names files that were not read, with the reasons, as one list. */
export function listed(t: Translate, files: readonly UnreadFile[]): string {
	const names = files
		.slice(0, MAX_NAMED)
		.map(({ name, why }) => `**${quoted(name)}**${t('thread.files.why', { why })}`);
	if (files.length > MAX_NAMED) names.push('…');
	return new Intl.ListFormat(t.language).format(names);
}

/** Returns what the answer to a message says about its files, as lines of Markdown. */
export function filesNotes(t: Translate, files: readonly TextFile[], unread: readonly UnreadFile[]): string[] {
	const cut = files.filter(({ whole }) => whole !== undefined);
	const lines = cut.map(({ name, text }) => t('thread.files.cut', { name: `**${quoted(name)}**`, count: text.length }));
	return unread.length > 0 ? [...lines, unreadNote(t, unread)] : lines;
}

/** Nothing that a message is about can be read. */
export class UnreadFilesError extends SentenceError {
	readonly #files: readonly UnreadFile[];

	constructor(files: readonly UnreadFile[]) {
		super('thread.files.unread', { files: listed(translatorFor('en'), files) });
		this.#files = files;
	}

	override messageIn(t: Translate): string {
		return [unreadNote(t, this.#files), t('thread.files.instead')].join(' ');
	}
}

const unreadNote = (t: Translate, files: readonly UnreadFile[]) =>
	[t('thread.files.unread', { files: listed(t, files) }), ...new Set(files.flatMap(({ said }) => said ?? []))].join(
		' ',
	);
