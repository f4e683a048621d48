import { z } from 'zod';
import { actionButton, moreButton } from '../src/bot/declaration/actions.ts';
import { defineCommand, privately } from '../src/bot/declaration/command.ts';
import { all, member } from '../src/bot/declaration/options.ts';
import { helpReply } from '../src/bot/messages/help.ts';
import { homeServerLines, mainUsage, usageLines, usageOf, usageSummary } from '../src/bot/messages/usage-messages.ts';
import { PRINT_DAYS } from '../src/bot/privacy/consent.ts';
import { countOffered, foundResults, historyPage } from '../src/bot/results/lists.ts';
import { inCode } from '../src/domain/text.ts';

export const help = defineCommand({
	name: 'help',
	description: 'help.description',
	makes: 'answer',
	options: z.strictObject({}),
	run: async ({ easel, person, show, t }) => ({ ...(await helpReply(easel, t, person, show)), visibility: 'private' }),
});

export const usage = defineCommand({
	name: 'usage',
	description: 'usage.description',
	makes: 'answer',
	options: z.strictObject({ member: member('usage.options.member').optional(), all }),
	async run({ easel, options, person, place, show, t }) {
		const other = options.member !== undefined && options.member !== person.id ? options.member : undefined;
		if (other !== undefined && !person.moderator) return t('usage.errors.moderators');
		const whose = other === undefined ? person : { id: other };
		const status = await usageOf(easel, await easel.settings.get(place), place, whose);
		const member = other === undefined ? undefined : show.refer('person', other);
		const lines = [
			...(member === undefined ? [] : [t('usage.member', { member })]),
			...(options.all ? usageLines : usageSummary)(t, status, show, member),
			...homeServerLines(t, place),
		];
		const buttons = !options.all && mainUsage(status).length < status.length ? [moreButton(t, 'usage', other)] : [];
		if (other === undefined) {
			const { pictures, answers } = await countOffered(easel, place, person);
			if (pictures > 0) lines.push(t('usage.undelivered', { count: pictures }));
			if (answers > 0) lines.push(t('usage.unanswered', { count: answers }));
			if (pictures + answers > 0) buttons.unshift(actionButton(t, 'collect', 'mine'));
		}
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
		if (list === '') return t('models.none');
		const more = ids.length - MAX_LISTED;
		return `${t('models.list')}\n${more > 0 ? t('limits.rules.andMore', { list, more }) : list}`;
	},
});

export const history = defineCommand({
	name: 'history',
	description: 'history.description',
	makes: 'answer',
	options: z.strictObject({ member: member('history.options.member').optional() }),
	async run({ easel, options, person, show, t }) {
		const { member = person.id } = options;
		if (member !== person.id && !person.moderator) return t('history.errors.moderators');
		return historyPage(easel, person, show, { member });
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
	run: ({ easel, options: { words, mine: own = false }, person, show }) =>
		foundResults(easel, person, show, { words, own }),
});

/** In the order of the list. */
const KEPT = ['prompts', 'pictures', 'chats', 'calls', 'log', 'drafts', 'fingerprints', 'profile'] as const;

export const privacyShow = defineCommand({
	name: 'privacy show',
	description: 'privacy.show.description',
	makes: 'answer',
	options: z.strictObject({}),
	async run({ easel: { privacy, consent }, person, place, t }) {
		const counts = await privacy.count(person, place);
		if (!counts) return t('privacy.later');
		const daysOf = { drafts: 0, fingerprints: PRINT_DAYS } as Readonly<Record<string, number>>;
		const lines = KEPT.filter((what) => counts[what]).map((what) =>
			t('privacy.show.kept', { what, count: counts[what] ?? 0, days: daysOf[what] ?? privacy.retentionDays }),
		);
		if (await consent.hasChosen(person, place)) lines.push(t('privacy.show.mine'));
		if (counts.totals) lines.push(t('privacy.show.totals'));
		if (lines.length === 0) return t('privacy.show.none');
		return [t('privacy.show.heading'), ...lines, t('privacy.show.more')].join('\n');
	},
});

export const privacyExport = defineCommand({
	name: 'privacy export',
	description: 'privacy.export.description',
	makes: 'answer',
	options: z.strictObject({}),
	async run({ easel: { privacy }, person, place, show, t }) {
		const exported = await privacy.export(person, place, show.limits);
		if (!exported) return t('privacy.later');
		const { bytes, pictures, omitted } = exported;
		const text = t('privacy.export.here', { pictures, omitted });
		return { ...privately(text), files: [{ name: 'easel-data.zip', bytes }] };
	},
});

export const privacyMine = defineCommand({
	name: 'privacy mine',
	description: 'privacy.mine.description',
	makes: 'answer',
	options: z.strictObject({
		pictures: z.enum(['nobody-edits', 'everybody-edits']).describe('privacy.mine.options.pictures'),
	}),
	async run({ easel: { consent }, options: { pictures }, person, place, t }) {
		if (pictures === 'everybody-edits') {
			await consent.takeBack({ place, person });
			return t('privacy.mine.everybody');
		}
		const count = await consent.choose({ place, person });
		return count === undefined ? t('privacy.later') : t('privacy.mine.nobody', { count });
	},
});

export const privacyErase = defineCommand({
	name: 'privacy erase',
	description: 'privacy.erase.description',
	makes: 'answer',
	options: z.strictObject({}),
	async run({ easel: { privacy }, person, t }) {
		const { subject, minutes } = privacy.confirmation(person);
		return { ...privately(t('privacy.erase.confirm', { minutes })), buttons: [actionButton(t, 'erase', subject)] };
	},
});
