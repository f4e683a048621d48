import type { VNode } from 'preact';
import type { PageMessages } from '../server/snapshot.ts';
import { get, persist, setLanguage } from './api.ts';
import { Composer } from './composer/composer.ts';
import { onDroppedFiles } from './files.ts';
import { byId, classes, h, html, icon, isComposing, titleOf } from './html.ts';
import { messageList } from './messages/message-list.ts';
import { Page } from './page.ts';
import { languageOf, PERSON_KEY, sidebar } from './sidebar.ts';
import { remember, remembered } from './storage.ts';
import { setMessages, t } from './texts.ts';

const THEME_KEY = 'easel.theme';

/** The page, once it knows the commands and channels. */
function draw(page: Page): VNode {
	if (!page.isEntered) return html`<p class="waiting" role="status">${t('sandbox.channel.offline')}</p>`;
	const { channel, thread } = page.found;
	const theme = remembered(THEME_KEY);
	Object.assign(document.documentElement.dataset, {
		platform: page.snapshot.settings.emulates,
		...(theme && { theme }),
	});
	document.title = `${thread?.title ?? titleOf(channel)} · Easel`;
	const skip = (event: Event) => {
		// The address names the channel.
		event.preventDefault();
		byId('words')?.focus();
	};
	return html`<a class="skip" href="#words" onClick=${skip}>${t('sandbox.composer.skip')}</a>
		<div class=${classes('app', page.isDrawerOpen && 'drawer-open')}
			onKeyDown=${({ key }: KeyboardEvent) => key === 'Escape' && page.isDrawerOpen && setDrawer(page, false)}>
			${sidebar(page)}
			<div class="scrim" onClick=${() => setDrawer(page, false)} />
			<main class="main" data-drop=${t('sandbox.drop.here')}>
				<h1 class="hidden">Easel</h1>
				${header(page)}
				${messageList(page)}
				<div class="foot">
					<p class="typing" role="status" hidden=${!page.isTyping}>${t('sandbox.channel.typing')}</p>
					${jumpButton(page)}
					${h(Composer, { page })}
				</div>
			</main>
		</div>
		${page.dialog}`;
}

/** Opens the drawer of a small screen, or closes it and goes back to its button. */
function setDrawer(page: Page, isOpen: boolean): void {
	page.isDrawerOpen = isOpen;
	page.afterRender(() => (isOpen ? byId('drawer')?.querySelector('button') : byId('drawer-toggle'))?.focus());
}

function jumpButton({ scroll }: Page): VNode {
	const label = scroll.unseen ? t('sandbox.channel.unseen', { count: scroll.unseen }) : t('sandbox.channel.latest');
	return html`<button class="jump" id="jump" type="button" hidden=${scroll.isFollowing} onClick=${() => scroll.jump()}>${icon('down')}${label}</button>`;
}

function header(page: Page): VNode {
	const { channel, thread } = page.found;
	const topic = thread ? t('sandbox.channel.thread', { channel: channel.name }) : channel.topic;
	return html`<header class="bar">
		<button class="quiet drawer-toggle" id="drawer-toggle" type="button" aria-expanded=${page.isDrawerOpen} aria-controls="drawer"
			aria-label=${t('sandbox.settings.drawer')} onClick=${() => setDrawer(page, !page.isDrawerOpen)}>${icon('menu')}</button>
		<div class="heading">
			<h2 id="title">${
				thread
					? html`<button class="crumb" type="button" onClick=${() => page.go(channel.id)}>${titleOf(channel)}</button> › ${thread.title}`
					: html`<span><span class="mark" aria-hidden="true">${channel.direct ? '@' : '#'}</span>${channel.name}</span>`
			}</h2>
			<p id="topic">${channel.direct ? t('sandbox.channel.direct') : topic}</p>
		</div>
		<p class="offline" id="offline" role="status" hidden=${page.isOnline}>${t('sandbox.channel.offline')}</p>
		${themeButton(page)}
	</header>`;
}

const systemTheme = matchMedia('(prefers-color-scheme: dark)');

/** Switches between light and dark. Until it is used, the system's theme applies. */
function themeButton(page: Page): VNode {
	const isDark = remembered(THEME_KEY) ? remembered(THEME_KEY) === 'dark' : systemTheme.matches;
	const change = () => {
		remember(THEME_KEY, isDark ? 'light' : 'dark');
		page.changed();
	};
	return html`<button class="quiet" id="theme" type="button" onClick=${change}
		aria-label=${t(isDark ? 'sandbox.settings.lightTheme' : 'sandbox.settings.darkTheme')}>${icon(isDark ? 'sun' : 'moon')}</button>`;
}

const named = new URL(location.href).searchParams.get('as');
const me = named ?? (remembered(PERSON_KEY) || 'ada');

setLanguage(languageOf(me));
const loaded = await persist(() => get<PageMessages>('texts', { as: me })).catch((error: unknown) => {
	// There is no such person: the address or the stored name is dropped, so that the page can be used.
	remember(PERSON_KEY, '');
	location.assign('?');
	throw error;
});
setMessages(loaded);
document.documentElement.lang = loaded.language;
const page = new Page(me, draw);
page.changed();
const connected = page.connect();

onDroppedFiles(async (files) => {
	await connected;
	page.drafts.take(files);
});
systemTheme.addEventListener('change', () => page.changed());
addEventListener('hashchange', () => page.isEntered && void page.enter());
addEventListener('click', ({ target }) => {
	const link = target instanceof Element && target.closest('a[href^="#"]');
	// A link to the message that the address names already changes nothing in it.
	if (link && link.getAttribute('href') === location.hash) void page.enter();
});
// The focus may be outside of a card: a click on a message does not keep Escape from closing it.
addEventListener('keydown', (event) => {
	const isElsewhere = page.dialog || page.isDrawerOpen || document.querySelector(':popover-open');
	if (event.key !== 'Escape' || event.defaultPrevented || isComposing(event) || isElsewhere) return;
	if (page.drafts.current.card) event.preventDefault();
	page.drafts.leaveCard();
});
document.addEventListener('visibilitychange', () => page.isEntered && page.scroll.markSeen());

if (named !== me) history.replaceState(null, '', `?as=${me}${location.hash}`);
