import { enableCompileCache } from 'node:module';

/** Imports the given packages, prints `ready`, and idles. */
enableCompileCache();
for (const name of process.argv.slice(2)) await import(name);
console.log('ready');
setInterval(() => {}, 60_000);
