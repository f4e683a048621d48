import type { SeenMessage } from '../../test-user.ts';
import type { Slack } from '../context.ts';
import type { Channel, Message, User } from '../world/model.ts';

/** The channel that a person has open, and the thread beside it. */
export class Position {
	readonly #slack: Slack;
	readonly #user: User;
	readonly #first: Channel;
	channel: Channel;
	thread: string | undefined;

	constructor(slack: Slack, user: User, channel: Channel) {
		this.#slack = slack;
		this.#user = user;
		this.#first = channel;
		this.channel = channel;
	}

	/** The channel that the person started in. */
	get first(): Channel {
		return this.#first;
	}

	/** The direct messages between the person and the application. */
	get directMessages(): Channel {
		return this.#slack.world.directMessages(this.#user);
	}

	/** Opens a channel or a thread by its id; by default the first channel. */
	enter(id?: string): void {
		const channel = id === undefined ? this.#first : this.#user.team.channels.get(id);
		this.thread = channel ? undefined : id;
		const channels = [this.#first, this.channel, this.directMessages];
		this.channel = channel ?? channels.find(({ messages }) => messages.has(id ?? '')) ?? this.channel;
	}

	/** Returns the message that the person sees. */
	messageOf({ id }: Pick<SeenMessage, 'id'>): Message {
		const message = this.channel.messages.get(id) ?? this.directMessages.messages.get(id);
		if (!message || !this.maySee(message)) throw new Error('The message does not exist');
		return message;
	}

	/** Returns false for an ephemeral message to another person. */
	maySee({ only }: Message): boolean {
		return !only || only.id === this.#user.id;
	}

	/** Returns the messages of the channel and of the thread, and the application's direct messages to the person. */
	visible(): Message[] {
		const isShown = ({ threadTs, ts, broadcast }: Message) =>
			threadTs === undefined || threadTs === ts || threadTs === this.thread || broadcast;
		const here = [...this.channel.messages.values()].filter((message) => isShown(message) && this.maySee(message));
		if (this.channel.kind === 'im' || !this.#user.team.installation) return here;
		const direct = [...this.directMessages.messages.values()].filter(({ author }) => author.bot);
		return [...here, ...direct].toSorted((a, b) => (a.ts < b.ts ? -1 : 1));
	}
}
