import { config as loadDotenv } from 'dotenv';
import { describeCommands } from '../bot/declaration/options.ts';
import { ConfigError, loadConfig } from '../config/config.ts';
import { type ManifestAddresses, manifestOf } from '../platforms/slack/manifest.ts';
import { loadPlugins } from '../plugins.ts';
import { configuredProfile, profileNamed } from '../service/find-profile.ts';
import { PROFILES } from '../service/profiles.ts';
import type { Capabilities } from '../service/service.ts';
import { readArguments, refuseArguments } from './arguments.ts';

/** Returns what the configured service can do; everything when that is not known without asking it, or the configuration is faulty. */
function configuredCapabilities(): Capabilities {
	loadDotenv({ quiet: true });
	try {
		const { service } = loadConfig(process.env);
		return profileNamed(configuredProfile(service) ?? 'easel', service).capabilities;
	} catch (error) {
		if (error instanceof ConfigError) return PROFILES.easel.capabilities;
		throw error;
	}
}

const { http, oauth } = readArguments({
	name: 'manifest',
	does: 'Prints the manifest of the Slack app as JSON: for Socket Mode, or for HTTP with --http.',
	options: {
		http: { value: 'URL', help: 'the public address of Easel, such as https://easel.example.com' },
		oauth: { help: 'for all workspaces that install it; needs --http' },
	},
	variables: ['SERVICE_BASE_URL', 'SERVICE_PROFILE'],
}).options;

function reachedBy(): ManifestAddresses {
	if (http === undefined) return oauth ? refuseArguments('manifest', '--oauth needs --http URL') : { by: 'socket' };
	const address = URL.parse(http);
	if (address?.protocol !== 'https:') return refuseArguments('manifest', '--http is not an https address');
	return { by: 'http', address: address.origin, workspaces: oauth ? 'many' : 'one' };
}

const reached = reachedBy();
const capabilities = configuredCapabilities();
const { commands, faults } = await loadPlugins(process.env['PLUGINS_DIR']);
// The manifest alone goes to standard output.
for (const fault of faults) process.stderr.write(`${fault}\n`);
const manifest = manifestOf(describeCommands(commands, capabilities), reached);
process.stdout.write(`${JSON.stringify(manifest, undefined, 2)}\n`);
