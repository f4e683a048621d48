import { loadMessages, newId, send, setLanguage } from './api.js';
import { Composer } from './composer/composer.js';
import { openEditDialog } from './dialogs/edit-dialog.js';
import { openFormDialog } from './dialogs/form-dialog.js';
import { openPictures } from './dialogs/picture-viewer.js';
import { announce, byId, h } from './dom.js';
import { onDroppedFiles } from './file-drop.js';
import { renderEmptyChannel } from './messages/empty-channel.js';
import { openMenu } from './messages/menu.js';
import { MessageList } from './messages/message-list.js';
import { menuEntriesOf } from './messages/message-menu.js';
import { languageKey } from './settings-panel.js';
import { Sidebar } from './sidebar.js';
import { PageState } from './state.js';
import { fillTexts, setMessages, t } from './texts.js';
import { initTheme } from './theme.js';
import { TypingIndicator } from './typing-indicator.js';

/** @typedef {import('../server/view.ts').MessageView} Message */

const PERSON_KEY = 'easel.person';
const address = new URL(location.href);
const me = address.searchParams.get('as') ?? localStorage.getItem(PERSON_KEY) ?? 'ada';

setLanguage(localStorage.getItem(languageKey(me)) ?? '');
const loaded = await loadMessages();
setMessages(loaded);
document.documentElement.lang = loaded.language;
fillTexts(document);
const state = new PageState(me);
/** The id of the channel or thread that is shown. */
let shown = target().channel;
/** The ids of presses of this tab, whose forms it shows. @type {Set<string>} */
const presses = new Set();
/** @type {import('./inputs/inputs.js').Inputs | undefined} */
let form;

const typing = new TypingIndicator();
const composer = new Composer(state, () => shown, directory, editLast);
const sidebar = new Sidebar(state, {
	open: enter,
	/** The person is in the address, so that each tab can be somebody else. */
	becomePerson(person) {
		localStorage.setItem(PERSON_KEY, person);
		location.assign(`?as=${encodeURIComponent(person)}#${encodeURIComponent(shown)}`);
	},
	setModerator(isModerator) {
		const { server } = state.find(shown);
		attempt(send('moderators', { server: server.id, person: me, moderator: isModerator }, 'PUT'));
	},
	/** Each person has a language, so that several can be tried beside each other. */
	setLanguage(language) {
		localStorage.setItem(languageKey(me), language);
		location.reload();
	},
	emulate: (platform) => attempt(send('emulation', { platform }, 'PUT')),
});
const messages = new MessageList(
	state,
	{
		press,
		openMenu: openMessageMenu,
		enlarge: openPictures,
		open: enter,
		dismiss: remove,
		show: (number) => messages.show(number),
	},
	() => renderEmptyChannel(state, shown, (prompt) => composer.run('imagine', { prompt })),
);

/** @param {Promise<any>} request */
const attempt = (request) => request.catch((error) => composer.showError(error.message));

function directory() {
	const { server } = state.find(shown) ?? { server: state.servers[0] };
	const channels = server.channels.filter((/** @type {any} */ { direct }) => !direct);
	return { people: state.people, channels, roles: server.roles };
}

/** Returns the channel or thread that the address names, and the number of a message in it: `#general/12`. */
function target() {
	const [channel = '', message] = decodeURIComponent(location.hash.slice(1)).split('/');
	return { channel, message: message === undefined ? undefined : Number(message) };
}

/** Shows a channel or thread. @param {string} id */
async function enter(id) {
	const from = shown;
	shown = state.find(id) ? id : state.servers[0].channels[0].id;
	if (location.hash !== `#${shown}`) history.replaceState(null, '', `${location.search}#${shown}`);
	const { channel, thread } = state.find(shown);
	const name = thread ? thread.title : titleOf(channel);
	drawHeading(channel, thread);
	document.title = `${name} · Easel`;
	composer.move(from, shown, thread ? t('sandbox.composer.thread') : t('sandbox.composer.message', { channel: name }));
	typing.hide();
	sidebar.draw(shown);
	await attempt(messages.enter(shown));
	sidebar.draw(shown);
	if (matchMedia('(pointer: fine)').matches) composer.focus();
}

