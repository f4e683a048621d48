// Prints what the changelog says of a version: node .github/release-notes.mjs v1.2.3. Runs on any Node.js, before anything is installed.
import { readFileSync } from 'node:fs';

const root = new URL('../', import.meta.url);
const read = (path) => readFileSync(new URL(path, root), 'utf8');
const version = (process.argv[2] ?? '').replace(/^v/, '');
const own = JSON.parse(read('package.json')).version;
const [, notes] = read('CHANGELOG.md').split(`\n## ${version} `);
if (version !== own) throw new Error(`The tag is ${version}, and package.json has ${own}.`);
if (!notes) throw new Error(`CHANGELOG.md has no section "## ${version} – DATE".`);
// The first line has the date.
process.stdout.write(`${notes.slice(notes.indexOf('\n')).split('\n## ')[0].trim()}\n`);
