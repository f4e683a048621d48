import { commands } from '../../commands/index.ts';
import { describeCommands } from '../bot/declaration/catalogue.ts';
import type { Config } from '../config/config.ts';
import { createLog } from '../log.ts';
import { findProfile, profileNamed } from '../service/find-profile.ts';
import type { ProfileName } from '../service/profiles.ts';
import { type Checks, createCleanText, type Result, runChecks, skipped } from './check.ts';
import { configurationChecks, loadUsableConfig } from './configuration.ts';
import { hostChecks, studioChecks } from './host.ts';
import { serviceChecks } from './service.ts';
import { createStoreOpener, type OpenedStore, storeChecks } from './store.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The variables that a group depends on: with a fault in one of them, there is nothing to check. */
const PREFIXES: Readonly<Record<string, RegExp>> = {
	'Image service': /^(SERVICE|CHAT|EMBEDDING)_/,
	Store: /^(STORE|FILES)_/,
	Discord: /^DISCORD_/,
	Slack: /^SLACK_/,
	Studio: /^(STUDIO|SERVICE)_/,
	Host: /^(HOST|PORT)$/,
};

/**
 * Checks the whole configuration against its counterparts. Reads only, apart from an entry and a file that are written and deleted at
 * once, as `/healthz` does; so it can run beside the bot.
 *
 * @param folder where `.env` is
 * @returns one result for each line, in a fixed order, without any secret
 */
export async function diagnose(env: Environment, folder = process.cwd()): Promise<Result[]> {
	const usable = loadUsableConfig(env);
	const { config, broken } = usable;
	const opener = createStoreOpener(config);
	let profile: Promise<ProfileName | undefined> | undefined;
	// The answer is not kept for the next start: the operator may be changing the service right now.
	const askProfile = () => (profile ??= findProfile(config.service, new Map()));
	const groups: Record<string, Checks> = {
		Configuration: configurationChecks(usable, env),
		'Image service': serviceChecks(config, askProfile),
		Store: storeChecks(config, opener.open),
		Discord: await discordGroup(config, askProfile),
		Slack: await slackGroup(config, opener.open),
		Studio: studioChecks(config),
		Host: hostChecks(config, folder),
	};
	for (const [group, variables] of Object.entries(PREFIXES)) {
		const variable = [...broken].find((name) => variables.test(name));
		if (variable) groups[group] = all(`Not checked, because of the fault in ${variable} above.`);
	}
	try {
		return await runChecks(groups, createCleanText(env));
	} finally {
		await opener.close();
	}
}

/** A group that is not checked. */
const all = (reason: string): Checks => ({ all: () => skipped(reason) });

async function discordGroup({ discord, service }: Config, askProfile: () => Promise<ProfileName | undefined>) {
	if (!discord) return all('DISCORD_TOKEN is not set.');
	const { discordChecks } = await import('./discord.ts');
	const log = await createLog({ level: 'silent', format: 'json', secrets: [] });
	// Commands that the service cannot carry out are not registered.
	const offered = async () =>
		describeCommands(commands, profileNamed((await askProfile()) ?? 'easel', service).capabilities);
	return discordChecks(discord, offered, log);
}

async function slackGroup(config: Config, open: () => Promise<OpenedStore>) {
	if (!config.slack) return all('SLACK_BOT_TOKEN is not set.');
	const { slackChecks } = await import('./slack.ts');
	return slackChecks(config, config.slack, open);
}
