import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fault, ok } from '../domain/findings.ts';
import { createCleanText, jsonReport, runChecks, textReport } from './diagnose.ts';

test('checks run at the same time, and are reported in their order, one that never answers too', async () => {
	const { promise, resolve } = Promise.withResolvers<void>();
	const all = {
		slow: () => promise.then(() => ok('Done.')),
		never: () => new Promise<never>(() => {}),
		last() {
			resolve();
			return [ok('One.'), ok('Two.')];
		},
	};
	const results = await runChecks({ all }, (text) => text, { never: 1 });
	expect(results.map(({ check, message }) => `${check} ${message}`)).toEqual([
		'slow Done.',
		'never There was no answer within 0.001 s.',
		'last One.',
		'last Two.',
	]);
});

test('no secret is in any line, wherever a check has it from', async () => {
	const secret = fc.string({ minLength: 8, maxLength: 40 }).filter((text) => /[^\s]{8}/.test(text));
	const plain = /redacted|Password|DISCORD|message|variable|https:..x.test.|The check failed|group|level|Error/i;
	await fc.assert(
		fc.asyncProperty(secret, fc.nat(4), async (value, way) => {
			fc.pre(!plain.test(value));
			const written =
				[value, encodeURIComponent(value), Buffer.from(value.trim()).toString('base64'), value.trim()][way] ?? value;
			const text = `https://x.test/${written}?q`;
			const fails = Object.assign(new Error(text, { cause: new TypeError(text) }), { code: text });
			const all = { quotes: () => fault(text, text, text), throws: () => Promise.reject(fails) };
			const env =
				way % 2 ? { DISCORD_TOKEN: value } : { STORE_URL: `redis://user:${value}@host`, SLACK_STATE_SECRET: value };
			const results = await runChecks({ all }, createCleanText(env));
			const report = textReport(results, true) + jsonReport(results);
			expect(report).not.toContain(value.trim());
			expect(report).not.toContain(JSON.stringify(value.trim()).slice(1, -1));
			expect(report).not.toContain(written.trim());
		}),
	);
});

test('names of servers and channels cannot change how a terminal shows a line', () => {
	expect(createCleanText({})('Club\u001b[2J\n\u202e#gnp: fine')).toBe('Club [2J #gnp: fine');
});
