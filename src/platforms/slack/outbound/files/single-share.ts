import type { Once } from '../../../shared/once.ts';
import type { MessageBlocks } from '../../api/blocks.ts';
import { codeOf, isOutcomeUnknown } from '../../api/slack-errors.ts';
import type { MessageLocation } from '../../api/slack-message.ts';
import { FileNotReadyError } from './file-not-ready.ts';
import type { SentFile } from './file-uploader.ts';
import type { SlackFiles } from './slack-files.ts';

type Blocks = MessageBlocks['blocks'];

/** Files that are shared together. Their first one stands for all of them. */
type Share = { location: MessageLocation; files: readonly [SentFile, ...SentFile[]]; blocks?: Blocks | undefined };

/** Returns the key under which one process claims to share files. */
export const claimOf = (file: SentFile) => `sharing:${file.id}`;

/**
 * Shares files once: only the process with the claim completes their upload, which is what shares them. Each method returns the `ts` of
 * the message that the files are in.
 */
export class SingleShare {
	readonly #files: Pick<SlackFiles, 'share' | 'whenShared'>;
	readonly #once: Once;
	readonly #ttlMs: number;

	constructor(files: Pick<SlackFiles, 'share' | 'whenShared'>, once: Once, ttlMs: number) {
		this.#files = files;
		this.#once = once;
		this.#ttlMs = ttlMs;
	}

	/** Shares files unless another process has claimed them. */
	async share(share: Share): Promise<string> {
		const isClaimed = await this.#once(claimOf(share.files[0]), this.#ttlMs);
		return isClaimed ? this.#complete(share) : this.#shareAgain(share);
	}

	/** Shares files that this process has claimed. */
	async shareClaimed(share: Share): Promise<string> {
		try {
			return await this.#complete(share);
		} catch (error) {
			if (!isOutcomeUnknown(error)) throw error;
			return this.#shareAgain(share, error);
		}
	}

	#complete({ location, files, blocks }: Share): Promise<string> {
		return this.#files.share(location, files, blocks);
	}

	/** Shares files that may be shared already, or may be by a process that has ended before Slack got its call. */
	async #shareAgain(share: Share, reason?: unknown): Promise<string> {
		const [first] = share.files;
		try {
			return await this.#files.whenShared(share.location, first.id);
		} catch (error) {
			const isAbsent = error instanceof FileNotReadyError || codeOf(error) !== undefined;
			if (!isAbsent || !(await this.#once(`${claimOf(first)}:again`, this.#ttlMs))) throw reason ?? error;
			return this.#complete(share);
		}
	}
}
