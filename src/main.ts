import { enableCompileCache } from 'node:module';

// glibc would keep the memory of pictures that are gone, for each thread. It reads its settings at the start alone, so that the process
// starts again as itself: the same id, files and arguments. A parent with a channel to this process would lose it.
// https://man7.org/linux/man-pages/man3/mallopt.3.html (M_ARENA_MAX, M_MMAP_THRESHOLD)
const MALLOC = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '131072' };
if (process.platform === 'linux' && !process.send && Object.keys(MALLOC).some((name) => !process.env[name])) {
	const args = [process.execPath, ...process.execArgv, import.meta.filename, ...process.argv.slice(2)];
	process.execve?.(process.execPath, args, { ...MALLOC, ...process.env });
}

// Must come before anything large is loaded, hence the dynamic import: the cache halves the start.
enableCompileCache();
const { readArguments } = await import('./cli/arguments.ts');
readArguments({
	name: 'start',
	does: `Starts Easel with every platform that has credentials; without any, the sandbox, a chat in the browser.
Ctrl+C, SIGINT or SIGTERM stops it. Exit code: 0 after a stop, 78 for a faulty configuration, 1 when it fails.`,
	variables: [
		...(['DISCORD_TOKEN', 'SLACK_BOT_TOKEN', 'SANDBOX', 'SERVICE_BASE_URL', 'SERVICE_API_KEY'] as const),
		...(['STORE_URL', 'FILES_URL', 'HOST', 'PORT', 'LOG_FORMAT'] as const),
	],
});
const { main } = await import('./app.ts');
await main();
