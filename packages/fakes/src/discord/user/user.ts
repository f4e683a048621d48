import { setImmediate } from 'node:timers/promises';
import { InteractionType } from 'discord-api-types/v10';
import type { Form, KnownIds, Options, PictureFile, SeenMessage, TestUser } from '../../test-user.ts';
import type { Discord } from '../context.ts';
import { renderMessage } from '../render/messages.ts';
import { type Component, type Modal, textOf, withinAll } from '../schemas/components.ts';
import { typeOf } from '../world/cdn.ts';
import type { CommandRegistry } from '../world/command-registry.ts';
import { createMessage, deleteMessage, editMessage } from '../world/messages.ts';
import type { Channel, Interaction, Message, Server, User } from '../world/model.ts';
import { permissionsAt, requirePermissions, requireSending } from '../world/permissions.ts';
import { createThread } from '../world/threads.ts';
import { whyInvalid, whyUnavailable } from './client-checks.ts';
import { commandData, findCommand, parseCommand } from './command-data.ts';
import { formOf, submittedComponents } from './form.ts';
import { ResolvedData } from './resolved.ts';
import { seen } from './seen.ts';

/** How long typing is shown. https://docs.discord.com/developers/resources/channel#trigger-typing-indicator */
const TYPING_MS = 10_000;

/** Turns of the event loop in which an application on loopback receives and handles a response. */
const TURNS = 25;

type Parts = {
	discord: Discord;
	commands: CommandRegistry;
	/** By the id of a delivery: one that is repeated sends the same interaction, also as another user. */
	deliveries: Map<string, Interaction>;
};

type SendOptions = {
	/** The message of a component or a modal. */
	source?: Message | undefined;
	delivery?: string | undefined;
};

/** Actions of a user in Discord's client, in one channel at a time. */
export class DiscordUser implements TestUser {
	readonly account: User;
	readonly #parts: Parts;
	readonly #home: Channel;
	#channel: Channel;
	#opened: { modal: Modal; source: Message | undefined } | undefined;
	#last: Interaction | undefined;

	constructor(parts: Parts, account: User, channel: Channel) {
		this.#parts = parts;
		this.account = account;
		this.#home = channel;
		this.#channel = channel;
	}

	get channel(): Channel {
		return this.#channel;
	}

