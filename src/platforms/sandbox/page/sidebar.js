import { byId, h } from './dom.js';
import { icon } from './icons.js';
import { avatar } from './messages/avatar.js';
import { renderSettings } from './settings-panel.js';
import { t } from './texts.js';

/** How many threads a channel lists. */
const MAX_THREADS = 8;

/**
 * The servers, the channels with their threads, and the settings of the person.
 * @typedef {{
 *   open(channel: string): void,
 *   becomePerson(person: string): void,
 *   setModerator(isModerator: boolean): void,
 *   setLanguage(language: string): void,
 *   emulate(platform: string): void,
 * }} SidebarHandlers
 */
export class Sidebar {
	#state;
	#handlers;
	#drawer = byId('drawer');
	#toggle = byId('drawer-toggle');

	/** @param {import('./state.js').PageState} state @param {SidebarHandlers} handlers */
	constructor(state, handlers) {
		this.#state = state;
		this.#handlers = handlers;
		this.#toggle.append(icon('menu'));
		this.#toggle.addEventListener('click', () =>
			this.#openDrawer(this.#toggle.getAttribute('aria-expanded') !== 'true'),
		);
		byId('scrim').addEventListener('click', () => this.#openDrawer(false));
		this.#drawer.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => {
			if (event.key !== 'Escape') return;
			this.#openDrawer(false);
			this.#toggle.focus();
		});
		byId('language').addEventListener('change', (/** @type {any} */ event) => handlers.setLanguage(event.target.value));
		byId('moderator').addEventListener('change', (/** @type {any} */ event) =>
			handlers.setModerator(event.target.checked),
		);
	}

	/** @param {string} current the id of the channel or thread that is shown */
	draw(current) {
		const found = this.#state.find(current);
		if (!found) return;
		const focused = document.activeElement?.getAttribute('data-key');
		byId('servers').replaceChildren(...this.#state.servers.map((server) => this.#server(server, found.server)));
		byId('server-name').textContent = found.server.name;
		this.#drawChannels(found, current);
		this.#drawPeople(found.server);
		renderSettings(this.#state, found.server, this.#handlers);
		if (focused) /** @type {HTMLElement | null} */ (document.querySelector(`[data-key="${focused}"]`))?.focus();
	}

	/** @param {boolean} isOpen */
	#openDrawer(isOpen) {
		document.body.classList.toggle('drawer-open', isOpen);
		this.#toggle.setAttribute('aria-expanded', String(isOpen));
		if (isOpen) this.#drawer.querySelector('button')?.focus();
	}

	/** @param {any} server @param {any} current */
	#server(server, current) {
		const ids = server.channels.flatMap((/** @type {any} */ channel) => [channel, ...channel.threads]);
		const isUnread = server !== current && ids.some((/** @type {any} */ { id }) => this.#state.isUnread(id));
		const button = h('button.server', {
			type: 'button',
			'data-key': `server-${server.id}`,
			'aria-label': isUnread ? t('sandbox.settings.unreadServer', { server: server.name }) : server.name,
			title: server.name,
			onclick: () => this.#handlers.open(server.channels[0].id),
		});
		const words = server.name.split(' ');
		button.dataset.initials = words.map((/** @type {string} */ word) => word[0]).join('');
		button.classList.toggle('unread', isUnread);
		if (server === current) button.setAttribute('aria-current', 'true');
		return button;
	}

	/** @param {any} found @param {string} current */
	#drawChannels({ server, channel: parent, thread: shown }, current) {
		const list = h('ul');
		for (const channel of server.channels) {
			const item = h('li', {}, this.#link(channel.id, channel.name, channel.direct ? '@' : '#', current));
			const threads = channel.threads.slice(0, MAX_THREADS);
			if (shown && parent === channel && !threads.includes(shown)) threads.push(shown);
			const links = threads.map((/** @type {any} */ { id, title }) => h('li', {}, this.#link(id, title, '↳', current)));
			if (links.length) item.append(h('ul', {}, ...links));
			list.append(item);
		}
		byId('channels').replaceChildren(list);
		for (const [index, button] of list.querySelectorAll('button').entries())
			button.setAttribute('data-key', `channel-${index}`);
	}

	/** @param {string} id @param {string} name @param {string} mark @param {string} current */
	#link(id, name, mark, current) {
		const isUnread = id !== current && this.#state.isUnread(id);
		const button = h('button.channel', { type: 'button' });
		button.addEventListener('click', () => {
			this.#openDrawer(false);
			this.#handlers.open(id);
		});
		button.append(h('span.mark', { 'aria-hidden': 'true' }, mark), h('span.label', {}, name));
		if (isUnread) button.append(h('span.hidden', {}, t('sandbox.settings.unread')));
		button.classList.toggle('unread', isUnread);
		if (id === current) button.setAttribute('aria-current', 'page');
		return button;
	}

	/** @param {any} server */
	#drawPeople(server) {
		const faces = this.#state.people.map(({ id, name }) => {
			const radio = h('input.hidden', {
				type: 'radio',
				name: 'person',
				'data-key': `person-${id}`,
				checked: id === this.#state.me,
				onchange: () => this.#handlers.becomePerson(id),
			});
			const isModerator = this.#state.settings.moderators[server.id]?.includes(id);
			const title = isModerator ? t('sandbox.settings.moderatorName', { name }) : name;
			return h('label.face', { title }, radio, avatar(id, name), h('span.face-name', {}, name));
		});
		byId('people').replaceChildren(...faces);
	}
}
