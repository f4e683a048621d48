import { hostname } from 'node:os';

/** A process as other processes on the same machine can recognize it. Leases store it. */
export type ProcessIdentity = { host: string; pid: number };

/** This process, and a way to look up others on its machine. */
export type LocalProcess = ProcessIdentity & { isAlive(pid: number): boolean };

export const currentProcess: LocalProcess = {
	host: hostname(),
	pid: process.pid,
	isAlive(pid) {
		try {
			// Signal 0 is never delivered; it only checks that the process exists.
			// https://nodejs.org/api/process.html#processkillpid-signal
			process.kill(pid, 0);
			return true;
		} catch (error) {
			// The process exists and belongs to another user.
			return (error as NodeJS.ErrnoException).code === 'EPERM';
		}
	},
};
