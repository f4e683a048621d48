import type { Options, SeenMessage, TestUser } from '../../test-user.ts';
import type { Slack } from '../context.ts';
import type { SharedFile } from '../world/files.ts';
import type { Channel, Message, User, View } from '../world/model.ts';
import type { ActionSender } from './action-sender.ts';
import type { FormClient } from './form-client.ts';
import type { Position } from './position.ts';

/** A `TestUser` with what else people do on Slack. */
export type SlackUser = Omit<TestUser, 'menu' | 'say'> & {
	/** Writes a message. Names after an @ become mentions. */
	say(text: string, files?: SharedFile[]): Promise<void>;
	/** Forwards a message, also one of another channel, to the channel or thread that is open. */
	forward(message: SeenMessage | Message, text?: string): Promise<void>;
	account: User;
	/** The channel that is open. */
	readonly channel: Channel;
	/** Returns the same person in another channel, by its name or id. */
	in(channel: string | Channel): SlackUser;
	/** Returns the same person in the application's direct messages. */
	directMessages(): SlackUser;
	/** Types a slash command, such as `/imagine a fox n:2`. A form that it opens stays open. */
	types(line: string, delivery?: string): Promise<void>;
	/** Chooses any of the application's message shortcuts. */
	menu(message: SeenMessage, entry: string): Promise<void>;
	/** Returns the error with which Slack's client would refuse these answers; undefined if it would not. `submit` sends them anyway. */
	refuses(options: Options): string | undefined;
	/** Closes the open form. */
	cancel(): Promise<void>;
	/** Returns the open form as Slack has it. */
	view(): View | undefined;
	/** Opens the application's home page. */
	openHome(tab?: 'home' | 'messages'): void;
	home(): SeenMessage | undefined;
	pressHome(label: string): Promise<void>;
	/** Returns the message that the person sees. */
	message(seen: Pick<SeenMessage, 'id'>): Message;
};

/** The state and services of a `SlackUser`. */
export type UserContext = {
	slack: Slack;
	account: User;
	position: Position;
	sender: ActionSender;
	forms: FormClient;
};
