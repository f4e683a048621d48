import { setTimeout as sleep } from 'node:timers/promises';
import type { webApi } from '@slack/bolt';
import { request } from 'undici';
import type { Attachment, Picture } from '../../../domain/channel.ts';
import { oneLine } from '../../../domain/text.ts';
import type { Image } from '../api/blocks.ts';
import { findMessage, type HistoryMessage, type SlackMessage } from '../api/messages.ts';
import { codeOf, hasCode, isOutcomeUnknown, isRefused, unless } from '../api/slack-errors.ts';
import type { Slack } from '../slack.ts';

const MAX_TRIES = 3;

/** The time after processing in which a file must be in the thread that it was shared to. */
const SHARING_TIMEOUT_MS = 3000;
/** Files are searched right after they were shared. */
const SEARCHED_MS = 60_000;

/** The pauses between two looks, each twice the one before, and the shortest one while many files are looked for. */
const FIRST_PAUSE_MS = 125;
const MAX_PAUSE_MS = 8000;
const BUSY_PAUSE_MS = 2000;

/** Slack shows the title of a file above it, and documents no limit. */
const MAX_TITLE = 250;

/** https://docs.slack.dev/reference/methods/files.getUploadURLExternal#errors */
const MAX_FILE_ALT = 1000;

type CompleteArguments = webApi.FilesCompleteUploadExternalArguments;

export type SentFile = { id: string; title: string; isPicture?: true };

/** Thrown when Slack has accepted a file but does not process or share it in time. */
export class FileNotReadyError extends Error {
	override name = 'FileNotReadyError';
}

/**
 * Sends the bytes of files, the first of Slack's steps. Slack forgets them unless their upload is completed.
 * https://docs.slack.dev/messaging/working-with-files#upload
 *
 * @param withAlt with the alt texts of pictures, for messages that have none of their own for them
 */
export async function sendFiles(
	slack: Slack,
	server: string,
	files: readonly (Attachment | Picture)[],
	withAlt = true,
): Promise<SentFile[]> {
	const sent: SentFile[] = [];
	// One after another, to keep memory low: the files may be large.
	for (const file of files) {
		const alt = 'alt' in file ? file.alt : '';
		const id = await sendFile(slack, server, file, withAlt ? oneLine(alt, MAX_FILE_ALT) : '');
		sent.push({ id, title: oneLine(alt, MAX_TITLE) || file.name, ...('alt' in file && { isPicture: true }) });
	}
	return sent;
}

/** Uploads pictures without posting them: people see them in messages that refer to them. Returns their ids, in their order. */
export async function uploadPictures(slack: Slack, server: string, pictures: readonly Picture[]): Promise<string[]> {
	const sent = await sendFiles(slack, server, pictures, false);
	await complete(slack, { server }, sent);
	return sent.map(({ id }) => id);
}

/**
 * Has Slack post files in the thread of a message, unless it has already: the message of a file cannot have a `markdown` block
 * (https://github.com/slackapi/python-slack-sdk/issues/1756). Resolves once they are there.
 *
 * @throws FileNotReadyError when they are not there in time
 */
export async function shareBelow(
	slack: Slack,
	{ ts, ...location }: SlackMessage,
	files: readonly SentFile[],
	isRepeated = false,
): Promise<void> {
	const [first] = files;
	if (!first) return;
	const thread = { ...location, thread: location.thread ?? ts };
	if (!isRepeated || !(await isComplete(slack, thread.server, first))) await complete(slack, thread, files);
	await whenShared(slack, thread, first.id);
}

/**
 * Writes a message that refers to files, once Slack has processed them. Before that, Slack refuses it (`invalid_blocks`).
 *
 * @param isUpdate while many updates are left, one is tried without asking first whether Slack has processed the files
 * @throws FileNotReadyError when processing takes too long
 */
export async function whenProcessed<Result>(
	slack: Slack,
	server: string,
	files: readonly string[],
	write: () => Promise<Result>,
	isUpdate = false,
): Promise<Result> {
	const waiting = new Set(files);
	let isTried = isUpdate && slack.calls.pace.isFree(server, 'chat.update');
	const { written } = await poll(slack, server, async () => {
		for (const file of isTried ? [] : waiting)
			if (isProcessed(await infoOf(slack, server, file))) waiting.delete(file);
			else return undefined;
		isTried = false;
		// `files.info` shows a file as processed slightly before messages can refer to it.
		return write().then((written) => ({ written }), unless(hasCode('invalid_blocks')));
	});
	return written;
}

/** Deletes files as far as Slack allows. A file that remains is visible to nobody, since no message refers to it. */
export async function removeFiles(slack: Slack, server: string, files: readonly string[]): Promise<void> {
	for (const file of files) await slack.call(server, 'files.delete', { file }).catch(() => {});
}

