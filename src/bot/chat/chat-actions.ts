import type { Place } from '../../domain/place.ts';
import type { Press } from '../../domain/requests.ts';
import { translatorFor } from '../../i18n/translator.ts';
import { type Pressed, readButton } from '../actions/picture-actions.ts';
import { privately } from '../declaration/command.ts';
import type { Core } from '../services.ts';
import { type Answering, mayRule, NOT_YOURS } from './answering.ts';
import { mentionsButton, mentionsWords } from './chat-messages.ts';
import type { Answer, Conversations } from './conversations.ts';
import type { Turns } from './turn-scheduler.ts';

/** What a prompt takes: the service's limit. */
const MAX_PROMPT_CHARACTERS = 2000;

/** How something ended, in a word for whoever counts; or what is still to be said or done. */
export type Ended = string | NonNullable<Pressed>;

/** The buttons in chat threads. Makes what a press comes to; undefined when it is of none of them. */
export function createThreadButtons(parts: {
	core: Core;
	conversations: Conversations;
	answering: Answering;
	turns: Turns;
	forget: (press: Press) => Promise<Ended>;
}): (press: Press) => Promise<Ended> | undefined {
	const { core, conversations, answering, turns, forget } = parts;

	async function answerIn(place: Place, key: string): Promise<Answer | undefined> {
		const { entries } = await conversations.read(place);
		return entries.find((entry): entry is Answer => entry.kind === 'answer' && entry.key === key);
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
		const busy = turns.underWay(place);
		const { entries } = await conversations.read(place);
		const running = entries.find((entry): entry is Answer => entry.kind === 'answer' && entry.state === 'running');
		if (busy && running && running.key !== key)
			return say(t('Something is being answered here; wait until it stands.'));
		// The button is there once the answer stands, and people see it before we are told that it landed.
		await busy?.catch(() => {});
		let refused: string | undefined;
		const ended = await turns.attend(place, channel, 0, async () => {
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

	return (press) => {
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
				return forget(press);
			default:
				return undefined;
		}
	};
}

/** Said to who asks alone. */
export const say = (text: string): Ended => ({ say: privately(text) });
