import { randomBytes } from 'node:crypto';
import { InteractionType } from 'discord-api-types/v10';
import type { Discord, InteractionProperties, Interactions } from '../context.ts';
import { renderMessage } from '../render/messages.ts';
import { renderActor, renderChannel, renderUser } from '../render/objects.ts';
import { FILE_BYTES } from '../schemas/messages.ts';
import type { Channel, Interaction } from './model.ts';
import { permissionsAt } from './permissions.ts';

/** https://docs.discord.com/developers/interactions/receiving-and-responding#responding-to-an-interaction */
const FIRST_RESPONSE_MS = 3000;
const TOKEN_MS = 15 * 60_000;

/** The interactions of all users, by id and token. */
export class InteractionStore implements Interactions {
	readonly #discord: () => Discord;
	readonly #byId = new Map<string, Interaction>();
	readonly #byToken = new Map<string, Interaction>();

	constructor(discord: () => Discord) {
		this.#discord = discord;
	}

	create(properties: InteractionProperties): Interaction {
		const { clock, snowflake, world } = this.#discord();
		const { promise, resolve } = Promise.withResolvers<'answered' | 'failed'>();
		const interaction: Interaction = {
			...properties,
			id: snowflake(),
			token: randomBytes(48).toString('base64url'),
			sentAt: clock.now(),
			deliveries: 0,
			followUps: 0,
			settled: promise,
			settle: resolve,
		};
		this.#byId.set(interaction.id, interaction);
		this.#byToken.set(interaction.token, interaction);
		world.requesters.add(properties.user.id);
		return interaction;
	}

	deliver(interaction: Interaction): void {
		const { gateway, clock, violate } = this.#discord();
		if (gateway.connected().length === 0) {
			interaction.settle('failed');
			return;
		}
		if (interaction.deliveries++ === 0)
			clock.after(FIRST_RESPONSE_MS, () => {
				if (interaction.answered !== undefined) return;
				violate(`interaction ${interaction.id} (${nameOf(interaction)}) was not acknowledged within 3 s`);
				interaction.settle('failed');
			});
		const event = renderInteraction(this.#discord(), interaction);
		gateway.dispatch('INTERACTION_CREATE', event, { server: interaction.channel.server?.id });
	}

	byId(id: string): Interaction | undefined {
		return this.#byId.get(id);
	}

	byToken(token: string): Interaction | undefined {
		return this.#byToken.get(token);
	}

	isTokenValid({ sentAt }: Interaction): boolean {
		return this.#discord().clock.now() < sentAt + TOKEN_MS;
	}

	isInTime({ sentAt }: Interaction): boolean {
		return this.#discord().clock.now() < sentAt + FIRST_RESPONSE_MS;
	}
}

function renderInteraction(discord: Discord, interaction: Interaction) {
	const { world, settings } = discord;
	const { id, token, type, user, channel, data, source } = interaction;
	const { server } = channel;
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
					guild: { id: server.id, locale: server.locale, features: server.features },
					guild_locale: server.locale,
					member: renderActor(server, user, channel),
				}
			: { user: renderUser(user) }),
		...(source && { message: renderMessage(discord, source, true) }),
		app_permissions: String(permissionsAt(channel, world.me)),
		locale: user.locale,
		entitlements: [],
		...(settings.integrationOwners !== 'missing' && {
			authorizing_integration_owners: settings.integrationOwners === 'empty' ? {} : integrationOwners(interaction),
		}),
		context: server ? 0 : channel.recipients.includes(world.me) ? 1 : 2,
		attachment_size_limit: fileBytesFor(interaction),
	};
}

/** https://docs.discord.com/developers/interactions/receiving-and-responding#interaction-object-authorizing-integration-owners-object */
function integrationOwners({ user, channel: { server }, source }: Interaction): Record<string, string> {
	const owners: Record<string, string> = {};
	if (server?.authorized) owners['0'] = server.id;
	if (!server && !user.installed) owners['0'] = '0';
	// A component belongs to the user with whose installation its message was posted, also when another user presses it.
	const owner = source?.interaction?.user ?? user;
	if (owner.installed) owners['1'] = owner.id;
	return owners;
}

/**
 * The upload limit of a file in a response, in bytes: the highest of the user's and the server's.
 * https://docs.discord.com/developers/interactions/receiving-and-responding#interaction-object-interaction-structure
 */
export const fileBytesFor = ({ user, channel }: Pick<Interaction, 'user' | 'channel'>): number =>
	Math.max(user.fileBytes, fileBytesIn(channel));

/** The upload limit of a file that the application posts by itself, in bytes. */
export const fileBytesIn = ({ server }: Channel): number => server?.fileBytes ?? FILE_BYTES;

const nameOf = ({ type, data }: Interaction) => `${InteractionType[type]} ${data['name'] ?? data['custom_id'] ?? ''}`;
