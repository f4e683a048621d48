#!/usr/bin/env node
// Starts Easel with a Node that it runs on: this one, or the one that is installed beside it. Runs on Node 20 itself.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const NEEDED = 26;
const PROGRAM = fileURLToPath(new URL('../dist/src/cli/easel.js', import.meta.url));

/** Returns the path of the Node that the `node` package has installed; undefined where its install script was not allowed to. */
function installedNode() {
	try {
		const folder = dirname(createRequire(import.meta.url).resolve('node/package.json'));
		return ['bin/node', 'bin/node.exe'].map((name) => join(folder, name)).find((path) => existsSync(path));
	} catch {
		return undefined;
	}
}

function start(node) {
	const child = spawn(node, [PROGRAM, ...process.argv.slice(2)], { stdio: 'inherit' });
	// A terminal sends SIGINT to both. What is sent to this process alone is passed on.
	process.on('SIGINT', () => {});
	for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
	child.on('error', ({ message }) => {
		process.stderr.write(`Easel could not start ${node}: ${message}\n`);
		process.exitCode = 1;
	});
	child.on('exit', (code, signal) => {
		process.exitCode = code ?? 128 + constants.signals[signal];
	});
}

if (Number.parseInt(process.versions.node, 10) >= NEEDED) await import(PROGRAM);
else {
	const node = installedNode();
	if (node) start(node);
	else {
		process.stderr.write(
			`Easel needs Node.js ${NEEDED}, this is ${process.versions.node}. The package "node" would have brought it: allow its install script, or install Node.js ${NEEDED}.\n`,
		);
		process.exitCode = 1;
	}
}
