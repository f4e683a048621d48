import type { ImageEditParamsBase, ImageGenerateParamsBase } from 'openai/resources/images';

/** An error as the images API answers it. */
export type Refusal = { status: number; code: string | null; param: string | null; message: string };

export const refusal = (
	code: string | null,
	param: string | null,
	message = 'Invalid request.',
	status = 400,
): Refusal => ({
	...{ status, code, param, message },
});

/** Checks the value of a field; `all` has the other ones. Returns the code of a fault. */
type Check = (value: unknown, all: Readonly<Record<string, unknown>>) => string | undefined;

const invalid = 'invalid_value';
const oneOf =
	(...values: unknown[]): Check =>
	(value) =>
		value === null || values.includes(value) ? undefined : invalid;
const wholeNumber =
	(min: number, max: number): Check =>
	(value) =>
		Number.isInteger(value) && Number(value) >= min && Number(value) <= max ? undefined : invalid;
const anyText: Check = (value) => (typeof value === 'string' ? undefined : 'invalid_type');
/** A field of the SDK's types that the models of today do not take. */
const refused: Check = () => 'unknown_parameter';

/** gpt-image-1 has a list of sizes, later models bounds. */
const isOld = (model: unknown) => /^gpt-image-1|^chatgpt/.test(String(model));

const size: Check = (value, { model }) => {
	if (value === null || value === 'auto') return undefined;
	if (isOld(model)) return oneOf('1024x1024', '1536x1024', '1024x1536')(value, {});
	const [width = 0, height = 0] = /^(\d+)x(\d+)$/.exec(String(value))?.slice(1).map(Number) ?? [];
	const isOnGrid = width % 16 === 0 && height % 16 === 0;
	const hasRatio = Math.max(width, height) <= 3 * Math.min(width, height) && Math.max(width, height) <= 3840;
	return isOnGrid && hasRatio && width * height >= 655_360 && width * height <= 8_294_400 ? undefined : invalid;
};

const quality: Check = (value, { model }) =>
	oneOf(
		'low',
		'medium',
		'high',
		'auto',
		...(/^gpt-image-2\.[56]/.test(String(model)) ? ['xhigh', 'max'] : []),
	)(value, {});

const background: Check = (value, { output_format: format }) =>
	value === 'transparent' && format === 'jpeg' ? invalid : oneOf('transparent', 'opaque', 'auto')(value, {});

const onlyFor26 =
	(check: Check): Check =>
	(value, all) =>
		/^gpt-image-2\.6/.test(String(all['model'])) ? check(value, all) : 'unknown_parameter';

const common = {
	prompt: (value: unknown) =>
		typeof value === 'string' && value.length > 0 && value.length <= 32_000 ? undefined : invalid,
	model: anyText,
	n: wholeNumber(1, 10),
	size,
	quality,
	background,
	complexity: onlyFor26(oneOf('low', 'medium', 'high')),
	frame_count: refused,
	frame_duration_ms: refused,
	output_compression: wholeNumber(0, 100),
	output_format: oneOf('png', 'jpeg', 'webp'),
	partial_images: wholeNumber(0, 3),
	response_format: refused,
	safety_identifier: anyText,
	stream: oneOf(true, false),
	user: anyText,
} satisfies Partial<Record<keyof ImageGenerateParamsBase & keyof ImageEditParamsBase, Check>>;

/** The fields of a generation: exactly those of the SDK's type. */
export const GENERATION_FIELDS = {
	...common,
	moderation: oneOf('low', 'auto'),
	style: refused,
	svg: refused,
} satisfies Record<keyof ImageGenerateParamsBase, Check>;

/** The fields of an edit as a form: exactly those of the SDK's type, without the files. */
export const EDIT_FIELDS = {
	...common,
	input_fidelity: (value, all) =>
		/^gpt-image-2/.test(String(all['model'])) ? 'invalid_input_fidelity_model' : oneOf('high', 'low')(value, all),
} satisfies Record<Exclude<keyof ImageEditParamsBase, 'image' | 'mask' | 'markup'>, Check>;

/** Checks all fields. An unknown one is refused. */
export function checkFields(
	fields: Readonly<Record<string, unknown>>,
	checks: Readonly<Record<string, Check>>,
): Refusal | undefined {
	for (const name of ['prompt', ...Object.keys(fields)]) {
		const fault = Object.hasOwn(checks, name) ? checks[name]?.(fields[name], fields) : 'unknown_parameter';
		if (fault) return refusal(fault, name);
	}
	// gpt-image-2 draws no transparency, and names no field. https://docs.apiyi.com/en/live/2026-10/gpt-image-2-transparent-shutdown.md
	if (fields['model'] === 'gpt-image-2' && fields['background'] === 'transparent')
		return refusal(null, null, 'Transparent background is not supported for this model.');
	return undefined;
}
