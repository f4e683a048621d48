import { setTimeout as sleep } from 'node:timers/promises';
import type { webApi } from '@slack/bolt';
import { request } from 'undici';
import { FileTooLargeError, type Poster, type Upload } from '../../../domain/channel.ts';
import { PlatformRefusedError } from '../../../i18n/translator.ts';
import { collect, piecesOf } from '../../shared/download.ts';
import { SOON_MS, soon } from '../api/calls.ts';
import { codeOf, missingScope, refusedErrorOf } from '../api/slack-errors.ts';
import type { Slack } from '../slack.ts';

const MAX_REDIRECTS = 3;
/** Longest silence of Slack while it sends a file, in milliseconds. */
const SILENCE_MS = 20_000;
/** How often, and after which pause, a file is looked up that Slack is still processing; each pause is longer than the one before. */
const MAX_LOOKS = 3;
const LOOK_MS = 500;

/** A file as events have it, often only its id. https://docs.slack.dev/reference/objects/file-object */
export type SlackFile = NonNullable<webApi.FilesInfoResponse['file']> & {
	id: string;
	/** Why it could not be looked up. */
	unreadable?: Upload['unreadable'];
	/** A picture that the bot's message shows only to those who press a button. */
	covered?: true;
};

/**
 * Returns a file that people have sent as the core takes it. It is downloaded when it is read: the original, or of a format that is not read
 * Slack's own picture of it, and only from Slack's hosts and the allowed origins.
 *
 * @param poster whose message shows it
 */
export function uploadOf(slack: Slack, server: string, file: SlackFile, poster?: Poster): Upload {
	const { name, size, type } = convertedPicture(file) ?? {
		name: file.name || file.id,
		size: file.size,
		// Of the files that the bot has posted only the ids are known: they are pictures.
		type: file.mode === 'snippet' ? 'text/plain' : file.mimetype || (file.name ? undefined : 'image/*'),
	};
	return {
		...{ name, size, type, covered: file.covered, unreadable: unreadableState(file) },
		...(poster && { poster: async () => ({ ...poster, person: file.user ?? poster.person }) }),
		link: async () => addressOf(await readyFile(slack, server, file)),
		async read(signal, maxBytes) {
			const ready = await readyFile(slack, server, file);
			const converted = convertedPicture(ready);
			if (!converted && ready.size !== undefined && ready.size > maxBytes) throw new FileTooLargeError(ready.size);
			const url = URL.parse(converted?.address ?? addressOf(ready) ?? '');
			if (!url) throw new PlatformRefusedError('slack.errors.unknownFile');
			for (let tries = 1; ; tries++) {
				const token = await slack.calls.tokenOf(server);
				const response = await get(slack, url, token, signal);
				const pieces = piecesOf(response, Math.max(maxBytes, MAX_PAGE_BYTES));
				const bytes = await collect(pieces, Math.min(size ?? 0, maxBytes));
				// Where the token gives no access to a file, Slack answers with its login page, also under another type.
				const isPage = PAGE.test(beginningOf(bytes)) && bytes.length !== ready.size;
				if (!isPage && bytes.length > maxBytes) throw new FileTooLargeError(bytes.length);
				if (!isPage) return bytes;
				// The token may have been replaced meanwhile.
				if (tries === 2 || !(await slack.calls.isReplaced(server, token))) throw missingScope('files:read');
			}
		},
	};
}

/** Returns files with the fields that events may lack. Files that Slack does not return soon stay as they came. */
export const completeFiles = (slack: Slack, server: string, files: readonly SlackFile[]): Promise<SlackFile[]> =>
	Promise.all(
		files.map(async (file) => {
			if (unreadableState(file) || (file.mimetype && file.file_access !== 'check_file_info')) return file;
			try {
				return await soon(withInfo(slack, server, file, SOON_MS));
			} catch (error) {
				slack.log.debug({ err: error }, 'A file could not be looked up');
				return { ...file, unreadable: UNREADABLE[codeOf(error) ?? ''] };
			}
		}),
	);

/**
 * Returns a file with its address, and one in a format that Slack converts with the picture that it has made, which takes it a moment. Files
 * of shared channels and of forms may have only their id.
 */
