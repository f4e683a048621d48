import { type Translate, translatorFor } from '../../i18n/translator.ts';
import { type ChartOption, chartOption } from './chart-option.ts';
import { CHART_SIZE } from './chart-style.ts';
import { chartText } from './chart-text.ts';
import type { Report } from './summary.ts';

/** A chart to draw, as a message between threads. */
export type Drawing = { report: Omit<Report, 'receipts'>; language: Translate['language']; dark: boolean };

/** Draws a chart as SVG. */
export function drawSvg({ report, language, dark }: Drawing): Promise<string> {
	const t = translatorFor(language);
	const whole: Report = { ...report, receipts: [] };
	return svgOf(chartOption(t, whole, chartText(t, whole), dark));
}

/**
 * Renders an ECharts option with all text as outlines, so that neither its layout nor its look depends on the machine's
 * fonts.
 */
async function svgOf(option: ChartOption): Promise<string> {
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
