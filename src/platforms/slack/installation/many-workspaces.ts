import type { Keyv } from 'keyv';
import type { Log } from '../../../log.ts';
import type { Once } from '../../shared/once.ts';
import { createRotation, type Refresh } from './rotation.ts';
import type { TokenCipher } from './token-cipher.ts';
import type { StoredInstallation, Workspaces } from './workspaces.ts';

/** Slack tells times in whole seconds. */
const SECOND_MS = 1000;

export type ManyWorkspaces = Workspaces & {
	/** Replaces what was there. */
	keep(installation: StoredInstallation): Promise<void>;
};

/** Every workspace or organisation that has installed the app, in the store, where nobody reads a token without the state secret. */
export function createManyWorkspaces(options: {
	keyv: Keyv;
	seal: TokenCipher;
	once: Once;
	refresh: Refresh;
	log: Log;
	now?: () => number;
}): ManyWorkspaces {
	const { keyv, seal, log } = options;
	const unreadable = new Set<string>();
	const keyOf = (server: string) => `installation:${server}`;

	async function read(server: string): Promise<StoredInstallation | undefined> {
		const sealed = await keyv.get<string>(keyOf(server));
		if (sealed === undefined) return undefined;
		const opened = await seal.open(sealed, server);
		if (opened !== undefined) return JSON.parse(opened) as StoredInstallation;
		if (!unreadable.has(server))
			log.error({ server }, 'SLACK_STATE_SECRET is another than when a workspace was installed: install it once more.');
		unreadable.add(server);
		return undefined;
	}

	async function keep(installation: StoredInstallation): Promise<void> {
		const { server } = installation;
		await keyv.set(keyOf(server), await seal.close(JSON.stringify(installation), server));
		unreadable.delete(server);
	}

	const rotation = createRotation({ ...options, read, keep });

	return {
		keep,
		async of(server) {
			const kept = await read(server);
			return kept && rotation.current(kept);
		},
		// Each workspace has a token of its own; there is none to ask with.
		check: async () => undefined,
		async remove(server, at) {
			const kept = await read(server);
			// Slack may say so late, when it has been installed once more.
			if (kept && kept.installedAt > at + SECOND_MS) return false;
			await keyv.delete(keyOf(server));
			unreadable.delete(server);
			return true;
		},
		gone: () => false,
	};
}
