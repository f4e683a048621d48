import { get, listen, RECONNECT_MS } from './api.js';

/** @typedef {import('../server/view.ts').MessageView} Message */
/** @typedef {{ messages: Map<number, Message>, removed: Set<number>, more: boolean, loaded: boolean, origin?: Message }} Log */

/** The server's snapshot, kept current by its events. Listeners get the name of each change. */
export class PageState {
	/** @type {any[]} */
	servers = [];
	/** @type {{ id: string, name: string }[]} */
	people = [];
	/** @type {import('../../../domain/command.ts').CommandDescription[]} */
	commands = [];
	/** The entries of the menu of a message. @type {import('../../../domain/command.ts').MessageMenuEntry[]} */
	menu = [];
	/** The languages of answers, BCP 47. @type {string[]} */
	languages = [];
	bot = 'easel';
	/** @type {any} */
	settings = { emulates: 'discord', moderators: {} };
	/** @type {any} */
	limits = {};
	/** The number of the last message of each channel that this person may see. @type {Record<string, number>} */
	latest = {};
	/** The number of the last message of each channel that this person has seen. @type {Record<string, number>} */
	read;

	/** @type {((name: string, data: any) => void)[]} */
	#listeners = [];
	/** @type {Map<string, Log>} */
	#logs = new Map();
	#readKey;
	#stop = () => {};

	/** @param {string} me the id of the person of this page */
	constructor(me) {
		this.me = me;
		this.#readKey = `easel.read.${me}`;
		this.read = JSON.parse(localStorage.getItem(this.#readKey) ?? '{}');
	}

	/** @param {(name: string, data: any) => void} listener */
	subscribe(listener) {
		this.#listeners.push(listener);
	}

	/** Loads the snapshot and listens for events from there on. Tries again while the bot does not answer. */
	async load() {
		this.#stop();
		const { cursor, ...snapshot } = await this.#snapshot();
		Object.assign(this, snapshot);
		this.#logs.clear();
		// Numbers that were read in another store do not count in this one.
		for (const channel of Object.keys(this.read))
			this.read[channel] = Math.min(this.read[channel], this.latest[channel] ?? 0);
		this.#stop = listen(
			this.me,
			cursor,
			(name, data) => this.#receive(name, data),
			(isOnline) => this.#notify('online', isOnline),
		);
		this.#notify('loaded', undefined);
	}

	/** @param {string} channel @returns {Log} */
	log(channel) {
		const log = this.#logs.get(channel) ?? { messages: new Map(), removed: new Set(), more: true, loaded: false };
		this.#logs.set(channel, log);
		return log;
	}

	/** Fetches the messages before those that are loaded; the newest at first. @param {string} channel */
	async loadOlder(channel) {
		const log = this.log(channel);
		const before = log.messages.size && log.loaded ? Math.min(...log.messages.keys()) : undefined;
		const path = `channels/${encodeURIComponent(channel)}/messages`;
		const answer = await get(path, { as: this.me, ...(before && { before }) });
		for (const message of answer.messages) this.#upsert(message);
		log.more = answer.more;
		log.loaded = true;
		log.origin = answer.origin;
	}

	/** @param {string} channel */
	markRead(channel) {
		const last = Math.max(this.latest[channel] ?? 0, ...this.log(channel).messages.keys());
		if ((this.read[channel] ?? 0) >= last) return;
		this.read[channel] = last;
		localStorage.setItem(this.#readKey, JSON.stringify(this.read));
		this.#notify('read', channel);
	}

	/** @param {string} channel */
	isUnread(channel) {
		return (this.latest[channel] ?? 0) > (this.read[channel] ?? 0);
	}

	/** @param {Message} message */
	add(message) {
		if (this.#upsert(message)) this.#notify('message', message);
	}

	/** Returns the server and channel of the id of a channel or thread, and the thread. @param {string} id @returns {any} */
	find(id) {
		for (const server of this.servers)
			for (const channel of server.channels) {
				if (channel.id === id) return { server, channel };
				const thread = channel.threads.find((/** @type {any} */ each) => each.id === id);
				if (thread) return { server, channel, thread };
			}
		return undefined;
	}

	/** @param {string} id */
	nameOf(id) {
		return id === this.bot ? 'Easel' : (this.people.find((person) => person.id === id)?.name ?? id);
	}

	/** @param {string} server */
	isModerator(server) {
		return Boolean(this.settings.moderators[server]?.includes(this.me));
	}

	async #snapshot() {
		for (;;) {
			try {
				return await get('state', { as: this.me });
			} catch (error) {
				if (/** @type {any} */ (error).status === 404) throw error;
				this.#notify('online', false);
				await new Promise((resolve) => setTimeout(resolve, RECONNECT_MS));
			}
		}
	}

	/** Returns false for a version that is already known. @param {Message} message */
	#upsert(message) {
		const { messages, removed } = this.log(message.channel);
		if (removed.has(message.number)) return false;
		const existing = messages.get(message.number);
		if (existing && existing.revision >= message.revision) return false;
		messages.set(message.number, message);
		this.latest[message.channel] = Math.max(this.latest[message.channel] ?? 0, message.number);
		return true;
	}

	/** @param {string} name @param {any} data */
	#notify(name, data) {
		for (const listener of this.#listeners) listener(name, data);
	}

	/** @param {string} name @param {any} data */
	#receive(name, data) {
		if (name === 'reset') return void this.load();
		if (name === 'message') return this.add(data);
		if (name === 'removed') {
			// Remembered, since a page of the history that is being loaded may still include it.
			this.log(data.channel).removed.add(data.number);
			this.log(data.channel).messages.delete(data.number);
		}
		if (name === 'settings') this.settings = data;
		if (name === 'thread') {
			const channel = this.find(data.channel)?.channel;
			if (channel && !this.find(data.id)) channel.threads.unshift(data);
		}
		this.#notify(name, data);
	}
}
