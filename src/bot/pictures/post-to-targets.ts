import type { Reply } from '../../domain/channel.ts';
import type { Job } from '../../domain/job.ts';
import { PlatformRefusedError } from '../../i18n/sentence-error.ts';
import type { Translate } from '../../i18n/translator.ts';
import type { Log } from '../../log.ts';
import type { SentMessage } from '../moderation/log-entries.ts';
import type { DeliveryTarget } from './delivery-targets.ts';
import { smallerIn } from './fit-reply.ts';
import { postFitted } from './post-fitted.ts';

/** The messages that a reply was posted as, and which of its pictures as smaller copies; or why it could not be posted to any target. */
export type Posted =
	| { sent: SentMessage[]; smaller: number[]; reason?: never }
	| { sent?: never; smaller?: never; reason: unknown };

/** Posts a reply to the first target that takes all of it. Messages that one target has taken are not posted to the next ones. */
export async function postToTargets(
	t: Translate,
	log: Log,
	job: Job,
	reply: Reply,
	targets: AsyncIterable<DeliveryTarget>,
): Promise<Posted> {
	const sent: SentMessage[] = [];
	const smaller: number[] = [];
	let pictures = 0;
	let reason: unknown;
	for await (const target of targets) {
		const isFirst = pictures === 0;
		try {
			const adapted = target.adapt?.(reply, reason) ?? reply;
			const to = { limits: target.limits, place: job.place, from: pictures };
			await postFitted(t, adapted, to, async (part) => {
				const { handle, link } = await target.post(part.reply, part.suffix);
				const { text, buttons = [] } = part.reply;
				sent.push({ handle, text, buttons, count: part.count, link });
				smaller.push(...smallerIn(part, adapted));
				pictures = part.first + part.count;
			});
		} catch (error) {
			log.warn({ err: error, job: job.id }, 'An answer could not be posted to one of its targets');
			if (!(reason instanceof PlatformRefusedError)) reason = error;
			continue;
		}
		// Otherwise the status message shows a part of the answer.
		if (isFirst) await target.finish?.().catch(() => {});
		return { sent, smaller };
	}
	return { reason };
}
