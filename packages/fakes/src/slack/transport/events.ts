import type { Slack } from '../context.ts';
import { secret } from '../ids.ts';
import type { Channel, Installation, Json, Team } from '../world/model.ts';
import { channelType } from '../world/render/people.ts';

/** The scope that messages of each kind of channel require. https://docs.slack.dev/reference/events/message */
const HISTORY_SCOPES = { public: 'channels:history', private: 'groups:history', im: 'im:history' } as const;
const SUBSCRIPTIONS = { public: 'message.channels', private: 'message.groups', im: 'message.im' } as const;

/** Delivers an event if the application has subscribed to it and has the scope. */
export function sendEvent(slack: Slack, team: Team, event: Json & { type: string }, name = event.type): void {
	const installation = team.installation;
	const subscribed = slack.manifest.settings?.event_subscriptions?.bot_events ?? [];
	if (!installation || !subscribed.includes(name)) return;
	if (event.type === 'app_mention' && !installation.scopes.has('app_mentions:read')) return;
	deliverEvent(slack, team, event, name);
}

/** Delivers an event about a message, if the application is a member of its channel. */
export function sendMessageEvent(slack: Slack, channel: Channel, event: Json): void {
	const { kind } = channel;
	const installation = namedInstallation(slack, channel);
	if (!installation?.scopes.has(HISTORY_SCOPES[kind])) return;
	const complete = { type: 'message', ...event, channel: channel.id, channel_type: channelType(channel) };
	sendEvent(slack, installation.team, complete, SUBSCRIPTIONS[kind]);
}

/** Returns the installation that an event of a channel names: one of those that see it. */
export function namedInstallation({ world, settings }: Slack, channel: Channel): Installation | undefined {
	const all = world.installationsIn(channel);
	return all.find(({ team }) => team.name === settings.named) ?? all.at(-1);
}

/** Delivers any event, also to an application that was just uninstalled. */
export function deliverEvent(slack: Slack, team: Team, event: Json & { type: string }, name = event.type): void {
	if (slack.settings.losesEvents) return;
	const installation = team.installation;
	const ts = slack.ids.ts();
	const payload = {
		token: 'verification-token',
		team_id: team.id,
		...(team.enterprise && { enterprise_id: team.enterprise.id }),
		context_team_id: team.id,
		context_enterprise_id: team.enterprise?.id ?? null,
		api_app_id: slack.appId,
		event: { event_ts: ts, ...event },
		type: 'event_callback',
		event_id: slack.ids.next('Ev'),
		event_time: Math.floor(slack.clock.now() / 1000),
		authorizations: [
			{
				enterprise_id: team.enterprise?.id ?? null,
				team_id: team.id,
				user_id: installation?.user.id ?? null,
				is_bot: true,
				is_enterprise_install: team.orgWide,
			},
		],
		is_ext_shared_channel: (slack.world.channelById(String(event['channel']))?.sharedWith.size ?? 0) > 0,
		event_context: secret('4-'),
	};
	const envelope = { kind: 'events_api', payload, name: `the event ${name}` } as const;
	for (let copies = slack.settings.duplicates ? 2 : 1; copies > 0; copies--) void slack.delivery.deliver(envelope);
}
