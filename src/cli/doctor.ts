import { parseArgs } from 'node:util';
import { config as loadDotenv } from 'dotenv';
import { diagnose } from '../doctor/diagnose.ts';
import { jsonReport, textReport } from '../doctor/report.ts';
import { worstOf } from '../doctor/run-checks.ts';

const USAGE = `npm run doctor              checks the configuration against the real services
npm run doctor -- --json    the same, as JSON

Exit code: 0 without faults, 1 with faults, 2 for wrong arguments.`;

/** Returns undefined when the arguments are wrong. */
function readArguments(): { json: boolean } | undefined {
	try {
		const { values } = parseArgs({ options: { json: { type: 'boolean' } } });
		return { json: values.json ?? false };
	} catch {
		return undefined;
	}
}

/** `npm run doctor`: checks everything that the start needs. Changes nothing and buys nothing. */
const options = readArguments();
if (options) {
	loadDotenv({ quiet: true });
	const results = await diagnose(process.env);
	const hasColours = process.stdout.isTTY && !process.env['NO_COLOR'];
	const report = options.json ? jsonReport(results) : textReport(results, hasColours);
	// Requests that were given up may still be open.
	process.stdout.write(report, () => process.exit(worstOf(results) === 'fault' ? 1 : 0));
} else {
	process.stderr.write(`${USAGE}\n`);
	process.exitCode = 2;
}
