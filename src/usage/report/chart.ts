import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { type Translate, translatorFor } from '../../i18n/translator.ts';
import type { Drawing } from './chart-svg.ts';
import { chartText } from './chart-text.ts';
import type { Report } from './summary.ts';

/** Languages that the bundled font cannot write. */
const WITHOUT_FONT: ReadonlySet<string> = new Set(['ja']);

/**
 * Draws a report: calls per day, stacked by command, with the daily cap and a forecast. Text in the chart is in English where
 * the bundled font cannot write the language.
 *
 * @returns a PNG, and an alt text that contains its figures
 */
export async function chartOf(
	report: Report,
	{ dark = false, t = translatorFor() }: { dark?: boolean; t?: Translate } = {},
): Promise<{ png: Uint8Array; alt: string }> {
	const drawn = WITHOUT_FONT.has(t.language) ? translatorFor() : t;
	const { default: sharp } = await import('sharp');
	const { receipts: _, ...figures } = report;
	const svg = await drawInWorker({ report: figures, language: drawn.language, dark });
	const png = await sharp(Buffer.from(svg)).png({ palette: true }).toBuffer();
	return { png: new Uint8Array(png), alt: chartText(t, report).alt };
}

/**
 * Draws a chart in a thread of its own: the charting library takes a moment to load, during which this thread could do nothing
 * else. The thread ends with its chart, and so needs no memory until the next one.
 */
async function drawInWorker(drawing: Drawing): Promise<string> {
	// Without this process's own arguments, some of which are for its main module alone.
	const options = { workerData: drawing, execArgv: [] };
	const worker = new Worker(new URL('./chart-worker.ts', import.meta.url), options);
	const ended = once(worker, 'exit').then(([code]) => {
		throw new Error(`The thread that draws a chart ended with code ${code}.`);
	});
	ended.catch(() => {});
	const [svg] = await Promise.race([once(worker, 'message'), ended]);
	return svg as string;
}
