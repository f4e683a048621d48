import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { readArguments } from '../../src/cli/arguments.ts';

const {
	words: [folder = 'docs'],
} = readArguments({
	name: 'docs:pictures',
	does: `Takes the pictures of README.md and docs/ again: starts Easel with a new store, uses the sandbox as people do, and writes
screenshots and a film into FOLDER, by default docs. Needs Chromium.`,
	words: { name: 'FOLDER', count: 'any' },
});

// The help needs none of them, and they take seconds to load.
const { default: sharp } = await import('sharp');
const { startDiscord } = await import('../../packages/fakes/src/discord/index.ts');
const { answers, startFaultyService } = await import('../../packages/fakes/src/service.ts');
const { startSlack } = await import('../../packages/fakes/src/slack/index.ts');
const { ATELIER_APP } = await import('../../packages/fakes/src/slack/manifest.ts');
const { diagnose, textReport } = await import('../../src/doctor/diagnose.ts');
const { BOT_SCOPES } = await import('../../src/platforms/slack/manifest.ts');
const { openBrowser } = await import('../harness/browser.ts');
const { startProcess } = await import('../harness/process.ts');

const WIDE = { width: 1280, height: 860 };
const COLOURS = 256;

/** Writes a screenshot with at most 256 colours: a third of the bytes, and no difference to be seen. */
const save = async (name: string, png: Uint8Array) =>
	writeFile(join(folder, name), await sharp(png).png({ palette: true, colours: COLOURS, effort: 10 }).toBuffer());

/** A person at the page. */
class Visitor {
	readonly page: Page;

	constructor(page: Page) {
		this.page = page;
	}

	static async open(browser: Browser, address: string, place: string, options: BrowserContextOptions = {}) {
		const page = await browser.newPage({ viewport: WIDE, colorScheme: 'light', locale: 'en-US', ...options });
		await page.goto(`${address}/?as=ada#${place}`);
		await page.locator('#words').waitFor();
		return new Visitor(page);
	}

	async type(text: string): Promise<void> {
		await this.page.locator('#words').fill(text);
		await this.page.locator('#words').press('Enter');
	}

	/** Asks for a picture, and waits until it is there. */
	async draw(prompt: string, options = ''): Promise<void> {
		await this.type(`/imagine ${prompt}${options}`);
		await this.whenShown(prompt);
	}

	/** Waits until the last message with these words shows its picture. */
	async whenShown(words: string): Promise<void> {
		const message = this.page.locator('.message', { hasText: words }).last();
		await message
			.locator('.picture.there img')
			.first()
			.evaluate((image) => (image as HTMLImageElement).decode());
	}

	/** Types a command, and waits for its answer in words. */
	async ask(command: string, type = (text: string) => this.type(text)): Promise<void> {
		const messages = this.page.locator('.message');
		const before = await messages.count();
		await type(command);
		await messages.nth(before).waitFor();
	}

	get pictures() {
		return this.page.locator('.message .picture.there img');
	}

	/** Presses a button of the newest message that has it. */
	press = (name: string) => this.page.getByRole('button', { name, exact: true }).last().click();

	shot = () => this.page.screenshot({ animations: 'disabled' });
}

/** The frames of a film, each with how long it is shown, in milliseconds. */
class Film {
	readonly #frames: { png: Uint8Array; ms: number }[] = [];

	async take(visitor: Visitor, ms: number): Promise<void> {
		this.#frames.push({ png: await visitor.shot(), ms });
	}

	/** Types as a person does, and sends it. */
	async type(visitor: Visitor, text: string): Promise<void> {
		const box = visitor.page.locator('#words');
		for (let end = 0; end < text.length; end += 3) {
			await box.fill(text.slice(0, end));
			await this.take(visitor, 90);
		}
		await box.fill(text);
		await this.take(visitor, 500);
		await box.press('Enter');
	}

