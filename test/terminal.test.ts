import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { Actor } from '../packages/fakes/src/actor.ts';
import { type DiscordFake, startDiscord } from '../packages/fakes/src/discord/index.ts';
import { INHERITED } from './harness/process.ts';
import { freePort } from './harness/redis.ts';
import { has, SCRIPT } from './harness/requirements.ts';
import { userAt } from './harness/sandbox.ts';

const ROOT = join(import.meta.dirname, '..');

/** The scripts that run a program of this repository, with the path of the program and the words after it. */
const PROGRAMS = Object.entries(manifest.scripts).flatMap(([name, script]): [string, string[]][] => {
	const [program, file = '', ...words] = script.split(' ');
	return program === 'node' ? [[name, [join(ROOT, file), ...words]]] : [];
});

const WAYS = has('terminal') ? (['terminal', 'pipe'] as const) : (['pipe'] as const);

let folder: string;
const running = new Set<ChildProcess>();
beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), 'easel-terminal-'));
});
afterEach(async () => {
	for (const child of running) child.kill('SIGKILL');
	running.clear();
	await rm(folder, { recursive: true, maxRetries: 5 });
});

type Running = {
	/** What it has written until now. A terminal shows errors among it. */
	written: { out: string; errors: string };
	/** Presses Ctrl+C in its terminal. */
	interrupt(): void;
	ended: Promise<number | null>;
};

function start(way: (typeof WAYS)[number], command: readonly string[], env: Record<string, string> = {}): Running {
	const line = command.map((word) => `'${word}'`).join(' ');
	const [program, ...words] = way === 'terminal' ? [SCRIPT, '-qec', `exec ${line}`, '/dev/null'] : command;
	const child = spawn(program ?? '', words, {
		cwd: folder,
		env: {
			...INHERITED,
			PATH: `${dirname(process.execPath)}${delimiter}${process.env['PATH']}`,
			HOME: folder,
			TERM: 'xterm-256color',
			PORT: '0',
			...env,
		},
	});
	running.add(child);
	const written = { out: '', errors: '' };
	child.stdout.on('data', (bytes) => {
		written.out += bytes;
	});
	child.stderr.on('data', (bytes) => {
		written.errors += bytes;
	});
	const ended = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)));
	return { written, ended, interrupt: () => void child.stdin.write('\x03') };
}

const node = (program: readonly string[], ...words: string[]) => [process.execPath, ...program, ...words];
const programOf = (script: string) => new Map(PROGRAMS).get(script) ?? [];

