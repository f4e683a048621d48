import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { TestUser } from '../../packages/fakes/src/test-user.ts';
import type { OperatorSettings } from './easel.ts';

/** Easel, with everything behind it, on one platform. */
export type PlatformHarness = {
	/**
	 * Returns a user. Ada is a moderator, Björn is not.
	 *
	 * @param locale the BCP 47 locale of the user's client, English by default; given before the user does anything
	 */
	user(person: 'ada' | 'bjorn', locale?: string): TestUser;
	/** Stops Easel as a signal does, without waiting for running requests, and starts it with the same store. */
	restart(settings?: OperatorSettings): Promise<void>;
	/** Returns the status of `/healthz`. */
	health(): Promise<number>;
	close(): Promise<void>;
};

/** Easel, started. */
export type StartedEasel = { stop(): Promise<void>; health(): Promise<number> };

/** The common part of the platforms' fakes. */
type Fake<FakeUser> = {
	user(person: string): FakeUser;
	close(): Promise<void>;
	/** Violations of the platform's rules by Easel. */
	violations: readonly unknown[];
};

/**
 * Starts Easel on a platform's fake.
 *
 * @param givenStore the URL of the store; by default one in a file
 * @param start starts Easel with the store at this URL
 * @param testUserOf adapts a user of the fake; called once for each user, so that it can have state
 */
export async function openHarness<FakeUser extends { account: { locale?: string | undefined } }>(
	fake: Fake<FakeUser>,
	start: (storeUrl: string, settings?: OperatorSettings) => Promise<StartedEasel>,
	testUserOf: (user: FakeUser) => TestUser,
	givenStore?: string,
): Promise<PlatformHarness> {
	const folder = await mkdtemp(join(tmpdir(), 'easel-'));
	const storeUrl = givenStore ?? `sqlite:${folder}/easel.db`;
	let easel = await start(storeUrl);
	const testUsers = new Map<string, TestUser>();
	return {
		user(person, locale) {
			const fakeUser = fake.user(person);
			if (locale !== undefined) fakeUser.account.locale = locale;
			const testUser = testUsers.get(person) ?? testUserOf(fakeUser);
			testUsers.set(person, testUser);
			return testUser;
		},
		async restart(settings) {
			await easel.stop();
			easel = await start(storeUrl, settings);
		},
		health: () => easel.health(),
		async close() {
			await easel.stop();
			await fake.close();
			await rm(folder, { recursive: true });
			expect(fake.violations).toEqual([]);
		},
	};
}
