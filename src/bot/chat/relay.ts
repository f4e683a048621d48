import { setTimeout as sleep } from 'node:timers/promises';
import { translatorFor } from '../../i18n/translator.ts';
import type { Job } from '../../usage/job.ts';
import type { Lease } from '../../usage/lease.ts';
import { type Pressed, readButton } from '../buttons.ts';
import { type ThreadOpening, threadTitle } from '../command.ts';
import type { Core } from '../core.ts';
import type { Channel, Invocation, Message, MessageChange, Person, Place, Press, Somewhere } from '../platform.ts';
import { createAnswering, mayRule, NOT_YOURS } from './answering.ts';
import { type Answer, type Conversation, type Conversations, type Said, threadKey } from './conversations.ts';
import { drawingIn } from './drawing.ts';
import { clipped } from './history.ts';
import { forgotten, mentionsButton, mentionsWords, openingWords, whatToDo } from './words.ts';

/** Messages that follow each other this closely are one turn. */
const FOLLOW_UP_MS = 1500;

/** However many keep writing, the first of them does not wait longer than so many pauses. */
const MOST_PAUSES = 4;

/** What makes the bot forget, said to it alone. */
const FORGET = /^forget( everything)?[.!]?$/i;

/** What a prompt takes: the service's limit. */
const MAX_PROMPT_CHARACTERS = 2000;

/** How something ended, in a word for whoever counts; or what is still to be said or done. */
type Ended = string | NonNullable<Pressed>;

/** Chat threads ↔ chat completions. What idles is in the store alone. */
export type Relay = {
	/** `/chat`: opens a thread, and answers the prompt there. */
	open(opening: ThreadOpening, invocation: Pick<Invocation, 'id' | 'person' | 'channel'>): Promise<Ended>;
	/** Whether a message is one for the bot to read: it is in a thread of ours or to the bot alone, or it calls the bot. */
	concerns(message: Message): Promise<boolean>;
	/** A message that concerns us. Resolves when it is answered: where it was written, or in the thread that it opens. */
	hear(message: Message): Promise<Ended>;
	/** A button of ours; undefined when it is none. */
	press(press: Press): Promise<Ended> | undefined;
	changed(change: MessageChange): Promise<void>;
	forget(where: Somewhere): Promise<void>;
	/** Ends an answer that a process which is gone has left half written. */
	interrupted(job: Job): Promise<void>;
	/** Answers what waited for a process that is gone. */
	resume(): Promise<void>;
	/** How many threads have something going on: all that is held in memory. */
	busy(): number;
};

/** A thread with something going on. */
type Busy = {
	channel: Channel;
	/** Somebody has written since the last turn began. */
	again: boolean;
	/** When the next turn begins, and when at the latest; `performance.now()`. */
	due: number;
	latest: number;
	done: Promise<string>;
};

