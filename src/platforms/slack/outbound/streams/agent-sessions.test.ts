import { webApi } from '@slack/bolt';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { Place } from '../../../../domain/place.ts';
import { translatorFor } from '../../../../i18n/translator.ts';
import type { CallWithRetry } from '../../api/call-with-retry.ts';
import { AgentSessions } from './agent-sessions.ts';

const place: Place = { platform: 'slack', server: 'T1', channel: 'C1', thread: '1.1' };

/** Sessions in a Slack whose methods return these errors or this warning, with the calls that were made. */
function open(errors: Readonly<Record<string, string>> = {}, warning?: string) {
	let now = 1;
	const calls: object[] = [];
	const call = (async (_, method, work) => {
		const setStatus = async (args: { status: string; channel_id: string }) => {
			calls.push({ method, status: args.status });
			const error = errors[`${method} ${args.channel_id}`] ?? errors[method];
			if (error) throw new webApi.WebAPIPlatformError({ ok: false, error } as never);
			return { ok: true, ...(warning && { warning }) };
		};
		return work({ agents: { sessions: { setStatus } }, assistant: { threads: { setStatus } } } as never);
	}) as CallWithRetry;
	const sessions = new AgentSessions({
		call,
		people: { translator: () => translatorFor() },
		log: pino({ level: 'silent' }),
		now: () => now,
	});
	const wait = (ms: number) => {
		now += ms;
	};
	return { sessions, calls, wait };
}

test('sets the status of a thread, again after a minute, and ends it once', async () => {
	const { sessions, calls, wait } = open();
	await sessions.processing(place, 'U1');
	await sessions.processing(place, 'U1');
	wait(60_000);
	await sessions.processing(place, 'U1');
	await sessions.active(place);
	await sessions.active(place);
	const method = 'agents.sessions.setStatus';
	expect(calls).toEqual([
		{ method, status: 'processing' },
		{ method, status: 'processing' },
		{ method, status: 'active' },
	]);
	expect(sessions.hasStopButton(place)).toBe(true);
	expect(sessions.hasStopButton({ ...place, server: 'T2' })).toBe(false);
});

test('uses the status line of a workspace without sessions, which has no stop button', async () => {
	const { sessions, calls } = open({ 'agents.sessions.setStatus': 'feature_disabled' });
	await sessions.processing(place);
	await sessions.processing({ ...place, thread: '2.2' });
	await sessions.active(place);
	expect(calls.map((call) => (call as { method: string }).method)).toEqual([
		'agents.sessions.setStatus',
		'assistant.threads.setStatus',
		'assistant.threads.setStatus',
	]);
	expect(sessions.hasStopButton(place)).toBe(false);
});

test('makes no more calls in a workspace that has neither, and ignores other failures', async () => {
	const neither = open({
		'agents.sessions.setStatus': 'unknown_method',
		'assistant.threads.setStatus': 'missing_scope',
	});
	await neither.sessions.processing(place);
	await neither.sessions.processing({ ...place, thread: '2.2' });
	expect(neither.calls).toHaveLength(2);
	const failing = open({ 'agents.sessions.setStatus': 'internal_error' });
	await failing.sessions.processing(place);
	await failing.sessions.processing({ ...place, thread: '2.2' });
	expect(failing.calls).toHaveLength(2);
});

test('shows nothing outside of threads', async () => {
	const { sessions, calls } = open();
	const { thread: _, ...channel } = place;
	await sessions.processing(channel);
	await sessions.active(channel);
	expect(calls).toEqual([]);
});

test('clears the status that another process has left, after all calls before it', async () => {
	const { sessions, calls } = open();
	await sessions.clear(place);
	await Promise.all([sessions.processing(place), sessions.active(place)]);
	expect(calls.map((call) => (call as { status: string }).status)).toEqual(['active', 'processing', 'active']);
});

test('has no stop button in an app without its event', async () => {
	const { sessions } = open({}, 'missing_agent_session_stopped_event_subscription');
	await sessions.processing(place);
	expect(sessions.hasStopButton(place)).toBe(false);
});

test.for(['not_authorized', 'no_permission', 'access_denied'])(
	'%s in a channel holds for that channel, for an hour; in direct messages for the workspace',
	async (error) => {
		const method = 'agents.sessions.setStatus';
		const { sessions, calls, wait } = open({ [`${method} C1`]: error, [`${method} D1`]: error });
		const methods = () => calls.splice(0).map((call) => (call as { method: string }).method);
		const start = (channel: string, thread: string) => sessions.processing({ ...place, channel, thread });
		await start('C1', '1.1');
		expect(methods()).toEqual([method, 'assistant.threads.setStatus']);
		await start('C1', '2.2');
		expect(methods()).toEqual(['assistant.threads.setStatus']);
		await start('C2', '3.3');
		expect(methods()).toEqual([method]);
		expect(sessions.hasStopButton({ ...place, channel: 'C1' })).toBe(false);
		expect(sessions.hasStopButton({ ...place, channel: 'C2' })).toBe(true);
		wait(3600_001);
		await start('C1', '4.4');
		expect(methods()).toContain(method);
		await start('D1', '5.5');
		await start('C2', '6.6');
		expect(methods()).toEqual([method, 'assistant.threads.setStatus', 'assistant.threads.setStatus']);
		expect(sessions.hasStopButton({ ...place, channel: 'C2' })).toBe(false);
	},
);

test('a channel that has neither does not turn off the sessions of the workspace', async () => {
	const method = 'agents.sessions.setStatus';
	const { sessions, calls } = open({
		[`${method} C1`]: 'not_authorized',
		'assistant.threads.setStatus': 'missing_scope',
	});
	await sessions.processing(place);
	await sessions.processing({ ...place, thread: '2.2' });
	await sessions.processing({ ...place, channel: 'C2' });
	expect(calls.map((call) => (call as { method: string }).method)).toEqual([
		...[method, 'assistant.threads.setStatus', method],
	]);
	expect(sessions.hasStopButton({ ...place, channel: 'C2' })).toBe(true);
});
