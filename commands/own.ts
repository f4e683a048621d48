import { z } from 'zod';
import { actionButton } from '../src/bot/declaration/actions.ts';
import { defineCommand, privately } from '../src/bot/declaration/command.ts';
import { member } from '../src/bot/declaration/options.ts';
import { homeServerLines, usageLines } from '../src/bot/messages/usage-messages.ts';
import { inCode } from '../src/domain/text.ts';

export const usage = defineCommand({
	name: 'usage',
	description: 'usage.description',
	makes: 'answer',
	options: z.strictObject({ member: member('usage.options.member').optional() }),
	async run({ options, usage, person, place, show, t }) {
		const other = options.member !== undefined && options.member !== person.id ? options.member : undefined;
		if (other !== undefined && !person.moderator) return privately(t('usage.errors.moderators'));
		const status = await usage.status(other === undefined ? person : { id: other });
		const member = other === undefined ? undefined : show.refer('person', other);
		const heading = member === undefined ? [] : [t('usage.member', { member })];
		const lines = [...heading, ...usageLines(t, status, show, member), ...homeServerLines(t, place)];
		const { pictures, answers } = other === undefined ? await usage.undelivered() : { pictures: 0, answers: 0 };
		if (pictures + answers === 0) return privately(lines.join('\n'));
		if (pictures > 0) lines.push(t('usage.undelivered', { count: pictures }));
		if (answers > 0) lines.push(t('usage.unanswered', { count: answers }));
		const buttons = [actionButton(t, 'collect', 'mine')];
		return { ...privately(lines.join('\n')), buttons };
	},
});

/** Completions find the others by a part of their name. */
const MAX_LISTED = 200;

export const models = defineCommand({
	name: 'models',
	description: 'models.description',
	makes: 'answer',
	options: z.strictObject({}),
	async run({ service, signal, t }) {
		const ids = await service.models(signal);
		const hints = new Map(service.capabilities.models.map(({ id, hint }) => [id, hint]));
		const list = ids
			.slice(0, MAX_LISTED)
			.map((id) => `- \`${inCode(id)}\`${hints.get(id) ? `: ${t.declared(hints.get(id) ?? '')}` : ''}`)
			.join('\n');
		if (list === '') return privately(t('models.none'));
		const more = ids.length - MAX_LISTED;
		return privately(`${t('models.list')}\n${more > 0 ? t('limits.rules.andMore', { list, more }) : list}`);
	},
});

export const history = defineCommand({
	name: 'history',
	description: 'history.description',
	makes: 'answer',
	options: z.strictObject({ member: member('history.options.member').optional() }),
	async run({ options, person, results, t }) {
		const { member = person.id } = options;
		if (member !== person.id && !person.moderator) return privately(t('history.errors.moderators'));
		return results.history(member);
	},
});

/** Enough for a description, in UTF-16 units. */
const MAX_WORDS = 300;

export const find = defineCommand({
	name: 'find',
	description: 'find.description',
	makes: 'answer',
	options: z.strictObject({
		words: z.string().trim().min(1).max(MAX_WORDS).describe('find.options.words'),
		mine: z.boolean().describe('find.options.mine').optional(),
	}),
	run: ({ options: { words, mine = false }, results }) => results.find(words, mine),
});

/** In the order of the list. */
const KEPT = ['prompts', 'pictures', 'chats', 'calls', 'log', 'drafts', 'profile'] as const;

export const privacyShow = defineCommand({
	name: 'privacy show',
	description: 'privacy.show.description',
	makes: 'answer',
	options: z.strictObject({}),
	async run({ privacy, t }) {
		const counts = await privacy.counts();
		if (counts === 'too soon') return privately(t('privacy.later'));
		const days = privacy.retentionDays;
		const lines = KEPT.filter((what) => counts[what] > 0).map((what) =>
			t('privacy.show.kept', { what, count: counts[what], days: what === 'drafts' ? 0 : days }),
		);
		if (counts.totals > 0) lines.push(t('privacy.show.totals', { count: counts.totals }));
		if (lines.length === 0) return privately(t('privacy.show.none'));
		return privately([t('privacy.show.heading'), ...lines, t('privacy.show.more')].join('\n'));
	},
});

export const privacyExport = defineCommand({
	name: 'privacy export',
	description: 'privacy.export.description',
	makes: 'answer',
	options: z.strictObject({}),
	async run({ privacy, t }) {
		const exported = await privacy.export();
		if (exported === 'too soon') return privately(t('privacy.later'));
		const { bytes, pictures, omitted } = exported;
		const text = t('privacy.export.here', { pictures, omitted });
		return { ...privately(text), files: [{ name: 'easel-data.zip', bytes }] };
	},
});

export const privacyErase = defineCommand({
	name: 'privacy erase',
	description: 'privacy.erase.description',
	makes: 'answer',
	options: z.strictObject({}),
	async run({ privacy, t }) {
		const { subject, minutes } = privacy.confirmation();
		return { ...privately(t('privacy.erase.confirm', { minutes })), buttons: [actionButton(t, 'erase', subject)] };
	},
});
