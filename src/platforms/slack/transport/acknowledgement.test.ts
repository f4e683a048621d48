import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { lineLog } from '../log.fixture.ts';
import { Acknowledgement } from './dispatch.ts';

let sent: unknown[];
const delivery = {
	acknowledge: async (response?: unknown) => void sent.push(response),
	decline: () => void sent.push('declined'),
};

beforeEach(() => {
	sent = [];
	vi.useFakeTimers();
});
afterEach(() => void vi.useRealTimers());

test('is sent once', async () => {
	const { log } = lineLog();
	const acknowledgement = new Acknowledgement(delivery, 'command', log);
	await acknowledgement.send('a response');
	await acknowledgement.send('another');
	acknowledgement.decline();
	vi.runAllTimers();
	expect(sent).toEqual(['a response']);
});

test('is sent without a response when it is late', async () => {
	const { log, lines } = lineLog();
	const acknowledgement = new Acknowledgement(delivery, 'command', log, 2500);
	vi.advanceTimersByTime(2499);
	expect(sent).toEqual([]);
	vi.advanceTimersByTime(1);
	await acknowledgement.send('late');
	expect(sent).toEqual([undefined]);
	expect(lines.join()).toContain('in time');
});

test('is not sent after it was declined', async () => {
	const { log } = lineLog();
	const acknowledgement = new Acknowledgement(delivery, 'command', log);
	acknowledgement.decline();
	vi.runAllTimers();
	await acknowledgement.send();
	expect(sent).toEqual(['declined']);
});

test('does not reject when the connection is gone', async () => {
	const { log, lines } = lineLog();
	const gone = { ...delivery, acknowledge: () => Promise.reject(new Error('the socket is closed')) };
	await new Acknowledgement(gone, 'command', log).send();
	expect(lines.join()).toContain('did not reach Slack');
});
