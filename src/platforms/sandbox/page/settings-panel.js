import { byId, h } from './dom.js';
import { t } from './texts.js';

const PLATFORMS = [
	['discord', 'Discord'],
	['slack', 'Slack'],
];

/** The key under which the browser keeps the language that a person has chosen. @param {string} person */
export const languageKey = (person) => `easel.language.${person}`;

/**
 * Renders the settings: moderator, language, and the platform whose limits apply.
 * @param {import('./state.js').PageState} state
 * @param {{ id: string }} server
 * @param {{ emulate(platform: string): void }} handlers
 */
export function renderSettings(state, server, handlers) {
	byId('moderator').checked = state.isModerator(server.id);
	const chosen = localStorage.getItem(languageKey(state.me)) ?? '';
	const languages = ['', ...state.languages].map((language) =>
		h('option', { value: language, selected: language === chosen }, languageName(language)),
	);
	byId('language').replaceChildren(...languages);
	const platforms = PLATFORMS.map(([platform, name]) => {
		const radio = h('input.hidden', {
			type: 'radio',
			name: 'platform',
			'data-key': `platform-${platform}`,
			checked: state.settings.emulates === platform,
			onchange: () => handlers.emulate(platform),
		});
		return h('label.segment', {}, radio, h('span', {}, name));
	});
	byId('platforms').replaceChildren(...platforms);
	byId('platform-limits').textContent = limitsText(state.limits[state.settings.emulates]);
	document.documentElement.dataset.platform = state.settings.emulates;
}

/** @param {any} limits */
function limitsText({ text, pictures, pictureBytes, edits }) {
	const mebibytes = pictureBytes / 2 ** 20;
	return t('sandbox.settings.limitValues', {
		text,
		pictures,
		size: mebibytes < 1024 ? `${mebibytes} MB` : `${mebibytes / 1024} GB`,
		edits: edits.count,
		seconds: edits.perMs / 1000,
	});
}

/** Returns the name of a language in that language. @param {string} language */
const languageName = (language) =>
	language ? new Intl.DisplayNames(language, { type: 'language' }).of(language) : t('sandbox.settings.browserLanguage');
