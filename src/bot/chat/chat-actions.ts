import { MAX_PROMPT_CHARACTERS, oneLine } from '../../domain/text.ts';
import { SentenceError } from '../../i18n/translator.ts';
import type { ActionHandlers } from '../declaration/actions.ts';
import { itemNumberOf } from '../words/numbered.ts';
import { isTalk, promptIn, suggestsChange } from '../words/plain-words.ts';
import { retryAnswer } from './answer.ts';
import { mentionsButton } from './hear.ts';
import { forgetThread } from './thread-changes.ts';
import { isAnswer, jobIdOf, lastItem, mayControl, utterance } from './transcript.ts';
import { changeOfShown } from './understand.ts';

export const chatActions: ActionHandlers<'stop' | 'retry' | 'continue' | 'draw' | 'forget' | 'mentions'> = {
	stop: {
		async press({ channel, person }, key, { easel }) {
			const { conversations, ownJobs } = easel;
			const answer = (await conversations.read(channel.place)).filter(isAnswer).find((other) => other.key === key);
			if (answer?.state === 'running') {
				if (!mayControl(answer, person)) return new SentenceError('thread.errors.notYours');
				await ownJobs.cancel(jobIdOf(answer), answer.to.includes(person.id) ? 'requester' : 'moderator');
			}
			return 'answered';
		},
	},
	retry: {
		async press({ channel, person }, key, { easel }) {
			const { policy, conversations, turns } = easel;
			const { place } = channel;
			const notAllowed = await policy.check('chat', { channel, person });
			if (notAllowed) return notAllowed;
			const busy = turns.running(place);
			const running =
				busy && (await conversations.read(place)).filter(isAnswer).find(({ state }) => state === 'running');
			if (running && running.key !== key) return new SentenceError('thread.busy');
			// People see the button as soon as the answer is complete, which may be before the platform confirms it.
			await busy?.catch(() => {});
			return turns.schedule(channel, 0, { first: () => retryAnswer(easel, channel, person, key) });
		},
	},
	/** Has an answer that was too long for one turn continued by another turn. */
	continue: {
		async press({ id, channel, person }, key, { easel }) {
			const { policy, conversations, turns, lease } = easel;
			const { place } = channel;
			const notAllowed = await policy.check('chat', { channel, person });
			if (notAllowed) return notAllowed;
			const entries = await conversations.read(place);
			const last = entries.at(-1);
			if (!last || !isAnswer(last) || last.key !== key) return new SentenceError('thread.continue.notLast');
			const isNew = await conversations.add(place, utterance(id, person, CONTINUE), lease.processId);
			return isNew ? turns.schedule(channel, 0, { isRecorded: true }) : 'duplicate';
		},
	},
	/**
	 * Makes a picture of what the person has asked for: a change of the last one, where their question suggests it; one of the answer, when
	 * they wanted words such as a description.
	 */
	draw: {
		async press({ id, channel, person }, key, { easel }) {
			const entries = await easel.conversations.read(channel.place);
			const at = entries.findIndex((entry) => isAnswer(entry) && entry.key === key);
			const [answer] = entries.slice(at).filter(isAnswer);
			if (at < 0 || !answer) return new SentenceError('thread.draw.forgotten');
			const asked = entries
				.slice(0, at)
				.filter((entry) => entry.kind === 'said')
				.findLast((entry) => answer.to.includes(entry.person.id))?.text;
			const change =
				asked && suggestsChange(asked) ? await changeOfShown(easel, { channel, person, text: asked }) : undefined;
			if (change instanceof SentenceError) return change;
			if (change) return { invoke: { id, command: change.command, options: change.options, person, channel } };
			const isWanted = asked !== undefined && oneLine(asked) !== '' && !isTalk(asked);
			const words = isWanted ? (promptIn(asked) ?? asked) : answer.text;
			const item = isWanted ? itemNumberOf(words) : undefined;
			const text = item === undefined ? words : (lastItem(entries.slice(0, at + 1), item) ?? answer.text);
			const prompt = text.trim().slice(0, MAX_PROMPT_CHARACTERS).toWellFormed();
			if (!prompt) return new SentenceError('thread.draw.forgotten');
			return { invoke: { id, command: 'imagine', options: { prompt }, person, channel } };
		},
	},
	forget: { press: ({ channel, person }, _, { easel }) => forgetThread(easel, channel.place, person) },
	mentions: {
		async press({ channel }, setting, { easel: { conversations }, t }) {
			const only = setting === 'only';
			const conversation = await conversations.find(channel.place);
			if (!conversation) return new SentenceError('thread.left');
			await conversations.save({ ...conversation, mentionsOnly: only });
			return {
				reply: { text: only ? t('thread.mode.mentions') : t('thread.mode.all'), buttons: [mentionsButton(t, only)] },
			};
		},
	},
};

/** What a press of **Continue** says to the model. */
const CONTINUE = 'Continue exactly where your last answer was cut off, without repeating any of it.';