export function createRelay(parts: {
	core: Core;
	conversations: Conversations;
	lease: Lease;
	followUpMs?: number | undefined;
	/** Told of work that nobody waits for. */
	track: (work: Promise<unknown>) => void;
}): Relay {
	const { core, conversations, lease, followUpMs = FOLLOW_UP_MS } = parts;
	const answering = createAnswering(core, conversations, lease);
	const threads = new Map<string, Busy>();

	/** Sees to it that what waits in a thread is answered. Resolves when all is. */
	function attend(place: Place, channel: Channel, waitMs: number, first?: () => Promise<string>): Promise<string> {
		const key = threadKey(place);
		const now = performance.now();
		const latest = now + followUpMs * MOST_PAUSES;
		const there = threads.get(key);
		if (there) {
			if (!there.again) there.latest = latest;
			Object.assign(there, { channel, again: true, due: Math.min(now + waitMs, there.latest) });
			return there.done;
		}
		// Whoever writes sees at once that it was heard; whether more comes is waited for.
		if (waitMs > 0) void channel.typing?.().catch(() => {});
		const busy = { channel, again: true, due: now + waitMs, latest } as Busy;
		threads.set(key, busy);
		busy.done = drive(place, busy, first).finally(() => threads.get(key) === busy && threads.delete(key));
		return busy.done;
	}

	async function drive(place: Place, busy: Busy, first?: () => Promise<string>): Promise<string> {
		let ended = (await first?.()) ?? 'answered';
		while (busy.again) {
			await Promise.all([conversations.wait(place, lease.process), quiet(busy)]);
			// After an answer one more look: what another process has heard meanwhile, it leaves to this one.
			for (let answered = true; busy.again || answered; ) {
				await quiet(busy);
				busy.again = false;
				const state = await answering.next(place, busy.channel);
				answered = state !== undefined;
				ended = state ?? ended;
			}
			// Whoever writes in this very moment sets `again` once more.
			await conversations.waitNoLonger(place);
		}
		threads.delete(threadKey(place));
		return ended;
	}

	async function quiet(busy: Busy) {
		for (let ms = 1; ms > 0 && !core.stopping.aborted; ) {
			ms = busy.due - performance.now();
			if (ms > 0) await sleep(ms, undefined, { signal: core.stopping }).catch(() => {});
		}
	}

	async function wipe(place: Place) {
		const here = threadKey(place);
		// What waits is not answered any more; what was begun may have written something down until it ended.
		await conversations.clear(place);
		answering.stopWhere((other) => threadKey(other) === here);
		await threads.get(here)?.done.catch(() => {});
		await conversations.clear(place);
	}

	async function answerIn(place: Place, key: string): Promise<Answer | undefined> {
		const { entries } = await conversations.read(place);
		return entries.find((entry): entry is Answer => entry.kind === 'answer' && entry.key === key);
	}

	async function greet(channel: Channel, id: string, person: Person, conversation: Conversation, prompt?: string) {
		await conversations.set(conversation);
		const { platform, server, channel: where, direct } = conversation.place;
		// Slack makes a thread of every message to the bot alone.
		if (direct && !(await conversations.once(`greeted:${platform}:${server}:${where}`))) return;
		const t = translatorFor(person.locale);
		const text = openingWords(t, person, prompt, conversation);
		const buttons = direct ? [] : [mentionsButton(t, conversation.mentionsOnly)];
		await channel.post({ text, buttons }, `${id}.open`);
	}

	/** Whoever calls the bot in a channel is answered in a thread. */
	async function called(message: Message): Promise<Ended> {
		const { id, text, person, channel } = message;
		const t = translatorFor(person.locale);
		const notAllowed = await core.allow.chat({ channel, person, text });
		if (notAllowed !== undefined) return say(notAllowed);
		if (FORGET.test(text.trim()))
			return say(t('I remember nothing of this channel: write `forget` in the thread that it is about.'));
		if (drawingIn(message) === 'no instruction') return say(whatToDo(t));
		// One delivered twice opens no second thread.
		if (!(await conversations.once(`${channel.place.platform}:${id}`))) return 'duplicate';
		const title = text.trim() || t('Chat with {name}', { name: person.name });
		const thread = await channel.openThread(threadTitle(title));
		const ended = await listen({ ...message, channel: thread });
		if (typeof ended === 'string' || !('say' in ended)) return ended;
		await thread.post(ended.say, id);
		return 'answered';
	}

	/** A message in a thread, or to the bot alone. */
	async function listen(message: Message): Promise<Ended> {
		const { id, person, channel, addressed } = message;
		const { place } = channel;
		const t = translatorFor(person.locale);
		const text = message.text.trim();
		let conversation = await conversations.find(place);
		const wanted = addressed || place.direct === true || conversation?.mentionsOnly === false;
		const notAllowed = await core.allow.chat({ channel, person, text });
		if (notAllowed !== undefined) return wanted ? say(notAllowed) : 'unasked';
		if (!conversation) {
			conversation = { place, mentionsOnly: false };
			await greet(channel, id, person, conversation);
		}
		if (wanted && FORGET.test(text)) return forgetThread(place, person);

		const drawing = wanted ? drawingIn(message) : undefined;
		if (drawing === 'no instruction') return say(whatToDo(t));
		if (text === '') return 'answered';
		const entry = said(id, person, text, drawing !== undefined || !wanted);
		const isNew = await conversations.append(place, ({ entries }) =>
			entries.some((other) => other.kind === 'said' && other.id === id) ? undefined : entry,
		);
		if (drawing) return { invoke: { id, ...drawing, person, channel } };
		if (!isNew) return 'duplicate';
		return wanted ? attend(place, channel, followUpMs) : 'unasked';
	}

	/** Whether other words may take the place of a message; what may not is no longer sent to the model. */
	async function maySay(place: Place, person: Said['person'], text: string): Promise<boolean> {
		const channel = (await core.open(place).catch(() => undefined)) ?? { place, refer: (_: string, id: string) => id };
		return (await core.allow.chat({ channel, person: { ...person, moderator: false }, text })) === undefined;
	}

	async function stop({ channel, person }: Press, key: string): Promise<Ended> {
		const answer = await answerIn(channel.place, key);
		if (answer?.state !== 'running') return 'answered';
		if (!mayRule(answer, person)) return say(translatorFor(person.locale)(NOT_YOURS));
		if (!answering.stop(key)) await conversations.askToStop(key);
		return 'answered';
	}

	async function retry({ channel, person }: Press, key: string): Promise<Ended> {
		const { place } = channel;
		const t = translatorFor(person.locale);
		const notAllowed = await core.allow.chat({ channel, person, text: '' });
		if (notAllowed !== undefined) return say(notAllowed);
		const busy = threads.get(threadKey(place));
		const { entries } = await conversations.read(place);
		const running = entries.find((entry): entry is Answer => entry.kind === 'answer' && entry.state === 'running');
		if (busy && running && running.key !== key)
			return say(t('Something is being answered here; wait until it stands.'));
		// The button is there once the answer stands, and people see it before we are told that it landed.
		await busy?.done.catch(() => {});
		let refused: string | undefined;
		const ended = await attend(place, channel, 0, async () => {
			const end = await answering.again(place, key, channel, person);
			if (typeof end === 'string') return end;
			refused = end.refused;
			return 'refused';
		});
		return refused === undefined ? ended : say(refused);
	}

	async function draw({ id, channel, person }: Press, key: string): Promise<Ended> {
		const t = translatorFor(person.locale);
		const text = (await answerIn(channel.place, key))?.text.trim();
		if (!text) return say(t('What was written here is no longer remembered; write `draw` and what you want to see.'));
		const prompt = text.slice(0, MAX_PROMPT_CHARACTERS).toWellFormed();
		return { invoke: { id, command: 'imagine', options: { prompt }, person, channel } };
	}

	async function setMentions({ channel, person }: Press, only: boolean): Promise<Ended> {
		const t = translatorFor(person.locale);
		const conversation = await conversations.find(channel.place);
		if (!conversation) return say(t('This thread is none of mine any more; mention me to call me in again.'));
		await conversations.set({ ...conversation, mentionsOnly: only });
		return { say: { text: mentionsWords(t, only), buttons: [mentionsButton(t, only)] } };
	}

	async function forgetThread(place: Place, { locale }: Person): Promise<Ended> {
		await wipe(place);
		return { say: { text: forgotten(translatorFor(locale)) } };
	}

	return {
		async open({ title, prompt, model, mentionsOnly, private: isPrivate }, { id, person, channel }) {
			const notAllowed = await core.allow.chat({ channel, person, text: prompt ?? '' });
			if (notAllowed !== undefined) return say(notAllowed);
			// One delivered twice opens no second thread.
			if (!(await conversations.once(`${channel.place.platform}:${id}`))) return 'duplicate';
			const thread = await channel.openThread(title, { private: isPrivate });
			const { place } = thread;
			await greet(thread, id, person, { place, mentionsOnly, ...(model && { model }) }, prompt);
			if (prompt === undefined) return 'answered';
			await conversations.append(place, () => said(id, person, prompt));
			return attend(place, thread, 0);
		},

		async concerns({ addressed, toOthers, channel: { place } }) {
			// The same is looked up for every message in a thread, so that none overtakes the one before it.
			const ours = place.thread !== undefined && Boolean(await conversations.find(place));
			return addressed || place.direct === true || (!toOthers && ours);
		},

		hear(message) {
			const { thread, direct } = message.channel.place;
			return thread === undefined && !direct ? called(message) : listen(message);
		},

		press(press) {
			const { action, version, id } = readButton(press.button);
			if (version !== '1') return undefined;
			switch (action) {
				case 'stop':
					return stop(press, id);
				case 'retry':
					return retry(press, id);
				case 'draw':
					return draw(press, id);
				case 'mentions':
					return setMentions(press, id === 'only');
				case 'forget':
					return forgetThread(press.channel.place, press.person);
				default:
					return undefined;
			}
		},

		async changed({ id, place, text }) {
			if (!(await conversations.find(place))) return;
			const { first, entries } = await conversations.read(place);
			for (const [index, entry] of entries.entries()) {
				if (entry.kind === 'said' && entry.id === id)
					await conversations.replace(
						place,
						first + index,
						text === undefined || !(await maySay(place, entry.person, text))
							? { kind: 'gone' }
							: { ...entry, text: clipped(text.trim()) },
					);
				// An answer that was deleted keeps its place: what it answered is answered.
				if (entry.kind === 'answer' && text === undefined && entry.posts.some(({ key }) => key === id))
					await conversations.replace(place, first + index, { ...entry, text: '' });
			}
		},

		async forget(where) {
			await conversations.purge(where);
			answering.stopWhere((place) => isWithin(place, where));
			await Promise.allSettled(
				[...threads.values()].filter(({ channel }) => isWithin(channel.place, where)).map(({ done }) => done),
			);
			await conversations.purge(where);
		},

		interrupted: (job) => answering.interrupted(job),

		async resume() {
			for await (const { place, process } of conversations.waiting()) {
				if (!(await lease.isOver(process))) continue;
				const channel = await core.open(place);
				if (channel) parts.track(attend(place, channel, 0));
				else await conversations.waitNoLonger(place);
			}
		},

		busy: () => threads.size,
	};
}

const say = (text: string): Ended => ({ say: { text, visibility: 'private' } });

const said = (id: string, { id: by, name, roles, locale }: Person, text: string, aside = false) => ({
	...{
		kind: 'said' as const,
		id,
		person: { id: by, name, ...(roles && { roles }), ...(locale && { locale }) },
		text: clipped(text),
	},
	...(aside && { aside: true as const }),
});

const isWithin = (place: Place, { platform, server, channel, thread }: Somewhere) =>
	place.platform === platform &&
	place.server === server &&
	(channel === undefined || place.channel === channel) &&
	(thread === undefined || place.thread === thread);
