/** The size of the chart in pixels. */
export const CHART_SIZE = { width: 1200, height: 750 };

/**
 * Font sizes in pixels. A phone shows the chart at a third of its size, where the smaller text is still about 9 pixels
 * high.
 */
export const FONT_SIZE = { title: 42, text: 28 };

export type Theme = { page: string; ink: string; faint: string; rule: string; cap: string; forecast: string };

export const LIGHT: Theme = {
	page: '#ffffff',
	ink: '#1f2328',
	faint: '#59636e',
	rule: '#d8dee4',
	cap: '#c4320a',
	forecast: '#c9d1d9',
};

export const DARK: Theme = {
	page: '#1e1f22',
	ink: '#f2f3f5',
	faint: '#b5bac1',
	rule: '#3b3d44',
	cap: '#ff8a65',
	forecast: '#4a4d55',
};
