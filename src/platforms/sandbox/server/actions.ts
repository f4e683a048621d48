import { z } from 'zod';
import { MAX_ACTION_ID } from '../../../domain/channel.ts';
import { type Form, messageMenu } from '../../../domain/command.ts';
import type { QuotedMessage } from '../../../domain/platform.ts';
import { KeyedQueue } from '../../../domain/queues.ts';
import { OWN_MENTION, oneLine, withoutOwnMentions, wordsToBot } from '../../../domain/text.ts';
import { channelFor } from './bot-channels.ts';
import { EASEL, PEOPLE, SERVERS } from './directory.ts';
import { EMULATED_PLATFORMS, LIMITS } from './limits.ts';
import {
	action,
	at,
	authorize,
	authorizeAt,
	BadRequest,
	type SandboxContext as Context,
	commandName,
	deliveryId,
	type FormFile,
	id,
	knownPerson,
	name,
	onMessage,
	openInbox,
	text,
} from './requests.ts';
import { originOf, placeOf, type SandboxChannel, type StoredMessage, viewOf } from './store.ts';

/** The limit depends on the emulated platform too, and is checked later. */
const messageText = text('The message', 12_000);

const postMessage = action({
	fields: at.extend({ id, text: messageText, replyTo: onMessage.shape.number.optional() }),
	status: 201,
	hasFiles: true,
	async run(context, input, files) {
		const { store } = context;
		const { channel, person } = await authorize(context, input);
		const inbox = openInbox(context);
		await checkContent(context, input.text, files);
		const { message: repliedTo } = input.replyTo ? await authorizeAt(context, { ...input, number: input.replyTo }) : {};
		const draft = { room: channel.id, author: person.id, text: input.text, files };
		const key = `p:${person.id}:${input.id}`;
		const { message, created } = await store.post({ ...draft, replyTo: repliedTo && excerptOf(repliedTo) }, key);
		if (!created) return viewOf(message);
		const { number } = message;
		const heard = {
			id: deliveryId(person.id, input.id),
			...wordsOf(input.text),
			uploads: message.files.map((file) => store.upload(file, { person: person.id })),
			person,
			channel: await channelFor(context, channel, { person: person.id, request: input.id, message: number }),
			repliedTo: repliedTo && quotedFrom(context, repliedTo),
			before: () => saidBefore(context, person.id, channel, number),
			...addresseesOf(input.text, person.id, repliedTo?.author),
			...(channel.direct && { addressed: true }),
		};
		inbox.hear(heard).catch(context.onError);
		return viewOf(message);
	},
});

const editMessage = action({
	fields: onMessage.extend({ text: messageText }),
	async run(context, input) {
		const { channel, person, message } = await authorizeAt(context, input);
		if (message.author !== person.id) throw new BadRequest(403, 'sandbox.server.notYours');
		await checkContent(context, input.text, [], message.files.length);
		const changed = await context.store.edit(channel.id, input.number, { text: input.text });
		if (!changed) throw new BadRequest(404, 'sandbox.server.noMessage');
		reportChange(context, channel, message, wordsOf(input.text).text);
		return viewOf(changed);
	},
});

/** Deletes a person's own message, one that only they see, or, as a moderator, any message. */
const deleteMessage = action({
	fields: onMessage,
	async run(context, input) {
		const { channel, person, message } = await authorizeAt(context, input);
		if (message.author !== person.id && message.onlyFor !== person.id && !person.moderator)
			throw new BadRequest(403, 'sandbox.server.moderatorsOnly');
		await context.store.remove(channel.id, message.number);
		reportChange(context, channel, message);
		return {};
	},
});

const startThread = action({
	fields: onMessage.extend({ title: text('The title', 100).default('') }),
	status: 201,
	async run(context, input) {
		const { channel, message } = await authorizeAt(context, input);
		if (channel.thread || channel.direct) throw new BadRequest(409, 'sandbox.server.nestedThread');
		if (message.onlyFor) throw new BadRequest(409, 'sandbox.server.privateThread');
		const title = input.title || message.text || 'Thread';
		const thread = await context.store.startThread(channel.id, message.number, title);
		return { id: thread.id, title: thread.title, channel: channel.id };
	},
});

