import { setTimeout as sleep } from 'node:timers/promises';
import type { types } from '@slack/bolt';
import { Agent, request } from 'undici';
import type { Attachment } from '../../../domain/reply.ts';
import type { CallWithRetry } from '../api/call-with-retry.ts';
import type { Hosts } from '../api/hosts.ts';
import { codeOf } from '../api/slack-errors.ts';
import { createFindMessage } from './find-message.ts';

const CONNECT_MS = 10_000;
const SILENT_MS = 30_000;
const UPLOAD_TRIES = 3;

/** How long Slack is given to make something of a file: it takes seconds, and sometimes for ever. */
const PATIENCE_MS = 30_000;
/** Between two looks, in milliseconds; doubled each time. */
const FIRST_LOOK_MS = 250;
const LAST_LOOK_MS = 8000;

/** How long after it was looked at a file has to be where it was to be shared. */
const SHARED_WITHIN_MS = 3000;

/** Slack has taken a picture but does not show it within the time that it is given. */
export class Unshown extends Error {
	override name = 'Unshown';
}

export type SlackFiles = ReturnType<typeof createFiles>;

/**
 * Files on their way into Slack: an address is asked for, the bytes go there as they are, and Slack is told that they have come.
 * It then takes its time: until it has looked at a file, a message that shows it is refused (`invalid_blocks`).
 * https://docs.slack.dev/messaging/working-with-files#upload
 */
export function createFiles(options: { call: CallWithRetry; hosts: Hosts; patienceMs?: number | undefined }) {
	const { call, hosts, patienceMs = PATIENCE_MS } = options;
	const messageWith = createFindMessage(call);
	const agent = new Agent({ connect: { timeout: CONNECT_MS }, headersTimeout: SILENT_MS, bodyTimeout: SILENT_MS });

	/** Brings the bytes to Slack, by an address that needs no token. */
	async function send({ name, bytes }: Attachment, server: string): Promise<string> {
		for (let tries = 1; ; tries++) {
			const { upload_url, file_id } = await call(
				server,
				'files.getUploadURLExternal',
				(client) => client.files.getUploadURLExternal({ filename: name, length: bytes.length }),
				{ idempotent: true },
			);
			const url = URL.parse(upload_url ?? '');
			if (!url || !file_id || !hosts.mayCall(url)) throw new Error('Slack names no address of its own for a file');
			const failure = await post(url, bytes);
			if (failure === undefined) return file_id;
			// Each address takes one file, once.
			if (tries === UPLOAD_TRIES) throw failure;
		}
	}

	async function post(url: URL, bytes: Uint8Array): Promise<unknown> {
		try {
			const { statusCode, body } = await request(url, {
				method: 'POST',
				dispatcher: agent,
				headers: { 'content-type': 'application/octet-stream' },
				body: bytes,
			});
			await body.dump();
			return statusCode === 200 ? undefined : new Error(`Slack did not take a file: status ${statusCode}`);
		} catch (error) {
			return error;
		}
	}

	/**
	 * @param where to share them in; without it nobody sees them before a message shows them
	 * @param blocks what is said with them
	 */
	async function complete(
		server: string,
		files: { id: string; title: string }[],
		where?: SharePlace,
		blocks: readonly types.KnownBlock[] = [],
	): Promise<void> {
		const [first, ...others] = files;
		if (!first) return;
		const sharing = where && {
			channel_id: where.channel,
			...(where.thread !== undefined && { thread_ts: where.thread }),
			...(blocks.length > 0 && { blocks }),
		};
		await call(server, 'files.completeUploadExternal', (client) =>
			client.files.completeUploadExternal({ files: [first, ...others], ...sharing } as Parameters<
				typeof client.files.completeUploadExternal
			>[0]),
		);
	}

	async function upload(
		server: string,
		files: readonly Attachment[],
		where?: SharePlace,
		blocks?: readonly types.KnownBlock[],
	): Promise<string[]> {
		// One after the other: they may be large, and all of them are in memory as it is.
		const sent: { id: string; title: string }[] = [];
		for (const file of files) sent.push({ id: await send(file, server), title: file.name });
		await complete(server, sent, where, blocks);
		return sent.map(({ id }) => id);
	}

	/** Does something that Slack can't do before it has looked at files: until it succeeds, at most for half a minute. */
	async function patiently<Result>(attempt: () => Promise<Result | undefined>): Promise<Result> {
		const until = performance.now() + patienceMs;
		for (let ms = FIRST_LOOK_MS; ; ms = Math.min(ms * 2, LAST_LOOK_MS)) {
			const result = await attempt();
			if (result !== undefined) return result;
			const left = until - performance.now();
			if (left <= 0) throw new Unshown('Slack does not get done with a file');
			await sleep(Math.min(ms, left));
		}
	}

	const info = async (server: string, file: string) =>
		(await call(server, 'files.info', (client) => client.files.info({ file }), { idempotent: true })).file;

	return {
		upload: (server: string, files: readonly Attachment[]) => upload(server, files),

		/**
		 * Waits until Slack has looked at the files and takes the message that shows them.
		 * @throws Unshown after half a minute
		 */
		async shown<Result>(server: string, files: readonly string[], show: () => Promise<Result>): Promise<Result> {
			const waiting = new Set(files);
			return patiently(async () => {
				for (const file of waiting) if (await isLookedAt(server, file)) waiting.delete(file);
				if (waiting.size > 0) return undefined;
				try {
					return await show();
				} catch (error) {
					// It says that it is done with a file somewhat before its messages know.
					if (codeOf(error) === 'invalid_blocks') return undefined;
					throw error;
				}
			});
		},

		/**
		 * Posts files as Slack does it itself, and says which message they are in once they are there; rejects with `Unshown` when
		 * they don't come.
		 */
		async share(
			server: string,
			files: readonly Attachment[],
			where: SharePlace,
			blocks?: readonly types.KnownBlock[],
		): Promise<string> {
			const [first = ''] = await upload(server, files, where, blocks);
			let lookedAt: number | undefined;
			return patiently(async () => {
				const file = await info(server, first);
				const { public: open, private: closed } = (file?.shares ?? {}) as Shares;
				const ts = (open?.[where.channel] ?? closed?.[where.channel])?.[0]?.ts;
				if (ts !== undefined) return ts;
				if (file?.mimetype) lookedAt ??= performance.now();
				if (lookedAt === undefined || performance.now() - lookedAt < Math.min(SHARED_WITHIN_MS, patienceMs / 4))
					return undefined;
				// Sometimes it does not say where a file is, though it is there; and sometimes it is not.
				const found = await messageWith(server, first, where);
				if (found === undefined) throw new Unshown('Slack does not share a file');
				return found;
			});
		},

		/** What can't be removed stays: nobody sees it any more. */
		async remove(server: string, files: readonly string[]): Promise<void> {
			for (const file of files)
				await call(server, 'files.delete', (client) => client.files.delete({ file })).catch(() => {});
		},

		close: () => agent.close(),
	};

	async function isLookedAt(server: string, file: string): Promise<boolean> {
		try {
			return Boolean((await info(server, file))?.mimetype);
		} catch (error) {
			// Without the scope to look, trying has to do.
			if (codeOf(error) === 'missing_scope') return true;
			throw error;
		}
	}
}

/** In which messages a file is, by their channels. */
type Shares = Partial<Record<'public' | 'private', Record<string, readonly { ts?: string }[]>>>;

export type SharePlace = { channel: string; thread?: string | undefined };