	async save(name: string, width: number): Promise<void> {
		const frames = await Promise.all(this.#frames.map(({ png }) => sharp(png).resize({ width }).png().toBuffer()));
		const delay = this.#frames.map(({ ms }) => ms);
		const film = sharp(frames, { join: { animated: true } });
		await writeFile(
			join(folder, name),
			await film.gif({ delay, colours: 128, effort: 10, interFrameMaxError: 4 }).toBuffer(),
		);
	}
}

/** Typing, drawing, a change in plain words, a cap, and the request that it refuses. */
async function film(browser: Browser, address: string): Promise<void> {
	const visitor = await Visitor.open(browser, address, 'atelier-random', { viewport: { width: 1040, height: 800 } });
	const film = new Film();
	const type = (text: string) => film.type(visitor, text);
	await film.take(visitor, 800);
	await visitor.ask('/imagine a lighthouse in a storm at night', type);
	await film.take(visitor, 400);
	await visitor.pictures.first().waitFor();
	await film.take(visitor, 1800);
	await film.type(visitor, '@Easel make it a sunny day');
	await visitor.pictures.nth(1).waitFor();
	await film.take(visitor, 1800);
	await visitor.ask('/limits set server day 2', type);
	await film.take(visitor, 1500);
	await visitor.ask('/imagine a ship in a bottle', type);
	await film.take(visitor, 2500);
	await film.save('tour.gif', 800);
	await visitor.page.close();
}

async function screenshots(browser: Browser, address: string): Promise<void> {
	const visitor = await Visitor.open(browser, address, 'atelier-general');
	await visitor.draw('a red fox in the snow');
	await save('sandbox.png', await visitor.shot());

	await visitor.page.locator('.message .more').last().click();
	await save('message-menu.png', await visitor.shot());
	await visitor.page.keyboard.press('Escape');

	await visitor.ask('/limits settings log:#gallery');
	await visitor.press('Use this channel');
	await visitor.draw('a lighthouse in a storm at night');
	await visitor.page.locator('.channel', { hasText: 'gallery' }).click();
	await visitor.whenShown('/imagine by');
	await save('log-channel.png', await visitor.shot());
	await visitor.page.close();

	const german = await Visitor.open(browser, address, 'print-club-general', { locale: 'de-DE' });
	await german.draw('ein Segelboot bei Sonnenuntergang', ' n:2');
	await german.ask('/usage');
	await save('german.png', await german.shot());
	await german.page.close();

	const phone = { viewport: { width: 390, height: 780 }, colorScheme: 'dark' } as const;
	const small = await Visitor.open(browser, address, 'print-club-posters', phone);
	await small.draw('a whale and a diver underwater');
	await save('phone.png', await small.shot());
	await small.page.close();
}

/** Nine pictures by the studio. */
async function sheet(address: string): Promise<void> {
	const tiles: Buffer[] = [];
	for (const prompt of PROMPTS) {
		const response = await fetch(`${address}/v1/images/generations`, {
			method: 'POST',
			headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
			body: JSON.stringify({ prompt, size: '512x512' }),
		});
		const { data } = (await response.json()) as { data: { b64_json: string }[] };
		for (const { b64_json } of data)
			tiles.push(await sharp(Buffer.from(b64_json, 'base64')).resize(300, 300).png().toBuffer());
	}
	const [gap, background] = [8, '#ffffff'];
	const joined = sharp(tiles, { join: { across: 3, shim: gap, background } });
	await save(
		'studio.png',
		await joined.extend({ top: gap, bottom: gap, left: gap, right: gap, background }).png().toBuffer(),
	);
}

const KEY = 'e'.repeat(32);
const PROMPTS = [
	'a fox in an autumn forest at golden hour',
	'a castle and a dragon at sunset, epic',
	'an astronaut riding a horse on the moon',
	'a cabin under northern lights in the snow',
	'a robot in the rain, neon, "OPEN LATE"',
	'a whale and a diver underwater',
	'a girl in a yellow raincoat under a red umbrella in the rain',
	'joy',
	'hot air balloons over the mountains at dawn',
];

/** `npm run doctor` with two platforms, a scope that is missing and a permission that is missing, as a terminal shows it. */
async function doctor(browser: Browser): Promise<void> {
	const data = await mkdtemp(join(tmpdir(), 'easel-'));
	const bot = BOT_SCOPES.filter((scope) => scope !== 'files:write');
	const service = await startFaultyService();
	service.always(answers(200, JSON.stringify({ data: MODELS.map((id) => ({ id })) })));
	const discord = await startDiscord();
	const slack = await startSlack({ manifest: { ...ATELIER_APP, oauth_config: { scopes: { bot } } } });
	discord.world.addServer({
		name: 'Sketch Club',
		channels: [{ name: 'show-and-tell', deny: { everyone: ['AttachFiles'] } }],
		application: ['ViewChannel', 'SendMessages', 'AttachFiles', 'ReadMessageHistory', 'CreatePublicThreads'],
	});
	const results = await diagnose(
		{
			...{ PORT: '3456', STORE_URL: `sqlite:${data}/doctor.db` },
			...{ SERVICE_BASE_URL: service.url, SERVICE_API_KEY: 'key', SERVICE_PROFILE: 'easel' },
			...{ DISCORD_TOKEN: discord.token, DISCORD_API_URL: discord.api },
			...{ SLACK_BOT_TOKEN: slack.botToken, SLACK_APP_TOKEN: slack.appToken, SLACK_API_URL: slack.apiUrl },
		},
		data,
	);
	await Promise.all([discord.close(), slack.close(), service.close(), rm(data, { recursive: true })]);
	const report = textReport(results, true).replaceAll(data, '/var/lib/easel');
	const page = await browser.newPage({ viewport: { width: 980, height: 400 } });
	await page.setContent(`<body style="${TERMINAL}">$ npm run doctor\n\n${toHtml(report)}</body>`);
	await save('doctor.png', await page.screenshot({ fullPage: true }));
	await page.close();
}

const CODE = /\u001b\[(\d+)m/g;
const MODELS = ['alpha-image', 'alpha3.6-35b', 'alpha3-embedding', 'beta-image'];
const TERMINAL =
	'margin: 0; padding: 20px; background: #0d1017; color: #c9d1d9; font: 13px/1.45 monospace; white-space: pre-wrap';
/** Of the codes that the report uses. https://en.wikipedia.org/wiki/ANSI_escape_code#SGR */
const STYLES: Readonly<Record<string, string>> = {
	1: 'font-weight: bold; color: #fff',
	31: 'color: #ff7b72',
	32: 'color: #56d364',
	33: 'color: #e3b341',
	90: 'color: #8b949e',
};

/** Returns what a terminal shows as HTML. Every style of the report ends before the next begins. */
const toHtml = (text: string): string =>
	text
		.replaceAll('&', '&amp;')
		.replaceAll('<', '&lt;')
		.replace(CODE, (_, code: string) => (code in STYLES ? `<span style="${STYLES[code]}">` : '</span>'));

/** Starts Easel with a new store for some work. */
async function withEasel(work: (address: string) => Promise<void>): Promise<void> {
	const data = await mkdtemp(join(tmpdir(), 'easel-'));
	const easel = startProcess(data, { STUDIO_API_KEY: KEY });
	try {
		await work(await easel.address);
	} finally {
		easel.child.kill('SIGTERM');
		await easel.ended;
		await rm(data, { recursive: true });
	}
}

const browser = await openBrowser();
try {
	await withEasel((address) => screenshots(browser, address));
	await withEasel((address) => film(browser, address));
	await withEasel(sheet);
	await doctor(browser);
} finally {
	await browser.close();
}
