import type { Random } from './engine/random.ts';
import { CHANNELS, LOG_CHANNEL, PEOPLE, SUBJECTS } from './fixtures.ts';

export type CommandCall = { command: string; options: Record<string, unknown> };

/** Returns a random command of a moderator. */
export const moderatorCommand = (random: Random): CommandCall =>
	random.pick([setLimit, setLimit, clearLimit, grant, refund, setOverage, changeSettings, changePolicy, changePolicy])(
		random,
	);

/** Returns the commands that set a server's first caps and grants. */
export const initialCommands = (random: Random): CommandCall[] =>
	Array.from({ length: random.between(0, 4) }, () => random.pick([setLimit, setLimit, setOverage, grant])(random));

/** Puts money beside or in place of the calls of a command, or leaves it as it is. */
export function inMoney(random: Random, { command, options }: CommandCall): CommandCall {
	const isAbout = (command === 'limits set' && options['what'] === undefined) || command === 'limits grant';
	if (!isAbout || random.chance(0.3)) return { command, options };
	const { images, ...others } = options;
	const usd = random.pick(['0', '0.03', '0.075', '0.123', '0.25', '1']);
	return { command, options: { ...others, usd, ...(random.chance(0.3) && { images }) } };
}

const setLimit = (random: Random): CommandCall => ({
	command: 'limits set',
	options: { ...capOf(random), images: random.between(0, 8) },
});

const clearLimit = (random: Random): CommandCall => ({ command: 'limits clear', options: capOf(random) });

const grant = (random: Random): CommandCall => ({
	command: 'limits grant',
	options: { member: random.pick(PEOPLE).id, images: random.between(1, 3), period: random.pick(['day', 'month']) },
});

const refund = (random: Random): CommandCall => ({
	command: 'limits refund',
	options: { member: random.pick(PEOPLE).id },
});

const setOverage = (random: Random): CommandCall => ({
	command: 'limits overage',
	options: { usd: random.pick(['0', '0.05', '0.10', '0.30']) },
});

const changeSettings = (random: Random): CommandCall => ({
	command: 'limits settings',
	options: random.pick([
		{ at_once: random.between(1, 3) },
		{ cooldown: random.between(0, 20) },
		{ notices: 'lobby' },
		{ log: LOG_CHANNEL },
		{ log: LOG_CHANNEL },
	]),
});

/** Blocks a member, allows a channel or a role, or bans a word; or reverses one of these. */
function changePolicy(random: Random): CommandCall {
	const [rule, reverse, options] = random.pick([
		['block', 'unblock', { member: random.pick(PEOPLE).id }],
		['allow', 'disallow', random.chance(0.5) ? { channel: random.pick(CHANNELS) } : { role: 'artist' }],
		['ban', 'unban', { words: random.pick(SUBJECTS) }],
	] as const);
	return { command: `limits ${random.chance(0.6) ? rule : reverse}`, options };
}

function capOf(random: Random): Record<string, unknown> {
	const period = random.pick(['day', 'month']);
	const scope = random.pick(['server', 'server', 'channel', 'role', 'member']);
	if (scope === 'channel') return { scope, period, channel: random.pick(CHANNELS) };
	if (scope === 'role') return { scope, period, role: random.pick(['artist', 'patron']) };
	if (scope === 'member') return { scope, period, ...(random.chance(0.5) && { member: random.pick(PEOPLE).id }) };
	return { scope, period };
}
