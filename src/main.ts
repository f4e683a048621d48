import { enableCompileCache } from 'node:module';

// Must come before anything large is loaded, hence the dynamic import: the cache halves the start.
enableCompileCache();
const { main } = await import('./app.ts');
await main();
