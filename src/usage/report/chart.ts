import { type Translate, translatorFor } from '../../i18n/translator.ts';
import { type ChartOption, chartOption } from './chart-option.ts';
import { CHART_SIZE } from './chart-style.ts';
import { chartText } from './chart-text.ts';
import type { Report } from './summary.ts';

/** Languages that the bundled font cannot write. */
const WITHOUT_FONT: ReadonlySet<string> = new Set(['ja']);

/**
 * Draws a report: calls per day, stacked by command, with the daily cap and a forecast. Text in the chart is in English where
 * the bundled font cannot write the language. The charting library and the font are loaded with the first chart, because on
 * most days nobody needs one.
 *
 * @returns a PNG, and an alt text that contains its figures
 */
export async function chartOf(
	report: Report,
	{ dark = false, t = translatorFor() }: { dark?: boolean; t?: Translate } = {},
): Promise<{ png: Uint8Array; alt: string }> {
	const drawn = WITHOUT_FONT.has(t.language) ? translatorFor() : t;
	const { default: sharp } = await import('sharp');
	const svg = await svgOf(chartOption(drawn, report, chartText(drawn, report), dark));
	const png = await sharp(Buffer.from(svg)).png({ palette: true }).toBuffer();
	return { png: new Uint8Array(png), alt: chartText(t, report).alt };
}

/**
 * Renders an ECharts option with all text as outlines, so that neither its layout nor its look depends on the machine's
 * fonts.
 */
export async function svgOf(option: ChartOption): Promise<string> {
	const [{ init, setPlatformAPI, use }, { BarChart, LineChart }, components, { SVGRenderer }, textOutlines] =
		await Promise.all([
			import('echarts/core'),
			import('echarts/charts'),
			import('echarts/components'),
			import('echarts/renderers'),
			import('./text-outlines.ts'),
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
	const outlines = new textOutlines.TextOutlines();
	setPlatformAPI({
		measureText: (text, font) => ({ width: outlines.width(text, textOutlines.parseFont(font ?? '')) }),
	});
	const chart = init(null, null, { renderer: 'svg', ssr: true, ...CHART_SIZE });
	try {
		chart.setOption(option);
		return textOutlines.svgTextToPaths(chart.renderToSVGString(), outlines);
	} finally {
		chart.dispose();
	}
}
