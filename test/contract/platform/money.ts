import { describe, expect } from 'vitest';
import { formText } from '../../../packages/fakes/src/form-inputs.ts';
import { answers, imageResult, smallPng } from '../../../packages/fakes/src/service.ts';
import type { ContractTest } from './contract-test.ts';

/** Four cents for a picture, which may cost less by its tokens. */
const PRICES = [{ usd_per_picture: 40_000, usd_per_million_tokens: { input: 0, output: 40_000_000 } }];

const serverCap = (usd: string) => ({ scope: 'server', period: 'day', usd });

/** Answers with a picture, and what it has used. */
const using = async (usage: object) =>
	answers(200, JSON.stringify({ ...JSON.parse(imageResult(await smallPng())), usage }), {
		'content-type': 'application/json',
	});

/** Tests caps in money. */
export function money(test: ContractTest): void {
	describe('caps in money', () => {
		test('take the most that a call may cost, and get back what it did not cost', async ({
			harness,
			service,
			ada,
			bjorn,
		}) => {
			await harness.restart({ prices: PRICES });
			await ada
				.does('/limits set', serverCap('0.20'))
				.sees({ text: /Set: this server: 0\.20 USD a day/, private: true });
			service.next(await using({ input_tokens: 12, output_tokens: 250, total_tokens: 262 }));
			const first = await bjorn.does('/imagine', { prompt: 'by its tokens' }).sees({ pictures: 1 });
			// The status of the caption was read once the call was settled.
			expect(first.text).toMatch(/0\.19 USD of 0\.20 USD left today/);
			service.next(await using({ cost: 0.025 }));
			await bjorn.does('/imagine', { prompt: 'by what the service says', n: 2 }).sees({ pictures: 1 });
			await bjorn.does('/imagine', { prompt: 'too many', n: 5 - 1 }).sees({ pictures: 1 });
			await bjorn.does('/imagine', { prompt: 'refused' }).sees({
				text: /This server has spent 0\.195 USD of 0\.20 USD today, and this request may cost 0\.04 USD\. Resets/,
				private: true,
			});
			await bjorn.does('/usage').sees(/This server today: 0\.195 USD of 0\.20 USD spent, 0\.005 USD left: 0 pictures/);
			await ada.does('/limits set', serverCap('1.20')).sees(/1\.20 USD/);
			await bjorn.does('/usage').sees(/1\.005 USD left: 25 pictures/);
			const report = await ada.does('/limits report').sees({ text: /0\.195/, files: 1 });
			expect(report.pictures[0]?.alt).toMatch(/0\.195 USD spent/);
			expect(service.requests).toHaveLength(3);
		});

		test('hold beside caps in calls, and are shown, changed and removed', async ({ harness, ada, bjorn }) => {
			await harness.restart({ prices: PRICES, caps: { memberUsdPerDay: 100_000 } });
			await ada.does('/limits set', { scope: 'member', period: 'day', images: 1 }).sees(/1 call a day/);
			await ada
				.does('/limits set', { scope: 'member', period: 'day', usd: '0.50' })
				.sees(/1 call a day; every member: 0\.50 USD a day.*operator's cap is lower.*0\.10 USD a day/s);
			await bjorn.does('/imagine', { prompt: 'the one' }).sees({ pictures: 1 });
			await bjorn.does('/imagine', { prompt: 'the second' }).sees(/You have used 1 of 1 call today/);
			await ada
				.does('/limits set', { scope: 'member', period: 'day', images: 5 })
				.sees(/5 calls a day; every member: 0\.50 USD a day/);
			await bjorn.does('/imagine', { prompt: 'the second' }).sees({ pictures: 1 });
			await bjorn
				.does('/imagine', { prompt: 'the third' })
				.sees(
					/Under the operator's cap, you have spent 0\.08 USD of 0\.10 USD today, and this request may cost 0\.04 USD/,
				);
			await ada.does('/limits show').sees(/every member: 5 calls a day; every member: 0\.50 USD a day/);
			await ada.does('/limits clear', { scope: 'member', period: 'day' }).sees(/Removed: .*5 calls.*0\.50 USD/);
			await ada.does('/limits show').sees(/No caps are set/);
		});

		test('are not set without an amount, for chats, or where nothing has a price', async ({ harness, ada }) => {
			await ada.does('/limits set', serverCap('5')).sees({ text: /Calls have no prices here/, private: true });
			await harness.restart({ prices: PRICES });
			await ada.does('/limits set', { scope: 'server', period: 'day' }).sees(/Give `images`, `usd` or both/);
			await ada.does('/limits set', { ...serverCap('5'), what: 'chat' }).sees(/Chat turns have no price/);
			await ada.does('/limits set', serverCap('five')).sees(/`usd` must be an amount/);
			await ada.does('/limits show').sees(/No caps are set/);
		});

		test('refuse a model without a price, and count nothing', async ({ harness, service, ada }) => {
			await harness.restart({ prices: [{ model: 'alpha-*', usd_per_call: 30_000 }] });
			await ada
				.does('/imagine', { prompt: 'a fox', model: 'beta' })
				.sees({ text: /model `beta` costs/, private: true });
			await ada.does('/imagine', { prompt: 'a fox', model: 'alpha-image' }).sees({ pictures: 1 });
			expect(service.requests).toHaveLength(1);
		});

		test('a form says what a picture costs before it is paid for', async ({ harness, ada }) => {
			await harness.restart({ prices: PRICES });
			const result = await ada.does('/imagine', { prompt: 'a fox' }).sees({ pictures: 1 });
			expect(formText(await ada.chooses('Edit image', result).opens('Edit image'))).toContain(
				'A picture costs 0.04 USD.',
			);
		});
	});
}
