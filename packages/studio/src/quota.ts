import type { Counters } from './counters.ts';
import { ApiError } from './http/api-error.ts';

/** The payment of one call; pass it to `giveBack` when the call failed. */
export type Payment = { key: string; by: number; ttlMs?: number };

export type Quota = ReturnType<typeof createQuota>;

export type QuotaOptions = {
	/** Counts usage; in the memory of this process when undefined. */
	counters: Counters;
	/** Image calls in a calendar month (UTC); unlimited when undefined. */
	imagesPerMonth?: number | undefined;
	/** Total ever paid in for calls beyond the plan, in mills. Only the spent amount is stored, so raising this tops up the balance. */
	balanceMills: number;
	/** Price of one call beyond the plan, in mills. */
	priceMills: number;
	now: () => Date;
};

const SPENT = 'spent';

/** A month's counter is kept until the next month has ended, because a call that began in it may still be given back. */
const MONTH_TTL_MS = 62 * 24 * 3600_000;

const monthKey = (date: Date) => `images:${date.toISOString().slice(0, 7)}`;

/** One call counts as one image, whatever it draws. Counting and checking the limit are one step in the store. */
export function createQuota({ counters, imagesPerMonth, balanceMills, priceMills, now }: QuotaOptions) {
	const pay = ({ key, by, ttlMs }: Payment, atMost?: number) => counters.add(key, by, { atMost, ttlMs });
	return {
		/** Takes one call out of the plan, or its price out of the balance. @throws ApiError 402 when neither is left */
		async take(): Promise<Payment> {
			const fromPlan = { key: monthKey(now()), by: 1, ttlMs: MONTH_TTL_MS };
			if (await pay(fromPlan, imagesPerMonth)) return fromPlan;
			const fromBalance = { key: SPENT, by: priceMills };
			if (await pay(fromBalance, balanceMills)) return fromBalance;
			throw new ApiError(
				402,
				`The ${imagesPerMonth} images of this month's plan are used up, and the balance does not cover another.`,
				{ code: 'insufficient_quota' },
			);
		},
		/** Returns a payment to the month or balance that it came from, also after the month has turned. */
		async giveBack(payment: Payment): Promise<void> {
			await pay({ ...payment, by: -payment.by });
		},
		/** The answer of `/v1/usage`: months and resets in UTC, money in mills (thousandths of a US dollar). */
		async usage() {
			const today = now();
			const [used, spent] = await Promise.all([monthKey(today), SPENT].map((key) => counters.get(key)));
			return {
				object: 'usage' as const,
				month: today.toISOString().slice(0, 7),
				resets_at: new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + 1)).toISOString(),
				images: { used: used ?? 0, included: imagesPerMonth ?? null },
				balance: { paid_in_mills: balanceMills, spent_mills: spent ?? 0, price_per_image_mills: priceMills },
			};
		},
	};
}
