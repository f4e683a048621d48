import { setImmediate as nextTick } from 'node:timers/promises';
import sharp from 'sharp';
import type { Button, Person, Upload } from '../../src/domain/channel.ts';
import type { Field } from '../../src/domain/command.ts';
import type {
	ButtonPress,
	HomeView,
	Inbox,
	IncomingMessage,
	Invocation,
	MessageChange,
} from '../../src/domain/platform.ts';
import { hidden, n, prompt } from './commands.ts';

const BUTTONS: readonly Button[] = [
	{ id: 'again:1:x', label: 'Again' },
	{ id: 'edit:1:x', label: 'Edit' },
	{ id: 'reference:1:x', label: 'Use as reference' },
	{ id: 'delete:1:x', label: 'Delete', kind: 'danger' },
];

const which: Field = {
	name: 'which',
	description: 'Which pictures',
	required: true,
	kind: 'choices',
	choices: ['1', '2', '3'],
	labels: { '3': '3, the last one' },
	min: 1,
	max: 2,
};

/** A core for tests of the sandbox. It records what it gets, and answers every command with a status and then a picture. */
export class FakeInbox implements Inbox {
	readonly invocations: Invocation[] = [];
	readonly presses: ButtonPress[] = [];
	readonly heard: IncomingMessage[] = [];
	readonly changes: MessageChange[] = [];
	/** The role whose members are moderators. */
	moderatorRole: string | undefined;

	async invoke(invocation: Invocation): Promise<void> {
		this.invocations.push(invocation);
		const { options, channel, command, id } = invocation;
		const visibility = String(options['private']) === 'true' ? 'private' : 'public';
		if (command === 'chat') {
			const thread = await channel.openThread(String(options['prompt'] ?? 'A chat'));
			await thread.post({ text: 'Hello! Ask me for a picture, or about one.' }, id);
			return;
		}
		const words = String(options['prompt'] ?? command);
		const post = await channel.post({ text: `**${words}** · drawing…`, visibility }, id);
		await nextTick();
		const first = Object.values(options).find(isUpload) ?? invocation.attached?.[0];
		const bytes = first
			? await negative(await first.read(AbortSignal.timeout(5000), 10_000_000))
			: await flat(colourOf(words));
		const pictures = Array.from({ length: Number(options['n'] ?? 1) }, (_, index) => ({
			name: `easel-${index + 1}.png`,
			bytes,
			alt: words,
			...(words.includes('covered') && { spoiler: true as const }),
		}));
		await post.edit({ text: `**${words}** · 1024×1024`, pictures, buttons: BUTTONS });
	}

	async press(press: ButtonPress): Promise<void> {
		this.presses.push(press);
		const { button, channel, id, message } = press;
		if (button.startsWith('edit'))
			await press.open({
				id: `form-${message.key}`,
				command: 'edit',
				title: 'Edit this picture',
				note: 'The picture that you pressed on is **already given**.',
				fields: [prompt, n, hidden],
			});
		else if (button.startsWith('compose'))
			await press.open({
				id: `compose-${message.key}`,
				command: 'compose',
				title: 'Compose images',
				fields: [which, prompt],
				values: { which: ['1'], prompt: 'side by side' },
			});
		else if (button.startsWith('again')) await channel.post({ text: 'And again.', buttons: BUTTONS }, `again:${id}`);
		else await channel.post({ text: 'Kept as your *reference*.', visibility: 'private' }, `kept:${id}`);
	}

	async hear(message: IncomingMessage): Promise<void> {
		this.heard.push(message);
		if (message.addressed) await message.channel.post({ text: `You said: ${message.text}` }, `heard:${message.id}`);
	}

	async posted(): Promise<void> {}

	async changed(change: MessageChange): Promise<void> {
		this.changes.push(change);
	}

	async forget(): Promise<void> {}

	async joined(): Promise<void> {}

	async renamed(): Promise<void> {}

	async suggest({ typed }: { typed: string }): Promise<string[]> {
		return ['alpha3.6-35b', 'beta'].filter((name) => name.startsWith(typed));
	}

	async form(): Promise<object> {
		return {};
	}

	async moderates({ moderator, roles = [] }: Person): Promise<boolean> {
		return moderator || (this.moderatorRole !== undefined && roles.includes(this.moderatorRole));
	}

	async home(): Promise<HomeView> {
		return { text: '', recent: [] };
	}

	async talks(): Promise<[]> {
		return [];
	}
}

const isUpload = (value: unknown): value is Upload => typeof value === 'object' && value !== null && 'read' in value;

/** Different words have different colours. */
function colourOf(words: string): string {
	const hue = [...words].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 360, 7);
	return `hsl(${hue}, 60%, 50%)`;
}

/** A picture of one colour, so that a test can find it in the page. */
export const flat = (background: string, width = 320, height = 240): Promise<Buffer> =>
	sharp({ create: { width, height, channels: 3, background } })
		.png()
		.toBuffer();

const negative = (bytes: Uint8Array): Promise<Buffer> => sharp(bytes).negate({ alpha: false }).png().toBuffer();