async function readyFile(slack: Slack, server: string, file: SlackFile): Promise<SlackFile> {
	let known = file;
	for (let looks = 0; looks < MAX_LOOKS; looks++) {
		const hasAddress = addressOf(known) !== undefined && known.file_access !== 'check_file_info';
		if (hasAddress && (!CONVERTED.test(known.mimetype ?? '') || convertedPicture(known))) break;
		await sleep(looks * LOOK_MS);
		try {
			known = await withInfo(slack, server, known);
		} catch (error) {
			if (hasAddress) break;
			const why = UNREADABLE[codeOf(error) ?? ''];
			throw why
				? new PlatformRefusedError('errors.picture.unreadable', { why }, { cause: error })
				: refusedErrorOf(error);
		}
	}
	return known;
}

async function withInfo(slack: Slack, server: string, file: SlackFile, maxWaitMs?: number): Promise<SlackFile> {
	const info = await slack.call(server, 'files.info', { file: file.id }, maxWaitMs);
	const { file_access: _, ...known } = file;
	return { ...known, ...info.file, id: file.id };
}

/** Returns the first response that is not a redirect. Redirects are followed by hand, so that only Slack's hosts get the token. */
async function get({ hosts, agent }: Slack, first: URL, token: string, signal: AbortSignal) {
	let url = first;
	let withToken = hosts.maySeeToken(url);
	for (let redirects = 0; ; redirects++) {
		if (!hosts.mayCall(url)) throw new Error('A file is at a host that is not allowed');
		const response = await request(url, {
			...{ dispatcher: agent, headersTimeout: SILENCE_MS, bodyTimeout: SILENCE_MS, signal },
			headers: withToken ? { authorization: `Bearer ${token}` } : {},
		});
		const { statusCode, headers, body } = response;
		if (statusCode < 300 || statusCode >= 400) return response;
		await body.dump();
		const next = URL.parse(String(headers['location'] ?? ''), url.href);
		if (!next || redirects === MAX_REDIRECTS) throw new Error('A file is behind too many redirects');
		withToken &&= hosts.mayPassToken(url, next);
		url = next;
	}
}

/** Why a file cannot be read, by its mode or by the error of a look-up. https://docs.slack.dev/reference/methods/files.info#errors */
const UNREADABLE: Readonly<Record<string, Upload['unreadable']>> = {
	tombstone: 'deleted',
	file_deleted: 'deleted',
	hidden_by_limit: 'hidden',
	external: 'elsewhere',
	file_not_found: 'denied',
	access_denied: 'denied',
	not_visible: 'denied',
};

/** Returns why a file cannot be read, as far as Slack has said so. `check_file_info` is one of which only the id is known. */
function unreadableState({ unreadable, mode = '', file_access, is_external }: SlackFile): Upload['unreadable'] {
	const isVisible = !file_access || /^(?:visible|check_file_info)$/.test(file_access);
	return unreadable ?? UNREADABLE[is_external ? 'external' : mode] ?? (isVisible ? undefined : 'denied');
}

/** Formats that are read as they are. */
const READ_FORMATS = /^image\/(?:png|jpe?g|webp|gif|\*)$/;

/** Formats that browsers do not show, and that Slack converts. */
const CONVERTED = /^image\/(?:hei[cf]|tiff|bmp|vnd\.adobe\.photoshop)$/;

/**
 * Returns the largest picture that Slack has made of one in another format, such as HEIC.
 * https://docs.slack.dev/reference/objects/file-object
 */
function convertedPicture(file: SlackFile) {
	if (!file.mimetype?.startsWith('image/') || READ_FORMATS.test(file.mimetype)) return undefined;
	const sizes = Object.keys(file).flatMap((key) => /^thumb_(\d+)$/.exec(key)?.[1] ?? []);
	const address: unknown = Reflect.get(file, `thumb_${Math.max(...sizes.map(Number))}`);
	if (typeof address !== 'string') return undefined;
	const ending = /\.png$/i.test(URL.parse(address)?.pathname ?? '') ? 'png' : 'jpeg';
	const name = `${(file.name || file.id).replace(/\.\w+$/, '')}.${ending}`;
	return { address, name, type: `image/${ending}`, size: undefined };
}

const addressOf = ({ url_private_download, url_private }: SlackFile) =>
	url_private_download || url_private || undefined;

/** Slack's login page is larger than some files may be. */
const MAX_PAGE_BYTES = 2 ** 20;
const PAGE = /^\s*<(?:!doctype html|html)\b/i;

const beginningOf = (bytes: Uint8Array): string => Buffer.from(bytes.subarray(0, 100)).toString('latin1');
