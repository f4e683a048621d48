import { setImmediate } from 'node:timers/promises';
import {
	PermissionFlagsBits as Bits,
	InteractionType,
	ApplicationCommandOptionType as OptionType,
} from 'discord-api-types/v10';
import type { Field, Form } from '../../../src/domain/command.ts';
import { isFile, type Options, type PictureFile, type SeenMessage, type TestUser } from '../test-user.ts';
import { typeOf } from './cdn.ts';
import type { Option } from './command-forms.ts';
import type { Commands, Registered } from './command-routes.ts';
import { type Component, type Modal, withinAll } from './components.ts';
import type { Discord } from './context.ts';
import { fileName } from './limits.ts';
import { createMessage, deleteMessage, editMessage, textOf } from './messages.ts';
import { demand, demandSending, permissionsAt } from './permissions.ts';
import { renderActor, renderChannel, renderFile, renderMessage, renderRole, renderUser } from './render.ts';
import type { Channel, Interaction, Message, StoredFile, User } from './things.ts';
import { createThread } from './threads.ts';

/** A `TestUser` and what else people do on Discord. */
export type DiscordUser = Omit<TestUser, 'reply' | 'menu'> & {
	account: User;
	/** Where this person is. */
	readonly channel: Channel;
	/** The same person elsewhere: another channel by its name or id, a thread. */
	in(channel: string | Channel): DiscordUser;
	/** The same person in the application's direct messages. */
	directMessages(): DiscordUser;
	/** As `TestUser.reply`; without a ping if that is switched off. */
	reply(to: SeenMessage, text: string, more?: { files?: PictureFile[]; ping?: boolean }): Promise<void>;
	/** Any entry of the application's message menu. */
	menu(message: SeenMessage, entry: string): Promise<void>;
	/** What is offered while this is typed into an option. */
	suggest(command: string, option: string, typed: string): Promise<{ name: string; value: string | number }[]>;
	/** Why Discord's own window would not send this command; undefined when it would. `command` sends it all the same. */
	refuses(command: string, options: Options): string | undefined;
	/** Chooses from a select menu. */
	select(message: SeenMessage, customId: string, values: string[]): Promise<void>;
	/** The form that was opened last, as Discord has it. */
	modal(): Modal | undefined;
	/** Whether somebody's typing shows: the application's, when not said. */
	typing(handle?: string): boolean;
	/** The interaction that this user sent last. */
	last(): Interaction | undefined;
	/** The message behind what is seen. */
	message(seen: Pick<SeenMessage, 'id'>): Message;
};

/** Typing is shown so long. https://docs.discord.com/developers/resources/channel#trigger-typing-indicator */
const TYPING_MS = 10_000;

/** Turns of the event loop in which an answer on loopback arrives and is acted upon. */
const TURNS = 25;

/** Gives out users. One event that is delivered twice is one interaction, whichever user sends it. */
export function createUsers(discord: Discord, commands: Commands) {
	const deliveries = new Map<string, Interaction>();
	return (user: User, channel: Channel): DiscordUser => userAt(discord, commands, deliveries, user, channel);
}

