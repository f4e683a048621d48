import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import easel from '../package.json' with { type: 'json' };
import fakes from '../packages/fakes/package.json' with { type: 'json' };
import studio from '../packages/studio/package.json' with { type: 'json' };

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '..');

/** The packages, each with what somebody has who uses it. */
const PACKAGES = [
	{ manifest: fakes, folder: 'packages/fakes', users: ['vitest', '@slack/bolt'] },
	{ manifest: studio, folder: 'packages/studio', users: ['openai'] },
];

let folder: string;
const homeOf = (name: string) => join(folder, name);
const installed = (name: string) => join(homeOf(name), 'node_modules', name);

/** Packs a package, and installs it into an empty folder, with nothing beside it but what it says that it needs, and its user's packages. */
async function install({ manifest, folder: directory, users }: (typeof PACKAGES)[number]) {
	await run('npm', ['pack', '--pack-destination', folder], { cwd: join(ROOT, directory) });
	const modules = dirname(installed(manifest.name));
	await mkdir(modules, { recursive: true });
	await run('tar', ['xzf', join(folder, `${manifest.name}-${manifest.version}.tgz`), '-C', modules]);
	await rename(join(modules, 'package'), installed(manifest.name));
	for (const needed of [...Object.keys(manifest.dependencies), ...users]) {
		await mkdir(dirname(join(modules, needed)), { recursive: true });
		await symlink(join(ROOT, 'node_modules', needed), join(modules, needed));
	}
}

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), 'easel-packages-'));
	await Promise.all(PACKAGES.map(install));
}, 240_000);
afterAll(() => rm(folder, { recursive: true, maxRetries: 5 }));

test.each(PACKAGES)(
	'$manifest.name is published as Easel is, with its licence and without its sources',
	async (each) => {
		const { manifest, folder: directory } = each;
		const { version, license, publishConfig } = easel;
		const url = `git+https://github.com/${easel.repository.replace('github:', '')}.git`;
		expect(manifest).toMatchObject({ version, license, publishConfig, repository: { type: 'git', url, directory } });
		expect(manifest).not.toHaveProperty('private');
		const files = await readdir(installed(manifest.name), { recursive: true });
		expect(files).toEqual(expect.arrayContaining(['LICENSE', 'README.md']));
		expect(files.filter((file) => /(?<!\.d)\.ts$|\.(test|fixture)\./.test(file))).toEqual([]);
	},
);

/** The name of the package that a line imports from. */
const IMPORTED = /^(?:import|export|}).* from ['"]((?:@[\w.-]+\/)?[\w-][\w.-]*)(?:\/[^'"]*)?['"]/gm;

test.each(PACKAGES)('$manifest.name names every package that its code and its types need', async ({ manifest }) => {
	const { dependencies, peerDependencies } = manifest as Record<string, unknown> as Record<string, object | undefined>;
	const named = Object.keys({ ...dependencies, ...peerDependencies });
	const files = await readdir(installed(manifest.name), { recursive: true });
	const needed = new Set<string>();
	for (const file of files.filter((name) => /\.(js|d\.ts)$/.test(name)))
		for (const [, name = ''] of (await readFile(join(installed(manifest.name), file), 'utf8')).matchAll(IMPORTED))
			needed.add(name);
	expect(needed).toContain('zod');
	expect([...needed].filter((name) => !named.includes(name))).toEqual([]);
});

test.concurrent.each(PACKAGES)('each export of $manifest.name is imported, and has its types', async ({ manifest }) => {
	const names = Object.keys(manifest.exports).filter((path) => path !== './package.json');
	const program = names.map((path) => `import ${JSON.stringify(join(manifest.name, path))};\n`).join('');
	for (const name of ['all.mjs', 'all.mts']) await writeFile(join(homeOf(manifest.name), name), program);
	await run(process.execPath, ['all.mjs'], { cwd: homeOf(manifest.name) });
	const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
	const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'esnext', '--skipLibCheck'];
	await run(process.execPath, [compiler, ...options, '--noUncheckedSideEffectImports', 'all.mts'], {
		cwd: homeOf(manifest.name),
	});
});

/** A program of somebody else, on the openai SDK as it is. */
const DRAWING = `
import OpenAI from 'openai';

const draw = async (apiKey) => {
	const openai = new OpenAI({ baseURL: process.env.ADDRESS, apiKey, maxRetries: 0 });
	const { data } = await openai.images.generate({ prompt: 'a fox under a sign that says "Open"', size: '256x192' });
	return data[0].b64_json;
};
const picture = await draw('ada');
console.log(JSON.stringify({ picture, same: picture === (await draw('ben')), again: picture === (await draw('ada')) }));
`;

test('the studio, started by its program, draws for the openai SDK, and the same words give the same picture', async () => {
	const cwd = homeOf(studio.name);
	const program = spawn(process.execPath, [join(installed(studio.name), studio.bin['easel-studio'])], { cwd });
	onTestFinished(() => void program.kill('SIGKILL'));
	const [line] = (await once(createInterface(program.stdout), 'line')) as [string];
	const ADDRESS = /http:\S+\/v1$/.exec(line)?.[0];
	await writeFile(join(cwd, 'draw.mjs'), DRAWING);
	const { stdout } = await run(process.execPath, ['draw.mjs'], { cwd, env: { ADDRESS } });
	const { picture, ...repeated } = JSON.parse(stdout) as { picture: string };
	// Who asks again wants another picture.
	expect(repeated).toEqual({ same: true, again: false });
	expect(await sharp(Buffer.from(picture, 'base64')).metadata()).toMatchObject({ width: 256, height: 192 });
	program.kill('SIGTERM');
	expect(await once(program, 'exit')).toEqual([0, null]);
});

test('the fakes catch the faults of bots on discord.js and on Bolt: their examples in JavaScript', async () => {
	const cwd = homeOf(fakes.name);
	for (const name of ['discord', 'slack']) {
		const example = await readFile(join(ROOT, `packages/fakes/examples/${name}.test.ts`), 'utf8');
		const foreign = example.replace(/'\.\.\/src\/(\w+)(\/index)?\.ts'/g, `'${fakes.name}/$1'`);
		await writeFile(join(cwd, `${name}.test.mjs`), stripTypeScriptTypes(foreign));
	}
	const report = join(cwd, 'report.json');
	await run(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', '--reporter=json', `--outputFile=${report}`], {
		cwd,
		env: { PATH: process.env['PATH'] },
	});
	expect(JSON.parse(await readFile(report, 'utf8'))).toMatchObject({ success: true, numPassedTests: 4 });
});
