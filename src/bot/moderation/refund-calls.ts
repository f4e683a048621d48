import type { Channel } from '../../domain/channel.ts';
import type { Person } from '../../domain/person.ts';
import type { Receipt } from '../../domain/receipt.ts';
import { clip, oneLine } from '../../domain/text.ts';
import { translatorFor } from '../../i18n/translator.ts';
import type { ServerAdmin } from '../../usage/settings/server-admin.ts';
import { type ActionHandler, say } from '../actions/action.ts';
import type { Contexts } from '../contexts.ts';
import type { PictureRequests } from '../repositories/requests.ts';

/** The most options of a select menu. https://docs.discord.com/developers/components/reference#string-select */
const MAX_CALLS = 25;

/** The longest text of an option on Slack. https://docs.slack.dev/reference/block-kit/composition-objects/option-object */
const MAX_LABEL = 75;

type Parts = { contextOf: Contexts; requests: Pick<PictureRequests, 'find'> };

/** Asks moderators which calls of unknown outcome to give back, and gives them back. */
export const refundAction = (parts: Parts): ActionHandler => ({
	async press(press) {
		const t = translatorFor(press.person.locale);
		const choices = [...(await labelledCalls(parts, press)).keys()];
		if (choices.length === 0) return say(t('limits.refund.noneLeft'));
		await press.open({
			id: press.button,
			command: 'limits refund',
			title: t('limits.refund.form.title'),
			fields: [
				{
					...{ kind: 'choices', name: 'calls', description: t('limits.refund.form.calls'), required: true },
					...{ choices, min: 1, max: choices.length },
				},
			],
		});
		return 'answered';
	},
	async submit({ options, ...submission }) {
		const t = translatorFor(submission.person.locale);
		const calls = await labelledCalls(parts, submission);
		const chosen = Array.isArray(options['calls']) ? options['calls'] : [];
		// Calls that were given back meanwhile are no longer there.
		const receipts = chosen.flatMap((label) => calls.get(String(label)) ?? []);
		const count = await adminOf(parts, submission).refundCalls(receipts);
		return say(count === 0 ? t('limits.refund.noneLeft') : t('limits.refund.doneChosen', { count }));
	},
});

type Asking = { person: Person; channel: Channel };

const adminOf = ({ contextOf }: Parts, { person, channel }: Asking): ServerAdmin =>
	contextOf(person, channel).serverAdmin;

/** Returns the calls that can be given back, oldest first, by a text that describes and identifies each. */
async function labelledCalls(parts: Parts, asking: Asking): Promise<ReadonlyMap<string, Receipt>> {
	const admin = adminOf(parts, asking);
	const receipts = await admin.unknownCalls(MAX_CALLS);
	const { timeZone } = await admin.settings();
	const { language } = translatorFor(asking.person.locale);
	const format = new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, {
		dateStyle: 'short',
		timeStyle: 'medium',
		timeZone,
	});
	const labelled = new Map<string, Receipt>();
	for (const receipt of receipts) {
		const request = await parts.requests.find(receipt.id);
		const words = request ? oneLine(request.prompt) : `/${receipt.command}`;
		const facts = [clip(receipt.person.name, 20), format.format(receipt.at), words];
		let label = clip(facts.join(' · '), MAX_LABEL);
		for (let number = 2; labelled.has(label); number++) label = `${clip(label, MAX_LABEL - 5)} (${number})`;
		labelled.set(label, receipt);
	}
	return labelled;
}
