import type { VNode } from 'preact';
import { ConnectDialog } from './dialogs.ts';
import { avatar, type Changed, classes, h, html, segment } from './html.ts';
import type { Channel, Found, Page, Server } from './page.ts';
import { keepsAll, remember, remembered } from './storage.ts';
import { t } from './texts.ts';

const MAX_THREADS = 8;
const PLATFORMS = { discord: 'Discord', slack: 'Slack' } as const;
export const PERSON_KEY = 'easel.person';

/** The key under which the browser keeps the language that a person has chosen: several can be tried beside each other. */
const languageKey = (person: string) => `easel.language.${person}`;

/** Returns the language that a person has chosen. The address names it too, for browsers that keep nothing. */
export const languageOf = (person: string): string =>
	new URLSearchParams(location.search).get('in') ?? remembered(languageKey(person));

export function sidebar(page: Page): VNode {
	const { found } = page;
	return html`<div class="drawer" id="drawer">
		<nav class="rail" aria-label=${t('sandbox.settings.servers')}>
			<img class="brand" src="/sandbox/easel.svg" alt="Easel" width="40" height="40" />
			<div class="servers">${page.snapshot.servers.map((server) => serverButton(page, server))}</div>
		</nav>
		<section class="side" aria-labelledby="server-name">
			<h2 class="server-name" id="server-name">${found.server.name}</h2>
			<nav class="channels" aria-label=${t('sandbox.settings.channels')}>
				<ul>${found.server.channels.map((channel) => channelItem(page, found, channel))}</ul>
			</nav>
			${settings(page, found.server)}
		</section>
	</div>`;
}

function serverButton(page: Page, server: Server): VNode {
	const isCurrent = server === page.found.server;
	const ids = server.channels.flatMap((channel) => [channel, ...channel.threads]);
	const isUnread = !isCurrent && ids.some(({ id }) => page.isUnread(id));
	const initials = server.name.split(' ').map((word) => word.charAt(0));
	return html`<button key=${server.id} type="button" class=${classes('server', isUnread && 'unread')} title=${server.name}
		data-initials=${initials.join('')} aria-current=${isCurrent ? 'true' : undefined}
		aria-label=${isUnread ? t('sandbox.settings.unreadServer', { server: server.name }) : server.name}
		onClick=${() => page.go(server.channels[0]?.id ?? '')} />`;
}

function channelItem(page: Page, found: Found, channel: Channel): VNode {
	const threads = channel.threads.filter((thread, index) => index < MAX_THREADS || thread === found.thread);
	return html`<li key=${channel.id}>
		${link(page, channel.id, channel.name, channel.direct ? '@' : '#')}
		${threads.length > 0 && html`<ul>${threads.map(({ id, title }) => html`<li key=${id}>${link(page, id, title, '↳')}</li>`)}</ul>`}
	</li>`;
}

function link(page: Page, id: string, name: string, mark: string): VNode {
	const isUnread = id !== page.shown && page.isUnread(id);
	return html`<button type="button" class=${classes('channel', isUnread && 'unread')} aria-current=${id === page.shown ? 'page' : undefined}
		onClick=${() => page.go(id)}>
		<span class="mark" aria-hidden="true">${mark}</span><span class="label">${name}</span>
		${isUnread && html`<span class="hidden">${t('sandbox.settings.unread')}</span>`}
	</button>`;
}

function settings(page: Page, server: Server): VNode {
	const becomePerson = (person: string) => {
		remember(PERSON_KEY, person);
		// The person is in the address, so that each tab can be somebody else.
		location.assign(`?as=${encodeURIComponent(person)}#${page.shown}`);
	};
	const chooseLanguage = ({ currentTarget }: Changed<HTMLSelectElement>) => {
		remember(languageKey(page.me), currentTarget.value);
		location.search = `${new URLSearchParams({ as: page.me, in: currentTarget.value })}`;
	};
	const face = ({ id, name }: { id: string; name: string }) => {
		const title = page.isModerator(server.id, id) ? t('sandbox.settings.moderatorName', { name }) : name;
		return html`<label class="face" title=${title}>
			<input class="hidden" type="radio" name="person" checked=${id === page.me} onChange=${() => becomePerson(id)} />
			${avatar(id, name)}<span class="face-name">${name}</span>
		</label>`;
	};
	return html`<div class="you">
		<fieldset class="people"><legend>${t('sandbox.settings.person')}</legend>
			<div class="faces">${page.snapshot.people.map(face)}</div>
		</fieldset>
		<label class="switch"><input type="checkbox" class="toggle" checked=${page.isModerator(server.id)}
			onChange=${({ currentTarget }: Changed) =>
				page.send('moderators', { server: server.id, person: page.me, moderator: currentTarget.checked })} />
			<span>${t('sandbox.settings.moderator')}</span></label>
		<label class="language"><span>${t('sandbox.settings.language')}</span>
			<select value=${languageOf(page.me)} onChange=${chooseLanguage}>
				${['', ...page.snapshot.languages].map((language) => html`<option value=${language}>${languageName(language)}</option>`)}
			</select></label>
		<fieldset class="platforms"><legend>${t('sandbox.settings.limits')}</legend>
			<div class="segments">${Object.entries(PLATFORMS).map(([platform, name]) =>
				segment('platform', name, platform === page.snapshot.settings.emulates, () =>
					page.send('emulation', { platform }),
				),
			)}</div>
			<p class="platform-limits">${limitsText(page.limits)}</p>
		</fieldset>
		${!keepsAll() && html`<p class="platform-limits">${t('sandbox.settings.unkept')}</p>`}
		${page.snapshot.connects && html`<button class="action" id="connect" type="button" onClick=${() => page.set({ dialog: h(ConnectDialog, { page }) })}>${t('sandbox.connect.open')}</button>`}
	</div>`;
}

function limitsText({ text, pictures, pictureBytes }: Page['limits']): string {
	const mebibytes = pictureBytes / 2 ** 20;
	const size = mebibytes < 1024 ? `${mebibytes} MB` : `${mebibytes / 1024} GB`;
	return t('sandbox.settings.limitValues', { text, pictures, size });
}

const languageName = (language: string) =>
	language ? new Intl.DisplayNames(language, { type: 'language' }).of(language) : t('sandbox.settings.browserLanguage');
