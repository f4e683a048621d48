import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import lock from '../package-lock.json' with { type: 'json' };
import { Actor } from '../packages/fakes/src/actor.ts';
import { answers, answersInPieces, imageResult, smallPng, startFaultyService } from '../packages/fakes/src/service.ts';
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
				out: expect.stringMatching(/^easel .*\[OPTIONS\].*\n.*\nOptions:/s),
			});
		expect(await easel('start', 'doctor')).toMatchObject({ code: 64, errors: expect.stringContaining("'doctor'") });
		for (const word of ['draw', 'constructor'])
			expect(await easel(word)).toMatchObject({ code: 64, errors: expect.stringContaining(`no program '${word}'`) });
	});

	test('starts the sandbox, draws, keeps it in the folder, and backs it up', async () => {
		const { child, address } = await start(node);
		const ada = new Actor(userAt('ada', () => address));
		await ada.does('/imagine', { prompt: 'a fox under a sign that says "Open"', size: '64x64' }).sees({ pictures: 1 });
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

/** A program of somebody else: its answers are JSON, one a line. */
const CLIENT = `
import { connectService, ServiceError } from 'easel/service';

const models = { image: 'any-image', chat: 'any-chat', embedding: 'any-embedding' };
const service = await connectService({ baseUrl: process.env.ADDRESS, apiKey: 'key-1', profile: 'easel', models });
const { signal } = new AbortController();
const say = (value) => console.log(JSON.stringify(value));
const sizesOf = ({ images }) => images.map(({ width, height }) => [width, height]);
const failed = (error) => ({ typed: error instanceof ServiceError, kind: error.kind, wait: error.retryAfterSeconds });

const drawn = await service.generate({ prompt: 'a fox' }, signal);
const image = { type: 'image/png', bytes: drawn.images[0].bytes };
say(sizesOf(drawn));
say(sizesOf(await service.edit({ prompt: 'at night', image }, signal)));
say(sizesOf(await service.compose({ prompt: 'side by side', images: [image, image] }, signal)));
let text = '';
for await (const part of service.chat({ messages: [{ role: 'user', content: 'Hello' }] }, signal)) text += part;
say(text);
say(await service.models(signal));
await service.generate({ prompt: 'a fox' }, signal).catch((error) => say(failed(error)));
await service.generate({ prompt: 'a fox' }, AbortSignal.abort('changed my mind')).catch((reason) => say(reason));
await service.close();
`;

test('is a client of image services for other programs', async () => {
	const fake = await startFaultyService();
	onTestFinished(() => fake.close());
	const [red, blue, both] = [await smallPng('red', 6, 4), await smallPng('blue', 5, 3), await smallPng('green', 9, 7)];
	const delta = { choices: [{ index: 0, delta: { content: 'Hello, Ada' }, finish_reason: 'stop' }] };
	const events = `data: ${JSON.stringify(delta)}\n\ndata: [DONE]\n\n`;
	fake.next(answers(200, imageResult(red)), answers(200, imageResult(blue)), answers(200, imageResult(both)));
	fake.next(answersInPieces([events], { 'content-type': 'text/event-stream' }));
	fake.next(answers(200, JSON.stringify({ data: [{ id: 'any-image' }, { id: 'any-chat' }] })));
	fake.next(answers(429, JSON.stringify({ error: { message: 'Slow down' } }), { 'retry-after': '7' }));
	await writeFile(join(folder, 'client.mjs'), CLIENT);
	const { stdout } = await run(process.execPath, ['client.mjs'], { cwd: folder, env: { ADDRESS: fake.url } });
	expect(
		stdout
			.trim()
			.split('\n')
			.map((line) => JSON.parse(line)),
	).toEqual([
		[[6, 4]],
		[[5, 3]],
		[[9, 7]],
		'Hello, Ada',
		['any-image', 'any-chat'],
		{ typed: true, kind: 'busy', wait: 7 },
		'changed my mind',
	]);
	expect(fake.requests.map(({ headers }) => headers.authorization)).toEqual(Array(6).fill('Bearer key-1'));
	expect(JSON.parse(String(fake.requests[0]!.body))).toMatchObject({ model: 'any-image', prompt: 'a fox' });
});
