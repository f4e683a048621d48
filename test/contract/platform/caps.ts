import { describe, expect } from 'vitest';
import { answers, diesAfterReading } from '../../../packages/fakes/src/service.ts';
import type { ContractTest } from './contract-test.ts';

const serverCap = (images: number) => ({ scope: 'server', period: 'day', images });

/** Tests the caps of a server and the commands that set them. */
export function caps(test: ContractTest): void {
	describe('caps', () => {
		test('refuse a call with their name, the usage and the reset; nothing is sent', async ({ service, ada, bjorn }) => {
			await ada.does('/limits set', serverCap(1)).sees({ text: /Set: this server: 1 call a day/, private: true });
			const first = await bjorn.does('/imagine', { prompt: 'the only one' }).sees({ pictures: 1 });
			expect(first.text).toMatch(/0 of 1 left today/);
			await ada
				.does('/imagine', { prompt: 'one too many' })
				.sees({ text: /This server has used 1 of 1 call today\. Resets/, private: true });
			expect(service.requests).toHaveLength(1);
		});

		test('give back a failed call', async ({ service, ada }) => {
			await ada.does('/limits set', serverCap(1)).sees(/Set/);
			service.next(answers(429));
			await ada.does('/imagine', { prompt: 'the first try' }).sees(/busy/);
			await ada.does('/imagine', { prompt: 'now it works' }).sees({ pictures: 1 });
		});

		test('are never exceeded by concurrent requests', async ({ service, ada, bjorn }) => {
			await ada.does('/limits set', serverCap(3)).sees(/Set/);
			await Promise.all(
				Array.from({ length: 12 }, (_, index) =>
					(index % 2 ? ada : bjorn).does('/imagine', { prompt: `number ${index}` }),
				),
			);
			const answers = async () => {
				const all = [...(await ada.looks()), ...(await bjorn.looks()).filter((message) => message.private)];
				return {
					pictures: all.filter(({ pictures }) => pictures.length > 0).length,
					refusals: all.filter(({ text }) => text.includes('has used 3 of 3')).length,
				};
			};
			await expect.poll(answers, { timeout: 10_000 }).toEqual({ pictures: 3, refusals: 9 });
			expect(service.requests).toHaveLength(3);
		});

		test('of the operator hold beside those of moderators, and count what was used before them', async ({
			harness,
			service,
			ada,
			bjorn,
		}) => {
			await bjorn.does('/imagine', { prompt: 'before the caps' }).sees({ pictures: 1 });
			await harness.restart({ caps: { serverPerDay: 3, memberPerDay: 2 } });
			await bjorn.does('/imagine', { prompt: 'the second of two' }).sees({ text: /0 of 2 left today/, pictures: 1 });
			await bjorn.does('/imagine', { prompt: 'one too many' }).sees({
				text: /operator of Easel allows each person, in all servers together, 2 calls a day; 2 used\. Resets/,
				private: true,
			});
			await ada.does('/limits set', serverCap(50)).sees(/50 calls a day\. The operator's cap is lower.*3 calls a day/);
			await ada.does('/limits settings', { time_zone: 'Pacific/Kiritimati' }).sees(/Kiritimati/);
			await ada.does('/imagine', { prompt: 'the third of three' }).sees({ pictures: 1 });
			await ada.does('/imagine', { prompt: 'refused' }).sees(/allows each server 3 calls a day; 3 used/);
			await ada.does('/usage').sees(/This server today \(operator's cap, UTC\): 3 of 3 used, 0 left/);
			await ada.does('/limits show').sees(/You, in all servers together today \(operator's cap, UTC\): 1 of 2 used/);
			expect(service.requests).toHaveLength(3);
		});

		test('are set by moderators only, and can be shown, changed and removed', async ({ ada, bjorn }) => {
			await bjorn.does('/limits set', serverCap(100)).sees({ text: /Only moderators/, private: true });
			await ada
				.does('/limits set', { scope: 'member', period: 'month', images: 20 })
				.sees(/every member: 20 calls a month/);
			await ada.does('/limits set', { ...serverCap(5), period: 'month' }).sees(/Set/);
			await ada.does('/limits set', { ...serverCap(9), period: 'month' }).sees(/Set/);
			const shown = await ada.does('/limits show').sees({ text: /Caps/, private: true });
			expect(shown.text).toMatch(/every member: 20 calls a month.*this server: 9 calls a month.*limits set/s);
			const [rules = '', changes = ''] = shown.text.split('Latest changes');
			expect(rules).not.toContain('5 calls');
			expect(changes).toMatch(/limits set; − this server: 5 calls a month; \+ this server: 9 calls a month/);
			await ada.does('/limits clear', { scope: 'server', period: 'month' }).sees(/Removed: this server: 9/);
			await ada.does('/limits clear', { scope: 'server', period: 'month' }).sees(/no such cap/);
		});

		test.for([
			[
				'an unknown scope',
				{ scope: 'planet', period: 'day', images: 1 },
				/`scope` must be one of server, channel, role, member/,
			],
			['a negative number', serverCap(-1), /`images` must be at least 0/],
			['the scope role without a role', { scope: 'role', period: 'day', images: 1 }, /`role` is missing/],
			['no options', {}, /is missing/],
		] as const)('are not changed by /limits set with %s', async ([_, options, sentence], { ada }) => {
			await ada.does('/limits set', options).sees({ text: sentence, private: true });
			await ada.does('/limits show').sees(/No caps are set/);
		});

		test('are shown with what is set and what counts today, and with the rest on request', async ({ ada, bjorn }) => {
			await ada.does('/imagine', { prompt: 'a pond' }).sees({ pictures: 1 });
			const rules = await ada
				.does('/limits show')
				.sees({ text: /No caps are set.*No rules are set/s, buttons: ['More'] });
			expect(rules.text).toContain('This server today: 1 used');
			expect(rules.text).not.toMatch(/Allowed channels|this month/);
			await ada.presses('More', rules).sees({ text: /Allowed channels: all.*This server this month/s, private: true });
			await ada.does('/limits settings', { cooldown: 1 }).sees(/cooldown: 1/);
			const set = await ada.does('/limits show').sees(/cooldown: 1 s/);
			expect(set.text).not.toContain('Allowed channels');
			const usage = await ada
				.does('/usage')
				.sees({ text: /You today: 1 used.*No cap applies here/s, buttons: ['More'] });
			expect(usage.text).not.toMatch(/this month|This server/);
			await ada.presses('More', usage).sees({ text: /This server today: 1 used/, private: true });
			await bjorn.does('/limits show').sees(/Only moderators/);
		});
	});

	test('/limits overage and /limits settings check and store their values', async ({ ada }) => {
		await ada.does('/limits overage', { usd: '2.50' }).sees(/up to 2\.50 USD a month/);
		await ada.does('/limits overage', { usd: 'lots' }).sees(/`usd` must be an amount/);
		await ada.does('/limits settings', { time_zone: 'Mars/Olympus' }).sees(/must be a time zone/);
		await ada.does('/limits settings', { time_zone: 'Europe/Berlin', at_once: 1 }).sees(/Europe\/Berlin/);
	});

	test('/limits report shows the usage of each member, with a chart and a CSV file', async ({ ada, bjorn }) => {
		await bjorn.does('/imagine', { prompt: 'a pond' }).sees({ pictures: 1 });
		await bjorn.does('/imagine', { prompt: 'a frog' }).sees({ pictures: 1 });
		const report = await ada.does('/limits report').sees({ text: /Björn/, files: 1, private: true });
		expect(report.pictures).toHaveLength(1);
		expect(report.files).toEqual([expect.stringMatching(/^usage-\d{4}-\d\d\.csv$/)]);
		expect(report.pictures[0]?.alt).toMatch(/2/);
		await ada.does('/limits report', { month: 'last' }).sees(/`month` must be a month, such as/);
	});

	test('/limits report lets moderators choose the calls of unknown outcome to give back', async ({
		service,
		ada,
		bjorn,
	}) => {
		service.next(diesAfterReading, diesAfterReading);
		for (const prompt of ['a pond', 'a frog']) await bjorn.does('/imagine', { prompt }).sees({ text: /stays counted/ });
		const report = await ada.does('/limits report').sees({ files: 1, buttons: ['Give back unknown calls'] });
		const form = await ada.presses('Give back unknown calls', report).opens('Give back calls');
		const calls = form.fields.find(({ name }) => /^calls\b/.test(name));
		if (calls?.kind !== 'choices') throw new Error('The form has no choices');
		const { choices, labels = {} } = calls;
		expect(choices.map((id) => labels[id])).toEqual([
			expect.stringMatching(/^Björn · .* · a pond$/),
			expect.stringMatching(/^Björn · .* · a frog$/),
		]);
		await ada
			.does('/limits settings', { time_zone: 'Asia/Tokyo' })
			.sees(/Asia\/Tokyo, from the next month on \(.*\); until then UTC \(before: UTC\)/);
		await ada
			.fillsIn(form, { calls: [String(choices[1])] })
			.sees({ text: /1 call of unknown outcome no longer counts/ });
		await bjorn.does('/usage').sees(/You today: 1 used/);
		const again = await ada.presses('Give back unknown calls', report).opens('Give back calls');
		await ada
			.fillsIn(again, { calls: [String(choices[0])] })
			.sees({ text: /1 call of unknown outcome no longer counts/ });
		await ada.presses('Give back unknown calls', report).sees({ text: /no calls of unknown outcome left/ });
		await ada.does('/limits show').sees(/limits refund; 1 call of unknown outcome of .*Björn/);
	});
}
