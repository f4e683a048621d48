import { byId } from './dom.js';
import { icon } from './icons.js';
import { t } from './texts.js';

const STORAGE_KEY = 'easel.theme';

/** Applies the theme that was chosen before, and lets the button switch between light and dark. */
export function initTheme() {
	applyTheme(localStorage.getItem(STORAGE_KEY));
	matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () =>
		applyTheme(localStorage.getItem(STORAGE_KEY)),
	);
}

/** @param {string | null} chosen `light`, `dark`, or null for the one of the system */
function applyTheme(chosen) {
	if (chosen) document.documentElement.dataset.theme = chosen;
	const isDark = chosen ? chosen === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
	const button = byId('theme');
	button.replaceChildren(icon(isDark ? 'sun' : 'moon'));
	button.setAttribute('aria-label', t(isDark ? 'sandbox.settings.lightTheme' : 'sandbox.settings.darkTheme'));
	button.onclick = () => {
		const next = isDark ? 'light' : 'dark';
		localStorage.setItem(STORAGE_KEY, next);
		applyTheme(next);
	};
}
