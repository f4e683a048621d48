import type { Keyv } from 'keyv';
import type { CommandDescription, Form } from '../../../domain/command.ts';
import { messageMenu } from '../../../domain/message-menu.ts';
import type { Inbox } from '../../../domain/platform.ts';
import type { Upload } from '../../../domain/reply.ts';
import type { SandboxChannels } from './channel.ts';
import type { Hub } from './events.ts';
import { type Brought, cleanName, type SandboxFiles, type StoredFile } from './files.ts';
import { BadRequest, type CommandInput, type MessageInput, type PressInput } from './input.ts';
import { LIMITS, type Look } from './limits.ts';
import { whoIsMeant, withoutMention } from './mentions.ts';
import type { Messages, StoredMessage } from './messages.ts';
import { EASEL, PEOPLE, placeOf, type Room, type RoomSettings, type Rooms, SERVERS } from './rooms.ts';
import { type Asked, createScenes } from './scene.ts';
import { viewOf } from './view.ts';

export type SandboxActions = ReturnType<typeof createActions>;

/** A form left open longer than this can't be sent any more. */
const FORM_MS = 24 * 3600 * 1000;

/** An open form of a person: what it submits, and the pictures of the message that it was opened from. */
type OpenForm = { command: string; files: readonly StoredFile[] };

const formKey = (person: string, form: string) => `form:${person}:${form}`;

/** What language somebody's browser asks for. */
type Reader = Pick<Asked, 'locale'>;

