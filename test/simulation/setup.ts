import { commands } from '../../commands/index.ts';
import type { Show } from '../../src/domain/channel.ts';
import type { Easel } from '../../src/easel.ts';
import { translatorFor } from '../../src/i18n/translator.ts';
import type { Space } from '../../src/store/store.ts';
import { createLedgerContext } from '../../src/usage/ledger.fixture.ts';
import { LOG_CHANNEL, MODERATOR, placeOf, REVIEWED_CHANNEL, SERVERS, ZONES } from './fixtures.ts';
import { initialCommands, inMoney } from './moderator-commands.ts';
import type { World } from './world.ts';

const SHOW = { refer: (_, id) => id, when: String } satisfies Partial<Show> as Show;

/** Sets the servers' time zones and first caps, without any faults. */
export async function setUpServers(world: World): Promise<void> {
	const easel = createObservedLedger(world);
	const { review } = world.scenario;
	for (const server of SERVERS) {
		const place = placeOf(server, 'lobby');
		await easel.settings.change(place, MODERATOR, 'limits settings', (before) => ({
			...before,
			timeZone: ZONES[server],
			...((world.scenario.hasModerationLog || review) && { logChannel: LOG_CHANNEL }),
			...(review && { reviewChannels: [REVIEWED_CHANNEL], reviewHours: review.hours, undecided: review.undecided }),
		}));
		const context = { easel, person: MODERATOR, place, show: SHOW, t: translatorFor('en') };
		const initial = initialCommands(world.random.fork(server));
		const money = world.random.fork(`${server}/money`);
		const calls = world.scenario.prices ? initial.map((call) => inMoney(money, call)) : initial;
		for (const { command: name, options } of calls) {
			const command = commands.find((each) => each.name === name);
			await command?.run({ ...context, options: command.options.parse(options) } as Parameters<typeof command.run>[0]);
		}
	}
}

/** Creates a ledger outside of the processes, whose commits the model observes. */
function createObservedLedger({ store, clock, scenario, observe }: World): Easel {
	const space = store.space('ledger');
	const observed: Space = {
		...space,
		commit: (change) => observe('ledger', change, () => space.commit(change)),
	};
	const plan = { ...scenario.plan, prices: scenario.prices?.[0] };
	return createLedgerContext({ ...store, space: () => observed }, { plan, now: () => clock.wall }, '');
}
