import type { ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { answersPictures, held, smallPng, startFaultyService } from '../packages/fakes/src/service.ts';
import { type SlackFake, startSlack, type TeamDescription } from '../packages/fakes/src/slack/index.ts';
import { ATELIER_APP } from '../packages/fakes/src/slack/manifest.ts';
import { startProcess } from './harness/process.ts';
import { hasRedis, startRedis } from './harness/redis.ts';

let folder: string;
let slack: SlackFake;
const running = new Set<ChildProcess>();

beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), 'easel-'));
	slack = await startSlack({ pace: 0.02 });
});
afterEach(async () => {
	for (const child of running) child.kill('SIGKILL');
	running.clear();
	await slack.close();
	await rm(folder, { recursive: true, maxRetries: 5 });
	expect(slack.violations).toEqual([]);
});

function run(env: Record<string, string>) {
	const easel = startProcess(folder, { SLACK_API_URL: slack.apiUrl, ...env });
	running.add(easel.child);
	return easel;
}

const socket = () => ({ SLACK_BOT_TOKEN: slack.botToken, SLACK_APP_TOKEN: slack.appToken });
const http = () => ({ SLACK_BOT_TOKEN: slack.botToken, SLACK_SIGNING_SECRET: slack.signingSecret });

async function health(address: string) {
	const response = await fetch(`${address}/healthz`);
	return { code: response.status, ...((await response.json()) as { platforms: object }) };
}

const answers = async () => (await slack.user('ada').look()).map(({ text }) => text).join();

/** Starts a Slack whose workspaces install the app by OAuth. Returns the environment of Easel. */
async function distributed(teams: readonly TeamDescription[]) {
	await slack.close();
	const redirect_urls = ['https://easel.example.com/slack/oauth_redirect'];
	slack = await startSlack({
		...{ mode: 'http', rotation: true, pace: 0.02, teams },
		manifest: { ...ATELIER_APP, oauth_config: { ...ATELIER_APP.oauth_config, redirect_urls } },
	});
	return {
		...{ SLACK_CLIENT_ID: slack.clientId, SLACK_CLIENT_SECRET: slack.clientSecret },
		...{ SLACK_STATE_SECRET: 'the state secret of these workspaces', SLACK_SIGNING_SECRET: slack.signingSecret },
	};
}

/** Installs the app in a person's workspace. Returns the last page. */
async function install(address: string, person: string): Promise<string> {
	const redirected = await fetch(`${address}/slack/install`, { redirect: 'manual' });
	const { search } = new URL(slack.allow(redirected.headers.get('location') ?? '', person));
	const cookie = redirected.headers.getSetCookie()[0]?.split(';')[0] ?? '';
	const page = await fetch(`${address}/slack/oauth_redirect${search}`, { headers: { cookie } });
	expect(page.status).toBe(200);
	return page.text();
}

test('in Socket Mode, Easel answers in Slack, serves no sandbox, and exits after SIGTERM', async () => {
	const easel = run(socket());
	const address = await easel.address;
	expect(await health(address)).toMatchObject({ code: 200, platforms: { slack: 'ready' } });
	expect((await fetch(address)).status).toBe(404);
	await slack.user('ada').types('/models');
	await expect.poll(answers, { timeout: 10_000 }).toContain('alpha-image');
	easel.child.kill('SIGTERM');
	expect(await easel.ended).toBe(0);
	await expect.poll(() => slack.sockets.connected()).toBe(0);
	const log = easel.lines.join();
	expect(log).toContain('Slack: in Atelier as @');
	for (const secret of [slack.botToken, slack.appToken]) expect(log).not.toContain(secret);
});

test('in HTTP mode, Easel answers requests to its listener', async () => {
	const easel = run(http());
	const address = await easel.address;
	Object.assign(slack.settings, { mode: 'http', requestUrl: `${address}/slack/events` });
	expect(await slack.verifyUrl()).toBe('right');
	await slack.user('ada').types('/models');
	await expect.poll(answers, { timeout: 10_000 }).toContain('alpha-image');
	expect((await fetch(`${address}/slack/install`)).status).toBe(404);
	easel.child.kill('SIGTERM');
	expect(await easel.ended).toBe(0);
	expect(easel.lines.join()).not.toContain(slack.signingSecret);
});

test('with OAuth, Easel is installed in a workspace, also after a restart', async () => {
	const env = await distributed([{ name: 'Atelier', users: { ada: { name: 'Ada', admin: true } }, installed: false }]);
	const first = run(env);
	let address = await first.address;
	expect(await health(address)).toMatchObject({ code: 200, platforms: { slack: 'ready' } });
	expect(await install(address, 'ada')).toContain('Easel is installed in Atelier');
	first.child.kill('SIGTERM');
	expect(await first.ended).toBe(0);

	const second = run(env);
	address = await second.address;
	slack.settings.requestUrl = `${address}/slack/events`;
	await slack.user('ada').types('/models');
	await expect.poll(answers, { timeout: 10_000 }).toContain('alpha-image');
	const log = [...first.lines, ...second.lines].join();
	expect(log).not.toMatch(/xox[be]|the state secret/);
	expect(log).not.toContain(slack.clientSecret);
});

