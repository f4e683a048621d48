import type { Keyv } from 'keyv';
import type { CommandDescription } from '../../../../domain/command.ts';
import type { Inbox } from '../../../../domain/platform.ts';
import { BadRequest } from '../bad-request.ts';
import type { BotChannels } from '../bot-channels.ts';
import type { EventHub } from '../events.ts';
import type { SandboxChannels } from '../store/channels.ts';
import type { FileStore } from '../store/files.ts';
import type { MessageStore } from '../store/messages.ts';
import type { SettingsStore } from '../store/settings.ts';

/** The parts that people's actions use. */
export type SandboxActionContext = {
	keyv: Keyv;
	commands: readonly CommandDescription[];
	channels: SandboxChannels;
	settings: SettingsStore;
	messages: MessageStore;
	files: FileStore;
	botChannels: BotChannels;
	hub: EventHub;
	/** Undefined while the platform takes no events. */
	inbox: () => Inbox | undefined;
	onError: (error: unknown) => void;
};

/** @throws BadRequest while the platform takes no events */
export function openInbox({ inbox }: SandboxActionContext): Inbox {
	const open = inbox();
	if (!open) throw new BadRequest(503, 'sandbox.server.starting');
	return open;
}

/** Hands an event to the core without waiting: the core answers in the channel. */
export function handOver({ onError }: SandboxActionContext, event: Promise<void>): void {
	event.catch(onError);
}

/** Returns the delivery id of a request: a request that is sent twice is one event. */
export const deliveryId = (person: string, requestId: string): string => `d:${person}:${requestId}`;
