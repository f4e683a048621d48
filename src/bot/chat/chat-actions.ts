import type { Place } from '../../domain/place.ts';
import type { ButtonPress } from '../../domain/requests.ts';
import { translatorFor } from '../../i18n/translator.ts';
import { type ActionHandlers, type ActionResult, say } from '../actions/action.ts';
import type { BotServices } from '../services.ts';
import { type Answering, mayRule, NOT_YOURS } from './answering.ts';
import { mentionsButton, mentionsOnlyMessage } from './chat-messages.ts';
import type { ChatAnswer, Conversations } from './conversations.ts';
import type { TurnScheduler } from './turn-scheduler.ts';

/** What a prompt takes: the service's limit. */
const MAX_PROMPT_CHARACTERS = 2000;

/** The handlers of the actions in chat threads. */
export type ChatActions = ActionHandlers<'stop' | 'retry' | 'draw' | 'forget' | 'mentions'>;

export function createChatActions(parts: {
	services: Pick<BotServices, 'policy'>;
	conversations: Conversations;
	answering: Answering;
	turns: TurnScheduler;
	forget: (press: ButtonPress) => Promise<ActionResult>;
}): ChatActions {
	const { services, conversations, answering, turns, forget } = parts;

	async function answerIn(place: Place, key: string): Promise<ChatAnswer | undefined> {
		const { entries } = await conversations.read(place);
		return entries.find((entry): entry is ChatAnswer => entry.kind === 'answer' && entry.key === key);
	}

	async function stop({ channel, person }: ButtonPress, key: string): Promise<ActionResult> {
		const answer = await answerIn(channel.place, key);
		if (answer?.state !== 'running') return 'answered';
		if (!mayRule(answer, person)) return say(translatorFor(person.locale)(NOT_YOURS));
		if (!answering.stop(key)) await conversations.askToStop(key);
		return 'answered';
	}

	async function retry({ channel, person }: ButtonPress, key: string): Promise<ActionResult> {
		const { place } = channel;
		const t = translatorFor(person.locale);
		const notAllowed = await services.policy.chat({ channel, person, text: '' });
		if (notAllowed !== undefined) return say(notAllowed);
		const busy = turns.underWay(place);
		const { entries } = await conversations.read(place);
		const running = entries.find((entry): entry is ChatAnswer => entry.kind === 'answer' && entry.state === 'running');
		if (busy && running && running.key !== key) return say(t('thread.busy'));
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

	async function draw({ id, channel, person }: ButtonPress, key: string): Promise<ActionResult> {
		const t = translatorFor(person.locale);
		const text = (await answerIn(channel.place, key))?.text.trim();
		if (!text) return say(t('thread.draw.forgotten'));
		const prompt = text.slice(0, MAX_PROMPT_CHARACTERS).toWellFormed();
		return { invoke: { id, command: 'imagine', options: { prompt }, person, channel } };
	}

	async function setMentions({ channel, person }: ButtonPress, only: boolean): Promise<ActionResult> {
		const t = translatorFor(person.locale);
		const conversation = await conversations.find(channel.place);
		if (!conversation) return say(t('thread.left'));
		await conversations.set({ ...conversation, mentionsOnly: only });
		return { say: { text: mentionsOnlyMessage(t, only), buttons: [mentionsButton(t, only)] } };
	}

	return {
		stop: { press: stop },
		retry: { press: retry },
		draw: { press: draw },
		forget: { press: forget },
		mentions: { press: (press, setting) => setMentions(press, setting === 'only') },
	};
}
