import type { Context, Limit, Settings } from '../../src/bot/declaration/command.ts';
import { usd } from '../../src/bot/messages/usage-messages.ts';
import type { Reply } from '../../src/domain/reply.ts';
import type { Translate } from '../../src/i18n/translator.ts';

/** So many of a list are named; more would fill a message. */
const NAMED = 20;

/** One cap: whose it is, and how much of what it allows. */
export function capWords(t: Translate, limit: Limit, show: Context['show']): string {
	const { what = 'pictures', period, images } = limit;
	return t(
		'{whose}: {images, number} {what, select, chat {{images, plural, one {chat turn} other {chat turns}}} other {{images, plural, one {call} other {calls}}}} a {period, select, day {day} other {month}}',
		{ whose: whoseWords(t, limit, show), images, what, period },
	);
}

function whoseWords(t: Translate, { scope, target }: Limit, show: Context['show']): string {
	if (scope === 'server') return t('this server');
	if (target === undefined) return t('every {scope, select, channel {channel} role {role} other {member}}', { scope });
	if (scope === 'role') return t('each member with {role}', { role: show.refer('role', target) });
	return show.refer(scope === 'member' ? 'person' : 'channel', target);
}

/** Every rule but the caps, a line each. */
export function ruleWords(t: Translate, settings: Settings, show: Context['show']): string[] {
	const { timeZone, language = 'en', overageMills, atOnce, cooldownSeconds } = settings;
	const { noticeChannel, logChannel, blocked } = settings;
	const members = blocked.map((id) => show.refer('person', id)).join(', ');
	return [
		t('- Time zone: {timeZone}', { timeZone }),
		t('- Language of what is said to moderators: {language}', {
			language: new Intl.DisplayNames(t.language, { type: 'language' }).of(language),
		}),
		overageMills === 0
			? t('- Beyond the plan: nothing')
			: t('- Beyond the plan: at most {amount} a month', { amount: usd(t, overageMills) }),
		t('- One member at once: {atOnce, number}; cooldown: {cooldown, plural, =0 {none} other {# s}}', {
			atOnce,
			cooldown: cooldownSeconds,
		}),
		noticeChannel === undefined
			? t('- Notices: nowhere')
			: t('- Notices: {channel}', { channel: show.refer('channel', noticeChannel) }),
		...accessWords(t, settings, show),
		bannedWords(t, settings),
		logChannel === undefined
			? t('- Log of pictures: nowhere')
			: t('- Log of pictures: {channel}', { channel: show.refer('channel', logChannel) }),
		spoilerWords(t, settings, show),
		...(blocked.length > 0 ? [t('- Blocked: {members}', { members })] : []),
	];
}

/** Where and by whom may be asked. */
export const accessWords = (t: Translate, { allowedChannels, allowedRoles }: Settings, show: Context['show']) => [
	allowedChannels.length === 0
		? t('- May be asked: everywhere')
		: t('- May be asked in: {channels}', { channels: listed(t, allowedChannels, (id) => show.refer('channel', id)) }),
	...(allowedRoles.length === 0
		? []
		: [t('- May ask: members with {roles}', { roles: listed(t, allowedRoles, (id) => show.refer('role', id)) })]),
];

export const spoilerWords = (t: Translate, { spoilerChannels }: Settings, show: Context['show']) =>
	spoilerChannels.length === 0
		? t('- Covered results: nowhere')
		: t('- Covered results in: {channels}', {
				channels: listed(t, spoilerChannels, (id) => show.refer('channel', id)),
			});

export const bannedWords = (t: Translate, { bannedWords: words }: Settings) =>
	t('- Banned words: {count, plural, =0 {none} other {#}}', { count: words.length });

/** The words themselves, which may be more than a message holds; only for moderators' eyes. */
export const bannedWordsFile = ({ bannedWords: words }: Settings): Pick<Reply, 'files'> =>
	words.length === 0 ? {} : { files: [{ name: 'banned-words.txt', bytes: Buffer.from(`${words.join('\n')}\n`) }] };

function listed(t: Translate, ids: readonly string[], name: (id: string) => string): string {
	const named = ids.slice(0, NAMED).map(name).join(', ');
	return ids.length <= NAMED ? named : t('{list} and {more, number} more', { list: named, more: ids.length - NAMED });
}
