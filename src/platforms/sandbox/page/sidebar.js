import { byId, h, icon } from './dom.js';
import { avatar } from './message.js';

/**
 * Servers, channels with their threads, and who one is.
 * @param {any} state
 * @param {{ open(room: string): void, become(person: string): void, moderate(on: boolean): void, speak(language: string): void, look(look: string): void }} doings
 */
export function createSidebar(state, doings) {
	const drawer = byId('drawer');
	const toggle = byId('drawer-toggle');
	const scrim = byId('scrim');
	toggle.append(icon('menu'));

	/** @param {boolean} open */
	function setDrawer(open) {
		document.body.classList.toggle('drawer-open', open);
		toggle.setAttribute('aria-expanded', String(open));
		if (open) drawer.querySelector('button')?.focus();
	}
	toggle.addEventListener('click', () => setDrawer(toggle.getAttribute('aria-expanded') !== 'true'));
	scrim.addEventListener('click', () => setDrawer(false));
	drawer.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => {
		if (event.key !== 'Escape') return;
		setDrawer(false);
		toggle.focus();
	});
	byId('language').addEventListener('change', (/** @type {any} */ event) => doings.speak(event.target.value));
	byId('moderator').addEventListener('change', (/** @type {any} */ event) => doings.moderate(event.target.checked));

	/** @param {string} id @param {string} name @param {string} room @param {string} mark @param {string} current */
	function link(id, name, room, mark, current) {
		const unread = id !== current && state.unread(id);
		const button = h('button.channel', { type: 'button' });
		button.addEventListener('click', () => {
			setDrawer(false);
			doings.open(room);
		});
		button.append(h('span.mark', { 'aria-hidden': 'true' }, mark), h('span.label', {}, name));
		if (unread) button.append(h('span.hidden', {}, 'unread'));
		button.classList.toggle('unread', unread);
		if (id === current) button.setAttribute('aria-current', 'page');
		return button;
	}

	/** @param {string} current the room shown */
	function draw(current) {
		const here = state.find(current);
		if (!here) return;
		const focused = document.activeElement?.getAttribute('data-key');

		const servers = state.servers.map((/** @type {any} */ server) => {
			const rooms = server.channels.flatMap((/** @type {any} */ channel) => [channel, ...channel.threads]);
			const unread = server !== here.server && rooms.some((/** @type {any} */ room) => state.unread(room.id));
			const button = h('button.server', {
				type: 'button',
				'data-key': `server-${server.id}`,
				'aria-label': unread ? `${server.name}, unread` : server.name,
				title: server.name,
				onclick: () => doings.open(server.channels[0].id),
			});
			button.append(
				server.name
					.split(' ')
					.map((/** @type {string} */ word) => word[0])
					.join(''),
			);
			button.classList.toggle('unread', unread);
			if (server === here.server) button.setAttribute('aria-current', 'true');
			return button;
		});
		byId('servers').replaceChildren(...servers);

		byId('server-name').textContent = here.server.name;
		const list = h('ul');
		for (const channel of here.server.channels) {
			const item = h('li', {}, link(channel.id, channel.name, channel.id, '#', current));
			const threads = channel.threads.slice(0, 8);
			if (here.thread && here.channel === channel && !threads.includes(here.thread)) threads.push(here.thread);
			if (threads.length)
				item.append(
					h(
						'ul',
						{},
						...threads.map((/** @type {any} */ thread) =>
							h('li', {}, link(thread.id, thread.title, thread.id, '↳', current)),
						),
					),
				);
			list.append(item);
		}
		byId('channels').replaceChildren(list);
		for (const [index, button] of list.querySelectorAll('button').entries())
			button.setAttribute('data-key', `channel-${index}`);

		const faces = state.people.map(({ id, name }) => {
			const radio = h('input.hidden', {
				type: 'radio',
				name: 'person',
				'data-key': `person-${id}`,
				checked: id === state.me,
				onchange: () => doings.become(id),
			});
			const mark = state.settings.moderators[here.server.id]?.includes(id) ? ', moderator' : '';
			return h('label.face', { title: name + mark }, radio, avatar(id, name), h('span.face-name', {}, name));
		});
		byId('people').replaceChildren(...faces);
		byId('moderator').checked = state.moderates(here.server.id);

		const chosen = localStorage.getItem(`easel.language.${state.me}`) ?? '';
		const languages = ['', ...state.languages].map((language) =>
			h('option', { value: language, selected: language === chosen }, languageName(language)),
		);
		byId('language').replaceChildren(...languages);

		const looks = ['discord', 'slack'].map((look) =>
			h(
				'label.segment',
				{},
				h('input.hidden', {
					type: 'radio',
					name: 'look',
					'data-key': `look-${look}`,
					checked: state.settings.look === look,
					onchange: () => doings.look(look),
				}),
				h('span', {}, look === 'discord' ? 'Discord' : 'Slack'),
			),
		);
		byId('looks').replaceChildren(...looks);
		const { text, pictures, pictureBytes, edits } = state.limits[state.settings.look];
		const mebibytes = pictureBytes / 2 ** 20;
		const size = mebibytes < 1024 ? `${mebibytes} MiB` : `${mebibytes / 1024} GiB`;
		const pace = `${edits.count} edits in ${edits.perMs / 1000} s`;
		byId('look-limits').textContent =
			`${text.toLocaleString('en')} characters, ${pictures} pictures of ${size}, ${pace}`;
		document.documentElement.dataset.look = state.settings.look;
		if (focused) /** @type {HTMLElement | null} */ (document.querySelector(`[data-key="${focused}"]`))?.focus();
	}

	return { draw };
}

/** As those who speak it call it. @param {string} language */
const languageName = (language) =>
	language ? new Intl.DisplayNames(language, { type: 'language' }).of(language) : 'as the browser';