/** @param kept the files that a message has already */
async function checkContent({ store }: Context, text: string, files: readonly FormFile[], kept = 0) {
	const { pictures, pictureBytes, ownText: maxText } = LIMITS[(await store.settings()).emulates];
	if (text.length > maxText) throw new BadRequest(400, 'sandbox.server.textTooLong', { max: maxText });
	if (files.length > pictures) throw new BadRequest(413, 'sandbox.server.tooManyFiles', { max: pictures });
	if (files.some(({ bytes }) => bytes.length > pictureBytes))
		throw new BadRequest(413, 'sandbox.server.fileTooLarge', { max: Math.floor(pictureBytes / 1e6) });
	if (oneLine(text) === '' && files.length + kept === 0) throw new BadRequest(400, 'sandbox.server.emptyMessage');
}

/** Tells the core that a message was changed, or deleted when there is no text. */
function reportChange({ inbox, onError }: Context, channel: SandboxChannel, message: StoredMessage, text?: string) {
	// Of a person's message, the key and the delivery id differ in their beginning.
	const id = message.author === EASEL ? message.key : message.key.replace(/^p:/, 'd:');
	inbox?.changed({ id, place: placeOf(channel), text }).catch(onError);
}

/** The most messages that a mention brings with it. */
const MAX_BEFORE = 15;

/** Returns the message that a thread was started on, and the last ones before a message, without those that only one person sees. */
async function saidBefore(context: Context, person: string, channel: SandboxChannel, number: number) {
	const { messages } = await context.store.page(channel.id, person, MAX_BEFORE - 1, number);
	const first = channel.thread && (await context.store.get(channel.channel, originOf(channel)));
	const said = [...(first ? [first] : []), ...messages].filter(({ onlyFor }) => onlyFor === undefined);
	return said.map((message) => quotedFrom(context, message));
}

function quotedFrom({ store }: Context, { author, key, text, files, onlyFor }: StoredMessage): QuotedMessage {
	const isOwn = author === EASEL;
	return {
		author: isOwn ? 'Easel' : (PEOPLE.find(({ id }) => id === author)?.name ?? author),
		text,
		uploads: files.map((file) => store.upload(file, { person: author, key })),
		...(isOwn && { own: true }),
		...(onlyFor !== undefined && { private: true }),
	};
}

const excerptOf = ({ number, author, text, files }: StoredMessage) => ({
	...{ number, author },
	excerpt: oneLine(text, 90) || (files[0]?.name ?? ''),
});

/** A mention, but not the beginning of a longer word or the end of an address. */
const mentionOf = (name: string) => `(?<![\\p{L}\\p{N}_])@${name}(?![\\p{L}\\p{N}_])`;
const OWN = new RegExp(mentionOf(EASEL), 'giu');
const MENTIONS = [{ id: EASEL, name: EASEL }, ...PEOPLE].map(({ id, name }) => ({
	...{ id, mention: new RegExp(mentionOf(name), 'iu') },
}));
/** The people whom a text begins with. */
const NAMED = new RegExp(`^\\s*(?:(?:${PEOPLE.map(({ name }) => mentionOf(name)).join('|')})[\\s,:]*)+`, 'iu');

/** Tells whether a message is for the bot, and whether it is for other people. @param repliedTo the author of the message that it replies to */
function addresseesOf(text: string, author: string, repliedTo: string | undefined) {
	const meant = MENTIONS.filter(({ id, mention }) => repliedTo === id || mention.test(text)).map(({ id }) => id);
	return { addressed: meant.includes(EASEL), toOthers: meant.some((id) => id !== EASEL && id !== author) };
}

/** Returns what a text says without the mentions of the bot. */
function wordsOf(written: string): { text: string; toBot: string | undefined } {
	const marked = written.replaceAll(OWN, OWN_MENTION);
	return { text: withoutOwnMentions(marked), toBot: wordsToBot(marked, NAMED) };
}

/** How long the pictures of a command are kept at most that is not answered. */
const UPLOAD_TTL_MS = 3600_000;

/** Discord's limit for a text option: https://docs.discord.com/developers/interactions/application-commands */
const OPTION_LENGTH = 6000;

const choices = z.array(text('A choice', 100)).max(25);
const option = z.union([text('An option', OPTION_LENGTH), z.number(), z.boolean(), choices]);

