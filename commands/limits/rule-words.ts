import type { Context, Limit, Settings } from '../../src/bot/declaration/command.ts';
import { usd } from '../../src/bot/messages/usage-messages.ts';
import type { Reply } from '../../src/domain/reply.ts';
import type { Translate } from '../../src/i18n/translator.ts';

/** So many of a list are named; more would fill a message. */
const NAMED = 20;

/** One cap: whose it is, and how much of what it allows. */
export function capWords(t: Translate, limit: Limit, show: Context['show']): string {
	const { what = 'pictures', period, images } = limit;
	return t('limits.cap.text', { whose: whoseWords(t, limit, show), images, what, period });
}

function whoseWords(t: Translate, { scope, target }: Limit, show: Context['show']): string {
	if (scope === 'server') return t('limits.cap.server');
	if (target === undefined) return t('limits.cap.every', { scope });
	if (scope === 'role') return t('limits.cap.role', { role: show.refer('role', target) });
	return show.refer(scope === 'member' ? 'person' : 'channel', target);
}

/** Every rule but the caps, a line each. */
export function ruleWords(t: Translate, settings: Settings, show: Context['show']): string[] {
	const { timeZone, language = 'en', overageMills, atOnce, cooldownSeconds } = settings;
	const { noticeChannel, logChannel, blocked } = settings;
	const members = blocked.map((id) => show.refer('person', id)).join(', ');
	return [
		t('limits.rules.timeZone', { timeZone }),
		t('limits.rules.language', {
			language: new Intl.DisplayNames(t.language, { type: 'language' }).of(language),
		}),
		overageMills === 0 ? t('limits.rules.noOverage') : t('limits.rules.overage', { amount: usd(t, overageMills) }),
		t('limits.rules.pace', {
			atOnce,
			cooldown: cooldownSeconds,
		}),
		noticeChannel === undefined
			? t('limits.rules.noNotices')
			: t('limits.rules.notices', { channel: show.refer('channel', noticeChannel) }),
		...accessWords(t, settings, show),
		bannedWords(t, settings),
		logChannel === undefined
			? t('limits.rules.noLog')
			: t('limits.rules.log', { channel: show.refer('channel', logChannel) }),
		spoilerWords(t, settings, show),
		...(blocked.length > 0 ? [t('limits.rules.blocked', { members })] : []),
	];
}

/** Where and by whom may be asked. */
export const accessWords = (t: Translate, { allowedChannels, allowedRoles }: Settings, show: Context['show']) => [
	allowedChannels.length === 0
		? t('limits.rules.everywhere')
		: t('limits.rules.channels', { channels: listed(t, allowedChannels, (id) => show.refer('channel', id)) }),
	...(allowedRoles.length === 0
		? []
		: [t('limits.rules.roles', { roles: listed(t, allowedRoles, (id) => show.refer('role', id)) })]),
];

export const spoilerWords = (t: Translate, { spoilerChannels }: Settings, show: Context['show']) =>
	spoilerChannels.length === 0
		? t('limits.rules.noSpoilers')
		: t('limits.rules.spoilers', {
				channels: listed(t, spoilerChannels, (id) => show.refer('channel', id)),
			});

export const bannedWords = (t: Translate, { bannedWords: words }: Settings) =>
	t('limits.rules.bannedWords', { count: words.length });

/** The words themselves, which may be more than a message holds; only for moderators' eyes. */
export const bannedWordsFile = ({ bannedWords: words }: Settings): Pick<Reply, 'files'> =>
	words.length === 0 ? {} : { files: [{ name: 'banned-words.txt', bytes: Buffer.from(`${words.join('\n')}\n`) }] };

function listed(t: Translate, ids: readonly string[], name: (id: string) => string): string {
	const named = ids.slice(0, NAMED).map(name).join(', ');
	return ids.length <= NAMED ? named : t('limits.rules.andMore', { list: named, more: ids.length - NAMED });
}
