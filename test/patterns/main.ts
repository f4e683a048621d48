import { resolve } from 'node:path';
import { readArguments } from '../../src/cli/arguments.ts';
import type { Site } from './find-patterns.ts';

readArguments({
	name: 'check:patterns',
	does: `Looks for regular expressions that take longer than in proportion to their text. Where texts are short, a comment at the pattern says
so (Bounded: at most 1,000 characters), and that length is tried.
Exit code: 0 when there is none, 1 when there is one.`,
});

// The help needs neither, and they load compilers.
const { recordPatterns, sitesOf, sourceFiles } = await import('./find-patterns.ts');
const { judge, saveVerdicts } = await import('./judge.ts');

const sites = sourceFiles().flatMap((file) => sitesOf(file));
const placeOf = (site: Site) => `${site.file}:${site.line}`;
const built = sites.filter(({ literal }) => literal === undefined);

const recorded = recordPatterns();
for (const file of new Set(built.map(({ file }) => file))) await import(resolve(file));
const { putTogether } = await import('./put-together.ts');
putTogether();

const faults: string[] = [];
const patterns = sites.flatMap((site) =>
	[...(site.literal !== undefined ? [site.literal] : (recorded.get(placeOf(site)) ?? []))].map((pattern) => ({
		site,
		pattern,
	})),
);
for (const site of built)
	if (!recorded.has(placeOf(site)))
		faults.push(
			`${placeOf(site)}: no pattern is put together here when modules are loaded: call it in test/patterns/put-together.ts`,
		);

let next = 0;
const work = async () => {
	for (let at = next++; at < patterns.length; at = next++) {
		const { site, pattern } = patterns[at]!;
		const fault = await judge(pattern, site.bound);
		if (fault) faults.push(`${placeOf(site)}: ${fault}\n  ${pattern.slice(0, 200)}`);
	}
};
await Promise.all([work(), work()]);
saveVerdicts();
console.log(`${patterns.length} patterns, ${faults.length} ${faults.length === 1 ? 'fault' : 'faults'}`);
for (const fault of faults.toSorted()) console.log(fault);
process.exit(faults.length > 0 ? 1 : 0);
