import { parseArgs } from 'node:util';
import { commands } from '../../commands/index.ts';
import { describeCommands } from '../bot/declaration/available-commands.ts';
import { type ManifestAddresses, manifestOf } from '../platforms/slack/manifest.ts';
import { easelProfile } from '../service/profiles/easel.ts';

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

/** `npm run manifest`: prints the manifest of the Slack app. */
const reached = readArguments();
if (reached)
	process.stdout.write(
		`${JSON.stringify(manifestOf(describeCommands(commands, easelProfile.capabilities), reached), undefined, 2)}\n`,
	);
else {
	process.stderr.write(`${USAGE}\n`);
	process.exitCode = 64;
}