export const idsOf = (images: readonly Image[]): string[] => images.map(({ file }) => file);

/** @param thread the thread that the files are posted in; without a channel, they are not posted */
async function complete(slack: Slack, thread: Partial<SlackMessage> & { server: string }, files: readonly SentFile[]) {
	const [first] = files;
	const named = files.map(({ id, title }) => ({ id, title }));
	const args = { files: named, channel_id: thread.channel, thread_ts: thread.thread };
	for (let tries = 1; first; tries++) {
		try {
			await slack.call(thread.server, 'files.completeUploadExternal', args as CompleteArguments);
			return;
		} catch (error) {
			const isUnknown = isOutcomeUnknown(error);
			// Slack may have carried it out, or another process have been first.
			const mayBeComplete = isUnknown || codeOf(error) === 'file_not_found';
			if (mayBeComplete && tries < MAX_TRIES && (await isComplete(slack, thread.server, first))) return;
			if (!isUnknown || tries === MAX_TRIES) throw error;
		}
	}
}

/** Tells whether an upload is complete: before, the file does not exist. */
const isComplete = async (slack: Slack, server: string, { id }: SentFile): Promise<boolean> =>
	(await infoOf(slack, server, id)) !== undefined;

/** Where Slack returns no file, as without the scope `files:read`, only posting shows whether it is processed. */
const isProcessed = (info: Awaited<ReturnType<typeof infoOf>>): boolean => info === undefined || Boolean(info.mimetype);

async function whenShared(slack: Slack, thread: { server: string; channel: string }, file: string): Promise<void> {
	const sharingMs = Math.min(SHARING_TIMEOUT_MS, slack.processingMs / 4);
	let processedAt: number | undefined;
	await poll(slack, thread.server, async () => {
		const info = await infoOf(slack, thread.server, file);
		const { public: inPublic, private: inPrivate } = info?.shares ?? {};
		// The messages that hold it, by channel. https://docs.slack.dev/reference/objects/file-object
		if (thread.channel in { ...inPublic, ...inPrivate }) return true;
		if (isProcessed(info)) processedAt ??= performance.now();
		if (processedAt === undefined || performance.now() - processedAt < sharingMs) return undefined;
		// `shares` stays empty at times, whether the file was posted or not.
		const hasFile = ({ files = [] }: HistoryMessage) => files.some(({ id }) => id === file);
		const found = await findMessage(slack, thread, Date.now() - SEARCHED_MS, hasFile);
		if (found === undefined) throw new FileNotReadyError('Slack did not post a file');
		return true;
	});
}

/** Looks until there is a result: Slack needs seconds to process a file, and sometimes never finishes. */
async function poll<Result>(slack: Slack, server: string, look: () => Promise<Result | undefined>): Promise<Result> {
	const deadline = performance.now() + slack.processingMs;
	for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS)) {
		const result = await look();
		if (result !== undefined) return result;
		const leftMs = deadline - performance.now();
		if (leftMs <= 0) throw new FileNotReadyError('Slack did not process a file in time');
		const isFree = slack.calls.pace.isFree(server, 'files.info');
		await sleep(Math.min(isFree ? pauseMs : Math.max(pauseMs, BUSY_PAUSE_MS), leftMs));
	}
}

/** Undefined where Slack refuses it. */
const infoOf = async (slack: Slack, server: string, file: string) =>
	(await slack.call(server, 'files.info', { file }).catch(unless(isRefused)))?.file;

/**
 * Sends the bytes to an address from Slack. Each address takes one upload, so that another try needs a new one. It is secret enough: no token
 * is sent.
 *
 * @param alt of a picture only: Slack never shares another file that has one (https://github.com/slackapi/python-slack-sdk/issues/1818)
 */
async function sendFile(slack: Slack, server: string, { name, bytes }: Attachment, alt: string): Promise<string> {
	// The library's type names it `alt_text`, which Slack does not read.
	const args = { filename: name, length: bytes.length, ...(alt !== '' && { alt_txt: alt }) };
	const headers = { 'content-type': 'application/octet-stream' };
	const sent = { method: 'POST', dispatcher: slack.agent, headers, body: bytes } as const;
	for (let tries = 1; ; tries++) {
		const { upload_url, file_id } = await slack.call(server, 'files.getUploadURLExternal', args);
		const url = URL.parse(upload_url ?? '');
		if (!url || !file_id || !slack.hosts.mayCall(url)) throw new Error('Slack returned no valid upload address');
		try {
			const { statusCode, body } = await request(url, sent);
			await body.dump();
			if (statusCode === 200) return file_id;
			throw new Error(`Slack refused an upload with status ${statusCode}`);
		} catch (error) {
			if (tries === MAX_TRIES) throw error;
		}
	}
}
