import {
	GatewayDispatchEvents,
	type GatewayGuildCreateDispatchData,
	type GatewayMessageDeleteDispatchData,
} from 'discord.js';
import type { Inbox } from '../../../domain/platform.ts';
import type { AutoMod } from '../automod/automod.ts';
import type { GatewayListeners } from '../gateway/gateway.ts';
import type { Interactions } from './interactions.ts';
import type { MessageEvents } from './message-events.ts';
import { channelDeleted, guildCreated, guildDeleted, threadDeleted } from './removal-events.ts';
import type { createLeaveUnserved } from './unserved-servers.ts';

type Handlers = {
	interactions: Interactions;
	messageEvents: MessageEvents;
	autoMod: AutoMod;
	leaveUnserved: ReturnType<typeof createLeaveUnserved>;
};

/** @param inbox returns undefined before the start and after the stop: events are ignored then */
export function listenersFor(
	{ interactions, messageEvents, autoMod, leaveUnserved }: Handlers,
	inbox: () => Inbox | undefined,
): GatewayListeners {
	const whileStarted =
		<Data>(handle: (data: Data, inbox: Inbox) => Promise<void>) =>
		async (data: Data) => {
			const receiver = inbox();
			if (receiver) await handle(data, receiver);
		};
	const rulesChanged: AutoMod['invalidate'] = (rule) => autoMod.invalidate(rule);
	return {
		[GatewayDispatchEvents.InteractionCreate]: whileStarted(interactions.handle.bind(interactions)),
		[GatewayDispatchEvents.MessageCreate]: whileStarted(messageEvents.created.bind(messageEvents)),
		[GatewayDispatchEvents.MessageUpdate]: whileStarted(messageEvents.updated.bind(messageEvents)),
		[GatewayDispatchEvents.MessageDelete]: whileStarted(({ id, ...message }: GatewayMessageDeleteDispatchData, inbox) =>
			messageEvents.deleted({ ...message, ids: [id] }, inbox),
		),
		[GatewayDispatchEvents.MessageDeleteBulk]: whileStarted(messageEvents.deleted.bind(messageEvents)),
		[GatewayDispatchEvents.ThreadDelete]: whileStarted(threadDeleted),
		[GatewayDispatchEvents.ChannelDelete]: whileStarted(channelDeleted),
		[GatewayDispatchEvents.GuildDelete]: whileStarted(guildDeleted),
		[GatewayDispatchEvents.AutoModerationRuleCreate]: rulesChanged,
		[GatewayDispatchEvents.AutoModerationRuleUpdate]: rulesChanged,
		[GatewayDispatchEvents.AutoModerationRuleDelete]: rulesChanged,
		[GatewayDispatchEvents.GuildCreate]: async (server: GatewayGuildCreateDispatchData) => {
			await whileStarted(guildCreated)(server);
			await leaveUnserved(server);
		},
	};
}
