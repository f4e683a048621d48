import type { z } from 'zod';

/**
 * Names every text option of a command. A `screened` text is checked for banned words and by the server's own rules. A `harmless`
 * one is not, since its schema lets nothing pass that breaks them, such as a size or the name of a model. Choices and ids are no
 * texts.
 */
export type Texts<Options extends z.ZodObject = z.ZodObject> = TextsOf<z.input<Options>, z.output<Options>>;

type TextsOf<Input, Output> = {
	readonly [Name in keyof Input & keyof Output as true extends IsText<Input[Name], Output[Name]>
		? Name
		: never]-?: Kind<Output[Name]>;
};

/** A string that people type freely, by the schema's input, whatever its output is. `unknown` may be a string. */
type IsText<Input, Output> = string extends Input ? (Output extends Id | undefined ? false : true) : false;

type Id = string & z.$brand<'id'>;

/** Only texts can be screened. */
type Kind<Output> = unknown extends Output
	? 'screened' | 'harmless'
	: Output extends string | undefined
		? 'screened' | 'harmless'
		: 'harmless';

/** Joins the texts of a request that have to be screened. */
export const screenedText = ({ texts }: { texts: Texts }, options: Readonly<Record<string, unknown>>): string =>
	Object.entries(texts)
		.flatMap(([name, kind]) => (kind === 'screened' && options[name] !== undefined ? [String(options[name])] : []))
		.join('\n');
