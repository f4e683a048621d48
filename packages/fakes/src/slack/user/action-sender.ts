import type { Slack } from '../context.ts';
import { secret } from '../ids.ts';
import type { Ack, Envelope } from '../transport/envelope.ts';
import { postNotice } from '../world/messages.ts';
import type { Channel, Json, User } from '../world/model.ts';

/** The channel or thread of an action. */
type ActionPlace = { channel: Channel; threadTs?: string | undefined };

/** Delivers the actions of one person. An action with a name can be delivered again. */
export class ActionSender {
	readonly #slack: Slack;
	readonly #user: User;
	readonly #deliveries: Map<string, Envelope>;

	/** @param deliveries the actions of all people that can be delivered again, by their names */
	constructor(slack: Slack, user: User, deliveries: Map<string, Envelope>) {
		this.#slack = slack;
		this.#user = user;
		this.#deliveries = deliveries;
	}

	/** Resolves with the acknowledgement. */
	async send(envelope: Envelope, delivery?: string): Promise<Ack> {
		if (!this.#slack.delivery.reachable()) throw new Error('The application is not connected');
		const identified = { ...envelope, envelopeId: secret('') };
		if (delivery !== undefined) this.#deliveries.set(delivery, identified);
		return this.#slack.delivery.deliver(identified);
	}

	/** Delivers an action again. Returns false if it was not delivered before. */
	repeat(delivery: string | undefined): boolean {
		const envelope = delivery === undefined ? undefined : this.#deliveries.get(delivery);
		if (envelope) void this.#slack.delivery.deliver(envelope);
		return envelope !== undefined;
	}

	/** Delivers an interactive payload. If it is not acknowledged, the person gets Slack's notice. */
	async interact(payload: Json, name: string, place?: ActionPlace, delivery?: string): Promise<Ack> {
		const ack = await this.send({ kind: 'interactive', payload, name }, delivery);
		if (!ack.ok && place)
			postNotice(this.#slack, place.channel, this.#user, 'This app did not respond. Please try again.', place.threadTs);
		return ack;
	}
}
