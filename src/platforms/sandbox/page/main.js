import { newId, send, speak } from './api.js';
import { createComposer } from './composer.js';
import { openForm, openPictures, openRewrite } from './dialogs.js';
import { announce, byId, h, icon } from './dom.js';
import { createHistory } from './history.js';
import { openMenu } from './menu.js';
import { createSidebar } from './sidebar.js';
import { createState } from './state.js';

/** @typedef {import('../server/view.ts').MessageView} Message */

const EXAMPLES = [
	'a red fox in the snow at dusk',
	'a lighthouse in a storm, in linocut',
	'a quiet harbour at sunrise, mist on the water',
];

const PEOPLE_KEY = 'easel.person';
const languageKey = () => `easel.language.${me}`;
const address = new URL(location.href);
const me = address.searchParams.get('as') ?? localStorage.getItem(PEOPLE_KEY) ?? 'ada';

/** A little longer than the bot waits before it says anew that it is writing. */
const TYPING_MS = 10_000;
let typingTimer = 0;

speak(localStorage.getItem(languageKey()) ?? '');
const state = createState(me);
let room = decodeURIComponent(location.hash.slice(1));
/** Presses of this tab, whose forms it shows. @type {Set<string>} */
const presses = new Set();
/** @type {{ take(files: File[]): number } | undefined} */
let form;

const composer = createComposer(state, () => room, directory);
const sidebar = createSidebar(state, {
	open: enter,
	/** Who one is stands in the address, so that each tab can be somebody else. */
	become(person) {
		localStorage.setItem(PEOPLE_KEY, person);
		location.assign(`?as=${encodeURIComponent(person)}#${encodeURIComponent(room)}`);
	},
	moderate(on) {
		const { server } = state.find(room);
		attempt(send('moderators', { server: server.id, person: me, moderator: on }, 'PUT'));
	},
	/** Each person reads their own language, so that several can be tried beside each other. */
	speak(language) {
		localStorage.setItem(languageKey(), language);
		speak(language);
		state.load();
	},
	look: (look) => attempt(send('look', { look }, 'PUT')),
});
const history = createHistory(
	state,
	{
		press,
		menu,
		enlarge: openPictures,
		open: enter,
		dismiss: (message) => remove(message),
		show: (number) => history.show(number),
	},
	emptyState,
);

/** @param {Promise<any>} request */
const attempt = (request) => request.catch((failure) => composer.fail(failure.message));

function directory() {
	const { server } = state.find(room) ?? { server: state.servers[0] };
	return { people: state.people, channels: server.channels, roles: server.roles };
}

/** @param {string} next */
async function enter(next) {
	const from = room;
	room = state.find(next) ? next : state.servers[0].channels[0].id;
	if (location.hash !== `#${room}`) window.history.replaceState(null, '', `${location.search}#${room}`);
	const { channel, thread } = state.find(room);
	const label = thread ? thread.title : `#${channel.name}`;
	byId('title').replaceChildren(
		...(thread
			? [h('button.crumb', { type: 'button', onclick: () => enter(channel.id) }, `#${channel.name}`), ' › ']
			: []),
		thread ? thread.title : h('span', {}, h('span.mark', { 'aria-hidden': 'true' }, '#'), channel.name),
	);
	byId('topic').textContent = thread ? `A thread in #${channel.name}` : channel.topic;
	document.title = `${label} · Easel`;
	composer.move(from, room, thread ? 'Reply in this thread' : `Message ${label}`);
	byId('typing').hidden = true;
	sidebar.draw(room);
	await history.enter(room).catch((failure) => composer.fail(failure.message));
	sidebar.draw(room);
	if (matchMedia('(pointer: fine)').matches) composer.focus();
}

/** @param {Message} message @param {string} button @param {HTMLElement} from */
async function press(message, button, from) {
	if (from.ariaDisabled === 'true') return;
	from.ariaDisabled = 'true';
	const id = newId();
	presses.add(id);
	await attempt(send('presses', { as: me, room: message.room, number: message.number, id, button }));
	from.ariaDisabled = null;
}

/** @param {Message} message */
const remove = (message) => attempt(send('removals', { as: me, room: message.room, number: message.number }));

/** The icon of a menu entry that leads to this command. @param {string} command */
const iconOf = (command) => (command === 'compose' ? 'layers' : 'brush');

/** @param {Message} message @param {HTMLElement} from */
function menu(message, from) {
	const { server, thread } = state.find(room);
	const mine = message.author === me || message.private || state.moderates(server.id);
	const pictures = message.files.some(({ type }) => type.startsWith('image/'));
	const entries = [];
	if (!message.private) entries.push({ label: 'Reply', icon: 'reply', run: () => composer.reply(message) });
	if (!thread && !message.private)
		entries.push({
			label: message.thread ? 'Open thread' : 'Start a thread',
			icon: 'thread',
			run: async () => {
				const opened = message.thread ?? (await attempt(send('threads', { as: me, room, number: message.number })));
				if (!opened) return;
				const { channel } = state.find(message.room);
				if (!state.find(opened.id)) channel.threads.unshift(opened);
				enter(opened.id);
			},
		});
	for (const { button, name, command, needsPictures } of state.menu)
		if (pictures || !needsPictures)
			entries.push({ label: name, icon: iconOf(command), run: () => press(message, button, from) });
	if (message.text) entries.push({ label: 'Copy text', icon: 'copy', run: () => copy(message.text) });
	if (message.author === me)
		entries.push({
			label: 'Edit message',
			icon: 'brush',
			run: () => openRewrite(message, state, state.limits[state.settings.look].text),
		});
	if (mine)
		entries.push({
			label: message.private ? 'Dismiss' : 'Delete',
			icon: 'trash',
			danger: true,
			run: () => remove(message),
		});
	openMenu(from, entries);
}