/** @param {any} channel */
const titleOf = ({ name, direct }) => (direct ? name : `#${name}`);

/** @param {any} channel @param {any} thread */
function drawHeading(channel, thread) {
	if (thread) {
		const parent = h('button.crumb', { type: 'button', onclick: () => enter(channel.id) }, titleOf(channel));
		byId('title').replaceChildren(parent, ' › ', thread.title);
	} else {
		const mark = h('span.mark', { 'aria-hidden': 'true' }, channel.direct ? '@' : '#');
		byId('title').replaceChildren(h('span', {}, mark, channel.name));
	}
	const topic = channel.direct ? t('sandbox.channel.direct') : channel.topic;
	byId('topic').textContent =
		thread && !channel.direct ? t('sandbox.channel.thread', { channel: channel.name }) : topic;
}

/** @param {Message} message @param {string} button @param {HTMLElement} from */
async function press(message, button, from) {
	if (from.ariaDisabled === 'true') return;
	from.ariaDisabled = 'true';
	const id = newId();
	presses.add(id);
	await attempt(send('presses', { as: me, channel: message.channel, number: message.number, id, button }));
	from.ariaDisabled = null;
}

/** @param {Message} message */
function remove({ channel, number }) {
	attempt(send('deletions', { as: me, channel, number }));
}

/** @param {Message} message @param {HTMLElement} from */
function openMessageMenu(message, from) {
	const entries = menuEntriesOf(message, state, {
		reply: () => composer.reply(message),
		openThread,
		press: (_, button) => press(message, button, from),
		copy,
		edit: () => openEditDialog(message, me, state.limits[state.settings.emulates].text),
		remove,
	});
	openMenu(from, entries);
}

/** Opens the thread of a message, or starts one. @param {Message} message */
async function openThread({ channel: id, number, thread }) {
	const opened = thread ?? (await attempt(send('threads', { as: me, channel: id, number })));
	if (!opened) return;
	const { channel } = state.find(id);
	if (!state.find(opened.id)) channel.threads.unshift(opened);
	enter(opened.id);
}

/** Opens the last message of the person to edit it. Returns whether there is one. */
function editLast() {
	const mine = [...state.log(shown).messages.values()].filter(({ author, text }) => author === me && text !== '');
	const last = mine.reduce((a, b) => (a && a.number > b.number ? a : b), mine[0]);
	if (last) openEditDialog(last, me, state.limits[state.settings.emulates].text);
	return Boolean(last);
}

/** @param {string} text */
async function copy(text) {
	try {
		await navigator.clipboard.writeText(text);
		announce(t('sandbox.menu.copied'));
	} catch {
		composer.showError(t('sandbox.menu.copyFailed'));
	}
}

state.subscribe((name, data) => {
	if (name === 'loaded') {
		enter(shown);
		composer.ready();
	}
	if (name === 'online') byId('offline').hidden = data;
	if (name === 'message') {
		messages.update(data);
		sidebar.draw(shown);
		if (data.author === state.bot && data.channel === shown) typing.hide();
	}
	if (name === 'typing' && data.channel === shown) typing.show();
	if (name === 'notice') composer.showError(data.text);
	if (name === 'removed') messages.remove(data);
	if (name === 'settings' || name === 'thread' || name === 'read') sidebar.draw(shown);
	if (name === 'form' && presses.delete(data.press)) form = openFormDialog(data, me, directory());
});

/** Gives files to the open form, else to the composer. */
onDroppedFiles((files) => {
	if (files.length === 0) return;
	if (document.querySelector('dialog[open] form')) form?.take(files);
	else if (!document.querySelector('dialog[open]')) composer.take(files);
});
addEventListener('hashchange', async () => {
	const { channel, message } = target();
	if ((channel === shown && message === undefined) || !state.find(channel)) return;
	await enter(channel);
	if (message !== undefined) messages.show(message);
});
initTheme();

state.load().then(
	() => address.searchParams.get('as') !== me && history.replaceState(null, '', `?as=${me}#${shown}`),
	// There is no such person: the address or the stored name is dropped, so that the page can be used.
	() => {
		localStorage.removeItem(PERSON_KEY);
		if (address.searchParams.has('as')) location.assign('?');
	},
);
