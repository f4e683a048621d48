import { get, listen, RECONNECT_MS } from './api.js';

/** @typedef {import('../server/view.ts').MessageView} Message */
/** @typedef {{ messages: Map<number, Message>, gone: Set<number>, more: boolean, loaded: boolean, origin?: Message }} Log */

/**
 * What the page knows: the server's snapshot, kept current by its events. Listeners are told what changed, by name.
 * @param {string} me
 */
export function createState(me) {
	/** @type {((name: string, data: any) => void)[]} */
	const listeners = [];
	/** @type {Map<string, Log>} */
	const logs = new Map();
	const readKey = `easel.read.${me}`;
	let stop = () => {};

	const state = {
		me,
		/** @type {any[]} */
		servers: [],
		/** @type {{ id: string, name: string }[]} */
		people: [],
		/** @type {import('./raw.js').CommandDescription[]} */
		commands: [],
		/** The entries that the menu of a message has. @type {import('../../../domain/message-menu.ts').MessageMenuEntry[]} */
		menu: [],
		/** BCP 47, those that answers can be in. @type {string[]} */
		languages: [],
		bot: 'easel',
		/** @type {any} */
		settings: { look: 'discord', moderators: {} },
		/** @type {any} */
		limits: {},
		/** The last message of each room that I may see. @type {Record<string, number>} */
		latest: {},
		/** The last message of each room that I saw. @type {Record<string, number>} */
		read: JSON.parse(localStorage.getItem(readKey) ?? '{}'),

		/** @param {(name: string, data: any) => void} listener */
		subscribe(listener) {
			listeners.push(listener);
		},

		/** Loads everything anew, and listens from there on; tries again while the bot does not answer. */
		async load() {
			stop();
			/** @type {any} */
			let answer;
			while (!answer)
				answer = await get('state', { as: me }).catch(async (refusal) => {
					if (refusal.status === 404) throw refusal;
					tell('online', false);
					await new Promise((resolve) => setTimeout(resolve, RECONNECT_MS));
				});
			const { cursor, ...snapshot } = answer;
			Object.assign(state, snapshot);
			logs.clear();
			// What was read of a store that is no more counts for nothing in a new one.
			for (const room of Object.keys(state.read))
				state.read[room] = Math.min(state.read[room], state.latest[room] ?? 0);
			stop = listen(me, cursor, heard, (online) => tell('online', online));
			tell('loaded', undefined);
		},

		/** @param {string} room @returns {Log} */
		log(room) {
			const log = logs.get(room) ?? { messages: new Map(), gone: new Set(), more: true, loaded: false };
			logs.set(room, log);
			return log;
		},

		/** Fetches the messages before those known; the newest at first. @param {string} room */
		async older(room) {
			const log = state.log(room);
			const before = log.messages.size && log.loaded ? Math.min(...log.messages.keys()) : undefined;
			const answer = await get(`rooms/${encodeURIComponent(room)}/messages`, { as: me, ...(before && { before }) });
			for (const message of answer.messages) upsert(message);
			log.more = answer.more;
			log.loaded = true;
			log.origin = answer.origin;
		},

		/** @param {string} room */
		markRead(room) {
			const last = Math.max(state.latest[room] ?? 0, ...state.log(room).messages.keys());
			if ((state.read[room] ?? 0) >= last) return;
			state.read[room] = last;
			localStorage.setItem(readKey, JSON.stringify(state.read));
			tell('read', room);
		},

		/** @param {string} room */
		unread: (room) => (state.latest[room] ?? 0) > (state.read[room] ?? 0),

		/** @param {Message} message */
		add(message) {
			if (upsert(message)) tell('message', message);
		},

		/** The server and channel of a channel's or a thread's id. @param {string} room @returns {any} */
		find(room) {
			for (const server of state.servers)
				for (const channel of server.channels) {
					if (channel.id === room) return { server, channel };
					const thread = channel.threads.find((/** @type {any} */ each) => each.id === room);
					if (thread) return { server, channel, thread };
				}
			return undefined;
		},

		/** @param {string} id */
		nameOf: (id) => (id === state.bot ? 'Easel' : (state.people.find((person) => person.id === id)?.name ?? id)),
		/** @param {string} server */
		moderates: (server) => Boolean(state.settings.moderators[server]?.includes(me)),
	};

	/** Whether it was news. @param {Message} message */
	function upsert(message) {
		const { messages, gone } = state.log(message.room);
		if (gone.has(message.number)) return false;
		const known = messages.get(message.number);
		if (known && known.revision >= message.revision) return false;
		messages.set(message.number, message);
		state.latest[message.room] = Math.max(state.latest[message.room] ?? 0, message.number);
		return true;
	}

	/** @param {string} name @param {any} data */
	function tell(name, data) {
		for (const listener of listeners) listener(name, data);
	}

	/** @param {string} name @param {any} data */
	function heard(name, data) {
		if (name === 'reset') return void state.load();
		if (name === 'message') return state.add(data);
		if (name === 'removed') {
			// Remembered, as a page of history that is under way may still hold it.
			state.log(data.room).gone.add(data.number);
			state.log(data.room).messages.delete(data.number);
		}
		if (name === 'settings') state.settings = data;
		if (name === 'thread') {
			const channel = state.find(data.channel)?.channel;
			if (channel && !state.find(data.id)) channel.threads.unshift(data);
		}
		tell(name, data);
	}

	return state;
}
