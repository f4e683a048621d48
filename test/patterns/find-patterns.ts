import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import ts from 'typescript';

/** A pattern of the code, or the place that puts patterns together. */
export type Site = {
	file: string;
	line: number;
	/** The literal; undefined where a pattern is put together at run time. */
	literal?: string;
	/** The most characters that the pattern is given, by a comment at it: `Bounded: at most 1,000 characters`. */
	bound?: number;
};

/** Returns the files whose patterns are checked. */
export const sourceFiles = () =>
	globSync('{commands,src,packages/studio/src}/**/*.ts', { exclude: ['**/*.test.ts', '**/*.fixture.ts'] }).toSorted();

/** Returns the patterns of a file, in order. */
export function sitesOf(file: string, text = readFileSync(file, 'utf8')): Site[] {
	const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
	const sites: Site[] = [];
	const visit = (node: ts.Node): void => {
		const literal = ts.isRegularExpressionLiteral(node) ? node.text : undefined;
		if (literal !== undefined || isBuilt(node) || isImplied(node)) {
			const bound = boundOf(node, text);
			const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
			sites.push({ file, line, ...(literal !== undefined && { literal }), ...(bound && { bound }) });
		}
		ts.forEachChild(node, visit);
	};
	visit(source);
	return sites;
}

/** `new RegExp(…)` and `RegExp(…)`. */
const isBuilt = (node: ts.Node) =>
	(ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText() === 'RegExp';

/** `text.match('…')`, which makes a pattern of a string. */
const isImplied = (node: ts.Node) =>
	ts.isCallExpression(node) &&
	ts.isPropertyAccessExpression(node.expression) &&
	['match', 'matchAll', 'search'].includes(node.expression.name.text) &&
	node.arguments.some((argument) => ts.isStringLiteralLike(argument) || ts.isTemplateExpression(argument));

/** Reads the comments of the statement, or of the part of it, that a pattern is in. */
function boundOf(pattern: ts.Node, text: string): number | undefined {
	const comments: ts.CommentRange[] = [];
	for (let node = pattern; !ts.isBlock(node) && !ts.isSourceFile(node); node = node.parent) {
		comments.push(...(ts.getLeadingCommentRanges(text, node.getFullStart()) ?? []));
		comments.push(...(ts.getTrailingCommentRanges(text, node.end) ?? []));
	}
	for (const { pos, end } of comments) {
		const [, characters] = /bounded: at most ([\d,]+) characters/i.exec(text.slice(pos, end)) ?? [];
		if (characters) return Number(characters.replaceAll(',', ''));
	}
	return undefined;
}

/** The patterns that a place in the code has put together, by place: `src/a.ts:12`. */
export type Recorded = ReadonlyMap<string, ReadonlySet<string>>;

/** Records the patterns that are put together from now on. Modules that are loaded before have made theirs. */
export function recordPatterns(): Recorded {
	const recorded = new Map<string, Set<string>>();
	const root = `${resolve()}/`;
	const record = (pattern: RegExp) => {
		const frames = new Error().stack?.split('\n').slice(3) ?? [];
		const [, place] = /([^:()]+:\d+):\d+\)?$/.exec(frames[0]?.replace(root, '').replace('file://', '') ?? '') ?? [];
		const file = place?.trim().split(' ').at(-1);
		if (file && /^(?:src|commands|packages)\//.test(file))
			recorded.set(file, (recorded.get(file) ?? new Set()).add(String(pattern)));
		return pattern;
	};
	globalThis.RegExp = new Proxy(RegExp, {
		construct: (target, [source, flags]) => record(new target(source, flags)),
		apply: (target, _, [source, flags]) => record(target(source, flags)),
	});
	return recorded;
}
