import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { Actor } from '../../packages/fakes/src/actor.ts';
import type { FaultyService } from '../../packages/fakes/src/service.ts';
import { startProcess } from './process.ts';
import { userAt } from './sandbox.ts';

/**
 * Starts Easel as a process with a service, for one test, in a folder of its own.
 *
 * @param files what the folder has, by name
 */
export function startWithService(
	service: FaultyService,
	env: Record<string, string>,
	files: Readonly<Record<string, string>> = {},
) {
	const folder = mkdtempSync(join(tmpdir(), 'easel-'));
	for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
	const easel = startProcess(folder, { SERVICE_BASE_URL: service.url, SERVICE_API_KEY: 'test-key', ...env });
	onTestFinished(async () => {
		easel.child.kill('SIGTERM');
		await easel.ended;
		await service.close();
		rmSync(folder, { recursive: true });
	});
	/** Returns a person, once Easel listens. */
	const ada = async () => {
		const address = await easel.address;
		return new Actor(userAt('ada', () => address));
	};
	return { easel, ada };
}
