import { createHash } from 'node:crypto';
import type { BlockAction, MessageShortcut, ViewSubmitAction } from '@slack/bolt';
import { PlatformRefusedError } from '../../../bot/messages/refused-error.ts';
import type { Place } from '../../../domain/place.ts';
import type { Inbox } from '../../../domain/platform.ts';
import { type Translate, translatorFor } from '../../../i18n/translator.ts';
import type { SlackRequest } from '../outbound/slack-request.ts';
import { isPrivate } from './mentioned-command.ts';
import type { SlackServices } from './services.ts';

/** What somebody does: who, and where. */
export type ActionContext = { server: string; asked: SlackRequest; place: Place; t: Translate };

export type ActionContexts = ReturnType<typeof createActionContexts>;

/** What all doors do with what came in, after they have acknowledged it. */
export function createActionContexts(parts: SlackServices) {
	const { channels, people, log } = parts;

	/** Direct messages with the bot are no channel; those of other people are, into which it can't look. */
	async function placeOf({ server, asked, place }: Pick<ActionContext, 'server' | 'asked' | 'place'>): Promise<Place> {
		if (!place.channel.startsWith('D') || place.direct) return place;
		const direct = await channels.direct({ platform: 'slack', server, channel: '' }, { id: asked.user });
		return direct?.place.channel === place.channel ? { ...place, direct: true } : place;
	}

	/** Says something to one person, where nothing else comes of what they did. */
	async function tell(
		{ place, asked }: Pick<ActionContext, 'place' | 'asked'>,
		id: string,
		text: string,
	): Promise<void> {
		await channels.channel(place, asked).post({ text, visibility: 'private' }, id);
	}

	/** Runs what comes after the acknowledgement: whatever is thrown becomes a sentence. */
	async function answered(act: ActionContext, id: string, work: (inbox: Inbox) => Promise<void>): Promise<void> {
		const { t } = act;
		try {
			const inbox = parts.inbox();
			if (!inbox) return await tell(act, id, t('slack.errors.restarting'));
			await work(inbox);
		} catch (error) {
			if (!(error instanceof PlatformRefusedError))
				log.error({ err: error }, 'Something that was done in Slack could not be answered');
			const text = error instanceof PlatformRefusedError ? error.said(t) : t('slack.errors.internal');
			await tell(act, id, text).catch((failure: unknown) =>
				log.warn({ err: failure }, 'An answer could not be posted'),
			);
		}
	}

	async function invoke(
		act: ActionContext,
		inbox: Inbox,
		id: string,
		invocation: Pick<Parameters<Inbox['invoke']>[0], 'command' | 'options' | 'form' | 'attached'>,
	): Promise<void> {
		const { server, asked } = act;
		const [person, place] = await Promise.all([people.person(server, asked.user), placeOf(act)]);
		const channel = channels.channel(place, { ...asked, inDirect: isPrivate(invocation.options) });
		await inbox.invoke({ id, person, channel, ...invocation });
	}

	return {
		placeOf,
		tell,
		answered,
		invoke,
		/** In whose language something is said, as far as that is known by now. */
		translator: (server: string, user: string) => translatorFor(people.known(server, user)?.person.locale),
	};
}

export const askedOf = ({
	user,
	team,
}: Pick<BlockAction | MessageShortcut | ViewSubmitAction, 'user' | 'team'>): SlackRequest => ({
	user: user.id,
	team: user.team_id ?? team?.id ?? '',
});

/** Slack's proof that somebody did something is of any length, and the same when it is delivered twice. */
export const digest = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, 32);
