import { Agent, request } from 'undici';
import type { MessageBlocks } from '../api/blocks.ts';
import type { Hosts } from '../api/hosts.ts';

const CONNECT_MS = 10_000;
const SILENT_MS = 10_000;

export type ResponseUrls = ReturnType<typeof createResponseUrls>;

/**
 * Answers by the address that comes with commands and presses: five, within half an hour, also where the bot is not.
 * https://docs.slack.dev/interactivity/handling-user-interaction#message_responses
 */
export function createResponseUrls(hosts: Hosts) {
	const agent = new Agent({ connect: { timeout: CONNECT_MS }, headersTimeout: SILENT_MS, bodyTimeout: SILENT_MS });

	/** False when the address takes nothing (any more). */
	async function send(address: string, payload: object): Promise<boolean> {
		const url = URL.parse(address);
		if (!url || !hosts.mayCall(url)) return false;
		try {
			const { statusCode, body } = await request(url, {
				method: 'POST',
				dispatcher: agent,
				headers: { 'content-type': 'application/json; charset=utf-8' },
				body: JSON.stringify(payload),
			});
			await body.dump();
			return statusCode === 200;
		} catch {
			return false;
		}
	}

	return {
		/** For the eyes of who asked. */
		whisper: (address: string, { text, blocks }: MessageBlocks) =>
			send(address, {
				response_type: 'ephemeral',
				replace_original: false,
				text,
				...(blocks.length > 0 && { blocks }),
			}),
		/** In the place of what was pressed on, which only that person sees. */
		replace: (address: string, { text, blocks }: MessageBlocks) =>
			send(address, { replace_original: true, text, blocks }),
		remove: (address: string) => send(address, { delete_original: true }),
		close: () => agent.close(),
	};
}
