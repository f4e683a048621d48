import type { Keyv } from 'keyv';
import { pino } from 'pino';
import { expect } from 'vitest';
import { commands } from '../../commands/index.ts';
import { eventually } from '../../packages/fakes/src/eventually.ts';
import { smallPng } from '../../packages/fakes/src/service.ts';
import { type SlackOptions as FakeOptions, type SlackFake, startSlack } from '../../packages/fakes/src/slack/index.ts';
import { typedRequest } from '../../src/bot/chat/understand.ts';
import { CommandCatalogue, describeCommands } from '../../src/bot/declaration/options.ts';
import type { Channel, Picture, Place, Post, Reply, Upload } from '../../src/domain/channel.ts';
import type { ButtonPress, Inbox, IncomingMessage, Invocation, Platform } from '../../src/domain/platform.ts';
import type { Easel } from '../../src/easel.ts';
import { SentenceError, translatorFor } from '../../src/i18n/translator.ts';
import { failureMessageOf } from '../../src/platforms/shared/failure-message.ts';
import { createSlack, type SlackOptions } from '../../src/platforms/slack/index.ts';
import { PROFILES } from '../../src/service/profiles.ts';
import { openStore } from '../../src/store/open-store.ts';
import { createClaim } from '../../src/store/store.ts';

/** A core that records what it receives, and the commands in messages as such. */
export type RecordedCore = Inbox & {
	invoked: Invocation[];
	pressed: ButtonPress[];
	received: IncomingMessage[];
	/** Handles commands. */
	onInvoke: (invocation: Invocation) => Promise<unknown>;
	/** Handles buttons and message shortcuts. */
	onPress: (press: ButtonPress) => Promise<unknown>;
};

/** A fake Slack with Easel's platform and a core that records. */
export type SlackFixture = {
	slack: SlackFake;
	core: RecordedCore;
	platform: Platform;
	/** The channel `general` of the first workspace. */
	place: Place;
	keyv: Keyv;
	space: SlackOptions['space'];
	/** Starts another process of Easel, on the same store, with a core that has more. */
	another(more?: Partial<RecordedCore>): Promise<{ platform: Platform; core: RecordedCore }>;
	close(): Promise<void>;
};

export async function openSlackFixture(
	fake: FakeOptions = {},
	options: Partial<Pick<SlackOptions, 'moderators' | 'timing'>> = {},
): Promise<SlackFixture> {
	const slack = await startSlack({ pace: 0.01, ...fake });
	const store = await openStore('memory:');
	const space = store.space('slack');
	const { keyv } = space;
	const log = pino({ level: process.env['SLACK_FIXTURE_LOG'] ?? 'silent' });
	const started: Platform[] = [];

	async function another(more: Partial<RecordedCore> = {}) {
		const core = Object.assign(createRecordedCore(), more);
		const { platform } = createSlack({
			access: { kind: 'socket', botToken: slack.botToken, appToken: slack.appToken },
			apiUrl: slack.apiUrl,
			commands: describeCommands(commands, PROFILES.easel.capabilities),
			space,
			claim: createClaim(space),
			moderators: options.moderators ?? [],
			attachmentOrigins: [slack.filesOrigin, slack.elsewhereOrigin],
			timing: { firstPause: 1, processing: 1000, ...options.timing },
			log,
		});
		await platform.start(core);
		started.push(platform);
		return { platform, core };
	}

	const first = await another();
	const [team] = slack.world.teams.values();
	const general = slack.world.channel('general', team);
	return {
		slack,
		keyv,
		space,
		another,
		...first,
		place: { platform: 'slack', server: team?.id ?? '', channel: general.id },
		async close() {
			for (const platform of started) await platform.stop();
			await slack.close();
			await store.close();
		},
	};
}

const { capabilities } = PROFILES.easel;
const EASEL = { catalogue: new CommandCatalogue(commands, capabilities), service: { capabilities } } as Easel;

export function createRecordedCore(): RecordedCore {
	const core: RecordedCore = {
		invoked: [],
		pressed: [],
		received: [],
		onInvoke: async () => {},
		onPress: async () => {},
		async invoke(invocation) {
			core.invoked.push(invocation);
			await core.onInvoke(invocation);
		},
		form: async () => ({}),
		async press(press) {
			core.pressed.push(press);
			await core.onPress(press);
		},
		async hear(message) {
			const { id, typed, person } = message;
			try {
				const command = typed && (await typedRequest(EASEL, message));
				if (!typed || !command) core.received.push(message);
				else if (command instanceof SentenceError) throw command;
				else await core.invoke({ id, ...command, person, channel: typed.channel });
			} catch (error) {
				const text = failureMessageOf(error, translatorFor(person.locale));
				await message.channel.post({ text, visibility: 'private' }, id, { withoutStore: true });
			}
		},
		posted: async () => {},
		changed: async () => {},
		forget: async () => {},
		joined: async () => {},
		renamed: async () => {},
		suggest: async () => [],
		moderates: async ({ moderator }) => moderator,
		home: async () => ({ text: '', recent: [] }),
		talks: async () => [],
	};
	return core;
}

/** Posts in a channel, by default in `general`. */
export async function postIn(fixture: SlackFixture, reply: Reply, key: string, place = fixture.place): Promise<Post> {
	const channel = await fixture.platform.channel(place);
	if (!channel) throw new Error('The channel does not exist');
	return channel.post(reply, key);
}

/** Sends a command. Returns the channel that it is answered in. */
export async function channelOfCommand(fixture: SlackFixture, line: string, person = 'ada'): Promise<Channel> {
	const { promise, resolve } = Promise.withResolvers<Channel>();
	fixture.core.onInvoke = async ({ channel }) => resolve(channel);
	await fixture.slack.user(person).types(line);
	return promise;
}

/** Waits for a number of commands in all. Returns the last. */
export async function invocationOf({ core }: SlackFixture, count = 1): Promise<Invocation> {
	await eventually(() => expect(core.invoked).toHaveLength(count));
	return core.invoked[count - 1] as Invocation;
}

/** Waits for a number of presses in all. Returns the last. */
export async function pressOf({ core }: SlackFixture, count = 1): Promise<ButtonPress> {
	await eventually(() => expect(core.pressed).toHaveLength(count));
	return core.pressed[count - 1] as ButtonPress;
}

/** Reads an upload. */
export const bytesOf = async (upload: unknown): Promise<Uint8Array> =>
	new Uint8Array(await (upload as Upload).read(AbortSignal.timeout(5000), 10_000_000));

/** Returns a picture as a reply has it. */
export const picture = async (colour = '#c0392b', alt = 'a fox'): Promise<Picture> => ({
	name: 'fox-1.png',
	bytes: await smallPng(colour),
	alt,
});

/** Returns a log and the lines written to it. */
export function lineLog() {
	const lines: string[] = [];
	return { lines, log: pino({ level: 'trace' }, { write: (line) => void lines.push(line) }) };
}