/** @param {string} text */
async function copy(text) {
	try {
		await navigator.clipboard.writeText(text);
		announce('Copied');
	} catch {
		composer.fail('The browser did not let the text be copied.');
	}
}

function emptyState() {
	const { channel, thread } = state.find(room);
	const imagine = state.commands.some(({ name }) => name === 'imagine');
	const examples = EXAMPLES.map((prompt) => {
		const button = h('button.example', { type: 'button', onclick: () => composer.run('imagine', { prompt }) });
		button.append(h('code', {}, '/imagine'), ` ${prompt}`);
		return button;
	});
	return h(
		'div.empty',
		{},
		h('img', { src: '/sandbox/easel.svg', alt: '', width: 72, height: 72 }),
		h('h3', {}, thread ? 'A thread of its own' : 'A blank canvas'),
		h(
			'p',
			{},
			`Nothing in ${thread ? 'this thread' : `#${channel.name}`} yet. `,
			imagine ? 'Try one of these, or write your own.' : 'Say hello.',
		),
		imagine && h('div.examples', {}, ...examples),
		imagine && h('p.tip', {}, 'Or drop a picture anywhere to edit it, two or three to compose them.'),
	);
}

state.subscribe((name, data) => {
	if (name === 'loaded') {
		enter(room);
		composer.ready();
	}
	if (name === 'online') byId('offline').hidden = data;
	if (name === 'message') {
		history.changed(data);
		sidebar.draw(room);
	}
	if (name === 'typing') showTyping(data.room);
	if (name === 'message' && data.author === state.bot) showTyping(undefined, data.room);
	if (name === 'removed') history.removed(data);
	if (name === 'settings' || name === 'thread' || name === 'read') sidebar.draw(room);
	if (name === 'form' && presses.delete(data.press)) form = openForm(data.form, data.room, state, directory());
});

/** Shows for a while that the bot is writing here; until what it wrote is there. @param {string} [typing] @param {string} [arrived] */
function showTyping(typing, arrived) {
	if (typing ? typing !== room : arrived !== room) return;
	clearTimeout(typingTimer);
	byId('typing').hidden = !typing;
	if (typing) typingTimer = window.setTimeout(() => (byId('typing').hidden = true), TYPING_MS);
}

/** Files that are dropped or pasted anywhere: into the open form, else to the composer. @param {File[]} files */
function take(files) {
	if (files.length === 0) return;
	if (document.querySelector('dialog[open] form')) form?.take(files);
	else if (!document.querySelector('dialog[open]')) composer.take(files);
}

let entered = 0;
const hasFiles = (/** @type {DragEvent} */ event) => event.dataTransfer?.types.includes('Files');
const setDropping = (/** @type {number} */ depth) => {
	entered = Math.max(0, depth);
	document.body.classList.toggle('dropping', entered > 0);
};
addEventListener('dragenter', (event) => hasFiles(event) && setDropping(entered + 1));
addEventListener('dragleave', (event) => hasFiles(event) && setDropping(entered - 1));
addEventListener('dragover', (event) => hasFiles(event) && event.preventDefault());
document.addEventListener('dropped', () => setDropping(0));
addEventListener('drop', (event) => {
	if (!hasFiles(event)) return;
	event.preventDefault();
	setDropping(0);
	take([...(event.dataTransfer?.files ?? [])]);
});
addEventListener('paste', (event) => {
	const files = [...(event.clipboardData?.files ?? [])];
	// Programs that copy text often add a picture of it; then the text is meant.
	if (files.length === 0 || event.clipboardData?.types.includes('text/plain')) return;
	event.preventDefault();
	take(files);
});
addEventListener('hashchange', () => {
	const next = decodeURIComponent(location.hash.slice(1));
	if (next !== room && state.find(next)) enter(next);
});

const theme = byId('theme');
/** @param {string | null} chosen `light`, `dark`, or null as the system has it */
function setTheme(chosen) {
	if (chosen) document.documentElement.dataset.theme = chosen;
	const dark = chosen ? chosen === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
	theme.replaceChildren(icon(dark ? 'sun' : 'moon'));
	theme.setAttribute('aria-label', dark ? 'Light colours' : 'Dark colours');
	theme.onclick = () => {
		localStorage.setItem('easel.theme', dark ? 'light' : 'dark');
		setTheme(dark ? 'light' : 'dark');
	};
}
setTheme(localStorage.getItem('easel.theme'));
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () =>
	setTheme(localStorage.getItem('easel.theme')),
);

state.load().then(
	() => address.searchParams.get('as') !== me && window.history.replaceState(null, '', `?as=${me}#${room}`),
	// Nobody of that name: an address or a memory must not lock the page out.
	() => {
		localStorage.removeItem(PEOPLE_KEY);
		if (address.searchParams.has('as')) location.assign('?');
	},
);
