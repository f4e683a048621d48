import { request } from 'undici';
import type { MessageBlocks } from '../api/blocks.ts';
import type { Hosts } from '../api/hosts.ts';
import { createHttpAgent } from '../api/http-agent.ts';

const SILENCE_MS = 10_000;

/**
 * Replies through the address that comes with a command or button: at most five within 30 minutes, also in channels that the bot is
 * not a member of. Every method returns false when the address takes no more.
 * https://docs.slack.dev/interactivity/handling-user-interaction#message_responses
 */
export class ResponseUrls {
	readonly #hosts: Hosts;
	readonly #agent = createHttpAgent(SILENCE_MS);

	constructor(hosts: Hosts) {
		this.#hosts = hosts;
	}

	/** Posts a message that only the requester sees. */
	postEphemeral(address: string, { text, blocks }: MessageBlocks): Promise<boolean> {
		return this.#send(address, {
			response_type: 'ephemeral',
			replace_original: false,
			text,
			...(blocks.length > 0 && { blocks }),
		});
	}

	/** Replaces the ephemeral message whose button the address came with. */
	replace(address: string, { text, blocks }: MessageBlocks): Promise<boolean> {
		return this.#send(address, { replace_original: true, text, blocks });
	}

	/** Deletes the ephemeral message whose button the address came with. */
	delete(address: string): Promise<boolean> {
		return this.#send(address, { delete_original: true });
	}

	async #send(address: string, payload: object): Promise<boolean> {
		const url = URL.parse(address);
		if (!url || !this.#hosts.mayCall(url)) return false;
		try {
			const { statusCode, body } = await request(url, {
				method: 'POST',
				dispatcher: this.#agent,
				headers: { 'content-type': 'application/json; charset=utf-8' },
				body: JSON.stringify(payload),
			});
			await body.dump();
			return statusCode === 200;
		} catch {
			return false;
		}
	}
}