function userAt(
	discord: Discord,
	commands: Commands,
	deliveries: Map<string, Interaction>,
	user: User,
	home: Channel,
): DiscordUser {
	const { world, interactions, cdn } = discord;
	const { server } = home;
	let channel = home;
	let opened: { modal: Modal; source: Message | undefined } | undefined;
	let last: Interaction | undefined;

	async function send(
		type: InteractionType,
		data: Record<string, unknown>,
		{ source, delivery }: { source?: Message | undefined; delivery?: string | undefined } = {},
	): Promise<Interaction> {
		if (discord.gateway.connected().length === 0) throw new Error('The application is not connected');
		const again = delivery === undefined ? undefined : deliveries.get(delivery);
		const interaction = again ?? interactions.create({ type, user, channel, data, source });
		if (delivery !== undefined) deliveries.set(delivery, interaction);
		last = interaction;
		interactions.deliver(interaction);
		if (!again) await interaction.settled;
		if (interaction.modal && !again) opened = { modal: interaction.modal, source };
		return interaction;
	}

	function registered(type: number, name: string): Registered {
		const found = commands.visible(server?.id).find((one) => one.type === type && one.name === name);
		if (!found) throw new Error(`No command ${name} is registered`);
		return found;
	}

	/** `limits set` as command, its subcommands, and the options that can be filled in. */
	function parse(name: string) {
		const [first = '', ...path] = name.split(' ');
		const command = registered(1, first);
		let options = command.options ?? [];
		const branches = path.map((part) => {
			const branch = options.find((option) => option.name === part);
			if (!branch) throw new Error(`No command ${name} is registered`);
			options = branch.options ?? [];
			return branch;
		});
		return { command, branches, options };
	}

	/** The command's data, with options in their types and what they name beside them. */
	function commandData(name: string, given: Options, focused?: string): Record<string, unknown> {
		const { command, branches, options } = parse(name);
		const resolved = createResolved();
		const filled = Object.entries(given).map(([key, value]) => {
			const option = options.find((one) => one.name === key);
			if (!option) throw new Error(`/${name} has no option ${key}`);
			return {
				name: key,
				type: option.type,
				value: resolved.add(option.type, value),
				...(key === focused && { focused: true }),
			};
		});
		const nested = branches.reduceRight<object[]>(
			(inner, { type, name: part }) => [{ type, name: part, options: inner }],
			filled,
		);
		const { id, guild_id } = command;
		return { id, name: command.name, type: 1, options: nested, ...(guild_id && { guild_id }), ...resolved.data() };
	}

	/** What options name by id. */
	function createResolved() {
		const kinds: Record<string, Record<string, unknown>> = {};
		const put = (kind: string, id: string, what: unknown) => {
			kinds[kind] ??= {};
			kinds[kind][id] = what;
		};
		function person(id: string) {
			const named = world.userById(id);
			if (!named) throw new Error(`There is nobody with the id ${id}`);
			put('users', id, renderUser(named));
			if (server?.members.has(id)) {
				const { user: _, ...member } = renderActor(server, named, channel);
				put('members', id, member);
			}
		}
		function role(id: string) {
			const named = server?.roles.get(id);
			if (!named) throw new Error(`There is no role with the id ${id}`);
			put('roles', id, renderRole(named, 0));
		}
		return {
			add(type: OptionType, value: Options[string]): string | number | boolean {
				if (isFile(value)) {
					const file = upload(value, true);
					put('attachments', file.id, renderFile(discord, file));
					return file.id;
				}
				if (typeof value === 'object') throw new Error('An option has one value');
				const id = String(value);
				if (type === OptionType.User) person(id);
				if (type === OptionType.Role) role(id);
				if (type === OptionType.Mentionable) (world.userById(id) ? person : role)(id);
				if (type === OptionType.Channel) {
					const named = world.channels.get(id);
					if (!named) throw new Error(`There is no channel with the id ${id}`);
					put('channels', id, { ...renderChannel(named), permissions: String(permissionsAt(named, user)) });
				}
				return value;
			},
			data: () => (Object.keys(kinds).length > 0 ? { resolved: kinds } : {}),
		};
	}

	/** Puts a file on the CDN as the client does before a command is sent. */
	function upload({ name, bytes }: PictureFile, ephemeral: boolean): StoredFile {
		const kept = fileName(name);
		const type = typeOf(bytes, kept);
		const id = discord.snowflake();
		return cdn.keep({ id, name: kept, type, bytes, spoiler: false, channelId: channel.id, ephemeral });
	}

	function messageOf({ id }: Pick<SeenMessage, 'id'>): Message {
		const message = channel.messages.get(id);
		if (!message || (message.only && message.only !== user)) throw new Error('The message is not there');
		return message;
	}

	async function pressOn(seen: SeenMessage, find: (component: Component) => boolean, more: object, delivery?: string) {
		const redelivered = delivery === undefined ? undefined : deliveries.get(delivery);
		if (redelivered) return void interactions.deliver(redelivered);
		const source = messageOf(seen);
		const component = withinAll(source.components).find(find);
		if (!component) throw new Error('The message has no such button');
		if (component['disabled']) throw new Error('The button is disabled');
		const data = { custom_id: component.custom_id, component_type: component.type, id: 1, ...more };
		await send(InteractionType.MessageComponent, data, { source, delivery });
	}

	function fill(component: Component, options: Options, resolved: ReturnType<typeof createResolved>): object {
		const { type, custom_id = '' } = component;
		const value = options[custom_id] ?? filledIn(component);
		const base = { type, custom_id, id: 1 };
		if (type === 4) return { ...base, value: value === undefined ? '' : String(value) };
		if (type === 21) return { ...base, value: value === undefined ? null : String(value) };
		if (type === 23) return { ...base, value: value === true || value === 'true' };
		if (value === undefined) return { ...base, values: [] };
		const several = Array.isArray(value) ? value : [value];
		const kind = { 5: OptionType.User, 6: OptionType.Role, 7: OptionType.Mentionable, 8: OptionType.Channel }[type];
		return { ...base, values: several.map((one) => String(resolved.add(kind ?? OptionType.String, one))) };
	}

	return {
		account: user,
		get channel() {
			return channel;
		},
		in: (other) =>
			userAt(discord, commands, deliveries, user, typeof other === 'string' ? world.channel(other) : other),
		directMessages: () => userAt(discord, commands, deliveries, user, world.directMessages(user)),
		threads: async () =>
			[...world.channels.values()]
				.filter((other) => other.parent === home && permissionsAt(other, user) > 0n)
				.map(({ id, name }) => ({ id, title: name })),
		async startThread(seen) {
			const message = messageOf(seen);
			demand(home, user, 'CreatePublicThreads');
			channel = createThread(discord, home, { name: textOf(message).slice(0, 100) || 'Thread', owner: user, message });
		},
		enter(where) {
			channel = where === undefined ? home : world.channel(where);
		},
		get names() {
			const named = (one: 'channels' | 'roles', name: string) =>
				[...(server?.[one].values() ?? [])].find((each) => each.name === name)?.id ?? '';
			return {
				here: home.id,
				elsewhere: named('channels', 'gallery'),
				common: named('roles', 'Painters'),
				foreign: named('roles', 'Apprentices'),
			};
		},
		async command(name, options, delivery) {
			const type = InteractionType.ApplicationCommand;
			const known = delivery !== undefined && deliveries.has(delivery);
			await send(type, known ? {} : commandData(name, options), { delivery });
		},
		refuses(name, given) {
			const { command, options } = parse(name);
			return (
				refusedCommand(command, channel, user) ??
				options.map((option) => refusedValue(option, given[option.name])).find(Boolean)
			);
		},
		async suggest(name, option, typed) {
			const data = commandData(name, { [option]: typed }, option);
			const { choices = [] } = await send(InteractionType.ApplicationCommandAutocomplete, data);
			return choices;
		},
		press: (seen, label, delivery) =>
			pressOn(seen, (component) => component.type === 2 && component.label === label, {}, delivery),
		select: (seen, customId, values) =>
			pressOn(seen, (component) => component.type !== 2 && component.custom_id === customId, { values }),
		async menu(seen, entry) {
			const { id, name, guild_id } = registered(3, entry);
			const target = messageOf(seen);
			const messages = { [target.id]: renderMessage(discord, target, true) };
			await send(InteractionType.ApplicationCommand, {
				id,
				name,
				type: 3,
				target_id: target.id,
				resolved: { messages },
				...(guild_id && { guild_id }),
			});
		},
		modal: () => opened?.modal,
		form: () => opened && formOf(opened.modal),
		async submit({ id }, options) {
			if (opened?.modal.custom_id !== id) throw new Error('This form is not open');
			const { modal, source } = opened;
			const resolved = createResolved();
			const names = withinAll(modal.components).flatMap(({ custom_id }) => custom_id ?? []);
			const stray = Object.keys(options).find((name) => !names.includes(name));
			if (stray) throw new Error(`The form has no field ${stray}`);
			const components = modal.components.map((top) => {
				if (top.component) return { type: top.type, id: 1, component: fill(top.component, options, resolved) };
				const inner = top.components?.map((component) => fill(component, options, resolved));
				return { type: top.type, id: 1, ...(inner && { components: inner }) };
			});
			opened = undefined;
			await send(InteractionType.ModalSubmit, { custom_id: id, components, ...resolved.data() }, { source });
		},
		say: async (text, files) => write(text, files),
		reply: async (to, text, { files, ping = true } = {}) => write(text, files, { to, ping }),
		async rewrite(seen, text) {
			const message = messageOf(seen);
			if (message.author !== user) throw new Error('Only own messages can be changed');
			editMessage(discord, message, { content: mention(text) }, []);
		},
		async erase(seen) {
			const message = messageOf(seen);
			if (message.author !== user && message.only !== user) demand(channel, user, 'ManageMessages');
			deleteMessage(discord, message);
		},
		async look() {
			if (!permissionsAt(channel, user)) return [];
			const seen = [...channel.messages.values()].filter(({ only }) => !only || only === user).map(see);
			// Nobody's eyes are faster than the application learns that its message stands.
			for (let turn = 0; turn < TURNS; turn++) await setImmediate();
			return seen;
		},
		typing: (handle) => {
			const at = channel.typing.get((handle === undefined ? world.me : world.person(handle)).id);
			return at !== undefined && discord.clock.now() < at + TYPING_MS;
		},
		last: () => last,
		message: messageOf,
	};

	function write(text: string, files: PictureFile[] = [], reply?: { to: SeenMessage; ping: boolean }): void {
		demandSending(channel, user, files.length, 0);
		world.asked.add(user.id);
		const parts = files.map(({ name, bytes }, index) => {
			return { index: String(index), name, type: typeOf(bytes, name), bytes: Buffer.from(bytes) };
		});
		const body = { content: mention(text), allowed_mentions: { replied_user: reply?.ping ?? false } };
		const reference = reply && messageOf(reply.to);
		createMessage(discord, body, parts, { channel, author: user, reference });
	}

	/** `@Easel` as Discord's client writes it. */
	function mention(text: string): string {
		const known = [...world.people.values()].toSorted((a, b) => b.name.length - a.name.length);
		return known.reduce((words, { name, id }) => words.replaceAll(`@${name}`, `<@${id}>`), text);
	}

	function see(message: Message): SeenMessage {
		const components = withinAll(message.components);
		const pictures = message.files.filter(({ type }) => type.startsWith('image/'));
		return {
			id: message.id,
			text: textOf(message)
				.replace(/<@!?(\d+)>/g, (all, id) => (world.userById(id) ? `@${world.userById(id)?.name}` : all))
				.replace(/<#(\d+)>/g, (all, id) => (world.channels.has(id) ? `#${world.channels.get(id)?.name}` : all))
				.replace(/<@&(\d+)>/g, (all, id) => (server?.roles.has(id) ? `@${server.roles.get(id)?.name}` : all)),
			pictures: pictures.map((file) => ({ bytes: new Uint8Array(file.bytes), ...seenOf(file, components) })),
			files: message.files.filter((file) => !pictures.includes(file)).map(({ name }) => name),
			buttons: components.flatMap(({ type, label }) => (type === 2 ? (label ?? '') : [])),
			private: message.only !== undefined,
		};
	}
}

const seenOf = (file: StoredFile, components: readonly Component[]) => ({
	alt: altOf(file, components),
	...(file.spoiler && { spoiler: true as const }),
});

/** A layout's own description of a picture goes before the file's. */
function altOf({ id, name, description }: StoredFile, components: readonly Component[]): string {
	const items = components.flatMap(
		(component) => (component['items'] ?? []) as { media: { url: string }; description?: string }[],
	);
	const shown = items.find(({ media: { url } }) => url === `attachment://${name}` || url.includes(`/${id}/`));
	return shown?.description ?? description ?? '';
}

/** A form as the core knows it. */
function formOf({ custom_id, title, components }: Modal): Form {
	const fields = components.flatMap((top) => {
		const inner = top.component ?? top.components?.[0];
		return inner ? [fieldOf(inner, String(top['description'] ?? top.label ?? inner.label ?? ''))] : [];
	});
	const note = components.flatMap((top) => (top.type === 10 ? String(top['content']) : [])).join('\n');
	const inputs = components.flatMap((top) => top.component ?? top.components ?? []);
	const given = inputs.flatMap((input) => {
		const value = filledIn(input);
		return value === undefined ? [] : [[input.custom_id ?? '', value] as const];
	});
	const values = given.length > 0 && { values: Object.fromEntries(given) };
	return { id: custom_id, command: custom_id, title, fields, ...(note && { note }), ...values };
}

/** What an input has to begin with. */
function filledIn(component: Component): string | boolean | string[] | undefined {
	const {
		type,
		value,
		default: checked,
		options = [],
	} = component as Component & {
		value?: string;
		default?: boolean;
		options?: { value: string; default?: boolean }[];
	};
	if (type === 4) return value;
	if (type === 23) return checked;
	const chosen = options.filter((option) => option.default).map((option) => option.value);
	return chosen.length === 0 ? undefined : type === 21 ? chosen[0] : chosen;
}

function fieldOf(component: Component, description: string): Field {
	const required = component['required'] !== false && component.type !== 23;
	const base = { name: component.custom_id ?? '', description, required };
	const { type } = component;
	const options = (component['options'] ?? []) as { value: string }[];
	switch (type) {
		case 3:
		case 21:
		case 22: {
			const { min_values: min = 1, max_values: max = 1 } = component as { min_values?: number; max_values?: number };
			const choices = options.map(({ value }) => value);
			return max > 1 || type === 22
				? { ...base, kind: 'choices', choices, min, max }
				: { ...base, kind: 'choice', choices };
		}
		case 19:
			return { ...base, kind: 'picture' };
		case 23:
			return { ...base, kind: 'flag' };
		case 5:
			return { ...base, kind: 'person' };
		case 6:
			return { ...base, kind: 'role' };
		case 8:
			return { ...base, kind: 'channel' };
		default: {
			const { min_length: minLength = 0, max_length: maxLength = 4000 } = component as {
				min_length?: number;
				max_length?: number;
			};
			return { ...base, kind: 'text', minLength, maxLength, suggestions: [] };
		}
	}
}

function refusedCommand(command: Registered, channel: Channel, user: User): string | undefined {
	const needed = command.default_member_permissions;
	const has = permissionsAt(channel, user);
	const lacks = needed != null && channel.server && (has & BigInt(needed)) !== BigInt(needed);
	if (lacks || (needed === '0' && !(has & Bits.Administrator))) return 'You do not have permission to use this command';
	if (command.nsfw && channel.server && !channel.nsfw) return 'This command is for age-restricted channels';
	const context = channel.server ? 0 : 1;
	if (command.contexts && !command.contexts.includes(context)) return 'This command is not for here';
	return undefined;
}

function refusedValue(option: Option, value: Options[string] | undefined): string | undefined {
	const { name, required, choices, min_value, max_value, min_length, max_length, file_types } = option;
	if (value === undefined) return required ? `${name}: This option is required` : undefined;
	if (choices?.length && !choices.some((choice) => choice.value === value)) return `${name}: not one of the choices`;
	if (typeof value === 'number' && (value < (min_value ?? value) || value > (max_value ?? value)))
		return `${name}: from ${min_value} to ${max_value}`;
	if (typeof value === 'string' && (value.length < (min_length ?? 0) || value.length > (max_length ?? 6000)))
		return `${name}: ${min_length ?? 0} to ${max_length ?? 6000} characters`;
	if (isFile(value) && file_types && !file_types.some((type) => nameFits(type, value.name)))
		return `${name}: only ${file_types.join(', ')}`;
	return undefined;
}

/** Only the name is looked at, as Discord does. */
const nameFits = (type: string, name: string) =>
	type.startsWith('.')
		? name.toLowerCase().endsWith(type)
		: { image: /\.(png|jpe?g|gif|webp|avif|heic)$/i, video: /\.(mp4|mov|webm)$/i, audio: /\.(mp3|ogg|wav|flac)$/i }[
				type as 'image' | 'video' | 'audio'
			]?.test(name) === true;
