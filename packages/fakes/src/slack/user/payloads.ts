import type { Slack } from '../context.ts';
import type { Channel, Json, Message, ResponseUrl, Trigger, User, View } from '../world/model.ts';
import { renderMessage } from '../world/render/messages.ts';
import { channelName, renderActor, renderTeam } from '../world/render/people.ts';
import { renderView } from '../world/render/views.ts';
import type { Input } from './form-state.ts';
import { createResponseUrl } from './triggers.ts';
import type { PressedButton } from './visible.ts';

/** The fields of all interactive payloads. */
const common = ({ appId }: Slack, { id, user }: Trigger): Json => ({
	user: renderActor(user),
	api_app_id: appId,
	token: 'verification-token',
	trigger_id: id,
	team: renderTeam(user.team),
	enterprise: user.team.enterprise ?? null,
	is_enterprise_install: user.team.orgWide,
});

const inChannel = ({ id, name }: Channel) => ({ channel: { id, name } });

/** @param text the text after the command */
export function slashCommand(slack: Slack, trigger: Trigger, channel: Channel, command: string, text: string): Json {
	const { user, id } = trigger;
	return {
		token: 'verification-token',
		team_id: user.team.id,
		team_domain: user.team.domain,
		...(user.team.enterprise && { enterprise_id: user.team.enterprise.id, enterprise_name: user.team.enterprise.name }),
		channel_id: channel.id,
		channel_name: channelName(channel),
		user_id: user.id,
		user_name: user.handle,
		command,
		text,
		api_app_id: slack.appId,
		is_enterprise_install: String(user.team.orgWide),
		response_url: createResponseUrl(slack, { user, channel }),
		trigger_id: id,
	};
}

function pressed(slack: Slack, { element, blockId }: PressedButton): Json {
	const { action_id, text, value, type, style } = element;
	return {
		actions: [
			{
				action_id,
				block_id: blockId,
				text,
				type,
				action_ts: slack.ids.ts(),
				...(value !== undefined && { value }),
				...(style !== undefined && { style }),
			},
		],
	};
}

export function buttonPress(slack: Slack, trigger: Trigger, message: Message, button: PressedButton): Json {
	const { channel, ts, only, threadTs } = message;
	const { user } = trigger;
	const url: Pick<ResponseUrl, 'user' | 'channel'> & Partial<ResponseUrl> = {
		user,
		channel,
		original: message,
		threadTs,
	};
	return {
		type: 'block_actions',
		...common(slack, trigger),
		container: {
			type: 'message',
			message_ts: ts,
			channel_id: channel.id,
			is_ephemeral: only !== undefined,
			...(threadTs !== undefined && { thread_ts: threadTs }),
		},
		...inChannel(channel),
		// Payloads do not contain ephemeral messages, only their `ts`.
		...(!only && { message: renderMessage(slack, message) }),
		state: { values: {} },
		response_url: createResponseUrl(slack, url),
		...pressed(slack, button),
	};
}

export const homePress = (slack: Slack, trigger: Trigger, view: View, button: PressedButton): Json => ({
	type: 'block_actions',
	...common(slack, trigger),
	container: { type: 'view', view_id: view.id },
	view: renderView(slack, view),
	...pressed(slack, button),
});

export function messageShortcut(slack: Slack, trigger: Trigger, message: Message, callbackId: string): Json {
	const { channel, ts, threadTs } = message;
	const { user } = trigger;
	return {
		type: 'message_action',
		...common(slack, trigger),
		action_ts: slack.ids.ts(),
		...inChannel(channel),
		callback_id: callbackId,
		response_url: createResponseUrl(slack, { user, channel, threadTs }),
		message_ts: ts,
		message: renderMessage(slack, message),
	};
}

export const submission = (slack: Slack, trigger: Trigger, view: View, state: Json): Json => ({
	type: 'view_submission',
	...common(slack, trigger),
	view: renderView(slack, view, state),
	response_urls: [],
});

/** The request for the options of a menu that the application supplies. */
export function suggestion(slack: Slack, user: User, view: View, { block, element }: Input, typed: string): Json {
	const { trigger_id: _, ...rest } = common(slack, { id: '', user, at: 0, used: true });
	return {
		type: 'block_suggestion',
		...rest,
		container: { type: 'view', view_id: view.id },
		view: renderView(slack, view, view.state),
		action_id: element['action_id'],
		block_id: block.block_id,
		value: typed,
	};
}

export function closing(slack: Slack, user: User, view: View): Json {
	const { trigger_id: _, ...rest } = common(slack, { id: '', user, at: 0, used: true });
	return { type: 'view_closed', ...rest, view: renderView(slack, view), is_cleared: false };
}
