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
	asked: { model: string | undefined; isOptional?: boolean | undefined },
): Promise<Material | SentenceError> {
	const { place } = channel;
	const shown = sortFiles(repliedTo?.uploads ?? []);
	const brought = sortFiles(uploads);
	const texts = [...brought.texts, ...shown.texts];
	const unread = [...brought.unread, ...shown.unread];
	const refused = about.length > 0 && (await easel.policy.check('question', { channel, person, text }));
	if (refused) return refused;
	const pictures = about.length > 0 ? await keepPictures(easel, place, person, about, asked) : undefined;
	const read = await readTexts(easel, place, person, texts);
	const words = read.files.map((file) => file.text).join('\n');
	const notAllowed = words === '' ? undefined : await easel.policy.check('chat', { channel, person, text: words });
	if (notAllowed) return notAllowed;
	const all = [...unread, ...read.unread];
	const isNothing = oneLine(text) === '' && read.files.length === 0 && !pictures;
	return {
		pictures,
		...(read.files.length > 0 && { files: read.files }),
		...(all.length > 0 && { unread: all }),
		...(isNothing && { aside: true, unscreened: true }),
	};
}

/** Names the files of a message that no model is asked about. */
export function unusedFiles({ uploads }: IncomingMessage): Material {
	const unread = uploads.slice(0, MAX_NAMED).map((upload) => unreadFile(upload, 'unused'));
	return { aside: true, unscreened: true, ...(unread.length > 0 && { unread }) };
}

/**
 * Reduces the pictures of a question to what a model needs, and keeps them for an hour, as uploads without a request. When the model
 * takes none, none is read.
 *
 * @param asked.isOptional the question may be about something else: pictures that the model does not get are not mentioned
 * @throws PictureError when one cannot be used
 */
async function keepPictures(
	easel: Easel,
	place: Place,
	person: Person,
	uploads: readonly Upload[],
	{ model, isOptional = false }: { model: string | undefined; isOptional?: boolean | undefined },
): Promise<PostedPictures | undefined> {
	const { service, temporaryUploads, consent } = easel;
	const names: string[] = [];
	const requester = { place, person };
	const takesPictures = await service.takesPictures(model);
	for (const upload of takesPictures ? uploads.slice(0, MAX_PICTURES) : [])
		try {
			const refused = await consent.refusalOf(requester, [upload]);
			if (refused) throw refused;
			const bytes = await withUploads(easel, requester, [upload], async (read) => {
				const [posted, reduced] = [await read(upload), await reduce(await read(upload))];
				await consent.check(requester, upload, posted, reduced);
				return reduced;
			});
			names.push(await temporaryUploads.keep(requester, bytes));
		} catch (error) {
			if (!isOptional || !(error instanceof SentenceError)) throw error;
		}
	if (isOptional) return names.length > 0 ? { count: names.length, names } : undefined;
	return { count: uploads.length, names };
}

/** Reads the text files of a message. */
async function readTexts(
	easel: Easel,
	place: Place,
	person: Person,
	texts: readonly Upload[],
): Promise<{ files: TextFile[]; unread: UnreadFile[] }> {
	const files: TextFile[] = [];
	const unread: UnreadFile[] = [];
	let left = MAX_CHARACTERS;
	for (const upload of texts) {
		if (files.length === MAX_FILES || left === 0) {
			unread.push(unreadFile(upload, 'many'));
			continue;
		}
		const read = await readText(easel, place, person, upload);
		if (typeof read !== 'string') {
			unread.push(read);
			continue;
		}
		const text = read.slice(0, left).toWellFormed();
		left -= text.length;
		files.push({ name: oneLine(upload.name, 80), text, ...(text.length < read.length && { whole: read.length }) });
	}
	return { files, unread };
}

async function readText(easel: Easel, place: Place, person: Person, upload: Upload): Promise<string | UnreadFile> {
	try {
		const decoded = async (read: ReadUpload) => decode(await read(upload), person.locale);
		const text = await withUploads(easel, { place, person }, [upload], decoded, { most: MAX_FILE_BYTES });
		return text ?? unreadFile(upload, 'binary');
	} catch (error) {
		if (error instanceof PlatformRefusedError)
			return unreadFile(upload, 'failed', error.messageIn(translatorFor(person.locale)));
		if (!(error instanceof PictureError)) throw error;
		if (error.cause instanceof FileGoneError) return unreadFile(upload, 'deleted');
		const isLarge = error.id === 'errors.picture.bytes' || error.cause instanceof FileTooLargeError;
		return unreadFile(upload, isLarge ? 'large' : 'failed');
	}
}

/** https://encoding.spec.whatwg.org/#bom-sniff */
const BYTE_ORDER_MARKS: readonly [encoding: string, first: number, second: number][] = [
	['utf-16le', 0xff, 0xfe],
	['utf-16be', 0xfe, 0xff],
];

/**
 * What older programs write in a language, as browsers take it for pages that name no encoding.
 * https://html.spec.whatwg.org/multipage/parsing.html#determining-the-character-encoding
 */
const OLDER: Readonly<Record<string, string>> = { ja: 'shift_jis', ru: 'windows-1251', zh: 'gb18030' };

/** Control characters that no text has. */
const NO_TEXT = /[\0-\x06\x0e-\x19]/;

/** Returns the text in the bytes of a file; undefined when they are none. */
function decode(bytes: Uint8Array, locale = ''): string | undefined {
	const marked = BYTE_ORDER_MARKS.find(([, first, second]) => bytes[0] === first && bytes[1] === second)?.[0];
	const older = OLDER[locale.slice(0, 2)];
	const read = (encoding: string) => tryDecode(encoding, bytes);
	const text = marked ? read(marked) : (read('utf-8') ?? (older ? read(older) : western(read('windows-1252'))));
	return text === undefined || NO_TEXT.test(text) ? undefined : text.replaceAll('\r\n', '\n');
}

/** Returns a text unless most of its letters would have accents, as those of other scripts seem to have. */
const western = (text = '') => ((text.match(/[^\0-\x7f]/g)?.length ?? 0) * 3 > text.length ? undefined : text);

function tryDecode(encoding: string, bytes: Uint8Array): string | undefined {
	try {
		return new TextDecoder(encoding, { fatal: true }).decode(bytes);
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