test('with two workspaces, one of which removes and reinstalls the app meanwhile, each gets its own picture by its own token', async () => {
	const service = await startFaultyService();
	onTestFinished(service.close);
	const env = await distributed([
		{ name: 'Atelier', users: { ada: { name: 'Ada', admin: true } } },
		{ name: 'Bindery', users: { bea: { name: 'Bea', admin: true } } },
	]);
	const easel = run({
		...{ ...env, SERVICE_BASE_URL: service.url, SERVICE_PROFILE: 'easel', SERVICE_API_KEY: 'key' },
	});
	const address = await easel.address;
	slack.settings.requestUrl = `${address}/slack/events`;
	await install(address, 'ada');
	await install(address, 'bea');
	const calls = [held(answersPictures(await smallPng())), held(answersPictures(await smallPng()))];
	service.next(...calls.map(({ behaviour }) => behaviour));
	const [ada, bea] = [slack.user('ada'), slack.user('bea')];
	await Promise.all([ada.types('/imagine a fox of Ada'), bea.types('/imagine a fox of Bea')]);
	await service.arrived(2);
	slack.uninstall('Atelier');
	await expect.poll(() => easel.lines.join()).toContain('the app was removed');
	for (const { release } of calls) release();
	await expect
		.poll(async () => (await bea.look()).filter(({ pictures }) => pictures.length > 0), { timeout: 10_000 })
		.toEqual([expect.objectContaining({ text: expect.stringMatching(/a fox of Bea/), pictures: [expect.anything()] })]);

	await expect.poll(() => easel.lines.join()).toContain('could not be posted');
	await install(address, 'ada');
	await expect
		.poll(async () => (await ada.look()).flatMap(({ pictures }) => pictures), { timeout: 15_000 })
		.toHaveLength(1);
	expect(service.requests).toHaveLength(2);
}, 30_000);

test.runIf(hasRedis)(
	'two processes on one store answer each delivery once and never exceed a cap',
	async () => {
		const redis = await startRedis();
		onTestFinished(redis.close);
		const service = await startFaultyService();
		onTestFinished(service.close);
		slack.settings.duplicates = true;
		const env = {
			...socket(),
			STORE_URL: redis.url,
			SERVICE_BASE_URL: service.url,
			SERVICE_PROFILE: 'easel',
			SERVICE_API_KEY: 'key',
		};
		for (const easel of [run(env), run(env)]) await easel.address;
		await slack.sockets.whenConnected(4);
		await slack.user('ada').types('/limits set server day 3');
		await expect.poll(answers, { timeout: 10_000 }).toContain('3 calls a day');
		const request = (number: number) => slack.user(number % 2 ? 'ada' : 'bjorn').types(`/imagine fox ${number}`);
		await Promise.all(Array.from({ length: 10 }, (_, number) => request(number)));
		const seen = async () => [...(await slack.user('ada').look()), ...(await slack.user('bjorn').look())];
		const ends = async () => [...new Map((await seen()).map((one) => [one.id, one])).values()];
		const count = async (words: RegExp) => (await ends()).filter(({ text }) => words.test(text)).length;
		await expect.poll(() => count(/used 3 of 3 calls/), { timeout: 10_000 }).toBe(7);
		await expect.poll(() => count(/0 of 3 left/), { timeout: 10_000 }).toBe(3);
		expect(await ends()).toHaveLength(11);
		expect(service.requests).toHaveLength(3);
	},
	30_000,
);

test.for<[token: string, env: () => Record<string, string>, sentence: RegExp]>([
	[
		'a bot token',
		() => ({ ...socket(), SLACK_BOT_TOKEN: 'xoxb-wrong-token' }),
		/does not know the token in SLACK_BOT_TOKEN/,
	],
	[
		'an app token',
		() => ({ ...socket(), SLACK_APP_TOKEN: 'xapp-wrong-token' }),
		/does not know the token in SLACK_APP_TOKEN/,
	],
	[
		'a bot token for HTTP',
		() => ({ ...http(), SLACK_BOT_TOKEN: 'xoxb-wrong-token' }),
		/does not know the token in SLACK_BOT_TOKEN/,
	],
])('%s that Slack does not know ends the process with one sentence', async ([, env, sentence]) => {
	const easel = run(env());
	await easel.address.catch(() => {});
	expect(await easel.ended).toBe(78);
	expect(easel.errors).toEqual([expect.stringMatching(sentence)]);
	expect(easel.lines.filter((line) => JSON.parse(line).level >= 50)).toEqual([]);
	expect([...easel.lines, ...easel.errors].join()).not.toMatch(/wrong-token|UnhandledPromise/);
});

test('while Slack cannot be reached, /healthz returns 503 and SIGTERM ends the process', async () => {
	slack.faults.die('auth.test', 1_000_000);
	const easel = run(socket());
	const address = await easel.address;
	expect(await health(address)).toMatchObject({ code: 503, platforms: { slack: 'unreachable' } });
	slack.faults.clear();
	await expect.poll(() => health(address), { timeout: 10_000 }).toMatchObject({ code: 200 });
	await slack.sockets.whenConnected(2);
	slack.faults.die('apps.connections.open', 1_000_000);
	slack.sockets.drop('all');
	await expect
		.poll(() => health(address), { timeout: 10_000 })
		.toMatchObject({ code: 503, platforms: { slack: 'reconnecting' } });
	easel.child.kill('SIGTERM');
	expect(await easel.ended).toBe(0);
});
