import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { isMessageId, type MessageId } from '../../src/i18n/translator.ts';

const ROOT = join(import.meta.dirname, '../..');

/** One use of a message in the code: `t(id, values)`, `new SentenceError(id, values)`, `.refine(isRight, { error: id, params })`. */
export type Use = {
	where: string;
	id: MessageId;
	/** The names of the values that go with it; undefined when the code alone does not tell. */
	values: readonly string[] | undefined;
	/** The property that it becomes: a button's `label`, a form's `title`. */
	property: string | undefined;
};

/** Reads the product's code: every use of a message with its values, and every text that is the id of a message. */
export function readSources() {
	const uses: Use[] = [];
	const ids = new Set<MessageId>();
	for (const path of globSync('{src,commands}/**/*.ts', { cwd: ROOT }).filter(isProduct)) {
		const source = ts.createSourceFile(path, readFileSync(join(ROOT, path), 'utf8'), ts.ScriptTarget.Latest, true);
		visit(source);
		function visit(node: ts.Node): void {
			if (ts.isStringLiteralLike(node) && isMessageId(node.text)) ids.add(node.text);
			if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
				const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
				const { parent } = node;
				const property = ts.isPropertyAssignment(parent) ? parent.name.getText() : undefined;
				for (const use of usesIn(node)) uses.push({ where: `${path}:${line}`, property, ...use });
			}
			ts.forEachChild(node, visit);
		}
	}
	return { uses, ids };
}

const isProduct = (path: string) => !/\.(test|fixture)\.ts$|^src\/(i18n|studio)\//.test(path);

function usesIn({ expression, arguments: given }: ts.CallExpression | ts.NewExpression): Pick<Use, 'id' | 'values'>[] {
	const [first, second, third] = given ?? [];
	if (ts.isPropertyAccessExpression(expression) && expression.name.text === 'refine') return refinement(second);
	// An error of HTTP begins with its status, a private answer with its context.
	return [
		...idsIn(first).map((id) => ({ id, values: namesIn(second) })),
		...idsIn(second).map((id) => ({ id, values: namesIn(third) })),
	];
}

/** A zod refinement's message gets the option's name and the refinement's `params`. */
function refinement(message: ts.Expression | undefined): Pick<Use, 'id' | 'values'>[] {
	if (!message || !ts.isObjectLiteralExpression(message))
		return idsIn(message).map((id) => ({ id, values: ['option'] }));
	const params = propertyOf(message, 'params');
	const names = namesIn(params);
	return idsIn(propertyOf(message, 'error')).map((id) => ({ id, values: names && ['option', ...names] }));
}

const propertyOf = (object: ts.ObjectLiteralExpression, name: string): ts.Expression | undefined =>
	object.properties.flatMap((property) =>
		ts.isPropertyAssignment(property) && property.name.getText() === name ? property.initializer : [],
	)[0];

/** An id, or the ids of both branches of a condition. */
function idsIn(node: ts.Expression | undefined): MessageId[] {
	if (!node) return [];
	if (ts.isConditionalExpression(node)) return [...idsIn(node.whenTrue), ...idsIn(node.whenFalse)];
	return ts.isStringLiteralLike(node) && isMessageId(node.text) ? [node.text] : [];
}

function namesIn(values: ts.Expression | undefined): string[] | undefined {
	if (!values || values.getText() === 'undefined') return [];
	if (!ts.isObjectLiteralExpression(values)) return undefined;
	const names: string[] = [];
	for (const property of values.properties) {
		const more = ts.isSpreadAssignment(property) ? namesIn(property.expression) : [property.name.getText()];
		if (!more) return undefined;
		names.push(...more);
	}
	return names;
}
