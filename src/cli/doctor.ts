import { config as loadDotenv } from 'dotenv';
import { diagnose, jsonReport, textReport, worstOf } from '../doctor/diagnose.ts';
import { hasColours } from '../log.ts';
import { readArguments } from './arguments.ts';

const { json } = readArguments({
	name: 'doctor',
	does: `Checks the whole configuration against the real services, and says what to change. Changes nothing, buys nothing.
Exit code: 0 without faults, 1 with faults.`,
	options: { json: { help: 'prints the results as JSON' } },
	variables: ['SERVICE_BASE_URL', 'SERVICE_API_KEY', 'STORE_URL', 'FILES_URL', 'DISCORD_TOKEN', 'SLACK_BOT_TOKEN'],
}).options;
loadDotenv({ quiet: true });
const results = await diagnose(process.env);
const report = json ? jsonReport(results) : textReport(results, hasColours());
// Requests that were given up may still be open.
process.stdout.write(report, () => process.exit(worstOf(results) === 'fault' ? 1 : 0));
