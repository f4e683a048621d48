import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import lock from '../package-lock.json' with { type: 'json' };
import { Actor } from '../packages/fakes/src/actor.ts';
import { userAt } from './harness/sandbox.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '..');

/** The Node that the machine has beside the one of this project: older ones have the other start the program. */
const OTHER_NODE = (process.env['PATH'] ?? '')
	.split(delimiter)
	.filter((folder) => !folder.includes('node_modules') && folder !== dirname(process.execPath))
	.map((folder) => join(folder, 'node'))
	.find((path) => existsSync(path));
const NODES = [process.execPath, ...(OTHER_NODE ? [OTHER_NODE] : [])];

let folder: string;

/** Packs Easel, and installs the packed file into an empty folder, with the dependencies that are installed here already. */
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), 'easel-package-'));
	await run('npm', ['pack', '--pack-destination', folder], { cwd: ROOT });
	const modules = join(folder, 'node_modules');
	await mkdir(modules);
	await run('tar', ['xzf', join(folder, `easel-${manifest.version}.tgz`), '-C', modules]);
	await run('mv', [join(modules, 'package'), join(modules, 'easel')]);
	const { packages } = lock as { packages: Record<string, { dev?: boolean; link?: boolean }> };
	for (const [path, { dev, link }] of Object.entries(packages)) {
		const installed = join(ROOT, path);
		// What lies within a package comes with it.
		if (dev || link || path.lastIndexOf('node_modules/') !== 0 || !existsSync(installed)) continue;
		const target = join(folder, path);
		await mkdir(dirname(target), { recursive: true });
		await symlink(installed, target);
	}
}, 240_000);
afterAll(() => rm(folder, { recursive: true, maxRetries: 5 }));

const PROGRAM = 'node_modules/easel/bin/easel.js';
const env = { PATH: process.env['PATH'], PORT: '0', LOG_FORMAT: 'json' };

/** Starts the sandbox, and waits until it listens. */
async function start(node: string): Promise<{ child: ChildProcess; address: string }> {
	const child = spawn(node, [PROGRAM], { cwd: folder, env });
	const address = await new Promise<string>((resolve, reject) => {
		createInterface(child.stdout).on('line', (line) => {
			const { address } = JSON.parse(line);
			if (address) resolve(address);
		});
		child.once('close', (code) => reject(new Error(`Easel ended with ${code}`)));
	});
	return { child, address };
}

describe.each(NODES)('the package, with %s', (node) => {
	const easel = async (...words: string[]) => {
		const child = spawn(node, [PROGRAM, ...words], { cwd: folder, env });
		const [out, errors, [code]] = await Promise.all([
			child.stdout.toArray(),
			child.stderr.toArray(),
			once(child, 'close'),
		]);
		return { code, out: Buffer.concat(out).toString(), errors: Buffer.concat(errors).toString() };
	};

	test('says its version, and explains every program', async () => {
		expect(await easel('--version')).toEqual({ code: 0, out: `${manifest.version}\n`, errors: '' });
		const { out } = await easel('--help');
		const programs = [...out.matchAll(/^ {2}(\w+) /gm)].map(([, name = '']) => name);
		expect(programs).toEqual(expect.arrayContaining(['start', 'studio', 'doctor', 'backup', 'restore', 'manifest']));
		for (const name of programs)
			expect(await easel(name, '--help')).toMatchObject({
				code: 0,
				out: expect.stringMatching(/^easel .*\[OPTIONS\]/),
			});
		expect(await easel('draw')).toMatchObject({ code: 64, errors: expect.stringContaining("no program 'draw'") });
	});

	test('starts the sandbox, draws, keeps it in the folder, and backs it up', async () => {
		const { child, address } = await start(node);
		const ada = new Actor(userAt('ada', () => address));
		await ada.does('/imagine', { prompt: 'a fox', size: '64x64' }).sees({ pictures: 1 });
		child.kill('SIGTERM');
		expect((await once(child, 'close'))[0]).toBe(0);
		expect(await readdir(join(folder, 'data'))).toContain('easel.db');
		expect(await easel('backup', 'all.easel')).toMatchObject({ code: 0, errors: '' });
		expect((await readFile(join(folder, 'all.easel'))).length).toBeGreaterThan(1000);
		await rm(join(folder, 'all.easel'));
		await rm(join(folder, 'data'), { recursive: true });
	});

	test('serves the page with its scripts', async () => {
		const { child, address } = await start(node);
		const page = await (await fetch(address)).text();
		const [, script = ''] = page.match(/src="([^"]+\.ts)"/) ?? [];
		expect(await (await fetch(new URL(script, address))).text()).toContain('import');
		child.kill('SIGTERM');
		await once(child, 'close');
	});
});
