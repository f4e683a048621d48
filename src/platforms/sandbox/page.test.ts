import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getRequestListener } from '@hono/node-server';
import axe from 'axe-core';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ARTIFACTS, noBrowser, openBrowser } from '../../../test/harness/browser.ts';
import { COMMANDS } from '../../../test/harness/commands.ts';
import { FakeInbox, flat } from '../../../test/harness/inbox.ts';
import { fault, ok } from '../../domain/findings.ts';
import type { Platform } from '../../domain/platform.ts';
import { openStore } from '../../store/open-store.ts';
import type { Space } from '../../store/store.ts';
import { createSandbox } from './index.ts';

describe.skipIf(noBrowser)('the page', () => {
	let browser: Browser;
	let context: BrowserContext;
	let page: Page;
	let server: Server;
	let space: Space;
	let inbox: FakeInbox;
	let platform: Platform;
	let origin: string;
	let faults: string[];
	/** What was typed to connect Easel. */
	let tried: unknown[];

	beforeAll(async () => {
		browser = await openBrowser();
	});
	afterAll(() => browser?.close());

	/** Starts the sandbox; with a port, again on the same address and store. */
	async function start(port = 0) {
		const tryOut = async (variables: Readonly<Record<string, string>>) => {
			tried.push(variables);
			const isGood = variables['DISCORD_TOKEN'] === 'a good token';
			return [
				isGood ? ok('Discord takes the token.') : fault('Discord does not accept the token.', 'Reset the token.'),
			];
		};
		const sandbox = createSandbox({ commands: COMMANDS, space, tryOut });
		platform = sandbox.platform;
		server = createServer(getRequestListener(sandbox.routes.fetch));
		await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
		await platform.start(inbox);
		origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	}
	async function stop() {
		await platform.stop();
		server.closeAllConnections();
		await new Promise((resolve) => server.close(resolve));
	}

	beforeEach(async () => {
		space = (await openStore('memory:')).space('sandbox');
		inbox = new FakeInbox();
		faults = [];
		tried = [];
		await start();
		context = await browser.newContext({
			locale: 'en-US',
			viewport: { width: 1280, height: 800 },
			colorScheme: 'light',
		});
		page = await visit('ada');
	});
	afterEach(async () => {
		await context.close();
		await stop();
		expect(faults).toEqual([]);
	});

	async function visit(person: string, channel = 'atelier-general'): Promise<Page> {
		const visited = await context.newPage();
		visited.on('pageerror', (error) => faults.push(error.message));
		visited.on('console', (message) => {
			if (/Content Security|TrustedHTML/.test(message.text())) faults.push(message.text());
		});
		await visited.goto(`${origin}/?as=${person}#${channel}`);
		await visited.locator('.column > *').first().waitFor();
		return visited;
	}

	const words = (on = page) => on.locator('#words');
	const type = async (text: string, on = page) => {
		await words(on).fill(text);
		await words(on).press('Enter');
	};
	const pictures = (on = page) => on.locator('.message .picture.there img');
	const shoot = (name: string) => page.screenshot({ path: `${ARTIFACTS}/sandbox-${name}.png`, animations: 'disabled' });

	/** Returns the colour in the middle of a picture, as the browser decoded it. */
	const middle = (on: Page, index = 0) =>
		pictures(on)
			.nth(index)
			.evaluate((element) => {
				const image = element as HTMLImageElement;
				const canvas = new OffscreenCanvas(image.naturalWidth, image.naturalHeight);
				const context = canvas.getContext('2d');
				context?.drawImage(image, 0, 0);
				const pixel = context?.getImageData(canvas.width / 2, canvas.height / 2, 1, 1).data ?? [];
				return [...pixel].slice(0, 3);
			});

	/** Drops files with the events of a real drop. */
	async function drop(colours: string[]) {
		const dataTransfer = await transferOf(colours);
		for (const event of ['dragenter', 'dragover', 'drop']) await page.dispatchEvent('body', event, { dataTransfer });
	}

	async function paste(colours: string[]) {
		await (await transferOf(colours)).evaluate((clipboardData) =>
			document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })),
		);
	}

	/** Makes the data of a drop or a clipboard: pictures of one colour each. */
	async function transferOf(colours: string[]) {
		const files = await Promise.all(colours.map(async (colour) => (await flat(colour)).toString('base64')));
		return page.evaluateHandle((contents) => {
			const transfer = new DataTransfer();
			for (const [index, content] of contents.entries()) {
				const bytes = Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0));
				transfer.items.add(new File([bytes], `picture-${index + 1}.png`, { type: 'image/png' }));
			}
			return transfer;
		}, files);
	}

	test('runs /imagine as typed, for everyone to see', async () => {
		const other = await visit('bjorn');
		await type('/imagine a red fox in the snow size:1536x1024 n:2');
		await pictures(other).nth(1).waitFor();
		await pictures().nth(1).waitFor();
		expect(inbox.invocations[0]?.options).toEqual({ prompt: 'a red fox in the snow', size: '1536x1024', n: '2' });
		expect(await words().inputValue()).toBe('');
		expect(await pictures().first().getAttribute('alt')).toBe('a red fox in the snow');
		expect(await middle(page)).toEqual(await middle(other));
		expect(await page.locator('.message .lead').textContent()).toContain('used /imagine');
		await expect.poll(() => page.locator('#announcer').textContent()).toContain('a red fox in the snow');
		await shoot('light');

		const expected = { count: 1, shape: { width: 1024, height: 1536 } };
		const status = await inbox.invocations[0]?.channel.post({ text: 'Drawing **a tower** …', expected }, 'tower');
		const size = await page.locator('.picture.expected .canvas').evaluate((one) => [one.clientWidth, one.clientHeight]);
		expect(Number(size[1]) / Number(size[0])).toBeCloseTo(1.5);
		await status?.edit({ text: 'Cancelled.' });
		await page.locator('.picture.expected').waitFor({ state: 'detached' });
	});

	test('shows its message box once the commands are loaded', async () => {
		const early = await context.newPage();
		const { promise, resolve } = Promise.withResolvers<void>();
		await early.route(/\/sandbox\/api\/state/, async (route) => {
			await promise;
			await route.continue();
		});
		const asked = early.waitForRequest(/\/sandbox\/api\/state/);
		await early.goto(`${origin}/?as=chiyo#atelier-general`);
		await asked;
		expect(await words(early).count()).toBe(0);
		await early.getByText('Reconnecting…').waitFor();
		resolve();
		await type('/imagine a quick fox', early);
		await pictures(early).first().waitFor();
		expect(inbox.invocations).toMatchObject([{ command: 'imagine', options: { prompt: 'a quick fox' } }]);
	});

	test('runs an example from the blank canvas', async () => {
		await shoot('empty');
		await page.locator('.example').first().click();
		await pictures().first().waitFor();
		expect(inbox.invocations[0]).toMatchObject({
			command: 'imagine',
			options: { prompt: expect.stringContaining('fox') },
		});
		// By the keyboard, whose focus stays in the messages.
		await page.locator('.channel', { hasText: 'random' }).click();
		await page.locator('.example').first().focus();
		await page.keyboard.press('Enter');
		await pictures().first().waitFor();
		expect(await page.evaluate('document.activeElement.id')).toBe('history');
		await page.locator('.channel', { hasText: 'gallery' }).click();
		await page.getByRole('heading', { name: 'gallery' }).waitFor();
		// Those that take pictures bring some, and can be changed before they run.
		await page.locator('.example', { hasText: '/compose' }).click();
		await page.locator('.card .zone.full').nth(1).waitFor();
		await page.keyboard.press('Enter');
		await pictures().first().waitFor();
		expect(inbox.invocations[2]?.options).toMatchObject({
			prompt: 'side by side',
			image1: { name: 'lighthouse.webp' },
			image2: { name: 'boat.webp' },
		});
	});

	test('shows what can be tried from its beginning, also on a phone, and what Slack has in place of Discord', async () => {
		await page.setViewportSize({ width: 360, height: 640 });
		await page.locator('.empty h3').waitFor();
		expect(
			await page.locator('#history').evaluate((box) => [box.scrollTop, box.scrollWidth - box.clientWidth]),
		).toEqual([0, 0]);
		await page.setViewportSize({ width: 1280, height: 800 });
		const loaded = () =>
			page.locator('.shots img').evaluateAll((all) => all.every((one) => (one as HTMLImageElement).naturalWidth > 0));
		await expect.poll(loaded).toBe(true);
		await page.locator('.example', { hasText: 'As on Slack' }).click();
		await page.locator('.example', { hasText: 'As on Discord' }).waitFor();
		expect(await page.locator('html').getAttribute('data-platform')).toBe('slack');
		await page.locator('.channel', { hasText: 'Easel' }).click();
		await page.locator('.example', { hasText: 'In plain words' }).click();
		await expect.poll(() => inbox.heard.map(({ text }) => text)).toEqual(['draw a friendly robot in a workshop']);
	});

	test('checks credentials that are typed, says what to put into .env, and keeps nothing of them', async () => {
		await page.getByRole('button', { name: 'Connect Discord' }).click();
		const dialog = page.getByRole('dialog', { name: 'Connect Easel' });
		await dialog.getByLabel('DISCORD_TOKEN').fill('a bad token');
		await page.keyboard.press('Enter');
		await dialog.getByText('Discord does not accept the token.').waitFor();
		expect(await dialog.locator('pre').count()).toBe(0);
		await dialog.getByLabel('DISCORD_TOKEN').fill('a good token');
		await page.keyboard.press('Enter');
		await dialog.getByText('Discord takes the token.').waitFor();
		expect(await dialog.locator('pre').textContent()).toBe('DISCORD_TOKEN=…oken\nSANDBOX=on');
		expect(tried).toEqual([{ DISCORD_TOKEN: 'a bad token' }, { DISCORD_TOKEN: 'a good token' }]);
		await dialog.getByText('Your service').click();
		await dialog.getByLabel('SERVICE_API_KEY').waitFor();
		await page.keyboard.press('Escape');
		expect(await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]))).not.toContain('good');

		const send = (headers: Record<string, string>, variables: object) =>
			fetch(`${origin}/sandbox/api/connections`, {
				...{ method: 'POST', headers: { 'content-type': 'application/json', ...headers } },
				body: JSON.stringify({ variables }),
			});
		const own = { 'sec-fetch-site': 'same-origin' };
		expect((await send({}, { DISCORD_TOKEN: 'x' })).status).toBe(404);
		expect((await send({ 'sec-fetch-site': 'cross-site' }, { DISCORD_TOKEN: 'x' })).status).toBe(403);
		expect((await send(own, { STORE_URL: 'redis://elsewhere' })).status).toBe(400);
		expect(tried).toHaveLength(2);
	});

	test('runs /edit with a dropped file', async () => {
		await words().fill('/edit make it the opposite');
		await drop(['#102030']);
		await page.locator('.card .zone.full').waitFor();
		await shoot('edit');
		await page.keyboard.press('Escape');
		await page.locator('.tray .attached').waitFor();
		expect(await words().inputValue()).toBe('/edit make it the opposite');
		await page.keyboard.press('Enter');
		await pictures().first().waitFor();
		expect(await middle(page)).toEqual([0xef, 0xdf, 0xcf]);
		expect(inbox.invocations[0]?.options).toMatchObject({
			prompt: 'make it the opposite',
			image: { name: 'picture-1.png' },
		});
		await words().waitFor();
	});

	test('fills the pictures of /compose in order, and reports too many', async () => {
		await type('/compose side by side');
		await drop(['#ff0000', '#00ff00', '#0000ff', '#ffffff']);
		for (const name of ['Remove image1', 'Remove image3'])
			expect(await page.getByRole('button', { name, exact: true }).count()).toBe(1);
		await expect
			.poll(() => page.locator('#composer-error').textContent())
			.toBe('/compose takes at most 3 pictures. 1 was not added.');
		await page.keyboard.press('Enter');
		await pictures().first().waitFor();
		const { options } = inbox.invocations[0] ?? {};
		expect(options).toMatchObject({
			image1: { name: 'picture-1.png' },
			image2: { name: 'picture-2.png' },
			image3: { name: 'picture-3.png' },
		});
	});

	test('sends dropped files with the command when Enter comes at once, or while another one is being sent', async () => {
		const { promise, resolve } = Promise.withResolvers<void>();
		await page.route(/\/sandbox\/api\/messages$/, async (route) => {
			await promise;
			await route.continue();
		});
		await type('one moment');
		await words().fill('/compose side by side');
		await drop(['#ff0000', '#00ff00']);
		await page.keyboard.press('Enter');
		expect(inbox.invocations).toEqual([]);
		resolve();
		await pictures().first().waitFor();
		expect(inbox.invocations).toMatchObject([
			{
				command: 'compose',
				options: { prompt: 'side by side', image1: { name: 'picture-1.png' }, image2: { name: 'picture-2.png' } },
			},
		]);
		expect(inbox.heard).toMatchObject([{ text: 'one moment' }]);
		await expect.poll(() => words().inputValue()).toBe('');
		expect(await page.locator('.card, .tray').count()).toBe(0);
	});

	test('keeps files that were dropped before the commands were loaded, for the command or to ask what they are for', async () => {
		for (const text of ['/compose side by side', '']) {
			await words().fill(text);
			const { promise, resolve } = Promise.withResolvers<void>();
			await page.route(/\/sandbox\/api\/state/, async (route) => {
				await promise;
				await route.continue();
			});
			const asked = page.waitForRequest(/\/sandbox\/api\/state/);
			await page.reload();
			await asked;
			await drop(['#ff0000', '#00ff00']);
			resolve();
			if (text) {
				await page.locator('.card .zone.full').nth(1).waitFor();
				await page.keyboard.press('Enter');
				await pictures().first().waitFor();
			} else await page.getByRole('dialog').getByRole('button', { name: 'Compose' }).waitFor();
			await page.unrouteAll();
		}
		expect(inbox.invocations).toMatchObject([
			{ options: { prompt: 'side by side', image1: { name: 'picture-1.png' }, image2: { name: 'picture-2.png' } } },
		]);
	});

	test('keeps files that are dropped right after the card of a command was opened', async () => {
		await type('/compose side by side');
		await drop(['#ff0000', '#00ff00']);
		await page.locator('.card .zone.full').nth(1).waitFor();
		await page.keyboard.press('Enter');
		await pictures().first().waitFor();
		expect(inbox.invocations).toMatchObject([
			{ options: { prompt: 'side by side', image2: { name: 'picture-2.png' } } },
		]);
	});

	test('asks what a dropped or pasted picture is for', async () => {
		await drop(['#ff0000']);
		await page.getByRole('button', { name: 'Attach to message' }).click();
		await type('look at this');
		await pictures().first().waitFor();
		expect(await middle(page)).toEqual([255, 0, 0]);
		await paste(['#ff0000']);
		await page.getByRole('button', { name: 'Edit image' }).click();
		await page.locator('.card .zone.full').waitFor();
		expect(await page.evaluate('document.activeElement.name')).toBe('prompt');
	});

	test('shows the form of a button to the person who pressed it, and submits it', async () => {
		const other = await visit('bjorn');
		// A page in the background draws one frame a second.
		await page.bringToFront();
		await type('/imagine a fox');
		await pictures().first().waitFor();
		await words().fill('a draft');
		await page.getByRole('button', { name: 'Edit', exact: true }).click();
		const form = page.getByRole('form', { name: 'Edit this picture' });
		await form.waitFor();
		expect(await page.evaluate('document.activeElement.name')).toBe('prompt');
		await shoot('form');
		await form.getByRole('button', { name: 'Send' }).click();
		expect(await form.getByLabel('prompt').and(page.locator(':user-invalid')).count()).toBe(1);
		await form.getByLabel('prompt').fill('bluer');
		await form.getByRole('button', { name: 'private' }).click();
		await page.getByLabel('prompt').press('Enter');
		await form.waitFor({ state: 'detached' });
		expect(await words().inputValue()).toBe('a draft');
		await page.locator('.message.private .picture.there').waitFor();
		expect(inbox.invocations[1]).toMatchObject({ options: { prompt: 'bluer', private: true }, attached: [{}] });
		expect(await other.locator('.message').count()).toBe(1);
		expect(await other.locator('.card').count()).toBe(0);
		await page.getByRole('button', { name: 'Dismiss' }).click();
		await page.locator('.message.private').waitFor({ state: 'detached' });
	});

	test('opens the menu of a message with the keyboard', async () => {
		await type('/imagine a fox');
		await pictures().first().waitFor();
		await page.locator('.message .more').focus();
		await page.keyboard.press('Enter');
		expect(await page.getByRole('menuitem').allTextContents()).toEqual([
			'Reply',
			'Start a thread',
			'Edit image',
			'Compose images',
			'Copy text',
			'Delete',
		]);
		await page.keyboard.press('ArrowDown');
		await page.keyboard.press('ArrowDown');
		await page.keyboard.press('ArrowDown');
		await page.keyboard.press('Enter');
		await page.getByRole('form', { name: 'Compose images' }).waitFor();
		expect(inbox.presses[0]).toMatchObject({ button: 'compose:1:menu', attached: [{ name: 'easel-1.png' }] });
		await page.keyboard.press('Escape');
		await page.locator('.message .more').first().click();
		await page.getByRole('menuitem', { name: 'Start a thread' }).click();
		await page.getByRole('heading', { name: 'a fox' }).waitFor();
		await type('in the thread');
		await page.locator('.message').getByText('in the thread').waitFor();
		await expect.poll(() => inbox.heard[0]?.channel.place.thread).toBe('atelier-general.1');
	});

	test('opens the menu of the message at which it was asked for', async () => {
		for (const text of ['one', 'two', 'three']) {
			await type(text);
			await page.locator('.message').getByText(text, { exact: true }).waitFor();
		}
		await page.getByRole('button', { name: 'More for the message by Ada: two' }).click();
		await page.getByRole('menuitem', { name: 'Delete' }).click();
		await page.locator('.message').nth(2).waitFor({ state: 'detached' });
		expect(await page.locator('.message .text').allTextContents()).toEqual(['one', 'three']);
		expect(await page.evaluate('document.activeElement.id')).toBe('history');
		const ids = await page.locator('[id]').evaluateAll((all) => all.map(({ id }) => id));
		expect(ids).toHaveLength(new Set(ids).size);
	});

	test('submits choices in the order in which they were made, up to the maximum', async () => {
		await type('/imagine a fox');
		await pictures().first().waitFor();
		await page.locator('.message .more').click();
		await page.getByRole('menuitem', { name: 'Compose images' }).click();
		const form = page.getByRole('form', { name: 'Compose images' });
		// The initial values.
		expect(await form.getByLabel('prompt').inputValue()).toBe('side by side');
		expect(await form.getByRole('checkbox', { name: /^1/ }).isChecked()).toBe(true);
		await form.getByRole('checkbox', { name: /^1/ }).uncheck();
		await form.getByRole('button', { name: 'Send' }).click();
		const box = form.getByRole('checkbox', { name: /^1/ });
		expect(await box.evaluate((one) => (one as HTMLInputElement).validationMessage)).toBe('1 to 2 of these');
		await form.getByRole('checkbox', { name: /^3, the last one/ }).check();
		await form.getByRole('checkbox', { name: /^2/ }).focus();
		await page.keyboard.press('Space');
		expect(await form.getByRole('checkbox', { name: /^1/ }).isDisabled()).toBe(true);
		await shoot('choices');
		await form.getByRole('button', { name: 'Send' }).click();
		await form.waitFor({ state: 'detached' });
		expect(inbox.invocations[1]?.options).toEqual({ prompt: 'side by side', which: ['3', '2'] });
	});

	test('completes options, shows that the bot is writing, and edits a message', async () => {
		await page.locator('#words').fill('/cha');
		await page.keyboard.press('Enter');
		await page.getByRole('button', { name: 'model', exact: true }).click();
		await page.getByLabel('model', { exact: true }).fill('be');
		await page.locator('datalist option[value=beta]').waitFor({ state: 'attached' });
		await page.keyboard.press('Escape');

		await type('@easel hello');
		await page.locator('.message').getByText('You said: hello').waitFor();
		expect(await page.locator('.message .mention').textContent()).toBe('@easel');
		await inbox.heard[0]?.channel.typing?.();
		await page.getByText('Easel is writing…').waitFor();
		await inbox.heard[0]?.channel.post({ text: 'Here it is' }, 'here-it-is');
		await page.getByText('Easel is writing…').waitFor({ state: 'hidden' });

		await page.locator('.message .more').first().click();
		await page.getByRole('menuitem', { name: 'Edit message' }).click();
		await page.locator('dialog').getByRole('textbox', { name: 'Message' }).fill('@easel goodbye');
		await page.getByRole('button', { name: 'Save' }).click();
		await page.locator('.message').getByText('goodbye').waitFor();
		expect(inbox.changes).toMatchObject([{ text: 'goodbye' }]);
	});

	test('enlarges a picture, and downloads the original', async () => {
		await type('/imagine a fox n:2');
		await pictures().nth(1).waitFor();
		await pictures().first().click();
		const viewer = page.getByRole('dialog', { name: 'Picture' });
		expect(await viewer.textContent()).toContain('320 × 240');
		const [download] = await Promise.all([
			page.waitForEvent('download'),
			viewer.getByText('Download original').click(),
		]);
		expect(download.suggestedFilename()).toBe('easel-1.png');
		await page.keyboard.press('ArrowRight');
		expect(await viewer.textContent()).toContain('2 of 2');
		await page.keyboard.press('Escape');
		await viewer.waitFor({ state: 'detached' });
	});

	test('covers a picture until the person uncovers it with the keyboard', async () => {
		await type('/imagine a covered fox n:2');
		const covers = page.getByRole('button', { name: 'Show the hidden picture' });
		await covers.nth(1).waitFor();
		await pictures().first().waitFor();
		const blur = () =>
			pictures()
				.first()
				.evaluate((image) => getComputedStyle(image).filter);
		expect(await blur()).toContain('blur');
		await shoot('covered');
		await covers.first().focus();
		await page.keyboard.press('Enter');
		await covers.first().waitFor({ state: 'detached' });
		expect(await blur()).toBe('none');
		expect(await page.getByRole('dialog').count()).toBe(0);
		await page.getByRole('button', { name: 'Enlarge: a covered fox' }).first().click();
		await page.getByRole('dialog', { name: 'Picture' }).waitFor();
		// It stays covered for others.
		const other = await visit('bjorn');
		await other.getByRole('button', { name: 'Show the hidden picture' }).first().waitFor();
	});

	test('keeps a text when sending fails, and sends it when the bot is back', async () => {
		await type('/imagine a fox');
		await pictures().first().waitFor();
		const { port } = server.address() as AddressInfo;
		await stop();
		await page.locator('#offline').waitFor();
		await type('/imagine a second fox');
		await expect
			.poll(() => page.locator('#composer-error').textContent())
			.toBe("Easel can't be reached. Nothing was sent.");
		expect(await words().inputValue()).toBe('/imagine a second fox');
		await start(port);
		await page.locator('#offline').waitFor({ state: 'hidden' });
		await pictures().first().waitFor();
		expect(await page.evaluate('document.activeElement.id')).toBe('words');
		await words().press('Enter');
		await pictures().nth(1).waitFor();
		await page.reload();
		await pictures().nth(1).waitFor();
		expect(inbox.invocations).toHaveLength(2);
	});

	test('shows in one sentence what is wrong with a command, and keeps the text', async () => {
		const cases: [string, string][] = [['/fly away', 'There is no command /fly. Type / to see all commands.']];
		for (const [text, sentence] of cases) {
			await type(text);
			await expect.poll(() => page.getByRole('alert').first().textContent()).toBe(sentence);
			expect(await words().inputValue()).toBe(text);
		}
		let requests = 0;
		page.on('request', () => (requests += 1));
		await words().fill('');
		await page.keyboard.insertText('x'.repeat(13_000));
		await words().press('Enter');
		await page.getByText('A message can have at most 2,000 characters here.').waitFor();
		// Nothing that was pasted is cut off in silence.
		expect(await words().inputValue()).toHaveLength(13_000);
		expect(requests).toBe(0);
		// What is unclear is chosen in the card.
		await type('/imagine a fox n:some');
		await page.getByText('“n” is not clear. Choose what you mean.').waitFor();
		expect(await page.getByLabel('prompt').inputValue()).toBe('a fox');
		await page.keyboard.press('Escape');
		expect(await words().inputValue()).toBe('/imagine a fox');
		await type('/usage nobody');
		expect(await page.getByLabel('member', { exact: true }).and(page.locator(':focus')).count()).toBe(1);
		await page.keyboard.press('Escape');
		await words().fill('');
		await type('/usage @nobody');
		await page.getByText('“member” is not clear. Choose what you mean.').waitFor();
		expect(await page.getByLabel('member', { exact: true }).and(page.locator(':focus')).count()).toBe(1);
		await page.keyboard.press('Escape');
		await words().fill(`/imagine ${'a'.repeat(1700)}`);
		await page.getByText('1,700 of 2,000').waitFor();
		await type('/imagine size:512x512');
		await page.locator('.card').waitFor();
		expect(await page.getByLabel('size', { exact: true }).inputValue()).toBe('512x512');
		await page.keyboard.press('Enter');
		expect(await page.getByLabel('prompt').and(page.locator(':user-invalid:focus')).count()).toBe(1);
		await page.keyboard.press('Escape');
		expect(await words().inputValue()).toBe('/imagine size:512x512');
		expect(inbox.invocations).toEqual([]);
	});

	test('can be used by keyboard alone', async () => {
		await words().focus();
		await page.keyboard.type('/ed');
		const picker = page.getByRole('listbox', { name: 'Commands' });
		expect(await picker.getByRole('option').allTextContents()).toEqual([expect.stringContaining('/edit')]);
		await page.keyboard.press('Escape');
		await picker.waitFor({ state: 'hidden' });
		await page.keyboard.press('ControlOrMeta+A');
		await page.keyboard.type('/');
		await shoot('picker');
		const active = () => words().getAttribute('aria-activedescendant');
		expect(await active()).toBe('command-0');
		await page.keyboard.press('ArrowUp');
		expect(await page.locator(`#${await active()}`).textContent()).toContain('/limits set');
		await page.keyboard.press('ArrowDown');
		await page.keyboard.press('Enter');
		await page.locator('.card').waitFor();
		await page.keyboard.type('a fox by keys');
		await page.keyboard.press('Tab');
		await page.keyboard.press('Enter');
		await page.keyboard.type('512x512');
		await page.keyboard.press('Enter');
		await pictures().first().waitFor();
		expect(inbox.invocations[0]?.options).toEqual({ prompt: 'a fox by keys', size: '512x512' });
		expect(await page.evaluate('document.activeElement.id')).toBe('words');
		// Everything that can be clicked can be reached, and shows that it is.
		await page.evaluate('document.activeElement.blur()');
		const reached = new Set<string>();
		for (let step = 0; step < 60; step += 1) {
			await page.keyboard.press('Tab');
			reached.add(
				await page.evaluate(
					'(document.activeElement.getAttribute("aria-label") || document.activeElement.textContent || document.activeElement.id || "").trim()',
				),
			);
		}
		for (const name of [
			'Atelier',
			'Print Club',
			'#gallery',
			'Again',
			'Delete',
			'More for the message by Easel: a fox by keys · 1024×1024',
			'Send',
			'Messages',
		])
			expect([...reached]).toContain(name);
	});

	test('uses the language of the browser, or the one that the person has chosen', async () => {
		await type('/imagine a fox');
		await expect.poll(() => inbox.invocations[0]?.person.locale).toBe('en-US');
		await page.getByLabel('Language').selectOption('Deutsch');
		await page.getByLabel('Sprache').waitFor();
		expect(await page.getByLabel('Sprache').inputValue()).toBe('de');
		await type('/imagine a fox');
		await expect.poll(() => inbox.invocations[1]?.person.locale).toBe('de');
		await type('/usage', await visit('bjorn'));
		await expect.poll(() => inbox.invocations[2]?.person.locale).toBe('en-US');
	});

	test('sends nothing with the key that ends a composition, and says which file cannot be read', async () => {
		const folder = mkdtempSync(join(tmpdir(), 'easel-'));
		const file = join(folder, 'notes.txt');
		writeFileSync(file, 'hello');
		await page.locator('.line input[type=file]').setInputFiles(file);
		rmSync(folder, { recursive: true });
		await words().fill('かん');
		await words().dispatchEvent('keydown', { key: 'Enter', keyCode: 229, cancelable: true });
		await words().press('Enter');
		await page.getByText("notes.txt can't be read").waitFor();
		expect(await words().inputValue()).toBe('かん');
		await page.getByRole('button', { name: 'Remove notes.txt' }).click();
		await words().press('Enter');
		await expect.poll(() => inbox.heard.map(({ text }) => text)).toEqual(['かん']);
	});

	test('leaves the connection of a tab that is hidden for a while to others, and is current when it is seen again', async () => {
		await context.addInitScript(() => {
			let state: DocumentVisibilityState = 'visible';
			Object.defineProperty(document, 'visibilityState', { get: () => state });
			addEventListener('test:visibility', ({ detail }: CustomEventInit) => {
				state = detail;
				document.dispatchEvent(new Event('visibilitychange'));
			});
		});
		const tab = await visit('bjorn');
		const become = (detail: string) =>
			tab.evaluate((state) => dispatchEvent(new CustomEvent('test:visibility', { detail: state })), detail);
		await tab.clock.install();
		await become('hidden');
		await tab.clock.fastForward(10_000);
		await type('nobody sees this at once');
		await page.locator('.message', { hasText: 'nobody sees' }).waitFor();
		expect(await tab.locator('.message', { hasText: 'nobody sees' }).count()).toBe(0);
		await become('visible');
		await tab.locator('.message', { hasText: 'nobody sees' }).waitFor();
	});

	test('works in a browser that keeps nothing for it, and says so', async () => {
		expect(await page.getByText('This browser keeps nothing').count()).toBe(0);
		await context.addInitScript(() => {
			for (const name of ['localStorage', 'sessionStorage'])
				Object.defineProperty(window, name, {
					get() {
						throw new DOMException('Access is denied for this document.', 'SecurityError');
					},
				});
		});
		const blocked = await visit('bjorn');
		await type('/imagine a fox', blocked);
		await pictures(blocked).first().waitFor();
		await blocked.getByText('This browser keeps nothing for this page').waitFor();
		await words(blocked).fill('half a draft');
		await blocked.getByRole('button', { name: 'Dark theme' }).click();
		await blocked.locator('.channel', { hasText: 'gallery' }).click();
		await blocked.locator('.channel', { hasText: 'general' }).click();
		await expect.poll(() => words(blocked).inputValue()).toBe('half a draft');
		await blocked.getByLabel('Language').selectOption('Deutsch');
		await blocked.getByText('Dieser Browser bewahrt').waitFor();
		await blocked.getByLabel('Sprache').selectOption('');
		await blocked.getByText('This browser keeps nothing for this page').waitFor();
		await blocked.locator('.face', { hasText: 'Chiyo' }).click();
		await blocked.waitForURL(/as=chiyo/);
		await type('/usage', blocked);
		await expect.poll(() => inbox.invocations.at(-1)?.person.name).toBe('Chiyo');
	});

	test.each([
		['de-AT', 'de', 'Nachricht an #general', '„me“ ist nicht eindeutig. Wähle aus, was du meinst.', /\d{4} um /],
		['ja-JP', 'ja', '#general へのメッセージ', '「me」の意味がわかりません。ここで選んでください。', /年\d+月\d+日/],
		['zh-CN', 'zh-CN', '发消息到 #general', '无法确定“me”的意思。请在这里选择。', /年\d+月\d+日/],
	])('has its own texts, numbers and dates in %s', async (locale, lang, label, problem, date) => {
		const local = await browser.newContext({ locale, viewport: { width: 1280, height: 800 } });
		const localized = await local.newPage();
		await localized.goto(`${origin}/?as=ada#atelier-general`);
		await localized.getByLabel(label, { exact: true }).waitFor();
		expect(await localized.locator('html').getAttribute('lang')).toBe(lang);
		await type('/usage me', localized);
		await expect.poll(() => localized.getByRole('alert').first().textContent()).toBe(problem);
		await localized.keyboard.press('Escape');
		await type('/imagine a red fox private:true', localized);
		await pictures(localized).first().waitFor();
		expect(await localized.locator('.message time').first().getAttribute('title')).toMatch(date);
		const names = await localized.locator('[aria-label]').evaluateAll((all) => all.map((each) => each.ariaLabel));
		const shown = `${names.join('\n')}\n${await localized.locator('body').textContent()}`;
		expect(shown).not.toMatch(/sandbox\.|Only you|Dismiss|Channels|Moderator here|You are/);
		await localized.screenshot({ path: `${ARTIFACTS}/sandbox-${lang}.png`, animations: 'disabled' });
		await local.close();
	});

	test('works in a browser whose language is no tag', async () => {
		await context.addInitScript(`Object.defineProperty(navigator, 'languages', { get: () => ['en-US@posix'] })`);
		const other = await visit('bjorn');
		await type('/imagine a fox', other);
		await pictures(other).first().waitFor();
	});

	test('hides the commands of moderators until the person is one', async () => {
		const other = await visit('bjorn');
		await words(other).fill('/limits');
		expect(await other.getByRole('listbox').getByRole('option').count()).toBe(0);
		await words(other).press('Enter');
		await other.getByText('/limits is for moderators, in the channels of a server.').waitFor();
		inbox.moderatorRole = 'atelier-painters';
		await other.reload();
		await words(other).fill('/limit');
		await other.getByRole('option', { name: '/limits set' }).waitFor();
		inbox.moderatorRole = undefined;
		await other.reload();
		await other.getByLabel('Moderator here').check();
		await words(other).fill('/limit');
		await other.getByRole('option', { name: '/limits set' }).waitFor();
		await other.keyboard.press('Enter');
		await other.getByLabel('scope').selectOption('role');
		await other.getByLabel('images').fill('20');
		await other.getByRole('button', { name: 'role', exact: true }).click();
		await other.getByLabel('role', { exact: true }).selectOption({ label: '@Painters' });
		await other.getByRole('button', { name: 'Run' }).click();
		await expect.poll(() => inbox.invocations.length).toBe(1);
		expect(inbox.invocations[0]).toMatchObject({
			options: { scope: 'role', images: 20, role: 'atelier-painters' },
			person: { id: 'bjorn', moderator: true },
		});
	});

	test('marks unread channels, and remembers the person', async () => {
		const other = await visit('bjorn', 'atelier-gallery');
		await type('hello, Björn');
		await other.locator('.channel.unread', { hasText: 'general' }).waitFor();
		await other.locator('.channel', { hasText: 'general' }).click();
		await other.locator('.message').getByText('hello, Björn').waitFor();
		expect(await other.locator('.channel.unread').count()).toBe(0);
		await other.getByRole('radio', { name: 'Chiyo' }).check({ force: true });
		await other.waitForURL(/as=chiyo/);
		await other.reload();
		await other.locator('.message').getByText('hello, Björn').waitFor();
		expect(await other.getByRole('radio', { name: 'Chiyo' }).isChecked()).toBe(true);
	});

	test('loads older messages on scrolling up, and jumps to the latest', async () => {
		const post = (id: string, text: string) =>
			fetch(`${origin}/sandbox/api/messages`, {
				method: 'POST',
				headers: { 'content-type': 'application/json' },
				body: JSON.stringify({ as: 'bjorn', channel: 'atelier-random', id, text }),
			});
		for (let index = 1; index <= 120; index += 1) await post(`message-${index}`, `number ${index}`);
		const reader = await visit('ada', 'atelier-random');
		await reader.getByText('number 120', { exact: true }).waitFor();
		expect(await reader.locator('.message').count()).toBe(50);
		const first = reader.getByText('number 1', { exact: true });
		await expect
			.poll(async () => {
				await reader.locator('#history').evaluate((box) => Object.assign(box, { scrollTop: 0 }));
				return first.count();
			})
			.toBe(1);
		await post('message-new', 'something new');
		const jump = reader.getByRole('button', { name: '1 new' });
		await jump.click();
		await reader.locator('.message').getByText('something new').waitFor();
		await jump.waitFor({ state: 'hidden' });

		// A scroll is reported late: a tall message may be there by then, and is followed all the same.
		await reader.locator('#history').evaluate((box) => {
			box.dispatchEvent(new Event('scroll'));
			box
				.querySelector('.message:last-of-type')
				?.append(Object.assign(document.createElement('p'), { style: 'height: 2000px' }));
			box.dispatchEvent(new Event('scroll'));
		});
		const toEnd = (box: Element) => box.scrollHeight - box.scrollTop - box.clientHeight;
		await expect.poll(() => reader.locator('#history').evaluate(toEnd)).toBeLessThan(2);
	});

	/** Posts messages as Björn. */
	async function postAs(channel: string, texts: readonly string[]) {
		for (const [index, text] of texts.entries())
			await fetch(`${origin}/sandbox/api/messages`, {
				method: 'POST',
				headers: { 'content-type': 'application/json' },
				body: JSON.stringify({ as: 'bjorn', channel, id: `${channel}-${index}`, text }),
			});
	}
	const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}`);

	test('goes to a message that a link names, also an old one, and stays there', async () => {
		await postAs('atelier-random', lines(230));
		const reader = await visit('ada', 'atelier-random/20');
		const old = reader.locator('#message-20');
		const isInView = () =>
			old.evaluate((element) => {
				const { top, bottom } = element.getBoundingClientRect();
				return top > 0 && bottom < innerHeight && document.activeElement === element;
			});
		await old.waitFor();
		await expect.poll(isInView).toBe(true);
		await type('[back to it](#atelier-random/20) and [elsewhere](#atelier-general/1)', reader);
		await reader.getByRole('link', { name: 'back to it' }).click();
		await expect.poll(isInView).toBe(true);
		await postAs('atelier-random', ['something new']);
		await reader.getByRole('button', { name: 'Latest' }).waitFor();
		expect(await isInView()).toBe(true);

		// A restart of the bot leaves a page where it is, whatever its address names.
		const jump = reader.getByRole('button', { name: 'Latest' });
		await jump.click();
		await jump.waitFor({ state: 'hidden' });
		const { port } = server.address() as AddressInfo;
		await stop();
		await reader.locator('#offline').waitFor();
		await start(port);
		await reader.locator('#offline').waitFor({ state: 'hidden' });
		await type('after the restart', reader);
		await reader.locator('.message').getByText('after the restart').waitFor();
		expect(await jump.isVisible()).toBe(false);
	});

	test('goes back through channels with the history of the browser', async () => {
		await page.locator('.channel', { hasText: 'gallery' }).click();
		await page.getByRole('heading', { name: 'gallery' }).waitFor();
		await page.getByRole('button', { name: 'Print Club' }).click();
		await page.getByText('Ink, paper and pictures').waitFor();
		await page.goBack();
		await page.getByRole('heading', { name: 'gallery' }).waitFor();
		await page.goBack();
		await page.getByRole('heading', { name: 'general' }).waitFor();
		await page.goForward();
		await page.getByRole('heading', { name: 'gallery' }).waitFor();
	});

	test('keeps the draft of each channel, also when the page is loaded again', async () => {
		await words().fill('half a sentence');
		await page.locator('.channel', { hasText: 'gallery' }).click();
		await page.getByRole('heading', { name: 'gallery' }).waitFor();
		expect(await words().inputValue()).toBe('');
		await type('/imagine size:512x512');
		await page.locator('.card').waitFor();
		await page.reload();
		await words().waitFor();
		expect(await words().inputValue()).toBe('/imagine size:512x512');
		await page.locator('.channel', { hasText: 'general' }).click();
		await expect.poll(() => words().inputValue()).toBe('half a sentence');
		await words().press('Enter');
		await page.locator('.message').getByText('half a sentence').waitFor();
		await page.reload();
		await page.locator('.message').getByText('half a sentence').waitFor();
		expect(await words().inputValue()).toBe('');
	});

	test('runs a command where it was sent, also when its person has gone elsewhere meanwhile', async () => {
		const { promise, resolve } = Promise.withResolvers<void>();
		await page.route(/\/sandbox\/api\/commands/, async (route) => {
			await promise;
			await route.continue();
		});
		await type('/imagine a slow fox');
		await page.locator('.channel', { hasText: 'gallery' }).click();
		await page.getByRole('heading', { name: 'gallery' }).waitFor();
		await words().fill('another thought');
		resolve();
		await expect.poll(() => inbox.invocations[0]?.channel.place.channel).toBe('atelier-general');
		await expect.poll(() => page.locator('#composer').getAttribute('aria-busy')).toBe(null);
		expect(await words().inputValue()).toBe('another thought');
		await page.goBack();
		await pictures().first().waitFor();
		expect(await words().inputValue()).toBe('');
	});

	test('brings a person to the answer of their own command and press, and nobody else', async () => {
		await postAs('atelier-general', lines(60));
		await page.getByText('line 60', { exact: true }).waitFor();
		await type('/imagine a fox');
		await pictures().first().waitFor();
		const other = await visit('chiyo');
		await pictures(other).first().waitFor();
		const toEnd = (on: Page) =>
			on.locator('#history').evaluate((box) => Math.round(box.scrollHeight - box.scrollTop - box.clientHeight));
		const up = (on: Page, top: number) =>
			on.locator('#history').evaluate((box, y) => Object.assign(box, { scrollTop: y }), top);
		for (const on of [page, other]) {
			await up(on, 600);
			await on.getByRole('button', { name: 'Latest' }).waitFor();
		}
		await page.bringToFront();
		await type('/imagine a second fox');
		await pictures().nth(1).waitFor();
		await expect.poll(() => toEnd(page)).toBeLessThan(2);
		expect(await toEnd(other)).toBeGreaterThan(200);
		await other.getByRole('button', { name: '1 new' }).waitFor();
		// A click scrolls to its button, from where the end is out of sight.
		for (let index = 1; index <= 30; index += 1)
			await inbox.invocations[0]?.channel.post({ text: `later ${index}` }, `later-${index}`);
		await page.getByText('later 30', { exact: true }).waitFor();
		await page.getByRole('button', { name: 'Use as reference' }).first().click();
		await page.locator('.message.private').getByText('Kept as your').waitFor();
		await expect.poll(() => toEnd(page)).toBeLessThan(2);
	});

	test('takes a double click on a button as one press', async () => {
		await type('/imagine a fox');
		await pictures().first().waitFor();
		await page.getByRole('button', { name: 'Again' }).dblclick();
		await page.locator('.message').getByText('And again.').first().waitFor();
		await page.getByRole('button', { name: 'Use as reference' }).first().click();
		await page.locator('.message.private').waitFor();
		expect(inbox.presses.map(({ button }) => button)).toEqual(['again:1:x', 'reference:1:x']);
	});

	test('keeps the focus at a message whose button goes, and at the messages when the message goes', async () => {
		await type('@easel hello');
		await page.locator('.message').getByText('You said: hello').waitFor();
		const buttons = [{ id: 'stop:1:x', label: 'Stop' }];
		const post = await inbox.heard[0]?.channel.post({ text: 'a long answer', buttons }, 'long-answer');
		await page.getByRole('button', { name: 'Stop', exact: true }).focus();
		await post?.edit({ text: 'a long answer, stopped' });
		await page.getByText('stopped').waitFor();
		expect(await page.evaluate('document.activeElement.id')).toBe('message-3');
		await post?.delete();
		await page.locator('#message-3').waitFor({ state: 'detached' });
		expect(await page.evaluate('document.activeElement.id')).toBe('history');
	});

	test('shows a hidden text by keyboard, and a picture with a long description on a phone', async () => {
		await type('look ||at this|| here');
		await page.getByRole('button', { name: 'Show the hidden text' }).press('Enter');
		await page.locator('.spoiler').getByText('at this').waitFor();
		expect(await page.evaluate('document.activeElement.id')).toBe('message-1');
		await page.setViewportSize({ width: 360, height: 720 });
		await type(`/imagine ${'Donaudampfschiff'.repeat(8)}`);
		await pictures().first().click();
		const { left, right } = await page.locator('.viewer img').evaluate((one) => one.getBoundingClientRect());
		expect([left >= 0, right <= 360]).toEqual([true, true]);
		await page.keyboard.press('Escape');
	});

	test('shows HTML in messages as text', async () => {
		await type('<img src=x onerror=alert(1)> **bold** [here](https://evil.test/) @everyone');
		const text = page.locator('.message .text').first();
		expect(await text.textContent()).toBe('<img src=x onerror=alert(1)> bold here (evil.test) @everyone');
		expect(await text.locator('.mention').count()).toBe(0);
		expect(await text.locator('img').count()).toBe(0);
		expect(await text.locator('a').getAttribute('rel')).toBe('noopener noreferrer nofollow');
	});

	test('writes from right to left what is written so', async () => {
		await type('مرحبا بالعالم (ABC)');
		const [text, first] = await page
			.locator('.message .text p')
			.first()
			.evaluate((line) => {
				const range = document.createRange();
				range.setStart(line.firstChild as Node, 0);
				range.setEnd(line.firstChild as Node, 1);
				return [line.getBoundingClientRect().right, range.getBoundingClientRect().right];
			});
		expect(Math.abs((text ?? 0) - (first ?? 0))).toBeLessThan(2);
		await words().fill('שלום');
		expect(await words().evaluate((box) => getComputedStyle(box).unicodeBidi)).toBe('plaintext');
	});

	test('fits a phone, and has a dark theme', async () => {
		await type('/imagine a red fox in the snow');
		await pictures().first().waitFor();
		await page.emulateMedia({ colorScheme: 'dark' });
		await shoot('dark');
		await page.setViewportSize({ width: 320, height: 720 });
		const tooWide = () =>
			page.evaluate(`[...document.querySelectorAll('main, main *')].filter((element) => {
				const { right, width } = element.getBoundingClientRect();
				return width > 1 && right > innerWidth + 1;
			}).map((element) => element.className)`);
		expect(await tooWide()).toEqual([]);
		expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
		await shoot('phone');
		const toggle = page.getByRole('button', { name: 'Servers, channels and people' });
		const isIn = (selector: string) => page.evaluate((one) => document.activeElement?.closest(one) !== null, selector);
		await toggle.click();
		expect(await isIn('#drawer')).toBe(true);
		await page.keyboard.press('Escape');
		await expect.poll(() => isIn('#drawer-toggle')).toBe(true);
		await toggle.click();
		await toggle.focus();
		await page.keyboard.press('Escape');
		await expect.poll(() => toggle.getAttribute('aria-expanded')).toBe('false');
		await toggle.click();
		await page.locator('.channel', { hasText: 'gallery' }).click();
		await page.getByRole('heading', { name: 'gallery' }).waitFor();
		await type('/compose');
		await page.locator('.card').waitFor();
		expect(await tooWide()).toEqual([]);
		expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
	});

	test('has a name for every control, and enough contrast in every theme', async () => {
		await type('/imagine a fox private:true');
		await pictures().first().waitFor();
		await type('a **message** with `code` and https://example.com');
		await page.locator('.message .text a').waitFor();
		const unnamed =
			await page.evaluate(`[...document.querySelectorAll('button, input, textarea, select, a, img, dialog')]
			.filter((element) => element.checkVisibility() && !element.ariaHidden && !(element.ariaLabel || element.textContent.trim() || element.alt !== undefined && element.tagName === 'IMG'
				|| element.labels?.length || element.querySelector?.('img[alt]:not([alt=""])')))
			.map((element) => element.outerHTML)`);
		expect(unnamed).toEqual([]);
		for (const platform of ['Discord', 'Slack'])
			for (const colorScheme of ['light', 'dark'] as const) {
				await page.locator('.segment', { hasText: platform }).click();
				await expect
					.poll(() => page.evaluate('document.documentElement.dataset.platform'))
					.toBe(platform.toLowerCase());
				await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
				expect({ platform, colorScheme, weak: await page.evaluate(WEAK_CONTRAST) }).toEqual({
					platform,
					colorScheme,
					weak: [],
				});
			}
		await page.emulateMedia({ colorScheme: 'light' });
		await shoot('slack');
	});

	test('keeps the focus and Escape working in the card of a command, and its file and scroll position', async () => {
		for (const [command, focused] of [
			['/chat', 'prompt'],
			['/usage', 'Run'],
		] as const) {
			await words().fill(command);
			await page.getByRole('option', { name: command }).click();
			await page.locator('.card').waitFor();
			expect(await page.evaluate('document.activeElement.name || document.activeElement.textContent')).toBe(focused);
			await page.evaluate('document.activeElement.blur()');
			await page.keyboard.press('Escape');
			await page.locator('.card').waitFor({ state: 'hidden' });
			expect(await page.evaluate('document.activeElement.id')).toBe('words');
		}
		// Escape leaves the card with its file, and then removes the file.
		await words().fill('/edit make it blue');
		await drop(['#102030']);
		await page.locator('.card .zone.full').waitFor();
		await page.keyboard.press('Escape');
		await page.locator('.tray .attached').waitFor();
		await page.keyboard.press('Escape');
		await page.locator('.tray .attached').waitFor({ state: 'detached' });
		await words().fill('');

		await type('@easel first');
		await page.locator('.message').getByText('You said: first').waitFor();
		const place = inbox.heard[0]?.channel;
		for (let index = 1; index <= 40; index += 1) await place?.post({ text: `line ${index}` }, `line-${index}`);
		await page.getByText('line 40', { exact: true }).waitFor();
		await page.locator('#history').evaluate((box) => Object.assign(box, { scrollTop: 120 }));
		await expect.poll(() => page.locator('#jump').isVisible()).toBe(true);
		const top = () => page.locator('#history').evaluate((box) => Math.round(box.scrollTop));
		const before = await top();
		await page.locator('.channel', { hasText: 'gallery' }).click();
		await page.getByRole('heading', { name: 'gallery' }).waitFor();
		await page.locator('.channel', { hasText: 'general' }).click();
		await page.getByText('line 40', { exact: true }).waitFor();
		await expect.poll(top).toBe(before);
	});

	test('reads Markdown as plain text in previews, announcements and names', async () => {
		await type('/imagine a fox');
		await pictures().first().waitFor();
		await expect.poll(() => page.locator('#announcer').textContent()).toBe('Easel: a fox · 1024×1024 (1 picture)');
		expect(await page.locator('.message .more').first().getAttribute('aria-label')).toBe(
			'More for the message by Easel: a fox · 1024×1024',
		);
		await page.locator('.message .more').first().click();
		expect(await page.getByRole('menu').getAttribute('aria-label')).toBe(
			'More for the message by Easel: a fox · 1024×1024',
		);
		await page.getByRole('menuitem', { name: 'Reply' }).click();
		await type('nice');
		const preview = page.locator('.lead-link').first();
		await preview.waitFor();
		expect(await preview.textContent()).toBe('Easel a fox · 1024×1024');
		// A thread of a command begins with its first answer.
		await type('/chat about foxes');
		await page.locator('.thread-link').click();
		await page.getByText('Hello! Ask me for a picture').waitFor();
		expect(await page.locator('.message').count()).toBe(1);
	});

	test('edits the last message with the up arrow, and completes people', async () => {
		await type('a mesage');
		await page.locator('.message').getByText('a mesage').waitFor();
		await words().press('ArrowUp');
		const editor = page.getByRole('dialog', { name: 'Edit message' }).getByRole('textbox');
		expect(await editor.inputValue()).toBe('a mesage');
		await editor.fill('a message');
		await page.getByRole('button', { name: 'Save' }).click();
		await page.locator('.message').getByText('a message').waitFor();
		await words().click();
		await page.keyboard.type('hello @');
		const people = page.getByRole('listbox', { name: 'People' });
		expect(await people.getByRole('option').first().textContent()).toBe('@Easel');
		await page.keyboard.type('bj');
		expect(await people.getByRole('option').allTextContents()).toEqual(['@Björn']);
		await page.keyboard.press('Enter');
		expect(await words().inputValue()).toBe('hello @Björn ');
		await people.waitFor({ state: 'hidden' });
	});

	test('has a private conversation with the bot', async () => {
		await page.locator('.channel', { hasText: 'Easel' }).click();
		await page.getByRole('heading', { name: 'Easel', level: 2 }).last().waitFor();
		await page.locator('.empty').getByText('Only you and Easel see this conversation.').waitFor();
		await words().fill('/limits');
		expect(await page.getByRole('listbox').getByRole('option').count()).toBe(0);
		await type('hello');
		await page.locator('.message').getByText('You said: hello').waitFor();
		const place = { server: 'atelier', channel: 'atelier-direct-ada', direct: true };
		expect(inbox.heard[0]).toMatchObject({ addressed: true, channel: { place } });
		await type('/imagine a fox');
		await pictures().first().waitFor();
		const other = await visit('bjorn', 'atelier-direct-ada');
		await other.getByRole('heading', { name: 'general' }).waitFor();
		expect(await other.locator('.message').count()).toBe(0);
	});

	test('checks files when they are dropped, and says how many pictures a composition takes', async () => {
		const large = await page.evaluateHandle(() => {
			const transfer = new DataTransfer();
			transfer.items.add(new File([new Uint8Array(21 * 2 ** 20)], 'large.png', { type: 'image/png' }));
			return transfer;
		});
		const dropped = async (dataTransfer: typeof large) => {
			for (const event of ['dragenter', 'dragover', 'drop']) await page.dispatchEvent('body', event, { dataTransfer });
		};
		const error = () => page.locator('#composer-error').textContent();
		await dropped(large);
		await expect.poll(error).toBe('large.png is too large: a file can have at most 20 MB here.');
		expect(await page.getByRole('dialog').count()).toBe(0);
		const text = await page.evaluateHandle(() => {
			const transfer = new DataTransfer();
			transfer.items.add(new File(['words'], 'notes.txt', { type: 'text/plain' }));
			return transfer;
		});
		await type('/edit bluer');
		await dropped(text);
		await expect.poll(error).toBe('notes.txt is not a picture.');
		await dropped(large);
		await expect.poll(error).toBe('large.png is too large: a file can have at most 10 MB here.');
		expect(await page.locator('.card .zone.full').count()).toBe(0);
		await page.keyboard.press('Escape');
		await words().fill('');
		await drop(['#ff0000', '#00ff00', '#0000ff', '#ffffff']);
		await page.getByRole('dialog').getByText('A composition takes at most 3 pictures.').waitFor();
	});

	test('has no accessibility violation in any view, in light, dark and at the width of a phone', async () => {
		await page.evaluate(axe.source);
		const found: string[] = [];
		const check = async (view: string) => {
			for (const [name, colorScheme, width] of [
				['light', 'light', 1280],
				['dark', 'dark', 1280],
				['phone', 'light', 360],
			] as const) {
				await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
				await page.setViewportSize({ width, height: 800 });
				const violations = await page.evaluate(
					`axe.run(document, { resultTypes: ['violations'], rules: { region: { enabled: true } } }).then(({ violations }) =>
						violations.flatMap(({ id, nodes }) => nodes.map((node) => id + ' · ' + node.target.join(' ') + ' · ' + node.failureSummary)))`,
				);
				for (const violation of violations as string[]) found.push(`${view}, ${name}: ${violation}`);
				if (name !== 'phone') continue;
				const narrow =
					await page.evaluate(`[...document.querySelectorAll('button, select, summary, a.download')].filter((element) => {
					const { width, height } = element.getBoundingClientRect();
					return element.checkVisibility({ visibilityProperty: true }) && width > 1 && (width < 40 || height < 40);
				}).map((element) => element.className + ' ' + (element.ariaLabel || element.textContent))`);
				for (const target of narrow as string[]) found.push(`${view}: a target below 40 px: ${target}`);
			}
			await page.setViewportSize({ width: 1280, height: 800 });
		};
		await check('the empty channel');
		await page.getByRole('button', { name: 'Connect Discord' }).click();
		await page.getByLabel('DISCORD_TOKEN').fill('a good token');
		await page.keyboard.press('Enter');
		await page.locator('.findings').waitFor();
		await check('the connection');
		await page.keyboard.press('Escape');
		await type('/imagine a fox n:2');
		await pictures().nth(1).waitFor();
		const code = `\`\`\`\n${'a long line '.repeat(30)}\n\`\`\``;
		await type(`a **message** with \`code\`\n### Heading\n- one\n> quote\n${code}\nhttps://example.com`);
		await page.locator('.message .text a').waitFor();
		await type('/imagine a covered fox private:true');
		await page.locator('.message.private .cover').waitFor();
		await page.locator('.message .more').first().click();
		await page.getByRole('menuitem', { name: 'Reply' }).click();
		await words().fill('/');
		await page.getByRole('listbox', { name: 'Commands' }).waitFor();
		await check('messages and commands');
		await words().fill('/compose side by side');
		await drop(['#ff0000', '#00ff00']);
		await page.locator('.card .zone.full').first().waitFor();
		await check('a card');
		await page.keyboard.press('Escape');
		await page.locator('.message .more').first().click();
		await check('a menu');
		await page.keyboard.press('Escape');
		await page.getByRole('button', { name: 'Edit', exact: true }).first().click();
		await page.getByRole('form').waitFor();
		await check('a form');
		await page.keyboard.press('Escape');
		await pictures().first().click();
		await page.getByRole('dialog', { name: 'Picture' }).waitFor();
		await check('the viewer');
		await page.keyboard.press('Escape');
		await page.setViewportSize({ width: 360, height: 800 });
		await page.getByRole('button', { name: 'Servers, channels and people' }).click();
		await check('the drawer');
		expect(found).toEqual([]);
	});

	test('shows who one is, and what is on, in forced colours', async () => {
		await page.emulateMedia({ forcedColors: 'active' });
		const styleOf = (selector: string, property: 'outlineStyle' | 'appearance') =>
			page.locator(selector).evaluate((one, name) => getComputedStyle(one)[name], property);
		expect(await styleOf('.face:has(:checked) .avatar', 'outlineStyle')).toBe('solid');
		expect(await styleOf('.toggle', 'appearance')).toBe('auto');
	});

	test('centres its column on a wide screen', async () => {
		await page.setViewportSize({ width: 2000, height: 800 });
		const middles = await page.evaluate(
			`['main', '#column', '.foot'].map((each) => document.querySelector(each).getBoundingClientRect()).map(({ left, right }) => (left + right) / 2)`,
		);
		const [main = 0, column, foot] = middles as number[];
		expect(Math.abs(main - (column ?? 0))).toBeLessThan(12);
		expect(foot).toBe(main);
	});
});

