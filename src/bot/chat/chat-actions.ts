import type { ButtonPress } from '../../domain/platform.ts';
import { MAX_PROMPT_CHARACTERS } from '../../domain/text.ts';
import { translatorFor } from '../../i18n/translator.ts';
import { type ActionHandlers, type ActionResult, say } from '../declaration/actions.ts';
import type { BotServices } from '../services.ts';
import { mentionsButton } from './chat-messages.ts';
import { type ChatResponder, mayControl } from './chat-responder.ts';
import type { Conversations } from './conversations.ts';
import { type ChatAnswer, isAnswer, peopleWaiting } from './transcript.ts';
import { NEXT, type TurnScheduler } from './turn-scheduler.ts';

/** The handlers of the actions in chat threads. */
export type ChatActions = ActionHandlers<'stop' | 'retry' | 'draw' | 'forget' | 'mentions'>;

type ChatActionParts = {
	services: BotServices;
	conversations: Conversations;
	responder: ChatResponder;
	turns: TurnScheduler;
	forget: (press: ButtonPress) => Promise<ActionResult>;
};

export const createChatActions = (parts: ChatActionParts): ChatActions => ({
	stop: { press: (press, key) => stop(parts, press, key) },
	retry: { press: (press, key) => retry(parts, press, key) },
	draw: { press: (press, key) => draw(parts, press, key) },
	forget: { press: (press) => parts.forget(press) },
	mentions: { press: (press, setting) => setMentionsOnly(parts, press, setting === 'only') },
});

async function stop(
	{ conversations, responder, turns }: ChatActionParts,
	{ channel, person }: ButtonPress,
	key: string,
): Promise<ActionResult> {
	const { entries } = await conversations.read(channel.place);
	const answers = entries.filter(isAnswer);
	const answer = key === NEXT ? answers.at(-1) : answers.find((other) => other.key === key);
	const isWaiting = peopleWaiting(entries.slice(entries.findLastIndex(isAnswer) + 1)).some(
		({ id }) => id === person.id,
	);
	if (answer?.state !== 'running') {
		if (key === NEXT && (isWaiting || person.moderator)) turns.cancel(channel.place);
		return 'answered';
	}
	if (!mayControl(answer, person)) return say(translatorFor(person.locale)('thread.errors.notYours'));
	if (!responder.stop(answer.key)) await conversations.requestStop(answer.key);
	return 'answered';
}

async function retry(
	{ services, conversations, responder, turns }: ChatActionParts,
	{ channel, person }: ButtonPress,
	key: string,
): Promise<ActionResult> {
	const { place } = channel;
	const t = translatorFor(person.locale);
	const notAllowed = await services.policy.checkChat({ channel, person, text: '' });
	if (notAllowed !== undefined) return say(notAllowed);
	const busy = turns.running(place);
	const { entries } = await conversations.read(place);
	const running = entries.find((entry): entry is ChatAnswer => isAnswer(entry) && entry.state === 'running');
	if (busy && running && running.key !== key) return say(t('thread.busy'));
	// People see the button as soon as the answer is complete, which may be before the platform confirms it.
	await busy?.catch(() => {});
	let refused: string | undefined;
	const ended = await turns.schedule(place, channel, 0, async () => {
		const result = await responder.retry(place, key, channel, person);
		if (typeof result === 'string') return result;
		refused = result.refused;
		return 'refused';
	});
	return refused === undefined ? ended : say(refused);
}

/** Makes a picture of the answer's text. */
async function draw(
	{ conversations }: ChatActionParts,
	{ id, channel, person }: ButtonPress,
	key: string,
): Promise<ActionResult> {
	const text = (await findAnswer(conversations, { channel }, key))?.text.trim();
	if (!text) return say(translatorFor(person.locale)('thread.draw.forgotten'));
	const prompt = text.slice(0, MAX_PROMPT_CHARACTERS).toWellFormed();
	return { invoke: { id, command: 'imagine', options: { prompt }, person, channel } };
}

async function setMentionsOnly(
	{ conversations }: ChatActionParts,
	{ channel, person }: ButtonPress,
	only: boolean,
): Promise<ActionResult> {
	const t = translatorFor(person.locale);
	const conversation = await conversations.find(channel.place);
	if (!conversation) return say(t('thread.left'));
	await conversations.save({ ...conversation, mentionsOnly: only });
	return { say: { text: only ? t('thread.mode.mentions') : t('thread.mode.all'), buttons: [mentionsButton(t, only)] } };
}

async function findAnswer(
	conversations: Conversations,
	{ channel }: Pick<ButtonPress, 'channel'>,
	key: string,
): Promise<ChatAnswer | undefined> {
	const { entries } = await conversations.read(channel.place);
	return entries.find((entry): entry is ChatAnswer => isAnswer(entry) && entry.key === key);
}
