import type { Check, Finding } from './check.ts';
import { fault, known, ok, warning } from './check.ts';
import { type UsableConfig, VARIABLES, variablesIn } from './usable-config.ts';

/** Prefixes that only Easel's variables have. */
const OWN_PREFIX = /^(SERVICE|DISCORD|SLACK|STUDIO|FILES|STORE|SANDBOX|SERVERS?|PLAN)_/;

export function configurationChecks(
	{ config, faults }: UsableConfig,
	env: Readonly<Record<string, string | undefined>>,
): Check[] {
	const given = Object.keys(env).filter((name) => env[name]?.trim());
	const set = given.filter((name) => VARIABLES.has(name)).length;
	const platforms = platformsOf(config);
	return [
		known(
			'variables',
			faults.length > 0
				? faults.map(faultOf)
				: ok(
						`${set === 0 ? 'No variable is set; all have their defaults.' : `All variables can be read; ${set === 1 ? 'one is' : `${set} are`} set.`}`,
					),
		),
		known('names', unknownNames(given)),
		known('platforms', ok(`npm start runs ${new Intl.ListFormat('en').format(platforms)}.`)),
	];
}

function faultOf(line: string): Finding {
	const [variable] = variablesIn(line);
	if (variable === undefined) return fault(line, {});
	return fault(line, { variable, step: `Correct ${variable} in .env or in the environment (docs/configuration.md).` });
}

/** Finds misspelt names. Other programs have names with such prefixes as well, so these are no faults. */
function unknownNames(given: readonly string[]): Finding | Finding[] {
	const unknown = given.filter((name) => OWN_PREFIX.test(name) && !VARIABLES.has(name));
	if (unknown.length === 0) return ok('No name is misspelt.');
	return unknown.map((name) =>
		warning(`${name} is set, but Easel has no such variable.`, {
			variable: name,
			step: 'Compare its name with .env.example, or remove it.',
		}),
	);
}

function platformsOf({ discord, slack, sandbox }: UsableConfig['config']): string[] {
	const ways = { socket: 'Socket Mode', http: 'HTTP', oauth: 'HTTP, many workspaces' };
	return [
		...(discord ? ['Discord'] : []),
		...(slack ? [`Slack (${ways[slack.access.kind]})`] : []),
		...(sandbox ? ['the browser sandbox'] : []),
	];
}
