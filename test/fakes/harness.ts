import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Stage } from '../contract/platform.ts';
import type { Seat } from './person.ts';

/** What a platform's fake has in common with the others'. `There` is somebody's seat as that platform has it. */
type Fake<There> = {
	seat(person: string): There;
	close(): Promise<void>;
	/** Where Easel broke the platform's rules. */
	violations: readonly unknown[];
};

/**
 * Easel on a platform's fake, with a store in a file.
 * @param start starts Easel there on the store of this address, and resolves to what ends it
 * @param seatOf somebody's seat as the contract has it; asked once for each, so that it can remember
 */
export async function openStage<There extends { user: { locale?: string | undefined } }>(
	fake: Fake<There>,
	start: (storeUrl: string) => Promise<{ stop(): Promise<void> }>,
	seatOf: (there: There) => Seat,
): Promise<Stage> {
	const folder = await mkdtemp(join(tmpdir(), 'easel-'));
	const storeUrl = `sqlite:${folder}/easel.db`;
	let easel = await start(storeUrl);
	const seats = new Map<string, Seat>();
	return {
		seat(person, locale) {
			const there = fake.seat(person);
			if (locale !== undefined) there.user.locale = locale;
			const seat = seats.get(person) ?? seatOf(there);
			seats.set(person, seat);
			return seat;
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
