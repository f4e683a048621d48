import { describeCommands } from '../bot/declaration/options.ts';
import { type Checks, type Finding, fault, ok, once, skipped } from '../domain/findings.ts';
import { loadPlugins, type Plugins } from '../plugins.ts';
import { findProfile, profileNamed } from '../service/find-profile.ts';
import { createCleanText, type Result, runChecks } from './check.ts';
import { configurationChecks, loadUsableConfig } from './configuration.ts';
import { hostChecks, localAddress, studioChecks, UNKNOWN_ADDRESS } from './host.ts';
import { serviceChecks } from './service.ts';
import { type OpenedStore, onStore, openForChecks, storeChecks } from './store.ts';

/**
 * Checks the whole configuration against its counterparts. Reads only, apart from an entry and a file that are written and deleted at
 * once, as `/healthz` does; so it can run beside the bot.
 *
 * @param folder where `.env` is
 * @param only the groups to check; all by default
 * @returns one result for each line, in a fixed order, without any secret
 */
export async function diagnose(
	env: Readonly<Record<string, string | undefined>>,
	folder = process.cwd(),
	only?: readonly string[],
): Promise<Result[]> {
	const usable = loadUsableConfig(env);
	const { config, broken } = usable;
	const { discord, slack, service } = config;
	let opened: Promise<OpenedStore> | undefined;
	const open = () => (opened ??= openForChecks(config.store));
	// The answer is not kept for the next start: the operator may be changing the service right now.
	const askProfile = once(() => findProfile(service, new Map()));
	const plugins = () => loadPlugins(config.pluginsFolder);
	/** Commands that the service cannot carry out are not registered. */
	const offered = async () =>
		describeCommands((await plugins()).commands, profileNamed((await askProfile()) ?? 'easel', service).capabilities);
	/** The checks of a group, unless a variable that they depend on has a fault. */
	const unlessBroken = async (variables: RegExp, checks: () => Checks | Promise<Checks>): Promise<Checks> => {
		const variable = [...broken].find((name) => variables.test(name));
		return variable ? notChecked(`Not checked, because of the fault in ${variable} above.`) : checks();
	};
	try {
		const groups = {
			Configuration: configurationChecks(usable, env),
			Commands: { plugins: async () => pluginFindings(await plugins()) },
			'Image service': await unlessBroken(/^(SERVICE|CHAT|EMBEDDING)_/, () => serviceChecks(config, askProfile)),
			Store: await unlessBroken(/^(STORE|FILES)_/, () => storeChecks(config, open)),
			Discord: await unlessBroken(/^DISCORD_/, async () =>
				discord
					? (await import('../platforms/discord/checks.ts')).discordChecks(discord, offered)
					: notChecked('DISCORD_TOKEN is not set.'),
			),
			Slack: await unlessBroken(/^SLACK_/, async () =>
				slack
					? (await import('../platforms/slack/checks.ts')).slackChecks(slack, {
							...{ publicUrl: config.publicUrl, local: localAddress(config) ?? UNKNOWN_ADDRESS },
							onSpace: (look) => onStore(open, (store) => look(store.space('slack'))),
						})
					: notChecked('SLACK_BOT_TOKEN is not set.'),
			),
			Studio: await unlessBroken(/^(STUDIO|SERVICE)_/, () => studioChecks(config)),
			Host: await unlessBroken(/^(HOST|PORT)$/, () => hostChecks(config, folder)),
		};
		const chosen = Object.entries(groups).filter(([group]) => only === undefined || only.includes(group));
		return await runChecks(Object.fromEntries(chosen), createCleanText(env));
	} finally {
		const result = await opened;
		if (result && 'store' in result) await result.store.close();
	}
}

/** The groups of what can be tried out, by the beginning of the variables. */
const TRIED: Readonly<Record<string, string>> = {
	DISCORD: 'Discord',
	SLACK: 'Slack',
	...{ SERVICE: 'Image service', IMAGE: 'Image service', CHAT: 'Image service' },
};

const groupOf = (variable = '') => TRIED[variable.split('_', 1)[0] ?? ''] ?? '';

/** Checks variables before they are set, beside those that are. Nothing of them is kept. */
export async function tryOut(typed: Readonly<Record<string, string>>): Promise<Finding[]> {
	const groups = Object.keys(typed).map(groupOf);
	const results = await diagnose({ ...process.env, ...typed }, undefined, ['Configuration', ...groups]);
	const found = results.filter(
		({ group, variable }) => group !== 'Configuration' || groups.includes(groupOf(variable)),
	);
	// Several checks may be skipped for the same reason.
	return [...new Map(found.map((result) => [result.message, result])).values()].map(
		({ level, message, variable, step }) => ({ level, message, variable, step }),
	);
}

const pluginFindings = ({ loaded, faults }: Plugins): Finding[] => [
	...loaded.map((sentence) => ok(sentence)),
	...faults.map((sentence) => fault(sentence, 'Mend it, or remove it. See docs/plugins.md.')),
];

const notChecked = (reason: string): Checks => ({ all: () => skipped(reason) });
