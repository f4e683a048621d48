/** What a message, or a part of one, has to show. */
export type Parts = {
	/** Without the model's reasoning. */
	words: string;
	/** The pictures: for each, the texts that may be it, as base64, a data URL or an address. */
	pictures: string[][];
	/** Whether there is sound, a video or a file, and whether there is what nobody knows. */
	hasMedia: boolean;
	hasUnknown: boolean;
};

/**
 * Fields of a message that have parts. The last two repeat the others in Gemini's dialect.
 * https://docs.aihubmix.com/en/api/Gemini-Guides
 */
const CONTENTS = ['content', 'refusal', 'parts', 'audio', 'images', 'multi_mod_content', 'multi_modal_content'];

/** Keys under which parts have their bytes or an address, or an object with these: base64 comes first. */
const HOLDERS = [
	...[
		'b64_json',
		'base64',
		'image_base64',
		'result',
		'data',
		'inlineData',
		'inline_data',
		'file_data',
		'file',
		'fileData',
	],
	...['image', 'image_url', 'input_audio', 'video_url', 'source', 'url', 'fileUri', 'file_uri', 'uri'],
];
/** Keys under which parts say what they are. */
const TYPES = ['type', 'mimeType', 'mime_type', 'media_type', 'mediaType'];

/**
 * Reads a message, or what a stream adds to one, part by part: in the dialects of OpenAI, Gemini and Claude, and of those who pass them on.
 * https://developers.openai.com/api/reference/resources/chat · https://ai.google.dev/api/caching#Part ·
 * https://platform.claude.com/docs/en/api/messages
 */
export function readMessage(message: unknown): Parts {
	const found: Parts = { words: '', pictures: [], hasMedia: false, hasUnknown: false };
	for (const field of CONTENTS) {
		const content = Object(message)[field];
		const parts = content === undefined || content === null ? [] : [content].flat();
		const isRepeated = field.startsWith('multi_') && found.words !== '';
		for (const part of parts)
			if (field === 'images' && typeof part === 'string') found.pictures.push([part]);
			else addPart(found, field === 'audio' ? { type: field, ...part } : part, isRepeated);
	}
	return found;
}

function addPart(found: Parts, part: unknown, isRepeated: boolean): void {
	const words = wordsOf(part);
	if (words !== undefined && !isRepeated) found.words += words;
	const { thought, type } = Object(part) as { thought?: unknown; type?: unknown };
	if (thought === true || /think|reason/i.test(String(type))) return;
	const { types, texts } = heldBy(part);
	const isPicture =
		types.length === 0 || types.some((one) => /image/i.test(one)) || texts.some((text) => /^data:image\//i.test(text));
	if (texts.length > 0 && isPicture) found.pictures.push(texts);
	else if (texts.length > 0 || types.some((one) => /audio|video|file/i.test(one))) found.hasMedia = true;
	else if (words === undefined && part !== null) found.hasUnknown = true;
}

/** Returns the words of a part in whatever they are wrapped; undefined for what is none. */
function wordsOf(part: unknown): string | undefined {
	if (typeof part === 'string') return part.replace(STOPS, '');
	const { type = 'text', thought, text, value, refusal, transcript } = Object(part) as Record<string, unknown>;
	const inner = text ?? value ?? refusal ?? transcript;
	if (thought === true || inner === undefined || inner === null || !/text|refusal|audio/.test(String(type)))
		return undefined;
	return wordsOf(inner);
}

/** Marks of the end of an answer that some servers leave in it. */
const STOPS = /<\|(?:return|end)\|>$/;

/** Returns what a part says of its type, and the texts that may be its content. */
function heldBy(part: unknown, depth = 3): { types: string[]; texts: string[] } {
	if (typeof part !== 'object' || part === null || depth === 0) return { types: [], texts: [] };
	const fields = part as Record<string, unknown>;
	const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
	const held = HOLDERS.map((key) => fields[key]);
	const inner = held.map((value) => heldBy(value, depth - 1));
	return {
		types: [...TYPES.map((key) => fields[key]).filter(isText), ...inner.flatMap(({ types }) => types)],
		texts: [...held.filter(isText), ...inner.flatMap(({ texts }) => texts)],
	};
}
