import { setTimeout as sleep } from 'node:timers/promises';
import { styleText } from 'node:util';
import { describeCommands } from '../bot/declaration/options.ts';
import { secretsIn, unquoted } from '../config/config.ts';
import { type Check, type Checks, type Finding, fault, type Level, ok, once, skipped } from '../domain/findings.ts';
import { codeOf, oneLine } from '../domain/text.ts';
import { redactor } from '../log.ts';
import { loadPlugins, type Plugins } from '../plugins.ts';
import { findProfile } from '../service/find-profile.ts';
import { profileNamed } from '../service/profiles.ts';
import {
	configurationChecks,
	hostChecks,
	loadUsableConfig,
	localAddress,
	studioChecks,
	UNKNOWN_ADDRESS,
} from './configuration.ts';
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
		const store = await opened;
		if (store && 'close' in store) await store.close();
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

/** How long a check may take, in milliseconds. */
const TIMEOUT_MS = 15_000;

/** All receipts are read; and two requests are made for each server, at the pace of Discord's rate limits. */
const LONGER_TIMEOUTS: Readonly<Record<string, number>> = { counters: 120_000, permissions: 120_000 };

export type Result = Finding & { group: string; check: string };

/**
 * Runs all checks at the same time. Never rejects.
 *
 * @param clean removes secrets from a text; every text of a result goes through it
 * @returns the results in the order of the groups and checks
 */
export async function runChecks(
	groups: Readonly<Record<string, Checks>>,
	clean: (text: string) => string,
	timeouts = LONGER_TIMEOUTS,
): Promise<Result[]> {
	const all = Object.entries(groups).flatMap(([group, checks]) =>
		Object.entries(checks).map(async ([check, run]) => {
			const findings = await findingsOf(run, timeouts[check] ?? TIMEOUT_MS);
			return findings.map(({ level, message, variable, step }) => {
				const [said, named, remedy] = [message, variable, step].map((text) => text && clean(text));
				return { group, check, level, message: said ?? '', variable: named, step: remedy };
			});
		}),
	);
	return (await Promise.all(all)).flat();
}

async function findingsOf(check: Check, timeoutMs: number): Promise<readonly Finding[]> {
	const stop = new AbortController();
	const { signal } = stop;
	const late = sleep(timeoutMs, fault(`There was no answer within ${timeoutMs / 1000} s.`), { signal });
	try {
		const found = await Promise.race([check(signal), late]);
		return 'level' in found ? [found] : found;
	} catch (error) {
		// The message of an unexpected error may quote anything, a secret too.
		return [fault(`The check failed (${codeOf(error)}).`)];
	} finally {
		// Also ends what is still asked for.
		stop.abort();
	}
}

const SEVERITY: readonly Level[] = ['skipped', 'ok', 'warning', 'fault'];

/** Returns the worst level of all results. */
export const worstOf = (results: readonly Result[]): Level =>
	SEVERITY.findLast((level) => results.some((result) => result.level === level)) ?? 'skipped';

type Style = Parameters<typeof styleText>[0];

const MARKS: Readonly<Record<Level, readonly [mark: string, word: string, style: Style]>> = {
	ok: ['✓', 'ok', 'green'],
	warning: ['!', 'warning', 'yellow'],
	fault: ['✗', 'fault', 'red'],
	skipped: ['–', 'skipped', 'gray'],
};

/** Writes one line for each result, and one below it for what to do. */
export function textReport(results: readonly Result[], hasColours: boolean): string {
	const paint = (style: Style, text: string) => (hasColours ? styleText(style, text, { validateStream: false }) : text);
	const lines = [...Map.groupBy(results, ({ group }) => group)].flatMap(([group, members]) => [
		paint('bold', group),
		...merged(members).flatMap(({ level, check, message, variable, step }) => {
			const [mark, word, style] = MARKS[level];
			const remedy = [variable && !message.includes(variable) && variable, step].filter(Boolean).join(': ');
			return [
				`  ${paint(style, `${mark} ${word.padEnd(7)}`)}  ${check}: ${message}`,
				...(remedy === '' ? [] : [`             ${paint(style, '→')} ${remedy}`]),
			];
		}),
		'',
	]);
	return `${lines.join('\n')}\n${summaryOf(results)}\n`;
}

/** Writes checks that were skipped for the same reason as one. */
function merged(results: readonly Result[]): Result[] {
	return [...Map.groupBy(results, (result) => (result.level === 'skipped' ? result.message : result)).values()].map(
		(same) => ({ ...(same[0] as Result), check: same.map(({ check }) => check).join(', ') }),
	);
}

function summaryOf(results: readonly Result[]): string {
	const count = (level: Level) => results.filter((result) => result.level === level).length;
	const [faults, warnings, skips] = [count('fault'), count('warning'), count('skipped')];
	if (faults + warnings === 0) return `All is well: ${count('ok')} checks passed, ${skips} were skipped.`;
	const some = (number: number, word: string) => `${number} ${word}${number === 1 ? '' : 's'}`;
	return `${some(faults, 'fault')}, ${some(warnings, 'warning')}, ${count('ok')} ok, ${skips} skipped.`;
}

/** The results for programs. `level` is the worst of all. */
export const jsonReport = (results: readonly Result[]): string =>
	`${JSON.stringify({ level: worstOf(results), checks: results }, undefined, 2)}\n`;

/** Returns a function that removes every secret of the environment from a text: one line, since names of servers and channels are written by anybody. */
export function createCleanText(env: Readonly<Record<string, string | undefined>>) {
	const redact = redactor(secretsIn(unquoted(env)).flatMap(spellingsOf));
	// Redacted twice: an invisible character may have split a secret.
	return (text: string): string => redact(oneLine(redact(text)));
}

/** Returns a secret as it is, trimmed, and as addresses and encodings write it. */
function spellingsOf(secret: string): string[] {
	const trimmed = secret.trim();
	const encoded = trimmed.isWellFormed() ? [encodeURIComponent(trimmed), encodeURI(trimmed)] : [];
	return [secret, trimmed, ...encoded, Buffer.from(trimmed).toString('base64')];
}
