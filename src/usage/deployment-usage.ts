import { pagesOf } from '../store/pages.ts';
import { overageLayer, planLayer } from './caps.ts';
import type { LedgerOptions } from './ledger-options.ts';
import { MONTHS, serverMonthOf } from './receipts.ts';
import { windowsAt } from './settings/windows.ts';

/** The use of the running month (UTC) by all servers together. Amounts are in mills. */
export type DeploymentUsage = {
	/** Absent without a plan. */
	plan?: { used: number; included: number };
	/** Spent beyond the plan, and the most that the servers with calls in this month may spend. */
	overage: { spent: number; allowed: number };
};

/** Adds up what all servers have used this month. Reads two entries of each server that has made calls in it. */
export async function deploymentUsage({
	space,
	settings,
	plan,
	now,
}: Pick<LedgerOptions, 'space' | 'settings' | 'plan' | 'now'>): Promise<DeploymentUsage> {
	const at = now();
	const month = windowsAt(at, 'UTC').month.id;
	const overage = { spent: 0, allowed: 0 };
	// The semicolon follows the colon in ASCII.
	for await (const members of pagesOf(space, MONTHS, { after: `${month}:`, before: `${month};` })) {
		const servers = members.map((member) => serverMonthOf(member).server);
		const layers = await Promise.all(
			servers.map(async (server) => overageLayer({ ...server, channel: '' }, await settings.get(server), at)),
		);
		const spent = await space.keyv.getMany<number>(layers.map(({ key }) => key));
		for (const [index, { limit = 0 }] of layers.entries()) {
			overage.spent += spent[index] ?? 0;
			overage.allowed += limit;
		}
	}
	const layer = planLayer(plan, at);
	if (layer?.limit === undefined) return { overage };
	return { plan: { used: (await space.keyv.get<number>(layer.key)) ?? 0, included: layer.limit }, overage };
}
