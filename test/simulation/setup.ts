import { grantCalls, setLimit } from '../../commands/limits/caps.ts';
import type { Limit } from '../../src/domain/job.ts';
import type { Easel } from '../../src/easel.ts';
import type { Space } from '../../src/store/store.ts';
import { Ledger } from '../../src/usage/ledger.ts';
import { SettingsRepository } from '../../src/usage/settings/settings-repository.ts';
import { LOG_CHANNEL, MODERATOR, placeOf, REVIEWED_CHANNEL, SERVERS, ZONES } from './fixtures.ts';
import { initialCommands } from './moderator-commands.ts';
import type { World } from './world.ts';

/** Sets the servers' time zones and first caps, without any faults. */
export async function setUpServers(world: World): Promise<void> {
	const easel = createObservedLedger(world) as Easel;
	const { review } = world.scenario;
	for (const server of SERVERS) {
		const place = placeOf(server, 'lobby');
		await easel.settings.change(place, MODERATOR, 'limits settings', (before) => ({
			...before,
			timeZone: ZONES[server],
			...((world.scenario.hasModerationLog || review) && { logChannel: LOG_CHANNEL }),
			...(review && { reviewChannels: [REVIEWED_CHANNEL], reviewHours: review.hours, undecided: review.undecided }),
		}));
		for (const { command, options } of initialCommands(world.random.fork(server))) {
			if (command === 'limits overage') {
				const overageMills = Number(options['usd']) * 1000;
				await easel.settings.change(place, MODERATOR, command, (before) => ({ ...before, overageMills }));
			} else if (command === 'limits grant') {
				const { member, images, period } = options as { member: string; images: number; period: 'day' | 'month' };
				await grantCalls(easel, place, MODERATOR, { member, images, period });
			} else await setLimit(easel, place, MODERATOR, limitOf(options));
		}
	}
}

/** Creates a ledger outside of the processes, whose commits the model observes. */
function createObservedLedger({ store, clock, scenario, observe }: World) {
	const space = store.space('ledger');
	const observed: Space = {
		...space,
		commit: (change) => observe('ledger', change, () => space.commit(change)),
	};
	const now = () => clock.wall;
	const settings = new SettingsRepository(observed, now);
	const ledger = new Ledger({
		space: observed,
		settings,
		plan: scenario.plan,
		processId: '',
		now,
		retentionMs: 30 * 24 * 3600_000,
	});
	return { settings, ledger, now };
}

function limitOf(options: Record<string, unknown>): Limit {
	const target = options[String(options['scope'])];
	return {
		scope: options['scope'] as Limit['scope'],
		period: options['period'] as Limit['period'],
		images: Number(options['images']),
		...(target !== undefined && { target: String(target) }),
	};
}
