import { translatorFor } from '../../src/i18n/translator.ts';
import type { Store } from '../../src/store/store.ts';
import { serverLayers } from '../../src/usage/caps/layers.ts';
import { spanOf } from '../../src/usage/report/calendar.ts';
import { summarize } from '../../src/usage/report/summary.ts';
import { createReporter } from '../../src/usage/reporter.ts';
import { DEFAULT_SETTINGS } from '../../src/usage/settings/settings.ts';
import { windowsAt } from '../../src/usage/windows/windows.ts';
import type { Figures } from '../runner.ts';
import { type BenchProcess, createBenchProcess, makePicture, reservePicture } from './bench-bot.ts';
import { CLUB, CROWD, channelOf, crowdedMonth, KEEP_ALL_MS, memberOf } from './earlier-pictures.ts';
import { repeat, timed } from './timed.ts';

const PICTURES = 100;
const SWEEPS = 20;
const REPORTS = 8;
const OPEN_JOBS = 25;
const WAITING_TURNS = 10;
const CAPS = 8;

/** Measures what is done again and again, on a store with earlier pictures. */
export async function measureGrowth(store: Store): Promise<Figures> {
	const easel = createBenchProcess(store, KEEP_ALL_MS);
	try {
		await repeat(20, (number) => makePicture(easel.services, number));
		return {
			...(await timed('picture', PICTURES, (number) => makePicture(easel.services, number))),
			...(await measureSweep(store, easel)),
			...(await timed('report', REPORTS, () => readReport(easel, windowsAt(Date.now(), 'UTC').month.id))),
			...(await measureBackfill(store, easel)),
		};
	} finally {
		await easel.close();
	}
}

/** Sweeps while another process, which is alive, works on jobs and turns. */
async function measureSweep(store: Store, { bot }: BenchProcess): Promise<Figures> {
	const other = createBenchProcess(store, KEEP_ALL_MS);
	await other.services.lease.renew();
	await bot.start();
	const numbers = Array.from({ length: OPEN_JOBS }, (_, number) => number);
	const jobs = await Promise.all(numbers.map((number) => reservePicture(other.services, number)));
	const threads = numbers.slice(0, WAITING_TURNS).map((number) => ({ ...CLUB, channel: 'chat', thread: `t${number}` }));
	for (const place of threads) await other.conversations.wait(place, other.services.lease.processId);
	await repeat(3, () => bot.sweep());
	const figures = await timed('sweep', SWEEPS, () => bot.sweep());
	for (const place of threads) await other.conversations.waitNoLonger(place);
	for (const job of jobs)
		await other.services.ledger.close(await other.services.ledger.settle(job, 'failed', 0), 'delivered');
	await bot.stop(0);
	await other.services.lease.release();
	await other.close();
	return figures;
}

async function readReport({ services: { ledger } }: BenchProcess, month: string): Promise<void> {
	const receipts = ledger.receipts(CLUB, spanOf(month, 'UTC'));
	const dayTotals = await Array.fromAsync(ledger.dayTotals(CLUB, month));
	await summarize(receipts, { month, timeZone: 'UTC', caps: {}, now: Date.now(), price: 30, dayTotals });
}

/** Counts this month's calls of channels for which caps were set just now. */
async function measureBackfill(store: Store, { services: { ledger } }: BenchProcess): Promise<Figures> {
	const settings = { ...DEFAULT_SETTINGS, limits: [{ scope: 'channel', period: 'month', images: 1e6 } as const] };
	const layers = Array.from({ length: CAPS }, (_, number) => {
		const place = channelOf(CLUB, number);
		const layer = serverLayers(settings, place, memberOf(number), Date.now()).find(({ name }) => name === 'channel');
		if (!layer) throw new Error('The channel has no cap.');
		return { place, layer };
	});
	await store.space('ledger').commit({ remove: layers.map(({ layer }) => layer.key) });
	return timed('cap', CAPS, async (number) => {
		const { place, layer } = layers[number]!;
		await ledger.backfillCounter(place, layer);
	});
}

/** Makes the whole report of the month in which one server has made a tenth of all pictures. */
export async function measureHugeReport(store: Store): Promise<Figures> {
	const easel = createBenchProcess(store, KEEP_ALL_MS);
	const { ledger, settings } = easel.services;
	const report = createReporter({ ledger, settings, plan: { price: 30 }, now: Date.now });
	const month = crowdedMonth();
	try {
		// Loads the modules that draw charts.
		await report(channelOf(CLUB, 0), '2000-01', translatorFor());
		const span = spanOf(month, 'UTC');
		const receipts = (await Array.fromAsync(ledger.receipts(CROWD, span))).length;
		const figures = await timed('report', 1, () => report(channelOf(CROWD, 0), month, translatorFor()));
		return { 'receipts in the month': receipts, ...figures };
	} finally {
		await easel.close();
	}
}
