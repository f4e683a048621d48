import { randomBytes } from 'node:crypto';
import { InteractionType } from 'discord-api-types/v10';
import type { Discord, Interactions } from './context.ts';
import { FILE_BYTES } from './limits.ts';
import { permissionsAt } from './permissions.ts';
import { renderActor, renderChannel, renderMessage, renderUser } from './render.ts';
import type { Channel, Interaction } from './things.ts';

/** https://docs.discord.com/developers/interactions/receiving-and-responding#responding-to-an-interaction */
const FIRST_ANSWER_WITHIN_MS = 3000;
const TOKEN_LIVES_MS = 15 * 60_000;

/** Interactions by id and token. */
export function createInteractions(discord: () => Discord): Interactions {
	const byId = new Map<string, Interaction>();
	const byToken = new Map<string, Interaction>();

	function create(what: Pick<Interaction, 'type' | 'user' | 'channel' | 'data' | 'source'>): Interaction {
		const { clock, snowflake, world } = discord();
		const { promise, resolve } = Promise.withResolvers<'answered' | 'failed'>();
		const interaction: Interaction = {
			...what,
			id: snowflake(),
			token: randomBytes(48).toString('base64url'),
			sentAt: clock.now(),
			deliveries: 0,
			followUps: 0,
			settled: promise,
			settle: resolve,
		};
		byId.set(interaction.id, interaction);
		byToken.set(interaction.token, interaction);
		world.asked.add(what.user.id);
		return interaction;
	}

	function deliver(interaction: Interaction): void {
		const { gateway, clock, violate } = discord();
		if (gateway.connected().length === 0) {
			interaction.settle('failed');
			return;
		}
		if (interaction.deliveries++ === 0)
			clock.after(FIRST_ANSWER_WITHIN_MS, () => {
				if (interaction.answered !== undefined) return;
				violate(`interaction ${interaction.id} (${nameOf(interaction)}) was not acknowledged within 3 s`);
				interaction.settle('failed');
			});
		gateway.dispatch('INTERACTION_CREATE', render(interaction), { server: interaction.channel.server?.id });
	}

	function render(interaction: Interaction) {
		const { world } = discord();
		const { id, token, type, user, channel, data, source } = interaction;
		const { server } = channel;
		const owners: Record<string, string> = {};
		if (server?.joined) owners['0'] = server.id;
		if (!server && !user.installed) owners['0'] = '0';
		// What hangs on a message of somebody's own application belongs to them, whoever presses it.
		const owner = source?.interaction?.user ?? user;
		if (owner.installed) owners['1'] = owner.id;
		return {
			id,
			application_id: world.me.id,
			type,
			token,
			version: 1,
			data,
			channel_id: channel.id,
			channel: { ...renderChannel(channel, world.me), permissions: String(permissionsAt(channel, user)) },
			...(server
				? {
						guild_id: server.id,
						guild: { id: server.id, locale: server.locale, features: [] },
						guild_locale: server.locale,
						member: renderActor(server, user, channel),
					}
				: { user: renderUser(user) }),
			...(source && { message: renderMessage(discord(), source, true) }),
			app_permissions: String(permissionsAt(channel, world.me)),
			locale: user.locale,
			entitlements: [],
			authorizing_integration_owners: owners,
			context: server ? 0 : channel.recipients.includes(world.me) ? 1 : 2,
			attachment_size_limit: fileBytesIn(channel),
		};
	}

	return {
		create,
		deliver,
		byId: (id) => byId.get(id),
		byToken: (token) => byToken.get(token),
		alive: ({ sentAt }) => discord().clock.now() < sentAt + TOKEN_LIVES_MS,
		inTime: ({ sentAt }) => discord().clock.now() < sentAt + FIRST_ANSWER_WITHIN_MS,
	};
}

/** Bytes of one file in a channel. */
export const fileBytesIn = ({ server }: Channel): number => server?.fileBytes ?? FILE_BYTES;

const nameOf = ({ type, data }: Interaction) => `${InteractionType[type]} ${data['name'] ?? data['custom_id'] ?? ''}`;
