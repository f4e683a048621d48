import { setImmediate as breath } from 'node:timers/promises';
import sharp from 'sharp';
import type { CommandDescription, Field, Form } from '../../src/domain/command.ts';
import type { Inbox } from '../../src/domain/platform.ts';
import type { Button, Upload } from '../../src/domain/reply.ts';
import type { ButtonPress, IncomingMessage, Invocation, MessageChange } from '../../src/domain/requests.ts';

/** A core for the tests: answers every command with a status and then a picture in one message. */
export type FakeInbox = Inbox & {
	invocations: Invocation[];
	presses: ButtonPress[];
	heard: IncomingMessage[];
	changes: MessageChange[];
};

const prompt: Field = {
	name: 'prompt',
	description: 'Description of the picture',
	required: true,
	kind: 'text',
	minLength: 1,
	maxLength: 2000,
	suggestions: [],
};
const size: Field = {
	name: 'size',
	description: 'Width × height',
	required: false,
	kind: 'text',
	minLength: 0,
	maxLength: 20,
	suggestions: ['1024x1024', '1536x1024', '1024x1536'],
};
const n: Field = { name: 'n', description: 'How many', required: false, kind: 'integer', min: 1, max: 4 };
const model: Field = {
	name: 'model',
	description: 'Which model draws',
	required: false,
	kind: 'choice',
	choices: ['alpha-image', 'beta'],
};
const chatModel: Field = {
	name: 'model',
	description: 'Which model answers',
	required: false,
	kind: 'text',
	minLength: 0,
	maxLength: 100,
	suggestions: [],
	completed: true,
};
const hidden: Field = { name: 'private', description: 'Only you see it', required: false, kind: 'flag' };
const picture = (name: string, required = true): Field => ({
	name,
	description: 'A picture, at most 10 MB',
	required,
	kind: 'picture',
});

export const COMMANDS: readonly CommandDescription[] = [
	{
		name: 'imagine',
		description: 'Draws a picture from words',
		moderators: false,
		direct: true,
		fields: [prompt, size, n, model, hidden],
	},
	{
		name: 'edit',
		description: 'Changes a picture as you say',
		moderators: false,
		direct: true,
		fields: [picture('image'), prompt, n, model, hidden],
	},
	{
		name: 'compose',
		description: 'Puts two or three pictures together',
		moderators: false,
		direct: true,
		fields: [picture('image1'), picture('image2'), prompt, picture('image3', false), size, n, hidden],
	},
	{
		name: 'chat',
		description: 'Opens a thread to talk in',
		moderators: false,
		direct: true,
		fields: [{ ...prompt, required: false }, chatModel],
	},
	{
		name: 'usage',
		description: 'What you used, and what is left',
		moderators: false,
		direct: true,
		fields: [{ name: 'member', description: 'Somebody else', required: false, kind: 'person' }],
	},
	{ name: 'models', description: 'What the service offers', moderators: false, direct: true, fields: [] },
	{
		name: 'limits set',
		description: 'Sets a cap',
		moderators: true,
		direct: false,
		fields: [
			{
				name: 'scope',
				description: 'For whom',
				required: true,
				kind: 'choice',
				choices: ['server', 'channel', 'role', 'member'],
			},
			{ name: 'images', description: 'How many', required: true, kind: 'integer', min: 0, max: 1_000_000 },
			{ name: 'channel', description: 'Which channel', required: false, kind: 'channel' },
			{ name: 'role', description: 'Which role', required: false, kind: 'role' },
		],
	},
];

const BUTTONS: readonly Button[] = [
	{ id: 'again:1:x', label: 'Again' },
	{ id: 'edit:1:x', label: 'Edit' },
	{ id: 'reference:1:x', label: 'Use as reference' },
	{ id: 'delete:1:x', label: 'Delete', kind: 'danger' },
];

export function createFakeInbox(draw = scene): FakeInbox {
	const inbox: FakeInbox = {
		invocations: [],
		presses: [],
		heard: [],
		changes: [],

		home: async () => ({ text: '', recent: [] }),
		async invoke(invocation) {
			inbox.invocations.push(invocation);
			const { options, channel, command, id } = invocation;
			const visibility = options['private'] === true ? 'private' : 'public';
			if (command === 'chat') {
				const thread = await channel.openThread(String(options['prompt'] ?? 'A chat'));
				await thread.post({ text: 'Hello! Ask me for a picture, or about one.' }, id);
				return;
			}
			const words = String(options['prompt'] ?? command);
			const post = await channel.post({ text: `**${words}** · drawing…`, visibility }, id);
			await breath();
			const first = Object.values(options).find(isUpload) ?? invocation.attached?.[0];
			const bytes = first ? await negative(await first.read(AbortSignal.timeout(5000))) : await draw(words);
			const count = Number(options['n'] ?? 1);
			const pictures = Array.from({ length: count }, (_, index) => ({
				name: `easel-${index + 1}.png`,
				bytes,
				alt: words,
				...(words.includes('covered') && { spoiler: true as const }),
			}));
			await post.edit({ text: `**${words}** · 1024×1024`, pictures, buttons: BUTTONS });
		},

		async press(press) {
			inbox.presses.push(press);
			if (press.button.startsWith('edit')) {
				const form: Form = {
					id: `form-${press.message.key}`,
					command: 'edit',
					title: 'Edit this picture',
					note: 'The picture that you pressed on is **already given**.',
					fields: [prompt, n, hidden],
				};
				await press.open(form);
			} else if (press.button.startsWith('compose')) {
				const which: Field = {
					name: 'which',
					description: 'Which pictures',
					required: true,
					kind: 'choices',
					choices: ['1', '2', '3'],
					min: 1,
					max: 2,
				};
				await press.open({
					id: `compose-${press.message.key}`,
					command: 'compose',
					title: 'Compose images',
					fields: [which, prompt],
					values: { which: ['1'], prompt: 'side by side' },
				});
			} else if (press.button.startsWith('again')) {
				await press.channel.post({ text: 'And again.', buttons: BUTTONS }, `again:${press.id}`);
			} else {
				await press.channel.post({ text: 'Kept as your *reference*.', visibility: 'private' }, `kept:${press.id}`);
			}
		},

		async hear(message) {
			inbox.heard.push(message);
			if (message.addressed) await message.channel.post({ text: `You said: ${message.text}` }, `heard:${message.id}`);
		},

		async changed(change) {
			inbox.changes.push(change);
		},

		async forget() {},

		suggest: async ({ typed }) => ['alpha3.6-35b', 'beta'].filter((name) => name.startsWith(typed)),
	};
	return inbox;
}

const isUpload = (value: unknown): value is Upload => typeof value === 'object' && value !== null && 'read' in value;

async function scene(words: string): Promise<Buffer> {
	const hue = [...words].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 360, 7);
	return flat(`hsl(${hue}, 60%, 50%)`);
}

/** One colour, so that a test can look for it in the page. */
export const flat = (background: string, width = 320, height = 240): Promise<Buffer> =>
	sharp({ create: { width, height, channels: 3, background } })
		.png()
		.toBuffer();

const negative = (bytes: Uint8Array): Promise<Buffer> => sharp(bytes).negate({ alpha: false }).png().toBuffer();
