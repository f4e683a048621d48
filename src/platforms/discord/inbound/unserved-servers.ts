import type { GatewayGuildCreateDispatchData } from 'discord.js';
import type { ServesPlace } from '../../../domain/place.ts';
import { translatorFor } from '../../../i18n/translator.ts';
import type { Log } from '../../../log.ts';

type Parts = {
	serves: ServesPlace;
	/** Returns a channel where the bot may post, if there is one: the system channel if possible. */
	findChannel: (server: string) => string | undefined;
	post: (channel: string, text: string) => Promise<unknown>;
	leave: (server: string) => Promise<unknown>;
	log: Log;
};

/** Leaves servers that are not served, with a sentence. Discord also sends the event for every server when the bot connects. */
export const createLeaveUnserved =
	({ serves, findChannel, post, leave, log }: Parts) =>
	async ({ id: server, preferred_locale, unavailable }: GatewayGuildCreateDispatchData): Promise<void> => {
		if (unavailable || serves({ platform: 'discord', server })) return;
		// The client caches the server after this listener was called.
		await Promise.resolve();
		const channel = findChannel(server);
		try {
			if (channel !== undefined) await post(channel, translatorFor(preferred_locale)('servers.leaving'));
		} catch (error) {
			log.warn({ err: error, server }, 'A server that is not served could not be told so');
		}
		await leave(server);
		log.info({ server }, 'Left a Discord server that SERVERS_ALLOWED and SERVERS_DENIED do not let Easel serve');
	};
