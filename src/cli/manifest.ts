import { parseArgs } from 'node:util';
import { config as loadDotenv } from 'dotenv';
import { commands } from '../../commands/index.ts';
import { describeCommands } from '../bot/declaration/available-commands.ts';
import { ConfigError, loadConfig } from '../config/config.ts';
import { type ManifestAddresses, manifestOf } from '../platforms/slack/manifest.ts';
import type { Capabilities } from '../service/capabilities.ts';
import { easelProfile } from '../service/profiles/easel.ts';
import { configuredProfile, profileNamed } from '../service/profiles/find-profile.ts';

const USAGE = `npm run manifest                            Socket Mode
npm run manifest -- --http URL             HTTP, for one workspace
npm run manifest -- --http URL --oauth     HTTP, for all workspaces that install it

URL is the public address of Easel, such as https://easel.example.com`;

/** Reads the arguments; undefined when they are wrong. */
function readArguments(): ManifestAddresses | undefined {
	try {
		const { values } = parseArgs({ options: { http: { type: 'string' }, oauth: { type: 'boolean' } } });
		if (values.http === undefined) return values.oauth ? undefined : { by: 'socket' };
		const address = URL.parse(values.http);
		if (address?.protocol !== 'https:') return undefined;
		return { by: 'http', address: address.origin, workspaces: values.oauth ? 'many' : 'one' };
	} catch {
		return undefined;
	}
}

/** Returns what the configured service can do; everything when that is not known without asking it, or the configuration is faulty. */
function configuredCapabilities(): Capabilities {
	loadDotenv({ quiet: true });
	try {
		const { service } = loadConfig(process.env);
		return profileNamed(configuredProfile(service) ?? 'easel', service).capabilities;
	} catch (error) {
		if (error instanceof ConfigError) return easelProfile.capabilities;
		throw error;
	}
}

/** `npm run manifest`: prints the manifest of the Slack app. */
const reached = readArguments();
if (reached)
	process.stdout.write(
		`${JSON.stringify(manifestOf(describeCommands(commands, configuredCapabilities()), reached), undefined, 2)}\n`,
	);
else {
	process.stderr.write(`${USAGE}\n`);
	process.exitCode = 64;
}
