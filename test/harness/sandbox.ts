import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Hono } from 'hono';
import { expect } from 'vitest';
import { commands } from '../../commands/index.ts';
import {
	isFile,
	type MenuEntry,
	type Options,
	type PictureFile,
	type SeenMessage,
	type TestUser,
} from '../../packages/fakes/src/test-user.ts';
import { describeCommands } from '../../src/bot/declaration/options.ts';
import type { Form } from '../../src/domain/command.ts';
import { listen } from '../../src/http.ts';
import { createLog } from '../../src/log.ts';
import { createSandbox } from '../../src/platforms/sandbox/index.ts';
import { PROFILES, type ProfileName } from '../../src/service/profiles.ts';
import { openStore } from '../../src/store/open-store.ts';
import { type OperatorSettings, startBot } from './easel.ts';
import type { PlatformHarness } from './platform.ts';

const CHANNEL = 'atelier-general';

/** The action ids of the entries of the message menu. */
const MENU: Readonly<Record<MenuEntry, string>> = {
	'Edit image': 'edit:1:menu',
	'Compose images': 'compose:1:menu',
	'About this picture': 'about:1:menu',
};

/** Starts Easel with the sandbox on a free port, a store in a file by default, and the service at `serviceUrl`. */
export async function openSandboxHarness(
	serviceUrl: string,
	store?: string,
	profile: ProfileName = 'easel',
): Promise<PlatformHarness> {
	const folder = await mkdtemp(join(tmpdir(), 'easel-'));
	const storeUrl = store ?? `sqlite:${folder}/easel.db`;
	let easel = await startEasel(serviceUrl, storeUrl, profile);
	const users = new Map<string, ReturnType<typeof userAt>>();
	return {
		user(person, locale) {
			const name = `${person} ${locale}`;
			const user = users.get(name) ?? userAt(person, () => easel.address, locale);
			users.set(name, user);
			return user;
		},
		async restart(settings) {
			await easel.stop();
			easel = await startEasel(serviceUrl, storeUrl, profile, settings);
		},
		health: () => easel.health(),
		async close() {
			for (const user of users.values()) user.leave();
			await easel.stop();
			await rm(folder, { recursive: true });
		},
	};
}

async function startEasel(serviceUrl: string, storeUrl: string, profile: ProfileName, settings?: OperatorSettings) {
	const log = await createLog({ level: 'silent', format: 'json', secrets: [] });
	const store = await openStore(storeUrl);
	const { platform, routes } = createSandbox({
		commands: describeCommands(commands, PROFILES[profile].capabilities),
		space: store.space('sandbox'),
		log,
	});
	const listener = await listen(new Hono().route('/', routes), { host: '127.0.0.1', port: 0 });
	const easel = await startBot(platform, serviceUrl, store, log, profile, settings);
	return { address: listener.address, health: easel.health, stop: () => easel.stop(listener.close) };
}

/** A message as the page gets it. */
type View = {
	number: number;
	text: string;
	files: { id: string; name: string; type: string; alt?: string; spoiler?: true }[];
	buttons: { id: string; label: string }[];
	private: boolean;
};

