import { z } from 'zod';
import { MAX_ACTION_ID } from '../../../domain/channel.ts';
import { type Form, messageMenu } from '../../../domain/command.ts';
import { KeyedQueue } from '../../../domain/queues.ts';
import { channelFor } from './bot-channels.ts';
import { authorize, authorizeAt, BadRequest, deliveryId, handOver, openInbox } from './context.ts';
import { PEOPLE, SERVERS } from './directory.ts';
import { action, at, commandName, id, name, onMessage, text } from './http/input.ts';
import { EMULATED_PLATFORMS } from './limits.ts';
import { placeOf } from './store.ts';

/** How long the pictures of a command are kept at most that is not answered. */
const UPLOAD_TTL_MS = 3600_000;

/** Discord's limit for a text option: https://docs.discord.com/developers/interactions/application-commands */
const OPTION_LENGTH = 6000;

const choices = z.array(text('A choice', 100)).max(25);
const option = z.union([text('An option', OPTION_LENGTH), z.number(), z.boolean(), choices]);

export const runCommand = action({
	fields: at.extend({
		...{ id, command: commandName },
		options: z.record(name, option).refine((options) => Object.keys(options).length <= 25),
		form: text('The form', 200).optional(),
	}),
	status: 202,
	hasFiles: true,
	async run(context, input, files) {
		const { store, commands } = context;
		const { channel, person } = await authorize(context, input);
		const inbox = openInbox(context);
		const form = input.form === undefined ? undefined : await context.openForms.find(person.id, input.form);
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
		const saved = await store.files.put(files, UPLOAD_TTL_MS);
		for (const [index, file] of saved.entries()) options[files[index]?.part ?? ''] = store.files.upload(file);
		const invocation = {
			...{ id, command: input.command, options, person, form: input.form },
			// Only commands that people type are shown above the answer.
			channel: await channelFor(context, channel, { person: person.id, request: input.id, command: command?.name }),
			attached: form?.files.map((file) => store.files.upload(file)),
		};
		handOver(
			context,
			inbox.invoke(invocation).finally(() => store.files.remove(saved)),
		);
		return { id };
	},
});

export const pressButton = action({
	fields: onMessage.extend({ id, button: z.string().min(1).max(MAX_ACTION_ID) }),
	status: 202,
	async run(context, input) {
		const { store, openForms, hub, commands } = context;
		const { channel, person, message } = await authorizeAt(context, input);
		const inbox = openInbox(context);
		const buttons = [...message.buttons, ...messageMenu(commands).map(({ button: id }) => ({ id }))];
		if (!buttons.some(({ id }) => id === input.button)) throw new BadRequest(404, 'sandbox.server.noButton');
		const pictures = message.files.filter(({ type }) => type.startsWith('image/'));
		const id = deliveryId(person.id, input.id);
		const press = {
			...{ id, button: input.button, person },
			channel: await channelFor(context, channel, { person: person.id, request: input.id }),
			message: { place: placeOf(channel), key: message.key },
			...(message.onlyFor !== undefined && { private: true as const }),
			attached: pictures.map((file) => store.files.upload(file, { person: message.author, key: message.key })),
			open: async (form: Form) => {
				await openForms.save(person.id, form.id, { command: form.command, files: pictures });
				// Only the tab that pressed the button shows the form: it knows the id of its request.
				const data = {
					press: input.id,
					channel: channel.id,
					form,
					pictures: pictures.filter(({ spoiler }) => !spoiler),
				};
				hub.publish({ name: 'form', data, onlyFor: person.id });
			},
		};
		handOver(context, inbox.press(press));
		return { id };
	},
});

export const setModerator = action({
	fields: z.object({ server: name, person: name, moderator: z.boolean() }),
	async run({ store }, { server, person, moderator }) {
		if (!SERVERS.some(({ id }) => id === server)) throw new BadRequest(404, 'There is no such server.');
		if (!PEOPLE.some(({ id }) => id === person)) throw new BadRequest(404, 'There is no such person.');
		return store.changeSettings(({ moderators }) => {
			const others = (moderators[server] ?? []).filter((id) => id !== person);
			return { moderators: { ...moderators, [server]: moderator ? [...others, person] : others } };
		});
	},
});

export const emulate = action({
	fields: z.object({ platform: z.enum(EMULATED_PLATFORMS) }),
	run: ({ store }, { platform }) => store.changeSettings(() => ({ emulates: platform })),
});

const TOKENS = ['DISCORD_TOKEN', 'SLACK_BOT_TOKEN', 'SLACK_APP_TOKEN'] as const;
const SERVICE = ['SERVICE_BASE_URL', 'SERVICE_API_KEY', 'IMAGE_MODEL', 'CHAT_MODEL'] as const;
const connecting = new KeyedQueue();

/** Checks what the page offers to connect. */
export const connect = action({
	fields: z.object({ variables: z.partialRecord(z.enum([...TOKENS, ...SERVICE]), text('A value', 1000)) }),
	run: ({ tryOut }, { variables }) => connecting.run('', async () => (await tryOut?.(variables)) ?? []),
});
