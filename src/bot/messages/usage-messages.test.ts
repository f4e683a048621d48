import { expect, test } from 'vitest';
import { languages } from '../../i18n/catalogues.ts';
import { translatorFor } from '../../i18n/translator.ts';
import type { UsageStatus } from '../../usage/caps.ts';
import { usageLines } from './usage-messages.ts';

const status = (name: UsageStatus['name'], limit?: number) =>
	({ name, period: 'day', used: 2, limit, window: { resetsAt: 0 } }) as unknown as UsageStatus;
const statuses = [status('operatorMember', 9), status('server', 100), status('role', 20), status('member')];
const show = { when: () => 'at midnight', refer: (_: string, id: string) => id };

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