/** A person who uses the HTTP interface of the page. */
export function userAt(person: string, address: () => string, locale = 'en'): TestUser & { leave(): void } {
	const stop = new AbortController();
	const browser = { 'accept-language': locale };
	let form: Form | undefined;
	let listeningTo: string | undefined;
	let channel = CHANNEL;
	/** Sentences that the page shows and that are no messages. */
	const notices: SeenMessage[] = [];
	/** The messages of the channel as the page has them. */
	let shown: View[] = [];
	const downloaded = new Map<string, Uint8Array>();

	const notice = (text: string) =>
		notices.push({ id: `notice/${notices.length}`, text, pictures: [], files: [], buttons: [], private: true });

	/** Forms and notices arrive as events. */
	async function listenForEvents() {
		if (listeningTo === address()) return;
		listeningTo = address();
		const response = await fetch(`${address()}/sandbox/events?as=${person}`, {
			headers: browser,
			signal: stop.signal,
		});
		void (async () => {
			let text = '';
			for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
				text += chunk;
				for (const [, name, data = ''] of text.matchAll(/^event: (form|notice)\ndata: (.*)\n\n/gm)) {
					if (name === 'form') form = JSON.parse(data).form;
					else notice(JSON.parse(data).text);
				}
				const end = text.lastIndexOf('\n\n');
				if (end !== -1) text = text.slice(end + 2);
			}
		})().catch(() => {});
	}

	async function send(path: string, input: object, files: Record<string, PictureFile> = {}) {
		const body = new FormData();
		body.set('input', JSON.stringify({ as: person, channel, ...input }));
		for (const [name, { name: fileName, bytes }] of Object.entries(files))
			body.set(name, new File([new Uint8Array(bytes)], fileName));
		await listenForEvents();
		await check(await fetch(`${address()}/sandbox/api/${path}`, { method: 'POST', headers: browser, body }));
	}

	/** The page shows why a request was not carried out. */
	async function check(response: Response) {
		const body = (await response.json()) as Record<string, string>;
		if (response.status === 503) notice(body['error'] ?? '');
		else expect(response.ok, JSON.stringify(body)).toBe(true);
		return body;
	}

	async function command(name: string, options: Options, delivery: string = randomUUID(), form?: string) {
		const entries = Object.entries(options);
		const files = entries.filter((entry): entry is [string, PictureFile] => isFile(entry[1]));
		const words = Object.fromEntries(entries.filter(([, value]) => !isFile(value)));
		const input = { id: delivery, command: name, options: words, ...(form !== undefined && { form }) };
		await send('commands', input, Object.fromEntries(files));
	}

	async function press(
		{ id }: SeenMessage,
		button: (view: View) => string | undefined,
		delivery: string = randomUUID(),
	) {
		await listenForEvents();
		form = undefined;
		const view = (await views()).find(({ number }) => number === numberOf(id));
		const body = JSON.stringify({
			as: person,
			channel,
			number: numberOf(id),
			id: delivery,
			button: view && button(view),
		});
		await postJson('presses', body);
	}

	async function postJson(path: string, body: string) {
		const headers = { ...browser, 'content-type': 'application/json' };
		return check(await fetch(`${address()}/sandbox/api/${path}`, { method: 'POST', headers, body }));
	}

	const about = ({ id }: SeenMessage, more: object = {}) =>
		JSON.stringify({ as: person, channel, number: numberOf(id), ...more });

	async function views(): Promise<View[]> {
		const response = await fetch(`${address()}/sandbox/api/channels/${channel}/messages?as=${person}&limit=100`);
		if (response.ok) shown = ((await response.json()) as { messages: View[] }).messages;
		return shown;
	}

	/** A browser keeps pictures, whose addresses change when their bytes do, or Easel starts again. */
	async function download(url: string): Promise<Uint8Array> {
		const bytes = downloaded.get(url) ?? new Uint8Array(await (await fetch(url)).arrayBuffer());
		downloaded.set(url, bytes);
		return bytes;
	}

	async function see({ number, text, files, buttons, private: isPrivate }: View): Promise<SeenMessage> {
		const isPicture = ({ type }: View['files'][number]) => type.startsWith('image/');
		const pictures = files.filter(isPicture).map(async ({ id, name, alt = '', spoiler }) => {
			const bytes = await download(`${address()}/sandbox/files/${id}/${encodeURIComponent(name)}`);
			return { bytes, alt, ...(spoiler && { spoiler }) };
		});
		const labels = buttons.map(({ label }) => label);
		return {
			// A number is unique within its channel.
			id: `${channel}/${number}`,
			text,
			pictures: await Promise.all(pictures),
			files: files.filter((file) => !isPicture(file)).map(({ name }) => name),
			buttons: labels,
			private: isPrivate,
		};
	}

	return {
		command,
		press: (message, label, delivery) =>
			press(message, ({ buttons }) => buttons.find((button) => button.label === label)?.id, delivery),
		menu: (message, entry) => press(message, () => MENU[entry]),
		form: () => form,
		submit: ({ id, command: name, values }, options) =>
			command(name, { ...(values as Options | undefined), ...options }, undefined, id),
		say: (text, files = []) =>
			send(
				'messages',
				{ id: randomUUID(), text },
				Object.fromEntries(files.map((file, index) => [`file${index}`, file])),
			),
		reply: (message, text, { files = [] } = {}) =>
			send(
				'messages',
				{ id: randomUUID(), text, replyTo: numberOf(message.id) },
				Object.fromEntries(files.map((file, index) => [`file${index}`, file])),
			),
		rewrite: async (message, text) => void (await postJson('edits', about(message, { text }))),
		erase: async (message) => void (await postJson('deletions', about(message))),
		async threads() {
			const response = await fetch(`${address()}/sandbox/api/state?as=${person}`);
			const { servers } = (await response.json()) as {
				servers: { channels: { id: string; threads: { id: string; title: string }[] }[] }[];
			};
			return servers.flatMap(({ channels }) => channels.find(({ id }) => id === CHANNEL)?.threads ?? []);
		},
		async startThread(message) {
			({ id: channel } = (await postJson('threads', about(message))) as { id: string });
		},
		enter: (where = CHANNEL) => {
			shown = [];
			channel = where;
		},
		names: {
			here: CHANNEL,
			elsewhere: 'atelier-gallery',
			common: 'atelier-painters',
			foreign: 'atelier-apprentices',
		},
		look: async () => [...(await Promise.all((await views()).map(see))), ...notices],
		leave: () => stop.abort(),
	};
}

const numberOf = (id: string) => Number(id.split('/').at(-1));
