import type { ChildProcess } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FaultyService } from '../../packages/fakes/src/service.ts';
import { startProcess } from './process.ts';

/** A fake platform, a service, a folder, and the processes of one Easel on them. Sites share nothing, so their tests can run side by side. */
export class Site<Platform extends { readonly violations: readonly string[]; close(): Promise<void> }> {
	readonly platform: Platform;
	readonly service: FaultyService;
	readonly #folder = mkdtempSync(join(tmpdir(), 'easel-'));
	readonly #running = new Set<ChildProcess>();

	constructor(platform: Platform, service: FaultyService) {
		this.platform = platform;
		this.service = service;
	}

	/** Starts Easel with the service and these variables. */
	start(env: Record<string, string>) {
		const service = { SERVICE_BASE_URL: this.service.url, SERVICE_PROFILE: 'easel', SERVICE_API_KEY: 'key' };
		const easel = startProcess(this.#folder, { ...service, ...env });
		this.#running.add(easel.child);
		return easel;
	}

	/** Ends everything. Throws when Easel has broken a rule of the platform. */
	async close(): Promise<void> {
		for (const child of this.#running) child.kill('SIGKILL');
		await this.platform.close();
		await this.service.close();
		await rm(this.#folder, { recursive: true, maxRetries: 5 });
		if (this.platform.violations.length > 0) throw new Error(this.platform.violations.join('\n'));
	}
}
