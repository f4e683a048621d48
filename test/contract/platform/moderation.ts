import { describe, expect } from 'vitest';
import { answersChat, chatOf } from '../../../packages/fakes/src/chat.ts';
import { pngFile } from '../../../packages/fakes/src/pictures.ts';
import { answers } from '../../../packages/fakes/src/service.ts';
import type { ContractTest } from './contract-test.ts';
import { expectContained } from './request-body.ts';

const flags = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, true]));

/** Tests the rules that moderators set. */
export function moderation(test: ContractTest): void {
	describe('the rules of a server', () => {
		test('allow pictures and chats only in some channels', async ({ service, ada, bjorn, usageToday }) => {
			const { here, elsewhere } = ada.names;
			await bjorn.does('/limits allow', { channel: elsewhere }).sees({ text: /Only moderators/, private: true });
			await ada.does('/limits allow').sees({ text: /Give a channel or a role/, private: true });
			await ada
				.does('/limits allow', { channel: elsewhere })
				.sees({ text: /Allowed channels: #gallery$/m, private: true });
			const refusal = { text: /Moderators allow this only in #gallery/, private: true };
			await ada.does('/imagine', { prompt: 'a fox' }).sees(refusal);
			await bjorn.does('/chat', { prompt: 'Tell me of foxes' }).sees(refusal);
			expect(service.requests).toEqual([]);
			bjorn.goesTo(elsewhere);
			await bjorn.does('/imagine', { prompt: 'a fox' }).sees({ pictures: 1 });
			// A moderator can never lock themselves out.
			await ada.does('/limits allow', { channel: here }).sees(/Allowed channels: #gallery, #general$/m);
			await ada.does('/limits disallow', { channel: elsewhere }).sees(/Allowed channels: #general$/m);
			await ada.does('/limits disallow', { channel: elsewhere }).sees(/not on the list/);
			await ada.does('/limits disallow', { channel: here }).sees(/Allowed channels: all/);
			const shown = await ada.does('/limits show').sees(/Latest changes/);
			expect(shown.text).toMatch(/Allowed channels: all.*limits disallow.*limits allow/s);
			expect(await usageToday()).toBe(0);
		});

		test('refuse a picture before a form is filled in for it', async ({ service, ada, bjorn }) => {
			const { elsewhere, foreign } = ada.names;
			const file = await pngFile('#7f8c8d');
			await bjorn.says('look', [file]);
			const posted = await bjorn.finds({ text: /look/, pictures: 1 });
			const refusal = { text: /only for members with @Apprentices/i, private: true };
			await ada.does('/limits allow', { role: foreign }).sees(/Allowed roles: @Apprentices/i);
			for (const entry of ['Edit image', 'Compose images'] as const) await bjorn.chooses(entry, posted).sees(refusal);
			await ada.does('/limits allow', { channel: elsewhere }).sees(/Allowed channels/);
			await ada.chooses('Edit image', posted).sees({ text: /Moderators allow this only in #gallery/, private: true });
			expect(service.requests).toEqual([]);
		});

		test('allow them only for some roles', async ({ ada, bjorn }) => {
			const { common, foreign } = ada.names;
			await ada.does('/limits allow', { role: foreign }).sees(/Allowed roles: @Apprentices/i);
			const refusal = { text: /only for members with @Apprentices/i, private: true };
			await bjorn.does('/imagine', { prompt: 'a fox' }).sees(refusal);
			await ada.does('/chat', { prompt: 'Tell me of foxes' }).sees(refusal);
			await ada.does('/limits allow', { role: common }).sees(/Allowed roles: @Apprentices, @Painters/i);
			await bjorn.does('/imagine', { prompt: 'a fox' }).sees({ pictures: 1 });
			await ada.does('/limits settings').sees(/Allowed roles: @Apprentices, @Painters/i);
		});

		test('make moderators of the members with a role', async ({ ada, bjorn }) => {
			const { common, foreign, elsewhere } = ada.names;
			const refused = { text: /Only moderators/, private: true };
			await bjorn.does('/limits settings', { moderators: common }).sees(refused);
			await ada
				.does('/limits settings', { moderators: foreign })
				.sees(/Moderator role: @Apprentices \(before: none\)/i);
			const fox = await ada.does('/imagine', { prompt: 'a fox' }).sees({ pictures: 1 });
			await bjorn.does('/limits show').sees(refused);
			await bjorn.presses('Delete', fox).sees({ text: /Only the person/, private: true });

			await ada.does('/limits settings', { moderators: common }).sees(/Moderator role: @Painters/i);
			const asks = await bjorn.does('/limits settings', { log: elsewhere }).sees(/Every member can see/);
			await bjorn.presses('Use this channel', asks).sees(/Moderation log: #gallery/);
			const asked = await bjorn.presses('Delete', fox).sees(/Delete \*\*a fox\*\*/);
			await bjorn.presses('Delete for good', asked).sees(/^Deleted/);
			await ada.does('/imagine', { prompt: 'an owl' }).sees({ pictures: 1 });
			bjorn.goesTo(elsewhere);
			await bjorn.presses('Block', await bjorn.finds(/an owl/));
			await bjorn.finds(/@Ada was blocked by @Björn/);
			bjorn.leaves();
			await ada.does('/imagine', { prompt: 'an owl' }).sees({ text: /has blocked you/, private: true });
			const extended = { text: /Your role can't change `moderators`/, private: true };
			await bjorn.does('/limits settings', { moderators: foreign }).sees(extended);
			await bjorn.does('/limits settings', { off: 'moderators' }).sees(extended);

			await ada.does('/limits settings', { off: 'moderators' }).sees(/Moderator role: none \(before: @Painters\)/i);
			await bjorn.does('/limits show').sees(refused);
		});

		test('are followed by a second opinion, where the operator has set one', async ({
			service,
			harness,
			ada,
			bjorn,
			usageToday,
		}) => {
			await harness.restart({ moderationModel: 'moderation' });
			const says = (...flagged: string[]) =>
				answers(
					200,
					JSON.stringify({
						results: [
							{ flagged: flagged.length > 0, categories: { violence: false, illicit: null, ...flags(flagged) } },
						],
					}),
				);
			service.next(says('violence/graphic'));
			const refusal = { text: /flagged this \(violence\/graphic\).*Nothing was counted/, private: true };
			await bjorn.does('/imagine', { prompt: 'a battle' }).sees(refusal);
			service.next(says(), says('sexual'));
			const image = await pngFile();
			await ada.does('/edit', { prompt: 'a hat', image }).sees(/flagged this \(sexual\).*Nothing was counted\.$/);
			expect(await usageToday()).toBe(0);
			expect(service.requests.map(({ path }) => path)).toEqual(Array(3).fill('/v1/moderations'));
			expectContained(service.requests[2], Buffer.from(Buffer.from(image.bytes).toString('base64')));

			await ada
				.does('/limits settings', { categories: 'dragons' })
				.sees(/`categories` must be all, or a list of harassment/);
			const settings = { categories: 'sexual, hate', unmoderated: 'refuse' };
			await ada.does('/limits settings', settings).sees(/refuses: hate, sexual; without its answer: refused/);
			service.next(says('violence'));
			await bjorn.does('/imagine', { prompt: 'a battle' }).sees({ text: /a battle/, pictures: 1 });
			service.next(answers(503, 'busy'));
			await bjorn.does('/imagine', { prompt: 'a truce' }).sees({ text: /does not answer right now/, private: true });
		});

		test('are tried on earlier requests before they hold', async ({ ada, bjorn, service }) => {
			await bjorn.does('/imagine', { prompt: 'a red fox' }).sees({ pictures: 1 });
			await ada.does('/imagine', { prompt: 'an owl' }).sees({ text: /an owl/, pictures: 1 });
			const tried = await ada
				.does('/limits try', { rule: 'ban', words: 'fox, wolf' })
				.sees({ text: /would have refused 1 of 2 requests.*by 1 person.*Björn: \/imagine a red fox/s, private: true });
			await bjorn.does('/imagine', { prompt: 'a fox cub' }).sees({ text: /a fox cub/, pictures: 1 });
			await ada.presses('Apply', tried).sees(/Banned words: 2/);
			await bjorn.does('/imagine', { prompt: 'a wolf' }).sees(/banned/);
			await ada
				.does('/limits try', { rule: 'set', scope: 'member', period: 'day', images: 1 })
				.sees(/would have refused 1 of 3 requests/);
			await ada.does('/limits try', { rule: 'set', scope: 'member' }).sees(/`period` is missing/);
			await ada.does('/limits try', { rule: 'cooldown', cooldown: 60 }).sees(/would have refused 1 of 3 requests/);
			await ada.does('/limits try', { rule: 'allow' }).sees(/`channel` is missing/);
			await ada.does('/limits try', { rule: 'review' }).sees(/log/);
			await bjorn.does('/limits try', { rule: 'cooldown', cooldown: 60 }).sees(/moderators/i);
			expect(service.requests).toHaveLength(3);
		});

		test('ban words from pictures, without repeating them', async ({ service, ada, bjorn }) => {
			const first = await bjorn.does('/imagine', { prompt: 'a fox in the snow' }).sees({ pictures: 1 });
			await bjorn.does('/limits ban', { words: 'snow' }).sees({ text: /Only moderators/, private: true });
			const words = 'Fox, ice cream, ice  cream';
			const banned = await ada.does('/limits ban', { words }).sees({ text: /Banned words: 2/, files: 1 });
			expect(banned.files).toEqual(['banned-words.txt']);
			const refusal = { text: /a word that moderators have banned here\. Nothing was counted/, private: true };
			const seen = await bjorn.does('/imagine', { prompt: 'a FÓX' }).sees(refusal);
			expect(seen.text).not.toMatch(/f.x/i);
			await bjorn.does('/edit', { prompt: 'add ice-cream', image: await pngFile() }).sees(refusal);
			await bjorn.presses('Again', first).sees(refusal);
			expect(service.requests).toHaveLength(1);
			await bjorn.does('/imagine', { prompt: 'foxgloves' }).sees({ pictures: 1 });

			await ada.does('/limits unban', { words: 'ice cream' }).sees(/Banned words: 1/);
			await ada.does('/limits unban', { words: 'ice cream' }).sees(/None of these words is banned/);
			await bjorn.does('/imagine', { prompt: 'ice cream' }).sees({ pictures: 1 });
			await ada.does('/limits ban', { words: ', ,' }).sees(/Give words or phrases/);
			await ada.does('/limits ban', { words: 'x'.repeat(61) }).sees(/at most 60 characters\. Nothing was changed/);
			const shown = await ada.does('/limits show').sees({ text: /Banned words: 1/, files: 1 });
			expect(shown.files).toEqual(['banned-words.txt']);
		});

		test('ban words from chats, and keep them from the model', async ({ service, ada, bjorn }) => {
			await ada.does('/limits ban', { words: 'snow' }).sees(/Banned words: 1/);
			await bjorn.does('/chat', { prompt: 'Tell me of snow' }).sees({ text: /have banned here/, private: true });
			service.next(answersChat('Foxes are small and red.'));
			await ada.does('/chat', { prompt: 'Tell me of foxes' });
			for (const person of [ada, bjorn]) await person.enters(/foxes/);
			await bjorn.finds(/small and red/);
			await bjorn.says('Do they like snow?').sees(/a word that moderators have banned/);
			await bjorn.says('draw a fox in the snow').sees(/a word that moderators have banned/);
			service.next(answersChat('Mice.'));
			await bjorn.says('What do they eat?').sees(/Mice/);
			const own = (await bjorn.looks()).find(({ text }) => text.includes('What do they eat'));
			if (!own) throw new Error('The message is not there');
			await bjorn.rewrites(own, 'Do they eat snow?');
			service.next(answersChat('In dens.'));
			await ada.says('Where do they live?').sees(/In dens/);
			const said = service.requests.flatMap((request) => chatOf(request).messages.map(({ content }) => content));
			expect(said.join('\n')).not.toMatch(/snow/);
			expect(service.requests).toHaveLength(3);
		});

		test('cover the results of a channel', async ({ ada, bjorn }) => {
			await bjorn.does('/limits spoiler', { on: true }).sees({ text: /Only moderators/, private: true });
			await ada
				.does('/limits spoiler', { on: true })
				.sees({ text: /Channels with hidden pictures: #general/, private: true });
			const covered = await bjorn.does('/imagine', { prompt: 'a fox' }).sees({ pictures: 1 });
			expect(covered.pictures).toMatchObject([{ alt: 'a fox', spoiler: true }]);
			await ada
				.does('/limits spoiler', { on: false, channel: ada.names.here })
				.sees(/Channels with hidden pictures: none/);
			await bjorn.presses('Again', covered).sees({ pictures: 1, covered: false });
		});
	});
}
