import { z } from 'zod';
import { channel, defineCommand, type Limit, member, privately, role } from '../../src/bot/declaration/command.ts';
import type { Translate } from '../../src/i18n/translator.ts';
import { capWords } from './rule-words.ts';

/** Above any plan; a cap that large is none. */
const MAX_IMAGES = 1_000_000;

const scope = z.enum(['server', 'channel', 'role', 'member']).describe('What the cap is for');
const period = z.enum(['day', 'month']).describe('How often it starts anew');
const what = z.enum(['pictures', 'chat']).describe('What is counted; pictures if not said').optional();
const targets = {
	channel: channel('Which channel; without it, this one').optional(),
	role: role('Which role; each of its members gets this cap, the best role counts').optional(),
	member: member('Which member; without it, every member').optional(),
};

export const limitsSet = defineCommand({
	name: 'limits set',
	description: 'Set a cap on calls, or on chat turns, a day or a month',
	moderators: true,
	makes: 'answer',
	options: z.strictObject({
		scope,
		period,
		images: z.int().min(0).max(MAX_IMAGES).describe('The most calls; one call is one request, whatever its variations'),
		what,
		...targets,
	}),
	async run({ options, serverAdmin, place, show, t }) {
		const target = targetOf(t, options, place.channel);
		if ('fault' in target) return privately(target.fault);
		const limit: Limit = { ...target, ...whatOf(options), period: options.period, images: options.images };
		await serverAdmin.setLimit(limit);
		return privately(t('Set: {cap}.', { cap: capWords(t, limit, show) }));
	},
});

export const limitsClear = defineCommand({
	name: 'limits clear',
	description: 'Take a cap away',
	moderators: true,
	makes: 'answer',
	options: z.strictObject({ scope, period, what, ...targets }),
	async run({ options, serverAdmin, place, show, t }) {
		const target = targetOf(t, options, place.channel);
		if ('fault' in target) return privately(target.fault);
		const there = await serverAdmin.clearLimit({ ...target, ...whatOf(options), period: options.period });
		if (!there) return privately(t('There is no such cap; `/limits show` lists them.'));
		return privately(t('Taken away: {cap}.', { cap: capWords(t, there, show) }));
	},
});

/** Caps without it are for pictures. */
const whatOf = ({ what }: { what?: Limit['what'] | undefined }): Pick<Limit, 'what'> =>
	what === 'chat' ? { what } : {};

type Targets = { scope: Limit['scope'] } & Partial<Record<'channel' | 'role' | 'member', string | undefined>>;

/** What a cap is for. One that names what its scope does not take is a mistake, not a wider cap. */
function targetOf(t: Translate, options: Targets, here: string): Pick<Limit, 'scope' | 'target'> | { fault: string } {
	const { scope } = options;
	const wrong = (['channel', 'role', 'member'] as const).find((name) => name !== scope && options[name] !== undefined);
	if (wrong)
		return {
			fault: t(
				'`{option}` does not go with a cap for a {scope, select, server {server} channel {channel} role {role} other {member}}; nothing was changed.',
				{ option: wrong, scope },
			),
		};
	if (scope === 'server') return { scope };
	if (scope === 'role' && options.role === undefined)
		return { fault: t('`{option}` is missing; nothing was changed.', { option: 'role' }) };
	const target = options[scope] ?? (scope === 'channel' ? here : undefined);
	return target === undefined ? { scope } : { scope, target };
}
