import { expect, test } from 'vitest';
import { languages, translatorFor } from '../../i18n/translator.ts';
import type { UsageStatus } from '../../usage/caps.ts';
import { remainingMessage, usageLines } from './usage-messages.ts';

const status = (name: UsageStatus['name'], limit?: number) =>
	({ name, period: 'day', used: 2, limit, window: { resetsAt: 0 } }) as unknown as UsageStatus;
const statuses = [status('operatorMember', 9), status('server', 100), status('role', 20), status('member')];
const show = { when: () => 'at midnight', refer: (_: string, id: string) => id };

test('money that is left is told in pictures, of the cheapest and the dearest quality', () => {
	const money = (used: number, limit?: number, prices?: number[]) => ({
		...status('server', limit),
		...{ unit: 'usd' as const, used, prices },
	});
	const line = (...given: Parameters<typeof money>) => usageLines(translatorFor('en'), [money(...given)], show)[0];
	expect(line(300_000, 1_500_000, [40_000, 63_000, 167_000])).toBe(
		'- This server today: 0.30 USD of 1.50 USD spent, 1.20 USD left: 30 at low or 7 at high quality, resets at midnight',
	);
	expect(line(0, 100_000, [30_000])).toContain('0.10 USD left: 3 pictures, resets');
	expect(line(0, 30_000, [30_000])).toContain('0.03 USD left: 1 picture, resets');
	expect(line(0, 100_000, [0])).toContain('0.10 USD left, resets');
	expect(line(42)).toBe('- This server today: 0.000042 USD spent, resets at midnight');
	const both = [{ ...status('member', 4), unit: 'images' as const }, money(95_000, 100_000)];
	expect(remainingMessage(translatorFor('en'), both)).toBe('0.005 USD of 0.10 USD left today for this server');
	expect(remainingMessage(translatorFor('en'), [both[0]!, money(0, 100_000)])).toBe('2 of 4 left today');
});

test('the usage of a member names them instead of “You”', () => {
	const own = usageLines(translatorFor('en'), statuses, show);
	expect(own).toEqual([
		'- You today: 2 used, resets at midnight',
		'- You (by role) today: 2 of 20 used, 18 left, resets at midnight',
		'- This server today: 2 of 100 used, 98 left, resets at midnight',
		"- You, in all servers together today (operator's cap, UTC): 2 of 9 used, 7 left, resets at midnight",
	]);
	const others = usageLines(translatorFor('en'), statuses, show, '@Dele');
	expect(others).toEqual(own.map((line) => line.replace('You', '@Dele')));
	for (const language of languages) {
		const named = usageLines(translatorFor(language), statuses, show, '@Dele');
		expect(
			named.filter((line) => line.includes('@Dele')),
			language,
		).toHaveLength(3);
	}
});
