import { setTimeout as pause } from 'node:timers/promises';
import { startProgram } from '../programs.ts';
import { alternate, type Figures, table } from '../runner.ts';

export const description = `Start and idle memory of Easel as a fresh clone starts it, sandbox and studio included, compared with a script that only imports
discord.js and @slack/bolt. Ready: from the start of the process until /healthz answers 200, or until the imports are done.
Idle: resident memory a second later. Compile caches are on and warm for both; alternating rounds, medians.`;

const ROUNDS = 7;
const SDKS = ['discord.js', '@slack/bolt'];

export async function run(): Promise<Record<string, Figures>> {
	const missing = SDKS.filter((name) => !isInstalled(name));
	if (missing.length > 0) console.log(`\nNot installed: ${missing.join(', ')}; only Easel's own figures follow.`);
	const starts: Record<string, () => Promise<Figures>> = { easel: startEasel };
	const peers = missing.length > 0 ? ['easel'] : ['the SDKs alone', 'easel'];
	starts['the SDKs alone'] = startSdks;
	for (const peer of peers) await starts[peer]!();
	const rows = await alternate(peers, ROUNDS, (peer) => starts[peer]!());
	console.log(`\n${table(rows, missing.length > 0 ? [] : ['ready, ms', 'idle, MB'])}`);
	return rows;
}

function isInstalled(name: string): boolean {
	try {
		import.meta.resolve(name);
		return true;
	} catch {
		return false;
	}
}

function startEasel(): Promise<Figures> {
	const env = { PORT: '0', SANDBOX: 'on', STORE_URL: 'memory:', LOG_LEVEL: 'info', LOG_FORMAT: 'json' };
	return measure(import.meta.resolve('../../src/main.ts'), [], env, async (line) => {
		const address = /http:\/\/[^"\s]+:\d+/.exec(line)?.[0];
		if (!address) return false;
		while ((await fetch(`${address}/healthz`)).status !== 200) await pause(2);
		return true;
	});
}

function startSdks(): Promise<Figures> {
	return measure(import.meta.resolve('../peers/sdks.ts'), SDKS, {}, async (line) => line === 'ready');
}

async function measure(
	script: string,
	args: readonly string[],
	env: Record<string, string>,
	isReady: (line: string) => Promise<boolean>,
): Promise<Figures> {
	const began = performance.now();
	const program = await startProgram(script, args, env, isReady);
	const ready = performance.now() - began;
	await pause(1000);
	const idle = program.memory();
	await program.stop();
	return { 'ready, ms': ready, 'idle, MB': idle };
}
