import type { TestUser } from '../../test-user.ts';
import type { Slack } from '../context.ts';
import type { Envelope } from '../transport/envelope.ts';
import type { Channel, User } from '../world/model.ts';
import { ActionSender } from './action-sender.ts';
import { FormClient } from './form-client.ts';
import { Position } from './position.ts';
import type { SlackUser, UserContext } from './slack-user.ts';
import { actionsOf } from './user-actions.ts';
import { homeOf } from './user-home.ts';
import { messagesOf } from './user-messages.ts';

/** Returns a function that returns people in channels. They share the actions that can be delivered again. */
export function createUsers(slack: Slack): (account: User, channel: Channel) => SlackUser {
	const deliveries = new Map<string, Envelope>();
	return function userIn(account, channel): SlackUser {
		const { world } = slack;
		const position = new Position(slack, account, channel);
		const sender = new ActionSender(slack, account, deliveries);
		const context: UserContext = { slack, account, position, sender, forms: new FormClient(slack, account, sender) };
		const messages = messagesOf(context);
		return {
			account,
			get channel() {
				return position.channel;
			},
			get names() {
				return namesFor(account, position.first);
			},
			in: (other) => userIn(account, typeof other === 'string' ? world.channel(other, account.team) : other),
			directMessages: () => userIn(account, world.directMessages(account)),
			...actionsOf(context, messages),
			...messages,
			...homeOf(context),
		};
	};
}

function namesFor({ id, team }: User, first: Channel): TestUser['names'] {
	const group = (isMember: boolean) =>
		[...team.groups.values()].find(({ users }) => users.has(id) === isMember)?.id ?? '';
	const other = [...team.channels.values()].find((channel) => channel !== first && channel.members.has(id));
	return { here: first.id, elsewhere: other?.id ?? '', common: group(true), foreign: group(false) };
}
