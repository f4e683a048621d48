import { loadMessages } from './api.ts';
import { App } from './app.ts';
import { onDroppedFiles } from './files.ts';
import { h } from './html.ts';
import { Page } from './page.ts';
import { PERSON_KEY, useLanguageOf } from './sidebar.ts';
import { setMessages } from './texts.ts';

const named = new URL(location.href).searchParams.get('as');
const me = named ?? localStorage.getItem(PERSON_KEY) ?? 'ada';

useLanguageOf(me);
const loaded = await loadMessages(me).catch((error: unknown) => {
	// There is no such person: the address or the stored name is dropped, so that the page can be used.
	localStorage.removeItem(PERSON_KEY);
	location.assign('?');
	throw error;
});
setMessages(loaded);
document.documentElement.lang = loaded.language;
const page = new Page(me, (shown) => h(App, { page: shown }));
page.changed();

onDroppedFiles((files) => page.take(files));
addEventListener('hashchange', () => void page.enter());
addEventListener('click', ({ target }) => {
	const link = target instanceof Element && target.closest('a[href^="#"]');
	// A link to the message that the address names already changes nothing in it.
	if (link && link.getAttribute('href') === location.hash) void page.enter();
});
document.addEventListener('visibilitychange', () => page.scroll.markSeen());

if (named !== me) history.replaceState(null, '', `?as=${me}${location.hash}`);
page.state.connect();
