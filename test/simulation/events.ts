import type { Place } from '../../src/domain/channel.ts';
import type { FakePlatform } from './fakes/platform.ts';
import { personOf, placeOf } from './fixtures.ts';
import type { Instance, ProcessPool } from './process-pool.ts';
import type { CommandEvent, PressEvent, ScenarioEvent } from './scenario.ts';
import type { World } from './world.ts';

/** How long a bot may take to stop, in milliseconds. */
const STOP_MS = 7000;

/** How long processes are suspended at most, by the wall clock, in milliseconds. */
const MAX_SUSPENSION_MS = 60_000;

/** Makes an event of the scenario happen. */
export function perform(event: ScenarioEvent, world: World, pool: ProcessPool): void {
	if (event.kind === 'command') invoke(event, world, pool);
	else if (event.kind === 'press') press(event, world, pool);
	else if (event.kind === 'kill') pool.at(event.process)?.process.kill('by an operator');
	else if (event.kind === 'suspend') suspend(pool.at(event.process), event.ms, world);
	else if (event.kind === 'stop') stop(pool.at(event.process), world);
	else if (event.kind === 'jump') jump(event.ms, world, pool);
	else if (event.kind === 'jump-to-month-end') jumpToMonthEnd(event.zone, event.beforeMs, world, pool);
}

function invoke(event: CommandEvent, world: World, pool: ProcessPool): void {
	const { id, command, options } = event;
	const place = placeOf(event.server, event.channel);
	const person = personOf(event.who);
	world.prompts.set(id, String(options['prompt']));
	world.options.set(id, options);
	const description = `/${command} ${JSON.stringify(options)} by ${person.id} in ${place.server}/${place.channel}`;
	deliver(id, description, place, world, pool, ({ bot }, platform) =>
		bot.invoke({ id, command, options, person, channel: platform.open(place) }),
	);
}

/** Presses a random button with the event's action on the event's server, if there is one. */
function press({ id, action, server, channel, who }: PressEvent, world: World, pool: ProcessPool): void {
	const candidates = [...world.platform.messages.values()]
		.filter(({ place }) => place.server === server)
		.flatMap((message) => message.buttons.map((button) => ({ button: button.id, message })))
		.filter(({ button }) => button.startsWith(action));
	if (candidates.length === 0) return;
	const { button, message } = world.chance.pick(candidates);
	const subject = button.split(':')[2] ?? '';
	world.prompts.set(id, world.prompts.get(subject) ?? '');
	world.options.set(id, world.options.get(subject) ?? {});
	// Pictures are collected and requests cancelled by the person who asked, and requests by moderators, too.
	const request = world.scenario.events.find(
		(other): other is ScenarioEvent & CommandEvent => other.kind === 'command' && other.id === message.key,
	);
	const isOwn = action === 'collect' || (action === 'cancel' && who !== 'mo');
	const person = personOf(isOwn && request ? request.who : who);
	const place = placeOf(server, channel);
	if (action === 'reject') {
		// The form that the button opens.
		const submission = { id, form: button, command: 'limits review', options: { reason: 'no' }, person };
		deliver(id, `${button} submitted by ${person.id}`, place, world, pool, ({ bot }, platform) =>
			bot.invoke({ ...submission, channel: platform.open(place) }),
		);
		return;
	}
	deliver(id, `${button} pressed by ${person.id}`, place, world, pool, ({ bot }, platform) =>
		bot.press({
			id,
			button,
			person,
			channel: platform.open(place),
			attached: [],
			open: async () => {},
			message: { place: message.place, key: message.key },
		}),
	);
}

/** Delivers an event, mostly to one process, sometimes twice or to two processes that run its platform. */
function deliver(
	id: string,
	description: string,
	place: Place,
	{ clock, chance, trace }: World,
	pool: ProcessPool,
	handle: (instance: Instance, platform: FakePlatform) => Promise<void>,
): void {
	const deliverIn = (ms: number) =>
		clock.schedule(ms, () => {
			const running = pool.running().filter(({ platforms }) => platforms.has(place.platform));
			if (running.length === 0) return;
			const instance = chance.pick(running);
			const platform = instance.platforms.get(place.platform) as FakePlatform;
			trace.add(instance.process.name, `receives ${id}: ${description}`);
			instance.process.enter(() => void handle(instance, platform), id);
		});
	deliverIn(chance.between(0, 3000));
	if (chance.chance(0.25)) deliverIn(chance.pick([0, chance.between(0, 3000), chance.between(0, 40_000)]));
}

function suspend(instance: Instance | undefined, ms: number, { clock }: World): void {
	const process = instance?.process;
	process?.suspend();
	clock.schedule(ms, () => process?.resume());
}

function stop(instance: Instance | undefined, { trace }: World): void {
	if (!instance) return;
	const { process, bot } = instance;
	trace.add(process.name, 'is asked to stop');
	process.enter(() => void bot.stop(STOP_MS).then(() => process.kill('by its own exit')));
}

function jump(ms: number, { clock, trace }: World, pool: ProcessPool): void {
	// Nothing waits for a process that has been suspended for longer than leases are stored.
	if (ms > MAX_SUSPENSION_MS && pool.running().some(({ process }) => !process.isRunning)) return;
	clock.jump(ms);
	trace.add('clock', `jumps by ${ms / 1000} s`);
}

function jumpToMonthEnd(zone: string, beforeMs: number, world: World, pool: ProcessPool): void {
	const { clock } = world;
	const today = Temporal.Instant.fromEpochMilliseconds(clock.wall).toZonedDateTimeISO(zone).toPlainDate();
	const next = today.with({ day: 1 }).add({ months: 1 }).toZonedDateTime(zone).epochMilliseconds;
	jump(next - beforeMs - clock.wall, world, pool);
}