/** What a person can do at the page. Each rejects with `BadRequest` when it can't be done. */
export function createActions(options: {
	keyv: Keyv;
	commands: readonly CommandDescription[];
	rooms: Rooms;
	messages: Messages;
	files: SandboxFiles;
	channels: SandboxChannels;
	hub: Hub;
	/** Undefined while the platform takes no events. */
	inbox: () => Inbox | undefined;
	failed: (error: unknown) => void;
}) {
	const { keyv, commands, rooms, messages, files, channels, hub } = options;
	const { scene, messageFor } = createScenes(rooms, messages);

	function openInbox(): Inbox {
		const inbox = options.inbox();
		if (!inbox) throw new BadRequest(503, 'Easel is not running just now; try again in a moment.');
		return inbox;
	}

	/** The core answers in the channel, so nobody waits for it here. By contract it does not reject. */
	function handOver(event: Promise<void>): void {
		event.catch(options.failed);
	}

	const deliveryId = (person: string, id: string) => `d:${person}:${id}`;

	/** Tells the core that a message has other words now, or is gone. */
	function report(room: Room, { author, key }: StoredMessage, text?: string): void {
		const id = author === EASEL ? key : deliveryId(author, key.slice(`p:${author}:`.length));
		const change = { id, place: placeOf(room), ...(text !== undefined && { text }) };
		const inbox = options.inbox();
		if (inbox) handOver(inbox.changed(change));
	}

	function publishSettings(settings: RoomSettings): RoomSettings {
		hub.publish({ name: 'settings', data: settings });
		return settings;
	}

	return {
		async say(input: MessageInput & Reader, brought: readonly Brought[]) {
			const { room, person } = await scene(input);
			const inbox = openInbox();
			const { look } = await rooms.settings();
			const { text: longest, pictures: most, pictureBytes } = LIMITS[look];
			if (input.text.length > longest) throw new BadRequest(400, `A message has at most ${longest} characters here.`);
			if (brought.length > most) throw new BadRequest(413, `A message has at most ${most} files here.`);
			if (brought.some(({ bytes }) => bytes.length > pictureBytes))
				throw new BadRequest(413, `A file has at most ${pictureBytes / 2 ** 20} MiB here.`);
			if (input.text.trim() === '' && brought.length === 0) throw new BadRequest(400, 'The message is empty.');
			const answered = input.replyTo && (await messageFor(person.id, room, input.replyTo));

			const key = `p:${person.id}:${input.id}`;
			const sent = await messages.find(key);
			if (sent) return viewOf(sent);
			const saved: StoredFile[] = [];
			for (const { name, bytes } of brought) saved.push(await files.save(name, bytes));
			const draft = {
				room: room.id,
				author: person.id,
				text: input.text,
				files: saved,
				buttons: [],
				...(room.onlyFor !== undefined && { roomOf: room.onlyFor }),
			};
			const { message, created } = await messages.post(
				answered ? { ...draft, replyTo: excerpt(answered) } : draft,
				key,
			);
			if (!created) for (const file of saved) await files.remove(file);
			else
				handOver(
					inbox.hear({
						id: deliveryId(person.id, input.id),
						text: withoutMention(input.text),
						uploads: saved.map(files.upload),
						person,
						channel: await channels.channel(room, { person: person.id, message: message.number }),
						...whoIsMeant(input.text, person.id, answered ? answered.author : undefined),
					}),
				);
			return viewOf(message);
		},

		async command(input: CommandInput & Reader, brought: readonly Brought[]) {
			const { room, person } = await scene(input);
			const inbox = openInbox();
			const form = input.form === undefined ? undefined : await keyv.get<OpenForm>(formKey(person.id, input.form));
			if (input.form !== undefined && form?.command !== input.command)
				throw new BadRequest(409, 'This form is no longer open; please start again.');
			if (!commands.some(({ name }) => name === input.command)) throw new BadRequest(404, 'There is no such command.');
			const uploads: Record<string, Upload> = {};
			for (const file of brought) {
				if (!/^\w{1,64}$/.test(file.part)) throw new BadRequest(400, 'A picture is for no option.');
				if (uploads[file.part]) throw new BadRequest(400, `There are two files for “${file.part}”.`);
				uploads[file.part] = broughtUpload(file);
			}
			const id = deliveryId(person.id, input.id);
			handOver(
				inbox.invoke({
					id,
					command: input.command,
					options: { ...input.options, ...uploads },
					person,
					channel: await channels.channel(room, { person: person.id, command: input.command }),
					...(input.form !== undefined && form && { form: input.form, attached: form.files.map(files.upload) }),
				}),
			);
			return { id };
		},

		async press(input: PressInput & Reader) {
			const { room, person } = await scene(input);
			const inbox = openInbox();
			const message = await messageFor(person.id, room, input.number);
			const pictures = message.files.filter(({ type }) => type.startsWith('image/'));
			const known = message.buttons.some(({ id }) => id === input.button);
			const inMenu = messageMenu(commands).some(({ button }) => button === input.button);
			if (!known && !inMenu) throw new BadRequest(404, 'That button is gone.');
			const id = deliveryId(person.id, input.id);

			async function open(form: Form): Promise<void> {
				const open: OpenForm = { command: form.command, files: pictures };
				await keyv.set(formKey(person.id, form.id), open, FORM_MS);
				// Only the tab that pressed shows it: it knows the id that it sent.
				hub.publish({ name: 'form', data: { press: input.id, room: room.id, form }, onlyFor: person.id });
			}

			handOver(
				inbox.press({
					id,
					button: input.button,
					person,
					channel: await channels.channel(room, { person: person.id }),
					message: { place: placeOf(room), key: message.key },
					...(message.onlyFor !== undefined && { private: true as const }),
					attached: pictures.map(files.upload),
					open,
				}),
			);
			return { id };
		},

		async startThread(input: { as: string; room: string; number: number; title: string }) {
			const { room, person } = await scene(input);
			if (room.thread) throw new BadRequest(409, 'This is a thread already.');
			const message = await messageFor(person.id, room, input.number);
			if (message.onlyFor)
				throw new BadRequest(409, 'Only you see this message, so nobody could follow a thread on it.');
			const opened = await channels.openThread(room.id, message.number, input.title || message.text || 'Thread');
			return { id: opened.id, title: opened.title, channel: room.id };
		},

		/** One's own message, in other words. */
		async rewrite(input: { as: string; room: string; number: number; text: string }) {
			const { room, person } = await scene(input);
			const message = await messageFor(person.id, room, input.number);
			if (message.author !== person.id) throw new BadRequest(403, 'Only who wrote a message can change it.');
			if (input.text.trim() === '' && message.files.length === 0) throw new BadRequest(400, 'The message is empty.');
			const { look } = await rooms.settings();
			const { text: longest } = LIMITS[look];
			if (input.text.length > longest) throw new BadRequest(400, `A message has at most ${longest} characters here.`);
			const changed = await messages.edit(room.id, input.number, { text: input.text });
			if (!changed) throw new BadRequest(404, 'That message is gone.');
			report(room, message, withoutMention(input.text));
			return viewOf(changed);
		},

		suggest: (asked: { command: string; option: string; typed: string }) => openInbox().suggest(asked),

		/** One's own message, one that only this person sees, or as a moderator any. */
		async remove(input: { as: string; room: string; number: number }) {
			const { room, person } = await scene(input);
			const message = await messageFor(person.id, room, input.number);
			if (message.author !== person.id && message.onlyFor !== person.id && !person.moderator)
				throw new BadRequest(403, 'Only moderators can delete what others wrote.');
			await messages.remove(room.id, message.number);
			report(room, message);
			return {};
		},

		setLook: async (look: Look) => publishSettings(await rooms.setLook(look)),

		async setModerator(input: { server: string; person: string; moderator: boolean }) {
			if (!SERVERS.some(({ id }) => id === input.server)) throw new BadRequest(404, 'There is no such server.');
			if (!PEOPLE.some(({ id }) => id === input.person)) throw new BadRequest(404, 'There is no such person.');
			return publishSettings(await rooms.setModerator(input.server, input.person, input.moderator));
		},
	};
}

function excerpt({ number, author, text, files }: StoredMessage) {
	const line = text.replaceAll(/\s+/g, ' ').trim() || files[0]?.name || '';
	return { number, author, excerpt: [...line].slice(0, 90).join('') };
}

/** A command's picture is held by its request alone: the core reads it while it works, and nobody sees it here. */
function broughtUpload({ name, bytes }: Brought): Upload {
	return {
		name: cleanName(name),
		size: bytes.length,
		async read(signal) {
			signal.throwIfAborted();
			return bytes;
		},
	};
}
