import { afterEach, beforeEach, expect, test } from 'vitest';
import { Actor } from '../../../../test/fakes/actor.ts';
import type { ServerDescription } from '../../../../test/fakes/discord/index.ts';
import { ATELIER } from '../../../../test/fakes/discord/world.ts';
import { openDiscordHarness } from '../../../../test/fakes/discord-harness.ts';
import { type FaultyService, startFaultyService } from '../../../../test/fakes/service.ts';

let service: FaultyService;
let stage: Awaited<ReturnType<typeof openDiscordHarness>>;
const at = (name: 'ada' | 'bjorn') => new Actor(stage.user(name));

beforeEach(async () => {
	service = await startFaultyService();
});
afterEach(async () => {
	await stage.close();
	await service.close();
});

const MANAGING: NonNullable<ServerDescription['application']> = [
	...(['ViewChannel', 'SendMessages', 'SendMessagesInThreads', 'AttachFiles', 'ReadMessageHistory'] as const),
	...(['CreatePublicThreads', 'UseApplicationCommands', 'ManageGuild'] as const),
];
const words = (...keyword_filter: string[]) =>
	({ keyword_filter, regex_patterns: [], allow_list: [], presets: [], mention_total_limit: 0 }) as never;

async function begin(server: ServerDescription) {
	stage = await openDiscordHarness(service.url, { servers: [{ ...ATELIER, ...server }] });
}
const askedForRules = () => stage.discord.requests.filter(({ path }) => path.includes('auto-moderation')).length;

test('a rule of the server holds for prompts, with its own words or its name, and not for who manages it', async () => {
	await begin({
		application: MANAGING,
		autoModeration: [
			{ name: 'No snow', trigger_metadata: words('snow*') },
			{
				trigger_metadata: words('ice'),
				actions: [{ type: 1, metadata: { custom_message: 'Keep it warm.' } as never }],
			},
		],
	});
	const refusal = { text: /does not allow these words: No snow\./, private: true };
	await at('bjorn').does('/imagine', { prompt: 'a Snowman' }).sees(refusal);
	await at('bjorn').does('/chat', { prompt: 'Snow?' }).sees(refusal);
	await at('bjorn')
		.does('/imagine', { prompt: 'ice' })
		.sees({ text: /^Keep it warm\.$/, private: true });
	expect(service.requests).toEqual([]);
	await at('ada').does('/imagine', { prompt: 'ice and snow' }).sees({ pictures: 1 });
	await at('bjorn').does('/imagine', { prompt: 'a warm fox' }).sees({ pictures: 1 });
	expect(askedForRules()).toBe(1);
});

test('a new rule holds at once', async () => {
	await begin({ application: MANAGING });
	await at('bjorn').does('/imagine', { prompt: 'a fox' }).sees({ pictures: 1 });
	stage.discord.autoModerate({ name: 'No foxes', trigger_metadata: words('fox') });
	await at('bjorn')
		.does('/imagine', { prompt: 'a fox' })
		.sees(/No foxes/);
	expect(askedForRules()).toBe(2);
});

test('channels and roles can be exempt', async () => {
	await begin({ application: MANAGING });
	const { common, elsewhere } = at('bjorn').names;
	const autoModerate = (name: string, exempt: object) =>
		stage.discord.autoModerate({ name, trigger_metadata: words(name), ...exempt });
	autoModerate('fox', { exempt_roles: [common] });
	autoModerate('bear', { exempt_channels: [elsewhere] });
	await at('bjorn').does('/imagine', { prompt: 'a fox' }).sees({ pictures: 1 });
	await at('bjorn')
		.does('/imagine', { prompt: 'a bear' })
		.sees(/words: bear/);
	at('bjorn').goesTo(elsewhere);
	await at('bjorn').does('/imagine', { prompt: 'a bear' }).sees({ pictures: 1 });
});

test('where the bot may not read the rules, there are none, and it does not ask all the time', async () => {
	await begin({ autoModeration: [{ trigger_metadata: words('fox') }] });
	await at('bjorn').does('/imagine', { prompt: 'a fox' }).sees({ pictures: 1 });
	await at('bjorn').does('/imagine', { prompt: 'another fox' }).sees({ pictures: 1 });
	expect(askedForRules()).toBe(1);
});

test('where the rules can not be read, the request goes on, and they are asked for again', async () => {
	await begin({ application: MANAGING, autoModeration: [{ name: 'No foxes', trigger_metadata: words('fox') }] });
	stage.discord.faults.serverError({ path: /auto-moderation/ }, { times: 100 });
	await at('bjorn').does('/imagine', { prompt: 'a fox' }).sees({ pictures: 1 });
});

test('the log links to the message, and covers what is from a channel for adults', async () => {
	await begin({});
	const { elsewhere, here } = at('ada').names;
	await at('ada')
		.does('/limits settings', { log: elsewhere })
		.sees(/#gallery/);
	const result = await at('bjorn').does('/imagine', { prompt: 'a fox' }).sees({ pictures: 1 });
	const { id: server } = stage.discord.world.server();
	at('ada').goesTo(elsewhere);
	const { text } = await at('ada').finds({ text: /a fox/, pictures: 1, covered: false });
	expect(text).toContain(`(https://discord.com/channels/${server}/${here}/${result.id})`);

	const dark = stage.discord.world.channel('after-dark');
	at('bjorn').goesTo(dark.id);
	await at('bjorn').does('/imagine', { prompt: 'a bear' }).sees({ pictures: 1, covered: false });
	await at('ada').finds({ text: /a bear\nIn #after-dark/, pictures: 1, covered: true });

	await at('ada')
		.does('/limits settings', { log: dark.id })
		.sees(/#after-dark/);
	await at('bjorn').does('/imagine', { prompt: 'a wolf' }).sees({ pictures: 1 });
	at('ada').goesTo(dark.id);
	await at('ada').finds({ text: /by @Björn: a wolf/, pictures: 1, covered: false });
});

test('a log channel that takes nothing, or only words, costs nobody their picture', async () => {
	await begin({});
	const { elsewhere } = at('ada').names;
	await at('ada')
		.does('/limits settings', { log: elsewhere })
		.sees(/#gallery/);
	const { world } = stage.discord;
	world.rule(world.channel(elsewhere), 'me', 'deny', ['AttachFiles']);
	await at('bjorn').does('/imagine', { prompt: 'a fox' }).sees({ pictures: 1 });
	at('ada').goesTo(elsewhere);
	const entry = await at('ada').finds({
		text: /a fox.*not shown here, because they could not be posted/s,
		pictures: 0,
	});
	expect(entry.buttons).toEqual(['Remove', 'Block']);
	world.rule(world.channel(elsewhere), 'me', 'deny', ['SendMessages', 'ViewChannel']);
	await at('bjorn').does('/imagine', { prompt: 'a bear' }).sees({ pictures: 1 });
	await at('bjorn').does('/imagine', { prompt: 'a wolf' }).sees({ pictures: 1 });
	expect((await at('ada').looks()).map(({ text }) => text).join('\n')).not.toMatch(/bear|wolf/);
});
