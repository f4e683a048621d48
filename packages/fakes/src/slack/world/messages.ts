import type { Slack } from '../context.ts';
import { namedInstallation, sendEvent, sendMessageEvent } from '../transport/events.ts';
import type { Channel, Json, Message, StoredFile, Team, User } from './model.ts';
import { checkPings } from './pings.ts';
import { renderMessage, repliesTo } from './render/messages.ts';

type NewMessage = Partial<Message> & Pick<Message, 'channel' | 'author'>;

/** Adds a message and sends its events. */
export function createMessage(slack: Slack, made: NewMessage): Message {
	const message: Message = {
		ts: slack.ids.ts(),
		text: '',
		blocks: [],
		files: [],
		forwards: [],
		broadcast: false,
		tombstone: false,
		isNotice: false,
		reactions: new Map(),
		...made,
	};
	const { channel, ts } = message;
	message.blocks = withIds(message.blocks);
	for (const file of message.files) file.shares.set(channel.id, [...(file.shares.get(channel.id) ?? []), ts]);
	// Who sees a message also sees the files of those that it forwards.
	for (const file of message.forwards.flatMap(({ files }) => files)) file.shown.add(channel.id);
	channel.messages.set(ts, message);
	checkPings(slack, message);
	if (message.only) return message;
	const event = { ...renderMessage(slack, message), event_ts: ts };
	sendMessageEvent(slack, channel, event);
	sendMention(slack, message);
	return message;
}

/** Slack sends the event again when its author edits the message. https://github.com/chenhg5/cc-connect/pull/1579 */
function sendMention(slack: Slack, message: Message): void {
	const { channel, author } = message;
	const installation = namedInstallation(slack, channel);
	const isMentioned = slack.world.installationsIn(channel).some(({ user }) => mentions(message, user));
	if (!installation || channel.kind === 'im' || (author.bot && !author.app) || !isMentioned) return;
	const { files, subtype: _, ...bare } = { ...renderMessage(slack, message), event_ts: message.ts } as Json;
	const mention = slack.settings.bareMentions || files === undefined ? bare : { ...bare, files };
	sendEvent(slack, installation.team, { ...mention, type: 'app_mention', channel: channel.id });
}

const mentions = ({ text }: Message, { id }: User) => text.includes(`<@${id}>`);

/** Changes a message and sends its event, also for changes by the application. */
export function editMessage(
	slack: Slack,
	message: Message,
	changes: Partial<Pick<Message, 'text' | 'blocks' | 'files' | 'metadata'>>,
	quietly = false,
): void {
	const before = renderMessage(slack, message);
	Object.assign(message, changes, changes.blocks && { blocks: withIds(changes.blocks) });
	// Updates by an application do not mark the message as edited.
	if (!message.author.bot) message.editedAt = slack.ids.ts();
	checkPings(slack, message);
	if (message.only || quietly) return;
	sendChangeEvent(slack, message, before);
	sendMention(slack, message);
}

function sendChangeEvent(slack: Slack, message: Message, previous: object): void {
	const ts = slack.ids.ts();
	sendMessageEvent(slack, message.channel, {
		subtype: 'message_changed',
		message: renderMessage(slack, message),
		previous_message: previous,
		hidden: true,
		ts,
		event_ts: ts,
	});
}

/** Deletes a message and sends its event. A message with replies remains as a tombstone. */
export function deleteMessage(slack: Slack, message: Message): void {
	const { channel, ts, only } = message;
	const previous = renderMessage(slack, message);
	if (!only && repliesTo(channel, ts).length > 0) {
		Object.assign(message, { tombstone: true, text: '', blocks: [], files: [], forwards: [] });
		return void sendChangeEvent(slack, message, previous);
	}
	channel.messages.delete(ts);
	if (only) return;
	const at = slack.ids.ts();
	sendMessageEvent(slack, channel, {
		subtype: 'message_deleted',
		previous_message: previous,
		hidden: true,
		deleted_ts: ts,
		ts: at,
		event_ts: at,
	});
}

/** Posts an ephemeral message of Slack's. */
export const postNotice = (slack: Slack, channel: Channel, only: User, text: string, threadTs?: string): Message =>
	createMessage(slack, {
		channel,
		author: { ...only, id: 'USLACKBOT', handle: 'slackbot', name: 'Slackbot', bot: false },
		only,
		text,
		isNotice: true,
		...(threadTs !== undefined && { threadTs }),
	});

/** Returns blocks with ids. */
const withIds = (blocks: Message['blocks']): Message['blocks'] =>
	blocks.map((block, index) => ({ ...block, block_id: block.block_id ?? `b${index}` }));

/** Returns whether a workspace has a file, also by a channel that it shares with another. */
export const hasFile = (team: Team, { team: own, shares, shown }: StoredFile): boolean =>
	own === team || [...shares.keys(), ...shown].some((id) => team.channels.has(id));

/** Returns whether a person can see a file: its owner, and people in the channels where it is shared or shown. */
export function canSeeFile(user: User, file: StoredFile): boolean {
	if (file.owner === user || (file.submitted && user.bot)) return true;
	return [...file.shares.keys(), ...file.shown].some((id) => {
		const channel = file.team.channels.get(id);
		return channel !== undefined && (channel.kind === 'public' || channel.members.has(user.id));
	});
}