describe.each(WAYS)('in a %s', (way) => {
	test.each(PROGRAMS)('%s explains itself, and does nothing else', async (name, program) => {
		const { written, ended } = start(way, node(program, '--help'));
		expect([await ended, written.errors]).toEqual([0, '']);
		expect(written.out.split(/\r?\n/)[0]).toContain(name === 'start' ? 'npm start -- ' : `npm run ${name} -- `);
		expect(written.out).toContain('--help');
		expect(await readdir(folder)).toEqual([]);
	});

	describe('works', () => {
		let discord: DiscordFake;
		beforeAll(async () => {
			discord = await startDiscord();
		});
		afterAll(() => discord.close());

		async function outputOf(name: string, ...words: string[]): Promise<{ code: number | null; out: string }> {
			const env = { DISCORD_TOKEN: discord.token, DISCORD_API_URL: discord.api };
			const { written, ended } = start(way, node(programOf(name), ...words), name === 'register' ? env : {});
			const code = await ended;
			expect(written.errors).toBe('');
			return { code, out: written.out };
		}

		test.each([
			['doctor', [], /All is well/],
			['migrate', [], /The store has version \d already/],
			['register', [], /Registered \d+ commands/],
			['manifest', [], /"slash_commands"/],
			['simulate', ['--seeds', '1'], /1 seeds, 0 of which break a rule/],
			['bench', ['goals'], /# Goals/],
		])('%s', async (name, words, expected) => {
			const { code, out } = await outputOf(name, ...words);
			expect({ code, out }).toEqual({ code: 0, out: expect.stringMatching(expected) });
		});

		test('backup, and restore', async () => {
			await outputOf('migrate');
			expect(await outputOf('backup', 'kept')).toMatchObject({ code: 0, out: expect.stringContaining('Backed up') });
			expect(await outputOf('backup', '--check', 'kept')).toMatchObject({ code: 0 });
			await rm(join(folder, 'data'), { recursive: true });
			expect(await outputOf('restore', 'kept')).toMatchObject({ code: 0, out: expect.stringContaining('Restored') });
		});
	});
});

test.each(PROGRAMS)('%s refuses an option that it does not know, with one sentence', async (_, program) => {
	const { written, ended } = start('pipe', node(program, '--what'));
	expect(await ended).toBe(64);
	expect(written.errors).toMatch(/^Unknown option '--what'; npm [^\n]+ -- --help [^\n]+\n$/);
	expect(await readdir(folder)).toEqual([]);
});

test.each([
	['start', ['now'], /^Unexpected argument 'now'; /],
	['migrate', ['help'], /^Unexpected argument 'help'; /],
	['backup', [], /^FILE is missing; /],
	['backup', [''], /^FILE is missing; /],
	['restore', ['one', 'two'], /^Unexpected argument 'two'; /],
	['backup', ['x', '--check', '--force'], /^--check writes nothing/],
	['register', ['--guild'], /^Option '--guild <value>' argument missing; /],
	['doctor', ['--json=yes'], /^Option '--json' does not take an argument; /],
	['bench', ['toString'], /^Unknown case: toString; /],
	['simulate', ['--seeds', 'many'], /^--seed and --seeds must be whole numbers/],
])('%s refuses the arguments %j', async (name, words, sentence) => {
	const { written, ended } = start('pipe', node(programOf(name), ...words));
	expect(await ended).toBe(64);
	expect(written.errors).toMatch(sentence);
	expect(written.errors.trim()).not.toContain('\n');
});

describe.runIf(has('terminal'))('on a terminal', () => {
	const STACK = /^\s+at |Error:/m;
	const COLOUR = '\x1b[';
	/** An idle program stops within a second; the machine may be busy. */
	const MOST_MS = 5000;
	const addressIn = (text: string) => /http:\/\/127\.0\.0\.1:\d+/.exec(text)?.[0];

	/** Waits until a program says how to stop it, and returns its address. */
	async function ready({ written, ended }: Running): Promise<string> {
		const early = ended.then((code) => expect.fail(`It has ended with ${code}: ${written.out}`));
		await Promise.race([expect.poll(() => written.out).toContain('Press Ctrl+C to stop.'), early]);
		return addressIn(written.out) ?? '';
	}

	test.each(['start', 'studio'])('%s says where it is, and Ctrl+C stops it', async (name) => {
		const program = start('terminal', node(programOf(name)));
		const address = await ready(program);
		expect((await fetch(`${address}/v1/models`)).status).toBe(401);
		program.interrupt();
		expect(await program.ended).toBe(0);
		expect(program.written.out).toContain('Stopping');
		expect(program.written.out).not.toMatch(STACK);
	});

	test('start stops within seconds of Ctrl+C after a picture was drawn', async () => {
		const program = start('terminal', node(programOf('start')));
		const address = await ready(program);
		const ada = new Actor(userAt('ada', () => address));
		await ada.does('/imagine', { prompt: 'a fox', size: '64x64' }).sees({ pictures: 1 });
		program.interrupt();
		expect(await Promise.race([program.ended, pause(MOST_MS, 'too late', { ref: false })])).toBe(0);
	});

	test('start says which platform it cannot reach, in one line a try', async () => {
		const apiUrl = `http://127.0.0.1:${await freePort()}/api`;
		const discord = { DISCORD_TOKEN: `${'a'.repeat(24)}.b.c`, DISCORD_API_URL: apiUrl };
		const program = start('terminal', node(programOf('start')), { NO_COLOR: '1', SANDBOX: 'on', ...discord });
		await ready(program);
		expect(program.written.out).toContain('Running: the browser sandbox.');
		expect(program.written.out).toContain('Not connected yet: Discord. Easel keeps trying.');
		expect(program.written.out).toContain('Discord can’t be reached (ECONNREFUSED)');
		expect(program.written.out).not.toMatch(STACK);
		program.interrupt();
		expect(await program.ended).toBe(0);
	});

	test('start says what runs, what does not, and what to set for it', async () => {
		const program = start('terminal', node(programOf('start')), { NO_COLOR: '1', SLACK_BOT_TOKEN: '' });
		await ready(program);
		expect(program.written.out).toContain('Running: the browser sandbox.');
		expect(program.written.out).toMatch(/Not running: Discord \(set DISCORD_TOKEN\).*SLACK_BOT_TOKEN/);
		program.interrupt();
		expect(await program.ended).toBe(0);
		expect(program.written.out).not.toContain(COLOUR);
	});

	test('npm start ends at Ctrl+C without a trace, also where npm passes the signal on a second time', async () => {
		const script = `node ${programOf('start').join(' ')}`;
		await writeFile(join(folder, 'package.json'), JSON.stringify({ scripts: { start: script } }));
		for (const shell of ['/bin/sh', '/bin/bash'].filter(existsSync)) {
			const npm = start('terminal', ['npm', 'start'], { npm_config_script_shell: shell });
			await ready(npm);
			npm.interrupt();
			// npm ends with the signal where the shell has waited for the program.
			expect([0, 130]).toContain(await npm.ended);
			expect(npm.written.out).toContain('Stopping');
			expect(npm.written.out).not.toMatch(STACK);
		}
	});

	test('a fault of the start is the last line, in colours', async () => {
		const first = start('terminal', node(programOf('start')), { STORE_URL: 'memory:' });
		const port = new URL(await ready(first)).port;
		const second = start('terminal', node(programOf('start')), { STORE_URL: 'memory:', PORT: port });
		expect(await second.ended).toBe(1);
		expect(second.written.out).toContain(`PORT ${port} is taken; set another, or 0 for a free one.`);
		expect(second.written.out).toContain(COLOUR);
		expect(second.written.out).not.toMatch(STACK);
	});

	test('a secret at the start of a coloured line is redacted', async () => {
		const options = { level: 'info', format: 'pretty', secrets: [] };
		const code = `import { createLog } from "${join(ROOT, 'src/log.ts')}";
			(await createLog(${JSON.stringify(options)})).info("xoxb-1234567890 was refused");
			process.exit(0);`;
		const program = start('terminal', node(['--input-type=module', '--eval', code]));
		expect(await program.ended).toBe(0);
		expect(program.written.out).toContain(COLOUR);
		expect(program.written.out).toContain('[redacted]');
		expect(program.written.out).not.toContain('xoxb-1234567890');
	});
});

test('npm start leaves no process behind when npm is terminated', async () => {
	// npm's shell: dash ends at the signal, and its child would go on.
	const child = spawn('/bin/sh', ['-c', `${process.execPath} ${programOf('start').join(' ')} & wait`], {
		cwd: folder,
		env: { ...INHERITED, PORT: '0', LOG_FORMAT: 'json', npm_lifecycle_event: 'start' },
	});
	running.add(child);
	let out = '';
	const ended = new Promise((resolve) => child.stdout.once('close', resolve));
	child.stdout.on('data', (bytes) => {
		out += bytes;
	});
	await expect.poll(() => out).toContain('"address"');
	child.kill('SIGKILL');
	// The pipe closes once nobody writes to it any more.
	await ended;
	expect(out).toContain('"signal":"SIGTERM"');
});

test('a script whose reader leaves goes on to its end', async () => {
	const line = `'${process.execPath}' ${programOf('manifest').join(' ')} | head -c 1; echo "code \${PIPESTATUS[0]}"`;
	const { written, ended } = start('pipe', ['bash', '-c', line]);
	expect(await ended).toBe(0);
	expect(written).toEqual({ out: '{code 0\n', errors: '' });
});