	get names(): KnownIds {
		const idOf = (objects: Iterable<{ id: string; name: string }> | undefined, name: string) =>
			[...(objects ?? [])].find((one) => one.name === name)?.id ?? '';
		return {
			here: this.#home.id,
			elsewhere: idOf(this.#server?.channels.values(), 'gallery'),
			common: idOf(this.#server?.roles.values(), 'Painters'),
			foreign: idOf(this.#server?.roles.values(), 'Apprentices'),
		};
	}

	/** Returns the same user in another channel or thread, by its name or id. */
	in(channel: string | Channel): DiscordUser {
		const { world } = this.#parts.discord;
		return new DiscordUser(this.#parts, this.account, typeof channel === 'string' ? world.channel(channel) : channel);
	}

	/** Returns the same user in the application's direct messages. */
	directMessages(): DiscordUser {
		return this.in(this.#parts.discord.world.directMessages(this.account));
	}

	enter(where?: string): void {
		this.#channel = where === undefined ? this.#home : this.#parts.discord.world.channel(where);
	}

	async threads(): Promise<{ id: string; title: string }[]> {
		return [...this.#parts.discord.world.channels.values()]
			.filter((channel) => channel.parent === this.#home && permissionsAt(channel, this.account) > 0n)
			.map(({ id, name }) => ({ id, title: name }));
	}

	async startThread(from: SeenMessage): Promise<void> {
		const message = this.message(from);
		requirePermissions(this.#home, this.account, 'CreatePublicThreads');
		const name = textOf(message).slice(0, 100) || 'Thread';
		this.#channel = createThread(this.#parts.discord, this.#home, { name, owner: this.account, message });
	}

	async look(): Promise<SeenMessage[]> {
		const { world } = this.#parts.discord;
		if (!permissionsAt(this.#channel, this.account)) return [];
		const messages = [...this.#channel.messages.values()]
			.filter(({ only }) => !only || only === this.account)
			.map((message) => seen(world, this.#server, message));
		// A person is never faster than the application receives the response to its request.
		for (let turn = 0; turn < TURNS; turn++) await setImmediate();
		return messages;
	}

	/** Tells whether a user, by default the application, is shown as typing. */
	typing(handle?: string): boolean {
		const { world, clock } = this.#parts.discord;
		const { id } = handle === undefined ? world.me : world.person(handle);
		const at = this.#channel.typing.get(id);
		return at !== undefined && clock.now() < at + TYPING_MS;
	}

	/** Returns the message behind a seen one. */
	message({ id }: Pick<SeenMessage, 'id'>): Message {
		const message = this.#channel.messages.get(id);
		if (!message || (message.only && message.only !== this.account)) throw new Error('The message does not exist');
		return message;
	}

	async say(text: string, files?: PictureFile[]): Promise<void> {
		this.#write(text, files, undefined, false);
	}

	/** @param options `ping`: false to reply without a ping */
	async reply(
		to: SeenMessage,
		text: string,
		{ files, ping = true }: { files?: PictureFile[]; ping?: boolean } = {},
	): Promise<void> {
		this.#write(text, files, this.message(to), ping);
	}

	/** Returns the address of the first file of a message, as somebody copies it. */
	linkTo(message: SeenMessage): string {
		const [file] = this.message(message).files;
		if (!file) throw new Error('The message has no file');
		return this.#parts.discord.cdn.urlOf(file);
	}

	/** Forwards a message to a channel, by default to the same one; of one that is a forward, what that forwards. */
	async forward(from: SeenMessage, to = this.#channel): Promise<void> {
		requireSending(to, this.account, 0, 0);
		const message = this.message(from);
		const origin = { channel: to, author: this.account, forwarded: message.forwarded ?? message };
		createMessage(this.#parts.discord, { content: '' }, [], origin);
	}

	/** Sends a sticker; the format is 1 for PNG, 2 for APNG, 3 for Lottie, 4 for GIF. */
	async stick(name: string, format_type = 1): Promise<void> {
		const { discord } = this.#parts;
		requireSending(this.#channel, this.account, 0, 0);
		const stickers = [{ id: discord.snowflake(), name, format_type }];
		createMessage(discord, { content: '' }, [], { channel: this.#channel, author: this.account, stickers });
	}

	/** Posts a poll. */
	async ask(question: string, answers: readonly string[]): Promise<void> {
		requireSending(this.#channel, this.account, 0, 0);
		const poll = { question, answers };
		createMessage(this.#parts.discord, { content: '' }, [], { channel: this.#channel, author: this.account, poll });
	}

	async rewrite(from: SeenMessage, text: string): Promise<void> {
		const message = this.message(from);
		if (message.author !== this.account) throw new Error('Users can edit their own messages only');
		editMessage(this.#parts.discord, message, { content: this.#withMentions(text) }, []);
	}

	async erase(from: SeenMessage): Promise<void> {
		const message = this.message(from);
		if (message.author !== this.account && message.only !== this.account)
			requirePermissions(this.#channel, this.account, 'ManageMessages');
		deleteMessage(this.#parts.discord, message);
	}

	async command(name: string, options: Options, delivery?: string): Promise<void> {
		const isRepeated = delivery !== undefined && this.#parts.deliveries.has(delivery);
		const data = isRepeated ? {} : this.#commandData(name, options);
		await this.#send(InteractionType.ApplicationCommand, data, { delivery });
	}

	/** Returns why Discord's client would not send a command; undefined when it would. `command` sends it in any case. */
	refuses(name: string, values: Options): string | undefined {
		const { command, options } = parseCommand(this.#parts.commands, this.#server?.id, name);
		const typeOf = (channel: string) => this.#parts.discord.world.channels.get(channel)?.type;
		return (
			whyUnavailable(command, this.#channel, this.account) ??
			options.map((option) => whyInvalid(option, values[option.name], typeOf)).find(Boolean)
		);
	}

	/** Returns the choices for a text that is typed into an option. */
	async suggest(command: string, option: string, typed: string): Promise<{ name: string; value: string | number }[]> {
		const data = this.#commandData(command, { [option]: typed }, option);
		const { choices = [] } = await this.#send(InteractionType.ApplicationCommandAutocomplete, data);
		return choices;
	}

	press(message: SeenMessage, label: string, delivery?: string): Promise<void> {
		return this.#use(message, ({ type, label: own }) => type === 2 && own === label, {}, delivery);
	}

	/** Selects values in a select menu. */
	select(message: SeenMessage, customId: string, values: string[]): Promise<void> {
		return this.#use(message, ({ type, custom_id }) => type !== 2 && custom_id === customId, { values });
	}

	/** Chooses an entry of the application's message menu. */
	async menu(message: SeenMessage, entry: string): Promise<void> {
		const { discord, commands } = this.#parts;
		const { id, name, guild_id } = findCommand(commands, this.#server?.id, 3, entry);
		const target = this.message(message);
		await this.#send(InteractionType.ApplicationCommand, {
			id,
			name,
			type: 3,
			target_id: target.id,
			resolved: { messages: { [target.id]: renderMessage(discord, target, true) } },
			...(guild_id && { guild_id }),
		});
	}

	/** Returns the modal that was opened last. */
	modal(): Modal | undefined {
		return this.#opened?.modal;
	}

	form(): Form | undefined {
		return this.#opened && formOf(this.#opened.modal);
	}

	async submit({ id }: Form, values: Options): Promise<void> {
		if (this.#opened?.modal.custom_id !== id) throw new Error('The form is not open');
		const { modal, source } = this.#opened;
		const resolved = this.#resolved();
		const components = submittedComponents(modal, values, resolved);
		this.#opened = undefined;
		const data = { custom_id: id, components, ...resolved.data() };
		await this.#send(InteractionType.ModalSubmit, data, { source });
	}

	/** Returns the interaction that this user sent last. */
	last(): Interaction | undefined {
		return this.#last;
	}

	get #server(): Server | undefined {
		return this.#home.server;
	}

	#resolved(): ResolvedData {
		return new ResolvedData(this.#parts.discord, this.#channel, this.account);
	}

	#commandData(name: string, options: Options, focused?: string): Record<string, unknown> {
		const command = parseCommand(this.#parts.commands, this.#server?.id, name);
		return commandData(command, options, this.#resolved(), focused);
	}

	/** Uses a component of a message. */
	async #use(from: SeenMessage, find: (component: Component) => boolean, values: object, delivery?: string) {
		const { discord, deliveries } = this.#parts;
		const repeated = delivery === undefined ? undefined : deliveries.get(delivery);
		if (repeated) return discord.interactions.deliver(repeated);
		const source = this.message(from);
		const component = withinAll(source.components).find(find);
		if (!component) throw new Error('The message has no such component');
		if (component['disabled']) throw new Error('The component is disabled');
		const data = { custom_id: component.custom_id, component_type: component.type, id: 1, ...values };
		await this.#send(InteractionType.MessageComponent, data, { source, delivery });
	}

	async #send(
		type: InteractionType,
		data: Record<string, unknown>,
		{ source, delivery }: SendOptions = {},
	): Promise<Interaction> {
		const { discord, deliveries } = this.#parts;
		const { gateway, interactions } = discord;
		if (gateway.connected().length === 0) throw new Error('The application is not connected');
		const repeated = delivery === undefined ? undefined : deliveries.get(delivery);
		const properties = { type, user: this.account, channel: this.#channel, data, source };
		const interaction = repeated ?? interactions.create(properties);
		if (delivery !== undefined) deliveries.set(delivery, interaction);
		this.#last = interaction;
		interactions.deliver(interaction);
		if (repeated) return interaction;
		await interaction.settled;
		if (interaction.modal) this.#opened = { modal: interaction.modal, source };
		return interaction;
	}

	#write(text: string, files: PictureFile[] = [], reference: Message | undefined, ping: boolean): void {
		const { discord } = this.#parts;
		requireSending(this.#channel, this.account, files.length, 0);
		discord.world.requesters.add(this.account.id);
		const parts = files.map(({ name, bytes }, index) => {
			return { index: String(index), name, type: typeOf(bytes, name), bytes: Buffer.from(bytes) };
		});
		const body = { content: this.#withMentions(text), allowed_mentions: { replied_user: ping } };
		createMessage(discord, body, parts, { channel: this.#channel, author: this.account, reference });
	}

	/** Replaces `@Easel` by a mention, and `@&Easel` by one of its role, as Discord's client does when they are chosen. */
	#withMentions(text: string): string {
		const users = [...this.#parts.discord.world.people.values()].toSorted((a, b) => b.name.length - a.name.length);
		const roles = [...(this.#server?.roles.values() ?? [])];
		const withRoles = roles.reduce((result, { name, id }) => result.replaceAll(`@&${name}`, `<@&${id}>`), text);
		return users.reduce((result, { name, id }) => result.replaceAll(`@${name}`, `<@${id}>`), withRoles);
	}
}
