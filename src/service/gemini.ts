import type { Fields, PictureReference } from './service.ts';

/** How a service takes requests for pictures and answers them, where both differ from the images API in their whole shape. */
export type PictureShape = {
	path(model: string): string;
	/** Keys of pictures in the JSON of an answer, and of other texts of their size. */
	keys: readonly string[];
	/** Returns the body of a request; pictures follow the prompt in their order. */
	request(prompt: string, sizeFields: Fields, references: readonly PictureReference[]): Fields;
	/** Returns the answer as the images API has it: `{data, usage}`, or an `error` when it has no picture. */
	answer(value: unknown): unknown;
};

/** https://ai.google.dev/gemini-api/docs/image-generation */
export const GEMINI: PictureShape = {
	keys: ['data', 'thoughtSignature', 'thought_signature'],
	path: (model) => `/models/${encodeURIComponent(model.replace(/^models\//, ''))}:generateContent`,
	request(prompt, sizeFields, references) {
		const pictures = references.map(({ type, base64 }) => ({ inlineData: { mimeType: type, data: base64 } }));
		return {
			contents: [{ role: 'user', parts: [{ text: prompt }, ...pictures] }],
			generationConfig: { responseModalities: ['TEXT', 'IMAGE'], ...sizeFields },
		};
	},
	answer(value) {
		const { candidates, promptFeedback, usageMetadata, modelVersion, error } = Object(value) as Record<string, unknown>;
		if (error || !(Array.isArray(candidates) || promptFeedback)) return value;
		const all = (Array.isArray(candidates) ? candidates : []).map(readCandidate);
		const data = all.flatMap(({ pictures }) => pictures);
		const blocked: unknown = Object(promptFeedback).blockReason;
		const reason = blocked ?? all[0]?.reason;
		if (data.length > 0 || reason === undefined) return { data, usage: usageOf(usageMetadata), model: modelVersion };
		const message =
			Object(promptFeedback).blockReasonMessage ??
			all
				.map(({ text }) => text)
				.join(' ')
				.trim();
		// Nothing was made: the model, or a filter, has refused.
		return { error: { code: reason, status: 400, message, ...(blocked !== undefined && { type: 'content_filter' }) } };
	},
};

/** Returns what a candidate has besides its thoughts, which may be drafts of the picture. */
function readCandidate(candidate: unknown) {
	const { content, finishReason, finishMessage } = Object(candidate) as Record<string, unknown>;
	const { parts } = Object(content) as { parts?: unknown };
	const own = (Array.isArray(parts) ? parts : []).map(Object).filter(({ thought }) => thought !== true);
	const texts = [...own.map(({ text }) => text), finishMessage].filter((text) => typeof text === 'string');
	const pictures = own.map(({ inlineData, inline_data }) => Object(inlineData ?? inline_data).data);
	return {
		pictures: pictures.filter(Boolean).map((b64_json) => ({ b64_json })),
		text: texts.join(' '),
		reason: finishReason,
	};
}

function usageOf(usage: unknown) {
	const { promptTokenCount: input_tokens, totalTokenCount: total } = Object(usage) as Record<string, unknown>;
	return { input_tokens, output_tokens: Number(total) - Number(input_tokens) };
}
