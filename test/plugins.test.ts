import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Actor } from '../packages/fakes/src/actor.ts';
import { startFaultyService } from '../packages/fakes/src/service.ts';
import { INHERITED, startProcess } from './harness/process.ts';
import { userAt } from './harness/sandbox.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '..');

/** Returns a module whose default export is `/shout` with changes. */
const shout = (changes: string) => `import { defineCommand, z } from 'easel/command';
export default defineCommand({
	name: 'shout', description: 'shout.description', makes: 'answer', options: z.strictObject({}), run: () => 'HELLO',
	messages: { en: { 'shout.description': 'Says hello' } },
	${changes}
});`;

/** Modules that are faulty, and what is said of each. */
const FAULTY: Readonly<Record<string, [module: string, sentence: RegExp]>> = {
	'a.ts': ['export default {', /^a\.ts is left out: .+\.$/],
	'b.js': ['throw new Error("no\\nluck")', /^b\.js is left out: no\.$/],
	'c.js': ['export const command = 1', /its default export is no command/],
	'd.ts': [shout("name: 'imagine'"), /there is a command \/imagine already/],
	'e.ts': [shout("name: 'Shout it'"), /its name is not one word in lower case/],
	'f.ts': [shout('messages: { de: {} }'), /its messages lacks English/],
	'g.ts': [shout("messages: { en: { 'imagine.description': 'Mine' } }"), /imagine\.description begins with neither/],
	'h.ts': [shout("messages: { en: { 'shout.description': '{' } }"), /is not in ICU syntax \(en\)/],
	'i.ts': [shout('options: { words: String }'), /its options is not z\.strictObject/],
	'j.ts': [shout('options: z.strictObject({ a: z.date() })'), /\/shout/],
	'k.ts': [
		shout(
			"makes: 'thread', texts: {}, options: z.strictObject({ a: z.string().max(9).describe('shout.description') })",
		),
		/its texts do not say whether a is screened/,
	],
	'l.ts': [shout("description: 'shout.missing'"), /shout\.missing/],
	'm.js': ['await new Promise(() => {})', /it did not load within 10 seconds/],
};

describe('commands from outside', () => {
	let folder: string;
	let service: Awaited<ReturnType<typeof startFaultyService>>;
	const modules = () => join(folder, 'commands');
	const start = (env: Record<string, string> = {}) =>
		startProcess(folder, { SERVICE_BASE_URL: service.url, SERVICE_API_KEY: 'key', SERVICE_PROFILE: 'easel', ...env });
	const people = async (easel: ReturnType<typeof start>) => {
		const address = await easel.address;
		return new Actor(userAt('ada', () => address));
	};
	const stop = async (easel: ReturnType<typeof start>) => {
		easel.child.kill('SIGTERM');
		expect(await easel.ended).toBe(0);
	};

	/** Packs the example, and installs the packed file in the folder. */
	beforeAll(async () => {
		folder = await mkdtemp(join(tmpdir(), 'easel-plugins-'));
		service = await startFaultyService();
		await run('npm', ['pack', join(ROOT, 'docs/plugins/easel-command-poster'), '--pack-destination', folder]);
		await mkdir(join(folder, 'node_modules'));
		await mkdir(modules());
		await run('tar', ['xzf', join(folder, 'easel-command-poster-1.0.0.tgz'), '-C', folder]);
		await rename(join(folder, 'package'), join(folder, 'node_modules/easel-command-poster'));
	});
	afterAll(async () => {
		await service.close();
		await rm(folder, { recursive: true });
	});

	test('draw, with their own words, options and rules, and leave results behind when they go', async () => {
		const easel = start();
		const ada = await people(easel);
		await ada.does('/limits ban', { words: 'gloomy' });
		await ada
			.does('/poster', { prompt: 'a circus', title: 'Gloomy days' })
			.sees({ text: /moderators have banned/, private: true });
		const poster = await ada
			.does('/poster', { prompt: 'a circus', title: 'Tonight', size: 'wide' })
			.sees({ text: /a circus.*AI-generated for Ada/s, pictures: 1 });
		expect(JSON.parse(String(service.requests[0]?.body))).toMatchObject({
			prompt: 'A poster of a circus, with the title "Tonight"',
		});
		await ada.presses('Again', poster).sees({ pictures: 1 });
		await ada.does('/usage').sees(/You today: 2/);
		await stop(easel);

		await rename(join(folder, 'node_modules'), join(folder, 'elsewhere'));
		const without = start();
		const again = await people(without);
		await again.presses('Again', poster).sees(/poster/);
		await again.does('/imagine', { prompt: 'a pond' }).sees({ pictures: 1 });
		expect(service.requests).toHaveLength(3);
		await stop(without);
		await rename(join(folder, 'elsewhere'), join(folder, 'node_modules'));
	});

	test('that are faulty are left out with one sentence each, and the others work', async () => {
		for (const [name, [module]] of Object.entries(FAULTY)) await writeFile(join(modules(), name), module);
		await writeFile(join(modules(), 'shout.ts'), shout(''));
		const easel = start({ PLUGINS_DIR: 'commands' });
		const ada = await people(easel);
		await ada.does('/shout').sees({ text: /^HELLO$/, private: true });
		const said = easel.lines.map((line) => JSON.parse(line).msg as string);
		for (const [name, [, sentence]] of Object.entries(FAULTY)) {
			const ours = said.filter((line) => line.startsWith(`${name} is left out`));
			expect(ours).toEqual([expect.stringMatching(sentence)]);
		}
		await stop(easel);
	});

	test('are listed by the doctor, in the manifest, and explained where there is no such folder', async () => {
		await rm(modules(), { recursive: true });
		const program = (name: string, ...words: string[]) =>
			run(process.execPath, [join(ROOT, 'src/cli/easel.ts'), name, ...words], {
				cwd: folder,
				env: { ...INHERITED, PLUGINS_DIR: '"commands"' },
			}).catch((error) => error as { stdout: string; stderr: string });
		const { stdout } = await program('doctor', '--json');
		const found = JSON.parse(stdout).checks.filter(({ group }: { group: string }) => group === 'Commands');
		expect(found).toMatchObject([
			{ level: 'ok', message: '/poster is from easel-command-poster 1.0.0.' },
			{ level: 'fault', message: 'PLUGINS_DIR: there is no folder commands.' },
		]);
		const manifest = await program('manifest');
		expect(manifest.stderr).toBe('PLUGINS_DIR: there is no folder commands.\n');
		expect(manifest.stdout).toContain('Make a poster with a title');
	});
});
