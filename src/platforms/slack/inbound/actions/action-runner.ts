import type { Place } from '../../../../domain/place.ts';
import type { Inbox, Invocation } from '../../../../domain/platform.ts';
import { PlatformRefusedError } from '../../../../i18n/sentence-error.ts';
import type { Log } from '../../../../log.ts';
import { failureMessageOf } from '../../../shared/failure-message.ts';
import type { SlackChannels } from '../../outbound/channels.ts';
import type { People } from '../../people/people.ts';
import { isPrivate } from '../commands/mentioned-command.ts';
import type { SlackActionContext } from './action-context.ts';

type ActionRunnerOptions = { channels: SlackChannels; people: People; inbox: () => Inbox | undefined; log: Log };

/** Runs actions after their acknowledgement, and replies to failed ones. */
export class ActionRunner {
	readonly #channels: SlackChannels;
	readonly #people: People;
	readonly #inbox: () => Inbox | undefined;
	readonly #log: Log;

	constructor({ channels, people, inbox, log }: ActionRunnerOptions) {
		this.#channels = channels;
		this.#people = people;
		this.#inbox = inbox;
		this.#log = log;
	}

	/** Runs an action. Never rejects: the requester gets a sentence about what failed. */
	async run(context: SlackActionContext, work: (inbox: Inbox) => Promise<void>): Promise<void> {
		const { t } = context;
		try {
			const inbox = this.#inbox();
			if (!inbox) return await this.reply(context, t('slack.errors.restarting'));
			await work(inbox);
		} catch (error) {
			if (!(error instanceof PlatformRefusedError)) this.#log.error({ err: error }, 'An action failed');
			const sentence = error instanceof PlatformRefusedError ? error.messageIn(t) : t(failureMessageOf(error));
			await this.reply(context, sentence).catch((failure: unknown) =>
				this.#log.warn({ err: failure }, 'The reply to a failed action could not be posted'),
			);
		}
	}

	/** Posts a private reply. */
	async reply({ id, place, requester }: SlackActionContext, text: string): Promise<void> {
		await this.#channels.channel(place, requester).post({ text, visibility: 'private' }, id, { withoutStore: true });
	}

	/** Hands a command to the core. */
	async invoke(
		context: SlackActionContext,
		inbox: Inbox,
		invocation: Pick<Invocation, 'command' | 'options' | 'form' | 'attached'>,
	): Promise<void> {
		const { id, server, requester } = context;
		const [person, place] = await Promise.all([
			this.#people.person(server, requester.user),
			this.resolvePlace(context),
		]);
		const channel = this.#channels.channel(place, {
			...requester,
			needsDirectMessage: isPrivate(invocation.options),
		});
		await inbox.invoke({ id, person, channel, ...invocation });
	}

	/** Returns the place of an action, marked as direct if it is the direct messages with the bot, and not those of other people. */
	async resolvePlace({ server, requester, place }: SlackActionContext): Promise<Place> {
		if (!place.channel.startsWith('D') || place.direct) return place;
		const direct = await this.#channels.direct({ platform: 'slack', server, channel: '' }, { id: requester.user });
		return direct?.place.channel === place.channel ? { ...place, direct: true } : place;
	}
}
