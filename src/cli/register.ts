import { describeCommands } from '../bot/declaration/options.ts';
import { ConfigError } from '../config/config.ts';
import { run } from '../lifecycle.ts';
import { loadPlugins } from '../plugins.ts';
import { findProfile, profileNamed } from '../service/find-profile.ts';
import { readArguments } from './arguments.ts';

const { guild } = readArguments({
	name: 'register',
	does: 'Replaces the commands that are registered at Discord, as a start does by itself when they differ.',
	options: { guild: { value: 'ID', help: 'registers them in this server only' } },
	variables: ['DISCORD_TOKEN', 'DISCORD_API_URL', 'SERVICE_BASE_URL', 'SERVICE_PROFILE'],
}).options;
await run(async (config, log) => {
	if (!config.discord) throw new ConfigError(['DISCORD_TOKEN is missing; it is needed to register the commands.']);
	const profile = profileNamed((await findProfile(config.service, new Map())) ?? 'easel', config.service);
	const { createRest, registerCommands } = await import('../platforms/discord/index.ts');
	const rest = createRest({ ...config.discord, log });
	const { commands, faults } = await loadPlugins(config.pluginsFolder);
	for (const fault of faults) log.warn(fault);
	const put = registerCommands({
		rest,
		commands: describeCommands(commands, profile.capabilities),
		guild,
	});
	const count = await put.catch((error: { status?: number }) => {
		if (error.status === 401) throw new ConfigError(['Discord does not accept DISCORD_TOKEN.']);
		if (error.status === 403 || error.status === 404)
			throw new ConfigError([
				'--guild names a server that this bot is not in; invite it with the scope applications.commands.',
			]);
		throw error;
	});
	log.info(`Registered ${count} commands${guild ? ` in server ${guild}` : ''}.`);
	process.exit(0);
});
