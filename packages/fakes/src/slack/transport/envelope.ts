import type { Json } from '../world/model.ts';

/** Something that is delivered to the application. */
export type Envelope = {
	kind: 'events_api' | 'slash_commands' | 'interactive';
	payload: Json;
	/** Names it in violations. */
	name: string;
	/** The same for every delivery of it. */
	envelopeId?: string;
};

/** The application's acknowledgement. */
export type Ack = {
	/** Whether it arrived in time. */
	ok: boolean;
	body?: unknown;
};

export type Delivery = {
	/** Returns whether the application is connected. */
	reachable(): boolean;
	/** Resolves with the acknowledgement. Events wait for a connection and are retried. */
	deliver(envelope: Envelope): Promise<Ack>;
};
