import { describe, expect } from 'vitest';
import type { DiscordFake } from '../../../packages/fakes/src/discord/index.ts';
import { ATELIER } from '../../../packages/fakes/src/discord/world/description.ts';
import type { Permission } from '../../../packages/fakes/src/discord/world/permissions.ts';
import { test } from '../../../test/harness/discord-easel.fixture.ts';

/** The bot reads the rules only with Manage Server. */
const WITH_MANAGE_GUILD: Permission[] = [
	...(['ViewChannel', 'SendMessages', 'SendMessagesInThreads', 'AttachFiles', 'ReadMessageHistory'] as const),
	...(['CreatePublicThreads', 'UseApplicationCommands', 'ManageGuild'] as const),
];

const keywords = (...keyword_filter: string[]) =>
	({ keyword_filter, regex_patterns: [], allow_list: [], presets: [], mention_total_limit: 0 }) as never;

const ruleRequests = (discord: DiscordFake) => discord.requests.filter(({ path }) => path.includes('auto-moderation'));

describe('AutoMod rules', () => {
	test.override({
		fakeOptions: {
			servers: [
				{
					...ATELIER,
					application: WITH_MANAGE_GUILD,
					autoModeration: [
						{ name: 'No snow', trigger_metadata: keywords('snow*') },
						{
							trigger_metadata: keywords('ice'),
							actions: [{ type: 1, metadata: { custom_message: 'Keep it warm.' } as never }],
						},
					],
				},
			],
		},
	});

	test('apply to prompts of members, with their custom message or their name', async ({
		discord,
		service,
		ada,
		bjorn,
	}) => {
		const refusal = { text: /does not allow these words: No snow\./, private: true };
		await bjorn.does('/imagine', { prompt: 'a Snowman' }).sees(refusal);
		await bjorn.does('/chat', { prompt: 'Snow?' }).sees(refusal);
		await bjorn.does('/imagine', { prompt: 'ice' }).sees({ text: /^Keep it warm\.$/, private: true });
		expect(service.requests).toEqual([]);
		await ada.does('/imagine', { prompt: 'ice and snow' }).sees({ pictures: 1 });
		await bjorn.does('/imagine', { prompt: 'a warm fox' }).sees({ pictures: 1 });
		expect(ruleRequests(discord)).toHaveLength(1);
	});
});

describe('a new AutoMod rule', () => {
	test.override({ fakeOptions: { servers: [{ ...ATELIER, application: WITH_MANAGE_GUILD }] } });

	test('applies at once', async ({ discord, bjorn }) => {
		await bjorn.does('/imagine', { prompt: 'a fox' }).sees({ pictures: 1 });
		discord.addAutoModRule({ name: 'No foxes', trigger_metadata: keywords('fox') });
		await bjorn.does('/imagine', { prompt: 'a fox' }).sees(/No foxes/);
		expect(ruleRequests(discord)).toHaveLength(2);
	});

	test('can exempt channels and roles', async ({ discord, bjorn }) => {
		const { common, elsewhere } = bjorn.names;
		const autoModerate = (name: string, exempt: object) =>
			discord.addAutoModRule({ name, trigger_metadata: keywords(name), ...exempt });
		autoModerate('fox', { exempt_roles: [common] });
		autoModerate('bear', { exempt_channels: [elsewhere] });
		await bjorn.does('/imagine', { prompt: 'a fox' }).sees({ pictures: 1 });
		await bjorn.does('/imagine', { prompt: 'a bear' }).sees(/words: bear/);
		bjorn.goesTo(elsewhere);
		await bjorn.does('/imagine', { prompt: 'a bear' }).sees({ pictures: 1 });
	});
});

describe('AutoMod rules that the bot may not read', () => {
	test.override({
		fakeOptions: { servers: [{ ...ATELIER, autoModeration: [{ trigger_metadata: keywords('fox') }] }] },
	});

	test('block nothing, and are not requested', async ({ discord, bjorn }) => {
		await bjorn.does('/imagine', { prompt: 'a fox' }).sees({ pictures: 1 });
		await bjorn.does('/imagine', { prompt: 'another fox' }).sees({ pictures: 1 });
		expect(ruleRequests(discord)).toEqual([]);
		expect(discord.requests.map(({ status }) => status)).not.toContain(403);
	});
});

describe('AutoMod rules that cannot be read', () => {
	test.override({
		fakeOptions: {
			servers: [
				{
					...ATELIER,
					application: WITH_MANAGE_GUILD,
					autoModeration: [{ name: 'No foxes', trigger_metadata: keywords('fox') }],
				},
			],
		},
	});

	test('block nothing', async ({ discord, bjorn }) => {
		discord.faults.serverError({ path: /auto-moderation/ }, { times: 100 });
		await bjorn.does('/imagine', { prompt: 'a fox' }).sees({ pictures: 1 });
	});
});
