/**
 * Families of chat models that take pictures, by parts of their names. Most lists of models do not say; where one does, it has the last
 * word. Models that are missing here are covered by `CHAT_PICTURES=on`.
 */
const FAMILIES = [
	// https://developers.openai.com/api/docs/guides/images-vision
	/\bgpt-(4o|4\.1|4-turbo|[5-9])/,
	/\bo(1|3|4-mini)\b(?!-mini)/,
	// https://ai.google.dev/gemini-api/docs/openai
	/\bgemini-/,
	// https://docs.x.ai/developers/model-capabilities/images/understanding
	/\bgrok-[4-9]/,
	/\bclaude-/,
	/\b(pixtral|llava|bakllava|internvl|minicpm-v|moondream|gemma-[34]|llama-4)/,
	/\bvision\b|-vl\b|\d-?vl\b/,
];

/** Models of these families without eyes. */
const OTHERS = /audio|realtime|transcribe|tts|embed|gpt-image|gemma-3-(1b|270m)/;

/** Tells by its name whether a chat model takes pictures. */
export function isVisionModel(model: string): boolean {
	const name = model.toLowerCase();
	return !OTHERS.test(name) && FAMILIES.some((family) => family.test(name));
}
