import type { Place, Requester } from '../../domain/channel.ts';
import type { Receipt } from '../../domain/job.ts';
import { KeyedQueue } from '../../domain/queues.ts';
import { oneLine } from '../../domain/text.ts';
import type { Easel } from '../../easel.ts';
import { SentenceError, type Translate } from '../../i18n/translator.ts';
import { refund, refundableCalls } from '../../usage/jobs.ts';
import { type ActionHandler, reply } from '../declaration/actions.ts';

/** The most options of a select menu. https://docs.discord.com/developers/components/reference#string-select */
const MAX_CALLS = 25;

/** The longest text of an option on Slack. https://docs.slack.dev/reference/block-kit/composition-objects/option-object */
const MAX_LABEL = 75;
const NAME_CHARACTERS = 20;

/** Returns calls of unknown outcome that a refund would give back, oldest first, at most so many. */
export async function unknownCalls(easel: Easel, place: Place, count: number): Promise<Receipt[]> {
	const calls: Receipt[] = [];
	for await (const call of refundableCalls(easel, place)) {
		if (calls.push(call) === count) break;
	}
	return calls;
}

const refunding = new KeyedQueue();

/**
 * Gives back calls of unknown outcome. Returns how many. The log has a member's refund before the first call is given back.
 * @param find returns the calls; of two moderators who give back the same ones at once, the second finds them no more
 */
export function refundCalls(
	easel: Easel,
	place: Place,
	moderator: Requester,
	find: () => Promise<readonly Receipt[]>,
): Promise<number> {
	return refunding.run(`${place.platform}:${place.server}`, async () => {
		let count = 0;
		for (const [member, calls] of Map.groupBy(await find(), ({ person }) => person.id)) {
			const given = { member, calls: calls.length };
			const { settings } = await easel.settings.change(place, moderator, 'limits refund', (before) => before, given);
			count += await refund(easel, settings, calls);
		}
		return count;
	});
}

/** Asks moderators which calls of unknown outcome to give back, and gives them back. */
export const refundAction: ActionHandler = {
	async press({ button, channel, open }, _, { easel, t }) {
		const calls = await unknownCalls(easel, channel.place, MAX_CALLS);
		if (calls.length === 0) return new SentenceError('limits.refund.noneLeft');
		const { timeZone } = await easel.settings.get(channel.place);
		const labels: Record<string, string> = {};
		for (const call of calls) {
			const request = await easel.requests.find(call.id);
			labels[call.id] = labelOf(t, call, request?.prompt ?? `/${call.command}`, timeZone);
		}
		const description = t('limits.refund.form.calls');
		const choices = calls.map(({ id }) => id);
		await open({
			id: button,
			command: 'limits refund',
			title: t('limits.refund.form.title'),
			fields: [
				{ kind: 'choices', name: 'calls', description, required: true, choices, labels, min: 1, max: choices.length },
			],
		});
		return 'answered';
	},
	async submit({ options, person, channel }, _, { easel, t }) {
		const chosen = new Set([options['calls']].flat());
		// Calls that were given back meanwhile are no longer there.
		const find = async () => (await unknownCalls(easel, channel.place, MAX_CALLS)).filter(({ id }) => chosen.has(id));
		const count = await refundCalls(easel, channel.place, person, find);
		if (count === 0) return new SentenceError('limits.refund.noneLeft');
		return reply(t('limits.refund.doneChosen', { count }));
	},
};

/** Returns who asked, when, and for what: `Ada · 20/11/2026, 14:05 · a red fox`. */
function labelOf(t: Translate, { person, at }: Receipt, words: string, timeZone: string): string {
	const locale = t.language === 'en' ? 'en-GB' : t.language;
	const time = new Intl.DateTimeFormat(locale, { dateStyle: 'short', timeStyle: 'short', timeZone }).format(at);
	const name = oneLine(person.name, NAME_CHARACTERS) || person.id;
	return oneLine(`${name} · ${time} · ${words}`, MAX_LABEL);
}
