import { randomBytes } from 'node:crypto';

/** Creates ids as Slack has them, which begin with their kind, and timestamps that are unique and rise. */
export function createIds(now: () => number) {
	let last = 1000;
	let micros = 0;
	return {
		/** @param kind `T`, `U`, `C`, `D`, `B`, `A`, `F`, `V`, `Ev`, `E`, `S` */
		next: (kind: string): string => `${kind}0${(++last * 7919).toString(36).toUpperCase().padStart(9, '8')}`,
		/** `1700000000.123456` */
		ts(): string {
			micros = Math.max(micros + 1, now() * 1000);
			return `${Math.floor(micros / 1e6)}.${String(micros % 1e6).padStart(6, '0')}`;
		},
	};
}

export type Ids = ReturnType<typeof createIds>;

export const secret = (prefix: string): string => `${prefix}${randomBytes(16).toString('hex')}`;
