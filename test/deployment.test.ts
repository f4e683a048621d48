import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse as parseToml } from 'smol-toml';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments, parse as parseYaml } from 'yaml';
import { z } from 'zod';
import manifest from '../package.json' with { type: 'json' };

const ROOT = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

const IMAGE = `ghcr.io/${manifest.repository.replace('github:', '')}:${manifest.version}`;
const DATA = '/easel/data';
const seconds = z.string().regex(/^\d+s$/);

/** https://render.com/docs/blueprint-spec, of which these are the fields for a service from a Dockerfile. */
const RENDER = z.strictObject({
	services: z.array(
		z.strictObject({
			type: z.enum(['web', 'pserv', 'worker', 'cron', 'keyvalue']),
			name: z.string(),
			runtime: z.enum(['docker', 'image', 'node', 'python', 'ruby', 'go', 'rust', 'elixir', 'static']),
			plan: z.enum(['free', 'starter', 'standard', 'pro', 'pro plus', 'pro max', 'pro ultra']),
			healthCheckPath: z.string().startsWith('/'),
			maxShutdownDelaySeconds: z.int().min(1).max(300),
			disk: z.strictObject({ name: z.string(), mountPath: z.string().startsWith('/'), sizeGB: z.int().min(1) }),
			envVars: z.array(
				z.union([
					z.strictObject({ key: z.string(), value: z.string() }),
					z.strictObject({ key: z.string(), sync: z.literal(false) }),
				]),
			),
		}),
	),
});

/** https://fly.io/docs/reference/configuration/ */
const FLY = z.strictObject({
	app: z.string(),
	primary_region: z.string().length(3),
	kill_signal: z.enum(['SIGTERM', 'SIGINT', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2', 'SIGKILL', 'SIGSTOP']),
	kill_timeout: seconds,
	build: z.strictObject({ dockerfile: z.string(), args: z.record(z.string(), z.string()) }),
	env: z.record(z.string(), z.string()),
	mounts: z.array(
		z.strictObject({ source: z.string(), destination: z.string().startsWith('/'), initial_size: z.string() }),
	),
	http_service: z.strictObject({
		internal_port: z.int(),
		force_https: z.boolean(),
		auto_stop_machines: z.enum(['off', 'stop', 'suspend']),
		auto_start_machines: z.boolean(),
		min_machines_running: z.int(),
		checks: z.array(
			z.strictObject({
				...{ method: z.enum(['GET', 'HEAD']), path: z.string().startsWith('/') },
				...{ interval: seconds, timeout: seconds, grace_period: seconds },
			}),
		),
	}),
	vm: z.array(z.strictObject({ size: z.string(), memory: z.string() })),
});

/** https://docs.railway.com/config-as-code/reference */
const RAILWAY = z.strictObject({
	$schema: z.literal('https://railway.com/railway.schema.json'),
	build: z.strictObject({ builder: z.enum(['RAILPACK', 'DOCKERFILE']), dockerfilePath: z.string() }),
	deploy: z.strictObject({
		healthcheckPath: z.string().startsWith('/'),
		healthcheckTimeout: z.int(),
		requiredMountPath: z.string().startsWith('/'),
		restartPolicyType: z.enum(['ON_FAILURE', 'ALWAYS', 'NEVER']),
		drainingSeconds: z.int(),
		overlapSeconds: z.int(),
	}),
});

describe('the templates of hosts are what these take, keep the data, and open no sandbox to strangers:', () => {
	const needs = { RUN_AS: '0:0', PORT: '3000', SANDBOX: 'off' };

	test('Render', () => {
		const [service, ...others] = RENDER.parse(parseYaml(read('render.yaml'))).services;
		expect(others).toEqual([]);
		expect(service).toMatchObject({ runtime: 'docker', healthCheckPath: '/livez', disk: { mountPath: DATA } });
		const values = service?.envVars.flatMap((one) => ('value' in one ? [[one.key, one.value]] : [])) ?? [];
		expect(Object.fromEntries(values)).toEqual(needs);
	});

	test('Fly.io', () => {
		const app = FLY.parse(parseToml(read('fly.toml')));
		expect({ ...app.build.args, ...app.env }).toEqual(needs);
		expect(app.mounts).toMatchObject([{ destination: DATA }]);
		expect(app.http_service).toMatchObject({
			internal_port: 3000,
			auto_stop_machines: 'off',
			checks: [{ path: '/livez' }],
		});
	});

	test('Railway', () => {
		const { build, deploy } = RAILWAY.parse(JSON.parse(read('railway.json')));
		expect(build.builder).toBe('DOCKERFILE');
		// Two processes on one SQLite file would each think that the other has died.
		expect(deploy).toMatchObject({ healthcheckPath: '/livez', requiredMountPath: DATA, overlapSeconds: 0 });
	});
});

describe('the files for containers', () => {
	const image = z.looseObject({ image: z.string() });

	test('run the published image of this version, as the user that it has', () => {
		const easel = z.looseObject({ image: z.literal(IMAGE), read_only: z.literal(true), volumes: z.array(z.string()) });
		for (const file of ['compose.yaml', ...globSync('docs/deployment/*.yaml', { cwd: ROOT })]) {
			if (file.endsWith('kubernetes.yaml')) continue;
			const services = z.record(z.string(), image).parse(parseYaml(read(file), { merge: true }).services);
			const ours = Object.entries(services).filter(([name]) => name.startsWith('easel'));
			expect(ours.length, file).toBeGreaterThan(0);
			for (const [, service] of ours) expect(easel.parse(service).volumes).toContain(`data:${DATA}`);
		}
		const [user = ''] = /(?<=RUN_AS=)[1-9]\d+/.exec(read('Dockerfile')) ?? [];
		const [set] = parseAllDocuments(read('docs/deployment/kubernetes.yaml')).map((document) => document.toJS());
		const pod = set.spec.template.spec;
		expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: Number(user), fsGroup: Number(user) });
		expect(image.parse(pod.containers[0]).image).toBe(IMAGE);
		expect(pod.containers[0].securityContext.readOnlyRootFilesystem).toBe(true);
		const shards = pod.containers[0].env.find(({ name }: { name: string }) => name === 'DISCORD_SHARDS');
		expect(shards.value).toBe(`$(REPLICA)-$(REPLICA)/${set.spec.replicas}`);
	});

	test('name images and actions by their digests', () => {
		for (const [line] of read('Dockerfile').matchAll(/^FROM .*/gm))
			expect(line).toMatch(/@sha256:[\da-f]{64}( AS \w+)?$/);
		for (const file of globSync('.github/workflows/*.yml', { cwd: ROOT })) {
			expect(parseYaml(read(file))).toHaveProperty('jobs');
			for (const [, action = ''] of read(file).matchAll(/^ *-? *uses: (.+)/gm))
				expect(action).toMatch(/^[\w-]+\/[\w-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/);
		}
	});
});

test('the notes of a release are what the changelog says of its version', () => {
	const notes = (tag: string) =>
		execFileSync(process.execPath, ['.github/release-notes.mjs', tag], { cwd: ROOT, encoding: 'utf8', stdio: 'pipe' });
	expect(notes(`v${manifest.version}`)).toMatch(/^Easel .{200,}/s);
	expect(() => notes('v0.0.1')).toThrow(/The tag is 0\.0\.1/);
});
