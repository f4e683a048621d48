import { enableCompileCache } from 'node:module';

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
