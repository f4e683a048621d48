import type { Discord } from '../context.ts';
import type { Server } from './model.ts';

/** Removes the bot from a server, as a member does who may, or the bot by leaving. */
export function removeApplication({ world, gateway }: Discord, server: Server): void {
	server.joined = false;
	server.authorized = false;
	server.members.delete(world.me.id);
	gateway.dispatch('GUILD_DELETE', { id: server.id }, { server: server.id });
}
