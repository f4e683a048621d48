/** `warning`: works, but the operator should know. `fault`: something does not work. `skipped`: not checked, and never counted as passed. */
export type Level = 'ok' | 'warning' | 'fault' | 'skipped';

export type Finding = {
	level: Level;
	/** One sentence that contains no secret. */
	message: string;
	/** The variable to change. */
	variable?: string;
	/** What to do, exactly. */
	step?: string;
};

/** A question about one counterpart. What a check throws is a fault. */
export type Check = {
	name: string;
	/** 15 seconds by default. */
	timeoutMs?: number;
	run(signal: AbortSignal): Promise<Finding | readonly Finding[]>;
};

/** Checks of one counterpart, which are printed together. */
export type CheckGroup = { name: string; checks: readonly Check[] };

type Remedy = { variable?: string; step?: string };

export const ok = (message: string): Finding => ({ level: 'ok', message });
export const skipped = (message: string, remedy: Remedy = {}): Finding => ({ level: 'skipped', message, ...remedy });
export const warning = (message: string, remedy: Remedy): Finding => ({ level: 'warning', message, ...remedy });
export const fault = (message: string, remedy: Remedy): Finding => ({ level: 'fault', message, ...remedy });

/** A check that needs nothing but what is known already. */
export const known = (name: string, finding: Finding | readonly Finding[]): Check => ({
	name,
	run: async () => finding,
});