const runCommand = action({
	fields: at.extend({
		...{ id, command: commandName },
		options: z.record(name, option).refine((options) => Object.keys(options).length <= 25),
		form: text('The form', 200).optional(),
	}),
	status: 202,
	hasFiles: true,
	async run(context, input, files) {
		const { store, commands, openForms, onError } = context;
		const { channel, person } = await authorize(context, input);
		const inbox = openInbox(context);
		const form = input.form === undefined ? undefined : await openForms.find(person.id, input.form);
		if (input.form !== undefined && form?.command !== input.command) throw new BadRequest(409, 'errors.expired.form');
		const command = commands.find(({ name }) => name === input.command);
		// The bot's own forms may belong to a command that nobody types.
		if (!command && !form) throw new BadRequest(404, 'There is no such command.');
		if (channel.direct && command?.moderators) throw new BadRequest(404, 'There is no such command here.');
		const id = deliveryId(person.id, input.id);
		const options: Record<string, unknown> = { ...input.options };
		// Where an option is about requests, a thread stands for its channel.
		for (const field of command?.fields ?? [])
			if (field.kind === 'channel' && field.requestable && options[field.name] !== undefined)
				options[field.name] = (await store.channel(String(options[field.name])))?.channel ?? options[field.name];
		// Commands that wait take up no memory.
		const saved = await store.putFiles(files, UPLOAD_TTL_MS);
		for (const [index, file] of saved.entries()) options[files[index]?.part ?? ''] = store.upload(file);
		const invocation = {
			...{ id, command: input.command, options, person, form: input.form },
			// Only commands that people type are shown above the answer.
			channel: await channelFor(context, channel, { person: person.id, request: input.id, command: command?.name }),
			attached: form?.files.map((file) => store.upload(file)),
		};
		const answered = inbox.invoke(invocation).finally(() => store.removeFiles(saved));
		answered.catch(onError);
		return { id };
	},
});

const pressButton = action({
	fields: onMessage.extend({ id, button: z.string().min(1).max(MAX_ACTION_ID) }),
	status: 202,
	async run(context, input) {
		const { store, openForms, hub, commands, onError } = context;
		const { channel, person, message } = await authorizeAt(context, input);
		const inbox = openInbox(context);
		const offered = [...message.buttons.map(({ id }) => id), ...messageMenu(commands).map(({ button }) => button)];
		if (!offered.includes(input.button)) throw new BadRequest(404, 'sandbox.server.noButton');
		const pictures = message.files.filter(({ type }) => type.startsWith('image/'));
		const id = deliveryId(person.id, input.id);
		const press = {
			...{ id, button: input.button, person },
			channel: await channelFor(context, channel, { person: person.id, request: input.id }),
			message: { place: placeOf(channel), key: message.key },
			...(message.onlyFor !== undefined && { private: true as const }),
			attached: pictures.map((file) => store.upload(file, { person: message.author, key: message.key })),
			open: async (form: Form) => {
				await openForms.save(person.id, form.id, { command: form.command, files: pictures });
				const shown = pictures.filter(({ spoiler }) => !spoiler);
				// Only the tab that pressed the button shows the form: it knows the id of its request.
				const data = { press: input.id, channel: channel.id, form, pictures: shown };
				hub.publish({ name: 'form', data, onlyFor: person.id });
			},
		};
		inbox.press(press).catch(onError);
		return { id };
	},
});

const setModerator = action({
	fields: z.object({ server: name, person: name, moderator: z.boolean() }),
	async run({ store }, { server, person, moderator }) {
		if (!SERVERS.some(({ id }) => id === server)) throw new BadRequest(404, 'There is no such server.');
		knownPerson(person);
		return store.changeSettings(({ moderators }) => {
			const others = (moderators[server] ?? []).filter((id) => id !== person);
			return { moderators: { ...moderators, [server]: moderator ? [...others, person] : others } };
		});
	},
});

const emulate = action({
	fields: z.object({ platform: z.enum(EMULATED_PLATFORMS) }),
	run: ({ store }, { platform }) => store.changeSettings(() => ({ emulates: platform })),
});

const TOKENS = ['DISCORD_TOKEN', 'SLACK_BOT_TOKEN', 'SLACK_APP_TOKEN'] as const;
const SERVICE = ['SERVICE_BASE_URL', 'SERVICE_API_KEY', 'IMAGE_MODEL', 'CHAT_MODEL'] as const;
const connecting = new KeyedQueue();

/** Checks what the page offers to connect. */
const connect = action({
	fields: z.object({ variables: z.partialRecord(z.enum([...TOKENS, ...SERVICE]), text('A value', 1000)) }),
	run: ({ tryOut }, { variables }) => connecting.run('', async () => (await tryOut?.(variables)) ?? []),
});

/** What pages can do, by the paths of their requests. */
export const ACTIONS = {
	...{ messages: postMessage, edits: editMessage, deletions: deleteMessage, threads: startThread },
	...{ commands: runCommand, presses: pressButton, moderators: setModerator, emulation: emulate, connections: connect },
};
