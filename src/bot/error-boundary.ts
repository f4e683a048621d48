import type { Channel } from '../domain/channel.ts';
import type { Invocation } from '../domain/requests.ts';
import { translatorFor } from '../i18n/translator.ts';
import { directChannel, whereAsked } from './messages/direct-message-fallback.ts';
import { errorMessageOf } from './messages/error-messages.ts';
import { FALLBACK_SUFFIXES } from './pictures/delivery.ts';
import type { Running } from './running.ts';
import type { BotServices } from './services.ts';

/** How a request ended, for whoever counts. */
export type Observer = (request: { platform: string; command: string; outcome: string; seconds: number }) => void;

/** Who asked, where, and by which delivery. */
type Asked = Pick<Invocation, 'id' | 'channel' | 'person'>;

/** The one error boundary: nothing that is thrown below gets past it, and every request ends in a visible answer. */
export type ErrorBoundary = {
	/**
	 * Runs one request. Never rejects.
	 * @param kind what is counted: the command, `button` or `message`
	 * @param work resolves to how it ended, in a word, once it is answered
	 */
	request(kind: string, asked: Asked, work: () => Promise<string>): Promise<void>;
	/** From now on requests are refused. */
	close(): void;
};

export function createErrorBoundary({
	services,
	running,
	observe,
}: {
	services: BotServices;
	running: Running;
	observe: Observer;
}): ErrorBoundary {
	let accepting = true;

	async function request(kind: string, { id, channel, person }: Asked, work: () => Promise<string>): Promise<void> {
		const t = translatorFor(person.locale);
		const started = performance.now();
		const run = (async () => {
			try {
				if (!accepting)
					return await refuseOnce(
						channel,
						id,
						t('Easel is being restarted; nothing was counted. Ask again in a minute.'),
					);
				return await work();
			} catch (error) {
				const { text } = errorMessageOf(t, error, 'free', services.log);
				return refuseOnce(channel, id, text).catch((unposted: unknown) => tellDirectly(unposted, text));
			}
		})();
		async function tellDirectly(unposted: unknown, why: string): Promise<string> {
			const direct = await directChannel(services, channel.place, person);
			if (!direct) throw unposted;
			const text = whereAsked(t, channel.place, direct, why);
			// Not the name that an answer has there: the request may have been delivered before, and have one.
			return postRefusal(direct, `${id}.refused`, text);
		}
		// Only posting the sentence itself can fail here, and then there is nobody left to tell.
		const outcome = await running.hold(run).catch((error: unknown) => {
			services.log.warn({ err: error }, 'An answer could not be posted');
			return 'unanswered';
		});
		const seconds = (performance.now() - started) / 1000;
		observe({ platform: channel.place.platform, command: kind, outcome, seconds });
	}

	/** A request that was delivered before may have its answer in a message that was begun afresh. */
	async function refuseOnce(channel: Channel, id: string, text: string): Promise<string> {
		for (const way of FALLBACK_SUFFIXES)
			if (await services.find({ place: channel.place, key: id + way }).catch(() => undefined)) return 'duplicate';
		return postRefusal(channel, id, text);
	}

	return {
		request,
		close() {
			accepting = false;
		},
	};
}

/** Says why nothing comes of a request; unless it was delivered before, so that its answer is there and must stay. */
export async function postRefusal(channel: Channel, id: string, text: string): Promise<string> {
	await channel.post({ text, visibility: 'private' }, id, { ifAbsent: true });
	return 'refused';
}
