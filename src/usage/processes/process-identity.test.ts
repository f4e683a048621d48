import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, describe, expect, test } from 'vitest';
import { has, UNSHARE } from '../../../test/harness/requirements.ts';
import { createLocalProcess, currentProcess, type ProcessIdentity } from './process-identity.ts';

const SCRIPT = join(import.meta.dirname, '../../../test/fakes/process-identity.ts');

const running = new Set<ChildProcess>();
afterEach(() => {
	for (const child of running) child.kill('SIGKILL');
	running.clear();
});

/** Starts a process that can be asked which others are alive, after `prefix` if one is given. */
async function startProcess(prefix: readonly string[] = []) {
	const [command = '', ...options] = [...prefix, process.execPath, SCRIPT];
	const child = spawn(command, options, { stdio: ['pipe', 'pipe', 'inherit'] });
	running.add(child);
	const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
	const read = async () => JSON.parse(String((await lines.next()).value));
	const identity: ProcessIdentity = await read();
	return {
		child,
		identity,
		isAlive(other: ProcessIdentity): Promise<boolean | null> {
			child.stdin.write(`${JSON.stringify(other)}\n`);
			return read();
		},
		kill: (pid = identity.pid) => process.kill(pid, 'SIGKILL'),
	};
}

describe.runIf(process.platform === 'linux')('a process on Linux', () => {
	test('sees another one alive until it has ended', async () => {
		const other = await startProcess();
		expect(currentProcess.isAlive(other.identity)).toBe(true);
		expect(await other.isAlive(currentProcess.identity)).toBe(true);
		other.kill();
		await once(other.child, 'close');
		expect(currentProcess.isAlive(other.identity)).toBe(false);
	});

	test('sees a zombie as gone', async () => {
		// After exec, the parent is a program that never collects its child.
		const parent = await startProcess(['sh', '-c', 'exec 3<&0; "$@" <&3 & exec sleep 600', 'sh']);
		expect(currentProcess.isAlive(parent.identity)).toBe(true);
		parent.kill();
		await expect.poll(() => currentProcess.isAlive(parent.identity)).toBe(false);
		// Its number is still taken.
		expect(() => process.kill(parent.identity.pid, 0)).not.toThrow();
	});

	test('sees a process as gone whose number another one has', async () => {
		const other = await startProcess();
		expect(currentProcess.isAlive({ ...other.identity, startTicks: '1' })).toBe(false);
	});

	test('knows nothing of a process before the last boot, or of one that it cannot recognize', async () => {
		const { identity } = currentProcess;
		expect(currentProcess.isAlive({ ...identity, boot: 'another' })).toBeUndefined();
		expect(currentProcess.isAlive({ pid: identity.pid })).toBeUndefined();
		expect(currentProcess.isAlive({ ...identity, startTicks: undefined })).toBeUndefined();
	});

	test.runIf(has('namespaces'))(
		'knows nothing of a process in another container, although both have the same number',
		async () => {
			const [one, other] = await Promise.all([startProcess(UNSHARE), startProcess(UNSHARE)]);
			expect([one.identity.pid, other.identity.pid]).toEqual([1, 1]);
			expect(one.identity.boot).toBe(other.identity.boot);
			expect(await one.isAlive(other.identity)).toBeNull();
			expect(currentProcess.isAlive(other.identity)).toBeUndefined();
			expect(await one.isAlive(one.identity)).toBe(true);
		},
	);
});

test('a process knows nothing of one whose entry in the process table it cannot read', () => {
	const identity = { boot: 'boot', namespace: 'pid:[1]', pid: 1, startTicks: '10' };
	const local = createLocalProcess(identity, (pid) => (pid === 2 ? undefined : 'gone'));
	expect(local.isAlive({ ...identity, pid: 2 })).toBeUndefined();
	expect(local.isAlive({ ...identity, pid: 3 })).toBe(false);
});
