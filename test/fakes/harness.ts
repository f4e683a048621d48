import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { PlatformHarness } from '../contract/platform.ts';
import type { TestUser } from './person.ts';

/** What a platform's fake has in common with the others'. `There` is somebody's user as that platform has it. */
type Fake<There> = {
	user(person: string): There;
	close(): Promise<void>;
	/** Where Easel broke the platform's rules. */
	violations: readonly unknown[];
};

/**
 * Easel on a platform's fake, with a store in a file.
 * @param start starts Easel there on the store of this address, and resolves to what ends it
 * @param userOf somebody's user as the contract has it; asked once for each, so that it can remember
 */
export async function openHarness<There extends { account: { locale?: string | undefined } }>(
	fake: Fake<There>,
	start: (storeUrl: string) => Promise<{ stop(): Promise<void> }>,
	userOf: (there: There) => TestUser,
): Promise<PlatformHarness> {
	const folder = await mkdtemp(join(tmpdir(), 'easel-'));
	const storeUrl = `sqlite:${folder}/easel.db`;
	let easel = await start(storeUrl);
	const users = new Map<string, TestUser>();
	return {
		user(person, locale) {
			const there = fake.user(person);
			if (locale !== undefined) there.account.locale = locale;
			const user = users.get(person) ?? userOf(there);
			users.set(person, user);
			return user;
		},
		async restart() {
			await easel.stop();
			easel = await start(storeUrl);
		},
		async close() {
			await easel.stop();
			await fake.close();
			await rm(folder, { recursive: true });
			expect(fake.violations).toEqual([]);
		},
	};
}
