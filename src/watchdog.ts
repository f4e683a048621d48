import { url as debuggerUrl } from 'node:inspector';
import { Worker } from 'node:worker_threads';

/** A loop that is held for so long is not coming back: nothing that Easel does takes a second of it. */
const HELD_MS = 30_000;

/** How often the loop shows that it runs, of the time that it may be held. */
const BEATS = 30;

/**
 * Ends the process when its event loop is held for 30 seconds, so that whatever started it starts it again: without it, the process
 * would go on without answering anybody, and not even end on SIGTERM. A thread of its own looks for that.
 */
export function watchEventLoop(heldMs = HELD_MS): void {
	// At a breakpoint the loop stands still as well.
	if (debuggerUrl() !== undefined) return;
	const beat = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
	const tickMs = heldMs / BEATS;
	setInterval(() => Atomics.add(beat, 0, 1), tickMs).unref();
	// From text: loading a TypeScript file would take 18 MB more in the thread. The process's options are for its own program.
	const program = `(${endWhenHeld})(require('node:worker_threads').workerData)`;
	new Worker(program, { eval: true, execArgv: [], workerData: { beat, tickMs, beats: BEATS } satisfies Watch }).unref();
}

type Watch = { beat: Int32Array; tickMs: number; beats: number };

/** Runs in the thread, where nothing of this file is there but itself. */
function endWhenHeld({ beat, tickMs, beats }: Watch): void {
	let last = 0;
	// Ticks of this thread without a beat. They are counted, and not measured: a process that was suspended was not held.
	let still = 0;
	setInterval(() => {
		const now = Atomics.load(beat, 0);
		still = now === last ? still + 1 : 0;
		last = now;
		if (still < beats) return;
		const seconds = Math.round((beats * tickMs) / 1000);
		const msg = `The event loop was held for ${seconds} seconds: the process ends, to be started again`;
		try {
			const line = `${JSON.stringify({ level: 60, time: Date.now(), msg })}\n`;
			process.getBuiltinModule('node:fs').writeSync(2, line);
		} finally {
			// A thread can end the process by a signal only: `process.exit` would end the thread.
			process.kill(process.pid, 'SIGKILL');
			// The first process of a container ignores all signals from inside, but not a fault of its own.
			process.getBuiltinModule('node:v8').setFlagsFromString('--allow-natives-syntax');
			new Function('%SystemBreak()')();
		}
	}, tickMs);
}
