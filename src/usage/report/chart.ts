import { type Translate, translatorFor } from '../../i18n/translator.ts';
import { CHART_SIZE, type ChartOption, chartOption } from './chart-option.ts';
import { wordsOf } from './chart-words.ts';
import type { Report } from './summary.ts';

/** Languages that the lettering can't write. */
const WITHOUT_LETTERS: ReadonlySet<string> = new Set(['ja']);

/**
 * A report as a picture: calls per day, stacked by command, with the daily cap and what is still to come.
 * The charting library and the letters are loaded at the first call, since most days nobody asks for a chart.
 * Where there are no letters for a language, what is drawn is in English.
 * @returns a PNG, and the same in words with the figures
 */
export async function chartOf(
	report: Report,
	{ dark = false, t = translatorFor() }: { dark?: boolean; t?: Translate } = {},
): Promise<{ png: Uint8Array; alt: string }> {
	const drawn = WITHOUT_LETTERS.has(t.language) ? translatorFor() : t;
	const { default: sharp } = await import('sharp');
	const svg = await svgOf(chartOption(drawn, report, wordsOf(drawn, report), dark));
	const png = await sharp(Buffer.from(svg)).png({ palette: true }).toBuffer();
	return { png: new Uint8Array(png), alt: wordsOf(t, report).alt };
}

/** Drawn without a font: neither measured with the machine's, nor left to them. */
export async function svgOf(option: ChartOption): Promise<string> {
	const [{ init, setPlatformAPI, use }, { BarChart, LineChart }, components, { SVGRenderer }, outlines] =
		await Promise.all([
			import('echarts/core'),
			import('echarts/charts'),
			import('echarts/components'),
			import('echarts/renderers'),
			import('./outlines.ts'),
		]);
	const { GraphicComponent, GridComponent, LegendComponent, MarkLineComponent, TitleComponent } = components;
	use([
		BarChart,
		LineChart,
		GraphicComponent,
		GridComponent,
		LegendComponent,
		MarkLineComponent,
		TitleComponent,
		SVGRenderer,
	]);
	const lettering = outlines.readLettering();
	setPlatformAPI({ measureText: (text, font) => ({ width: lettering.width(text, outlines.fontOf(font ?? '')) }) });
	const chart = init(null, null, { renderer: 'svg', ssr: true, ...CHART_SIZE });
	try {
		chart.setOption(option);
		return outlines.svgTextToPaths(chart.renderToSVGString(), lettering);
	} finally {
		chart.dispose();
	}
}
