import type { REST } from 'discord.js';
import type { CommandDescription } from '../../../domain/command.ts';
import type { ServesPlace } from '../../../domain/place.ts';
import type { Log } from '../../../log.ts';
import type { Once } from '../../shared/once.ts';
import type { OpenForms } from '../../shared/open-forms.ts';
import type { MessageApi } from '../api/message-api.ts';
import type { DiscordMessageRecords } from '../api/message-location.ts';
import type { UserRecords } from '../api/user-records.ts';
import type { ClientCache } from '../gateway/client-cache.ts';
import type { DiscordChannels } from '../outbound/channels.ts';
import type { ActiveResponders } from '../outbound/interaction-responder.ts';
import type { AttachmentData, AttachmentReader } from './attachment-reader.ts';
import type { HomeServers } from './home-servers.ts';

/** Everything that handles events: made once for the platform. */
export type DiscordContext = {
	rest: REST;
	cache: ClientCache;
	messages: MessageApi;
	channels: DiscordChannels;
	responders: ActiveResponders;
	records: DiscordMessageRecords;
	userRecords: UserRecords;
	attachments: AttachmentReader;
	/** With the pictures of the message that a form was opened from. */
	openForms: OpenForms<{ form: string; command: string; attached: AttachmentData[] }>;
	homes: HomeServers;
	commands: readonly CommandDescription[];
	serves: ServesPlace;
	once: Once;
	/** Milliseconds until a response is deferred. */
	deferAfterMs: number | undefined;
	log: Log;
};
