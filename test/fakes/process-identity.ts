/**
 * A process that says as JSON how it can be recognized, and for every line that it reads, an identity as JSON, whether that
 * process is alive: `true`, `false`, or `null` when it cannot know. Ends with its input.
 */
import { createInterface } from 'node:readline';
import { currentProcess } from '../../src/usage/processes/process-identity.ts';

console.log(JSON.stringify(currentProcess.identity));
for await (const line of createInterface(process.stdin))
	console.log(JSON.stringify(currentProcess.isAlive(JSON.parse(line)) ?? null));
