import type { Channel } from '../../domain/channel.ts';
import type { CallKind } from '../../domain/limit.ts';
import type { Person } from '../../domain/person.ts';
import { type Translate, translatorFor } from '../../i18n/translator.ts';
import type { Log } from '../../log.ts';
import type { Settings } from '../../usage/settings.ts';
import type { SettingsRepository } from '../../usage/settings-repository.ts';
import { holdsAny } from './banned-words.ts';

/** Cooldowns are remembered for this many members; of more, those who asked longest ago may ask again. */
const REMEMBERED = 10_000;

/** Who asks where, and with which words. */
type Asking = { channel: Pick<Channel, 'place' | 'refer' | 'screen'>; person: Person; text: string };

/** Whether somebody may ask for something now; where not, why, as a sentence that repeats none of their words. */
export type Policy = {
	/** For a picture; where it may be made, by the settings that said so. Counts for the cooldown. */
	picture(asking: Asking): Promise<{ rules: Settings } | { refused: string }>;
	/** For a turn in a chat; undefined when they may. */
	chat(asking: Asking): Promise<string | undefined>;
	/** What of this is known from the settings alone, for the moment at which a call is taken. */
	checkPolicy(what: CallKind, asking: Asking): (rules: Settings) => string | undefined;
};

/**
 * Blocks, allowed channels and roles, banned words, the rules that the platform's own server has, and cooldowns. A cooldown is
 * courtesy, not money, so each process keeps its own.
 */
export function createPolicy({
	settings,
	log,
	now,
}: {
	settings: SettingsRepository;
	log: Log;
	now: () => number;
}): Policy {
	const last = new Map<string, number>();

	/** The server's own rules come second to the request: where they can't be known, it goes on. */
	async function screened({ channel, person, text }: Asking): Promise<string | undefined> {
		if (text === '') return undefined;
		try {
			return await channel.screen?.(text, person);
		} catch (error) {
			log.warn({ err: error }, 'The rules of a server could not be applied');
			return undefined;
		}
	}

	/** The settings are read last, so that they are as of this moment. */
	async function judge(what: CallKind, asking: Asking) {
		const screening = await screened(asking);
		const rules = await settings.get(asking.channel.place);
		return { rules, refused: forbidden(rules, what, asking) ?? screening };
	}

	/** Undefined when there is no need to wait; from then on there is. */
	function cooldown({ cooldownSeconds }: Settings, { channel, person }: Asking): string | undefined {
		if (cooldownSeconds === 0) return undefined;
		const { platform, server } = channel.place;
		const key = `${platform}:${server}:${person.id}`;
		const waitMs = (last.get(key) ?? Number.NEGATIVE_INFINITY) + cooldownSeconds * 1000 - now();
		if (waitMs > 0) return translatorFor(person.locale)('policy.cooldown', { seconds: Math.ceil(waitMs / 1000) });
		last.delete(key);
		last.set(key, now());
		const oldest = last.keys().next();
		if (last.size > REMEMBERED && !oldest.done) last.delete(oldest.value);
		return undefined;
	}

	return {
		async picture(asking) {
			const { rules, refused } = await judge('pictures', asking);
			const why = refused ?? cooldown(rules, asking);
			return why === undefined ? { rules } : { refused: why };
		},
		async chat(asking) {
			return (await judge('chat', asking)).refused;
		},
		checkPolicy: (what, asking) => (rules) => forbidden(rules, what, asking),
	};
}

/** So many are named in a sentence. */
const NAMED = 10;

/** What the moderators of Easel have set. */
function forbidden(rules: Settings, what: CallKind, asking: Asking): string | undefined {
	const t = translatorFor(asking.person.locale);
	if (!rules.blocked.includes(asking.person.id)) return notHere(t, rules, asking);
	return what === 'chat' ? t('policy.blocked.chat') : t('policy.blocked.pictures');
}

/** Threads count as their channel. */
function notHere(t: Translate, rules: Settings, { channel, person, text }: Asking): string | undefined {
	const { allowedChannels, allowedRoles, bannedWords } = rules;
	const named = (kind: 'channel' | 'role', ids: readonly string[]) =>
		ids
			.slice(0, NAMED)
			.map((id) => channel.refer(kind, id))
			.join(', ') + (ids.length > NAMED ? ' …' : '');
	if (allowedChannels.length > 0 && !allowedChannels.includes(channel.place.channel))
		return t('policy.channels', {
			channels: named('channel', allowedChannels),
		});
	if (allowedRoles.length > 0 && !allowedRoles.some((role) => person.roles?.includes(role)))
		return t('policy.roles', {
			roles: named('role', allowedRoles),
		});
	if (holdsAny(bannedWords, text)) return t('policy.words');
	return undefined;
}
