import { readFileSync, readlinkSync } from 'node:fs';

/**
 * Identifies a process beyond its number: numbers are reused, containers have tables of their own, and a restarted machine starts
 * over. Two processes can judge each other only when `boot` and `namespace` are equal. Leases store it.
 */
export type ProcessIdentity = {
	/** Changes with every boot of the machine; undefined where the system does not tell, which is everywhere but on Linux. */
	boot?: string | undefined;
	/** The process-id namespace, such as `pid:[4026531836]`. No two that exist at the same time have the same name. */
	namespace?: string | undefined;
	pid: number;
	/** Clock ticks between boot and the start of the process. */
	startTicks?: string | undefined;
};

/** What the process table of a namespace says of a number. */
export type ProcessStat = { state: string; startTicks: string };

/** This process, and a way to look up others on its machine. */
export type LocalProcess = {
	identity: ProcessIdentity;
	/** Returns false when a process is gone for sure, and undefined when this process cannot know. */
	isAlive(other: ProcessIdentity): boolean | undefined;
};

/** The states of a process that has exited: a zombie waits until its parent collects it. */
const EXITED = new Set(['Z', 'X']);

/**
 * Returns a process that judges others by a process table.
 *
 * @param lookUp returns `gone` when no process has the number, and undefined when it cannot be read
 */
export const createLocalProcess = (
	identity: ProcessIdentity,
	lookUp: (pid: number) => ProcessStat | 'gone' | undefined,
): LocalProcess => ({
	identity,
	isAlive(other) {
		if (other.boot === undefined || other.boot !== identity.boot) return undefined;
		if (other.namespace === undefined || other.namespace !== identity.namespace) return undefined;
		const stat = lookUp(other.pid);
		if (stat === 'gone') return false;
		if (stat === undefined) return undefined;
		if (EXITED.has(stat.state)) return false;
		// A different start means that the number was given to another process.
		return other.startTicks === undefined ? undefined : stat.startTicks === other.startTicks;
	},
});

/** Looks up a number in the process table that this process sees. */
function lookUp(pid: number): ProcessStat | 'gone' | undefined {
	const stat = tryOrUndefined(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
	if (stat === undefined) return exists(pid) ? undefined : 'gone';
	// Fields 3 and 22. The command in field 2 may contain spaces and brackets. https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html
	const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
	const [state, startTicks] = [fields[0], fields[19]];
	return state === undefined || startTicks === undefined ? undefined : { state, startTicks };
}

/** `/proc` can be mounted so that it hides the processes of other users. A signal still tells whether they exist. */
function exists(pid: number): boolean {
	try {
		// Signal 0 is never delivered. https://nodejs.org/api/process.html#processkillpid-signal
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return (error as NodeJS.ErrnoException).code !== 'ESRCH';
	}
}

function tryOrUndefined<T>(work: () => T): T | undefined {
	try {
		return work();
	} catch {
		return undefined;
	}
}

function identify(): ProcessIdentity {
	const stat = lookUp(process.pid);
	return {
		boot: tryOrUndefined(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()),
		namespace: tryOrUndefined(() => readlinkSync('/proc/self/ns/pid')),
		pid: process.pid,
		startTicks: typeof stat === 'object' ? stat.startTicks : undefined,
	};
}

export const currentProcess: LocalProcess = createLocalProcess(identify(), lookUp);