/**
 * Returns the texts whose contrast with their background is below WCAG's 4.5 : 1
 * (https://www.w3.org/TR/WCAG22/#contrast-minimum). Runs in the page.
 */
const WEAK_CONTRAST = `(() => {
	const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
	const paint = (colours) => {
		canvas.clearRect(0, 0, 1, 1);
		for (const colour of colours) { canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1); }
		return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
	};
	const light = (rgb) => rgb.map((part) => part / 255).map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
		.reduce((sum, part, index) => sum + part * [0.2126, 0.7152, 0.0722][index], 0);
	const behind = (element) => element ? [...behind(element.parentElement), getComputedStyle(element).backgroundColor] : ['#fff'];
	const weak = [];
	const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	while (walker.nextNode()) {
		const element = walker.currentNode.parentElement;
		if (!walker.currentNode.textContent.trim() || !element.checkVisibility({ opacityProperty: true }) || element.closest('.hidden, [aria-hidden=true]')) continue;
		const under = behind(element);
		const [a, b] = [light(paint([...under, getComputedStyle(element).color])), light(paint(under))].sort((x, y) => y - x);
		const ratio = (a + 0.05) / (b + 0.05);
		if (ratio < 4.5) weak.push([element.className || element.tagName, element.textContent.slice(0, 20), ratio.toFixed(2)].join(' · '));
	}
	return weak;
})()`;
