import { createHash } from 'node:crypto';
import type { BlockAction, MessageShortcut, ViewSubmitAction } from '@slack/bolt';
import type { Place } from '../../../../domain/place.ts';
import type { Translate } from '../../../../i18n/translator.ts';
import type { SlackRequester } from '../../outbound/slack-requester.ts';

/** A command, a press, a choice from a menu, or a form: who sent it, and from where. */
export type SlackActionContext = {
	/** The id of the action, the same for every delivery. */
	id: string;
	server: string;
	requester: SlackRequester;
	place: Place;
	/** In the requester's language, as far as it is known at once. */
	t: Translate;
};

export const requesterOf = ({
	user,
	team,
}: Pick<BlockAction | MessageShortcut | ViewSubmitAction, 'user' | 'team'>): SlackRequester => ({
	user: user.id,
	team: user.team_id ?? team?.id ?? '',
});

/** Shortens a trigger id, which has any length but is the same for every delivery, to a part of a message key. */
export const digest = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 32);
