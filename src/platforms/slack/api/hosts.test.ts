import { describe, expect, test } from 'vitest';
import { createHosts } from './calls.ts';

const at = (address: string) => new URL(address);

describe('with Slack itself', () => {
	const hosts = createHosts('https://slack.com/api/', ['https://files.example.com']);

	test.each([
		['https://files.slack.com/files-pri/T1-F1/fox.png', true],
		['https://slack.com/files/fox.png', true],
		['https://files.atelier.enterprise.slack.com/fox.png', true],
		['http://files.slack.com/fox.png', false],
		['https://files.slack.com:8443/fox.png', false],
		['http://slack.com/api/files.info', false],
		['https://slack.com:8443/api/files.info', false],
		['https://files.slack.com.example.com/fox.png', false],
		['https://notslack.com/fox.png', false],
		['https://user@evil.com/files.slack.com', false],
		['https://files.example.com/fox.png', false],
		['https://127.0.0.1/fox.png', false],
	])('%s may see the token: %s', (address, may) => {
		expect(hosts.maySeeToken(at(address))).toBe(may);
	});

	test('calls listed origins without the token, and no others', () => {
		expect(hosts.mayCall(at('https://files.example.com/fox.png'))).toBe(true);
		expect(hosts.mayCall(at('http://files.example.com/fox.png'))).toBe(false);
		expect(hosts.mayCall(at('http://169.254.169.254/latest'))).toBe(false);
	});

	test('passes the token on to Slack only', () => {
		const from = at('https://files.slack.com/a');
		expect(hosts.mayPassToken(from, at('https://files.atelier.slack.com/a'))).toBe(true);
		expect(hosts.mayPassToken(from, at('https://files.example.com/a'))).toBe(false);
	});
});

test('GovSlack is a Slack of its own', () => {
	const hosts = createHosts('https://slack-gov.com/api/');
	expect(hosts.maySeeToken(at('https://files.slack-gov.com/a'))).toBe(true);
	expect(hosts.mayCall(at('https://hooks.slack-gov.com/commands/T1/1'))).toBe(true);
	expect(hosts.maySeeToken(at('https://files.slack.com/a'))).toBe(false);
	expect(createHosts('https://slack.com/api/').mayCall(at('https://files.slack-gov.com/a'))).toBe(false);
});

test('the scheme, host and port of the Web API may see the token, and pass it to no other origin', () => {
	const hosts = createHosts('http://127.0.0.1:5000/api/');
	const files = at('http://127.0.0.1:5000/files');
	expect(hosts.maySeeToken(files)).toBe(true);
	expect(hosts.mayPassToken(files, at('http://127.0.0.1:5000/other'))).toBe(true);
	for (const other of ['http://127.0.0.1:5001/files', 'https://127.0.0.1:5000/files', 'http://localhost:5000/files']) {
		expect([other, hosts.maySeeToken(at(other)), hosts.mayCall(at(other))]).toEqual([other, false, false]);
		expect(hosts.mayPassToken(files, at(other))).toBe(false);
	}
});
