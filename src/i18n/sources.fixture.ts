import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const ROOT = join(import.meta.dirname, '../..');

/** One saying of a sentence in the code. */
export type Saying = {
	where: string;
	message: string;
	/** The names of the values that go with it; undefined where they can't be told from the code alone. */
	values: readonly string[] | undefined;
	/** The property that it becomes: a button's `label`, a form's `title`. */
	property: string | undefined;
};

/** What the code of the product says, and every text in it. */
export function readSources() {
	const sayings: Saying[] = [];
	/** Messages of the commands' zod refinements. */
	const refinements: string[] = [];
	const texts = new Set<string>();
	for (const path of globSync('{src,commands}/**/*.ts', { cwd: ROOT, exclude: isNoProduct })) {
		const source = ts.createSourceFile(path, readFileSync(join(ROOT, path), 'utf8'), ts.ScriptTarget.Latest, true);
		visit(source);
		function visit(node: ts.Node): void {
			if (ts.isStringLiteralLike(node)) texts.add(node.text);
			if (ts.isCallExpression(node)) {
				const [first, second] = node.arguments;
				if (isTranslate(node.expression) && first && ts.isStringLiteralLike(first)) {
					const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
					const { parent } = node;
					const property = ts.isPropertyAssignment(parent) ? parent.name.getText() : undefined;
					sayings.push({ where: `${path}:${line}`, message: first.text, values: namesIn(second), property });
				}
				const isRefinement = ts.isPropertyAccessExpression(node.expression) && node.expression.name.text === 'refine';
				if (isRefinement && path.startsWith('commands/')) refinements.push(...textsIn(second));
			}
			ts.forEachChild(node, visit);
		}
	}
	return { sayings, refinements, texts };
}

const isNoProduct = (path: string) => /\.(test|fixture)\.ts$|^src\/(i18n|studio)\//.test(path);

/** `t(…)` and `translatorFor(…)(…)`. */
const isTranslate = (called: ts.Expression) =>
	(ts.isIdentifier(called) && called.text === 't') ||
	(ts.isCallExpression(called) && called.expression.getText() === 'translatorFor');

function namesIn(values: ts.Expression | undefined): string[] | undefined {
	if (!values) return [];
	if (!ts.isObjectLiteralExpression(values)) return undefined;
	const names: string[] = [];
	for (const property of values.properties) {
		const more = ts.isSpreadAssignment(property) ? namesIn(property.expression) : [property.name.getText()];
		if (!more) return undefined;
		names.push(...more);
	}
	return names;
}

/** A text, or the `error` of an object. */
function textsIn(node: ts.Expression | undefined): string[] {
	if (!node) return [];
	if (ts.isStringLiteralLike(node)) return [node.text];
	if (!ts.isObjectLiteralExpression(node)) return [];
	return node.properties.flatMap((property) =>
		ts.isPropertyAssignment(property) && property.name.getText() === 'error' ? textsIn(property.initializer) : [],
	);
}
