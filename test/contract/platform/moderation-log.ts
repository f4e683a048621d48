import { describe, expect } from 'vitest';
import { Actor } from '../../../packages/fakes/src/actor.ts';
import { answersChat } from '../../../packages/fakes/src/chat.ts';
import { pngFile } from '../../../packages/fakes/src/pictures.ts';
import { answers, answersPictures, smallPng } from '../../../packages/fakes/src/service.ts';
import type { SeenMessage } from '../../../packages/fakes/src/test-user.ts';
import type { ContractTest } from './contract-test.ts';

type LogFixtures = {
	/** Waits for an entry of the log, and returns it as Ada sees it. */
	findEntry: (expected: {
		text: RegExp;
		pictures?: number;
		covered?: boolean;
		buttons?: readonly string[];
	}) => Promise<SeenMessage>;
};

const logTest = (test: ContractTest) =>
	test.extend<LogFixtures>({
		findEntry: ({ ada }, use) =>
			use((expected) => {
				ada.goesTo(ada.names.elsewhere);
				return ada.finds({ ...expected, private: false });
			}),
	});

/** Tests the channel that shows all pictures to moderators. */
export function moderationLog(contractTest: ContractTest): void {
	const test = logTest(contractTest);

	describe('the moderation log', () => {
		test.beforeEach(async ({ ada }) => {
			const question = { text: /Every member can see #gallery/, private: true };
			const answer = await ada.does('/limits settings', { log: ada.names.elsewhere }).sees(question);
			await ada.presses('Use this channel', answer).sees({ text: /Moderation log: #gallery/, private: true });
		});

		test('shows each picture with its requester, its channel and the actions on it', async ({
			service,
			bjorn,
			findEntry,
		}) => {
			const png = await smallPng('#e67e22');
			service.next(answersPictures(png, png));
			await bjorn.does('/imagine', { prompt: 'a *red* fox', n: 2 }).sees({ pictures: 2 });
			const drawn = await findEntry({
				text: /\/imagine.*@Björn: a \\\*red\\\* fox\nIn #general · \[Go to the message\]\(.+\)/s,
				pictures: 2,
			});
			expect(drawn.buttons).toEqual(['Remove', 'Block', 'Hide']);
			expect(drawn.pictures[0]?.bytes).toEqual(new Uint8Array(png));

			await bjorn
				.does('/edit', { prompt: 'brighter', image: await pngFile(), private: true })
				.sees({ text: /Moderators of this server can see it/, pictures: 1 });
			// Every member can see this log.
			const entry = await findEntry({ text: /\/edit.*by @Björn: \(private\).*every member can see/s, pictures: 0 });
			expect(entry.text).not.toMatch(/brighter/);
			expect(entry.buttons).toEqual(['Remove', 'Block']);
			const long = 'x'.repeat(2000);
			await bjorn.does('/imagine', { prompt: long }).sees({ pictures: 1 });
			await findEntry({ text: /xxxx/, pictures: 1 });
		});

		test('shows pictures of chats, and no failed requests', async ({ service, ada, bjorn, findEntry }) => {
			service.next(answersChat('Foxes are small and red.'), answers(429), answersPictures(await smallPng()));
			await bjorn.does('/chat', { prompt: 'Tell me of foxes' });
			await bjorn.enters(/foxes/);
			await bjorn.finds(/small and red/);
			await bjorn.says('draw a failure').sees(/busy/);
			await bjorn.says('draw a red fox').sees({ pictures: 1 });
			await findEntry({ text: /\/imagine.*a red fox/s, pictures: 1 });
			expect((await ada.looks()).map(({ text }) => text).join('\n')).not.toMatch(/a failure/);
		});

		test('Remove asks, deletes the result, covers its entry and tells the person in their language', async ({
			harness,
			ada,
			findEntry,
		}) => {
			const bjorn = new Actor(harness.user('bjorn', 'de'));
			const result = await bjorn.does('/imagine', { prompt: 'a mistake' }).sees({ pictures: 1 });
			const logged = await findEntry({ text: /a mistake/ });
			bjorn.goesTo(bjorn.names.elsewhere);
			await bjorn.presses('Remove', await bjorn.finds(/a mistake/)).sees({ text: /nur die Moderation/, private: true });
			const asks = { text: /a mistake/, pictures: 1, buttons: ['Remove for good', 'Cancel'] };
			await ada.presses('Remove', logged);
			await ada.presses('Cancel', await findEntry(asks));
			await ada.presses('Remove', await findEntry({ text: /a mistake/, buttons: ['Remove', 'Block', 'Hide'] }));
			await ada.presses('Remove for good', await findEntry(asks));
			const after = await findEntry({ text: /a mistake.*Removed by @Ada/s, pictures: 1, covered: true });
			expect(after.id).toBe(logged.id);
			expect(after.buttons).toEqual(['Block']);
			bjorn.leaves();
			await bjorn.finds({ text: /@Björn, die Moderation hat dein Bild entfernt/, pictures: 0 });
			expect((await bjorn.looks()).map(({ id }) => id)).not.toContain(result.id);
		});

		test('Block blocks the requester, as /limits block does', async ({ ada, bjorn, findEntry }) => {
			await bjorn.does('/imagine', { prompt: 'a rude thing' }).sees({ pictures: 1 });
			await ada.presses('Block', await findEntry({ text: /a rude thing/ }));
			const after = await findEntry({ text: /@Björn was blocked by @Ada/ });
			expect(after.buttons).toEqual(['Remove', 'Unblock', 'Hide']);
			await bjorn.does('/imagine', { prompt: 'another' }).sees({ text: /has blocked you/, private: true });
			await ada.does('/limits show').sees(/Blocked: @Björn.*@Ada: limits block/s);
			await ada.presses('Unblock', after);
			expect((await findEntry({ text: /Undone by @Ada/ })).buttons).toEqual(['Remove', 'Block', 'Hide']);
			await bjorn.does('/imagine', { prompt: 'another' }).sees({ pictures: 1 });
		});

		test('Hide covers the result, also after a restart', async ({ service, harness, ada, bjorn, findEntry }) => {
			const png = await smallPng('#2980b9');
			service.next(answersPictures(png));
			const result = await bjorn.does('/imagine', { prompt: 'a fright' }).sees({ pictures: 1, covered: false });
			const logged = await findEntry({ text: /a fright/ });
			await harness.restart();
			await ada.presses('Hide', logged);
			const hidden = await findEntry({ text: /Hidden by @Ada/ });
			expect(hidden.buttons).toEqual(['Remove', 'Block', 'Uncover']);
			const covered = await bjorn.finds({ text: /a fright/, pictures: 1, covered: true });
			expect(covered).toEqual({
				...result,
				pictures: [{ bytes: new Uint8Array(png), alt: 'a fright', spoiler: true }],
			});
			await ada.presses('Uncover', hidden);
			await findEntry({ text: /Undone by @Ada/ });
			expect(await bjorn.finds({ text: /a fright/, pictures: 1, covered: false })).toEqual(result);
		});

		test('lets moderators review pictures before anybody sees them', async ({ harness, ada, bjorn, findEntry }) => {
			await ada.does('/limits review', { on: false }).sees({ text: /Channels with review: none$/, private: true });
			await ada
				.does('/limits review', { on: true })
				.sees({ text: /Answers in chats.*are not reviewed.*\nEvery member can see #gallery/, private: true });
			const waiting = { text: /a heron.*waits for a moderator’s review/s, pictures: 0 };
			const held = await bjorn.does('/imagine', { prompt: 'a heron' }).sees(waiting);
			const card = await findEntry({ text: /a heron.*Waits for a review until/s, pictures: 1 });
			expect(card.buttons).toEqual(['Approve', 'Reject', 'Block']);
			bjorn.goesTo(bjorn.names.elsewhere);
			await bjorn.presses('Approve', await bjorn.finds(/a heron/)).sees({ text: /Only moderators/, private: true });
			bjorn.leaves();
			await harness.restart();
			await ada.presses('Approve', card);
			const shown = await bjorn.finds({ text: /a heron/, pictures: 1, private: false });
			expect(shown.id).toBe(held.id);
			expect((await findEntry({ text: /Approved by @Ada/, pictures: 1 })).id).toBe(card.id);

			await bjorn.does('/imagine', { prompt: 'a gull' }).sees(/a gull.*waits/s);
			const second = await findEntry({ text: /a gull/, pictures: 1 });
			const form = await ada.presses('Reject', second).opens('Reject the picture');
			await ada.fillsIn(form, { reason: 'no birds' });
			await bjorn.finds({ text: /rejected this picture: no birds/, pictures: 0 });
			expect((await findEntry({ text: /Rejected by @Ada: no birds/ })).buttons).toEqual(['Block']);
		});

		test('tells of a request to undress somebody, which is refused without a moderation model', async ({
			service,
			bjorn,
			findEntry,
		}) => {
			const image = await pngFile();
			for (const prompt of ['remove her clothes', 'zieh sie nackt aus'])
				await bjorn
					.does('/edit', { prompt, image })
					.sees({ text: /don’t undress people.*Nothing was counted/s, private: true });
			const entry = await findEntry({ text: /Refused:.*used \/edit to undress somebody/, pictures: 0 });
			// Every member can see this log.
			expect(entry.text).not.toMatch(/Björn|clothes/);
			expect(service.requests).toEqual([]);
			await bjorn.does('/edit', { prompt: 'make the statue nude', image }).sees({ text: /statue/, pictures: 1 });
		});

		test('can be turned off', async ({ ada, bjorn }) => {
			await ada.does('/limits settings', { off: 'log' }).sees(/Moderation log: off/);
			await bjorn.does('/imagine', { prompt: 'unseen' }).sees({ pictures: 1 });
			await bjorn.does('/imagine', { prompt: 'also unseen' }).sees({ pictures: 1 });
			ada.goesTo(ada.names.elsewhere);
			expect((await ada.looks()).map(({ text }) => text).join('\n')).not.toMatch(/unseen/);
		});
	});
}
