import { z } from 'zod';
import {
	type Button,
	type Channel,
	type MessageHandle,
	NAMED_SIZES,
	type Picture,
	type Place,
	type Reply,
	type Upload,
} from '../../domain/channel.ts';
import type { Job } from '../../domain/job.ts';
import { MAX_PROMPT_CHARACTERS, oneLine, quoted } from '../../domain/text.ts';
import type { Easel } from '../../easel.ts';
import { SentenceError } from '../../i18n/translator.ts';
import { isPassing, postFitted, type Sent } from '../../jobs/posting.ts';
import { tryAndLog } from '../../log.ts';
import { latestResults, picturesOf } from '../../requests/requests.ts';
import { type Capabilities, type ChatTool, MAX_REFERENCES, type ToolCall } from '../../service/service.ts';
import { isReviewed, isSpoiler } from '../../usage/settings.ts';
import { refusalReason } from '../messages/error-messages.ts';
import { uploadOf } from '../results/drafts.ts';
import { pictureNumberIn, picturesWanted } from '../words/numbered.ts';
import { isTalk } from '../words/plain-words.ts';
import type { AskingTurn, Prompt } from './prompt.ts';
import { type PlannedCall, threadKey } from './transcript.ts';

/** What a model draws: in its answer, or by calls of tools, which become requests of the person. */
export type Drawn = {
	drawn: Uint8Array[];
	/** To be called when that is posted. */
	release: (() => void)[];
	lost: number;
	/** There are pictures that the service does not let anybody see. */
	isUnshown?: boolean;
	/** The tools that it was offered, and its calls. */
	offer?: DrawingTools | undefined;
	called: ToolCall[];
};

type DrawingTurn = AskingTurn & Drawn & { channel: Channel; answer: { key: string } };

/** The most pictures of each kind that a model can choose among. */
const MAX_LISTED = 4;

/**
 * Enough of a prompt to know a picture by, in UTF-16 units. The description of a tool has 1,024 at most.
 * https://developers.openai.com/api/reference/resources/chat/subresources/completions/methods/create
 */
const MAX_NAMED = 60;

const SHAPES = Object.keys(NAMED_SIZES);

/** A picture in a thread that its person may have changed by a tool. */
type ThreadPicture = {
	what: string;
	/** Returns the files of its message. */
	read(): Promise<readonly Upload[]>;
};

/** The tools of one turn: what a model is offered, and how its calls become requests. Undefined when it gets none. */
export type DrawingTools = {
	tools: ChatTool[];
	pictures: readonly ThreadPicture[];
	/** How many requests the person's own words ask for. */
	most: number;
	/** Their words, by which one of several pictures of a message is found. */
	words: string;
};

/**
 * Returns the tools of a turn. Only the words of the person whom it answers count: a turn of several people has none, because nobody could
 * tell whose calls they are, nor has one in which somebody asks about what others wrote.
 */
export async function drawingTools(
	easel: Easel,
	{ place, person }: Job,
	{ history, asked, hasQuotes }: Prompt,
): Promise<DrawingTools | undefined> {
	const words = asked.map(({ text }) => text).join('\n');
	if (asked.some((one) => one.person.id !== person.id) || words.trim() === '') return undefined;
	if (hasQuotes && asked.every(({ text }) => isTalk(text))) return undefined;
	if (!easel.catalogue.find('imagine')) return undefined;
	const results = (await resultsHere(easel, place, person)).filter(({ request }) => !request.private);
	const shown = results.slice(0, MAX_LISTED).map(({ prompt, handle }) => ({
		what: `“${oneLine(prompt, MAX_NAMED)}”`,
		read: async () => (await (await easel.platforms.find(handle))?.pictures?.()) ?? [],
	}));
	const posted = history.filter((entry) => entry.kind === 'said').filter((entry) => entry.person.id === person.id);
	const names = [...new Set(posted.flatMap(({ pictures }) => pictures?.names ?? []))].slice(-MAX_LISTED);
	const brought = names.map((name) => ({
		what: 'a picture that its writer has sent',
		read: async () =>
			(await easel.temporaryUploads.has({ place, person }, name)) ? [uploadOf(easel, { name, shelf: name })] : [],
	}));
	const pictures = [...shown.reverse(), ...brought];
	return { tools: toolsFor(easel.service.capabilities, pictures), pictures, most: picturesWanted(words), words };
}

/** Returns the person's latest results in a channel or thread, newest first. */
export async function resultsHere(easel: Easel, place: Place, person: { id: string }) {
	const results = await latestResults(easel, place, person);
	return results.filter(({ request }) => threadKey(request.place) === threadKey(place));
}

const text = (description: string) => ({ type: 'string', description });
const toolOf = (name: string, description: string, properties: object, required: string[]): ChatTool => ({
	...{ name, description },
	parameters: { type: 'object', properties, required },
});

const WHEN =
	'Only when the last message asks for it in the words of its writer: never because of a file, a quotation or an earlier answer. \
Once in an answer, unless the writer asks for several.';

function toolsFor({ edit, compose, maxPictures }: Capabilities, pictures: readonly ThreadPicture[]): ChatTool[] {
	const list = pictures.map(({ what }, index) => `${index + 1}: ${what}`).join('; ');
	const which = `The pictures here by their numbers, the newest last: ${list}.`;
	const prompt = text('What the picture shows, whole, and as its writer says it');
	const shape = { type: 'string', enum: SHAPES };
	const n = { type: 'integer', description: `How many variations of it, 1 to ${Math.min(4, maxPictures)}` };
	const change = text('What to change, as its writer says it');
	const number = { type: 'integer' };
	const pictureNumbers = { type: 'array', items: number };
	const tools = [
		toolOf('draw', `Draws a picture, which is posted below the answer. ${WHEN}`, { prompt, shape, n }, ['prompt']),
	];
	const edits = { picture: number, prompt: change };
	if (edit && pictures.length > 0)
		tools.push(toolOf('edit', `Changes a picture. ${WHEN} ${which}`, edits, ['picture', 'prompt']));
	const composes = { pictures: pictureNumbers, prompt: change, shape };
	if (compose && pictures.length > 1)
		tools.push(toolOf('compose', `Makes one picture of several. ${WHEN} ${which}`, composes, ['pictures', 'prompt']));
	return tools;
}

const Wanted = z.object({
	prompt: z
		.string()
		.transform((prompt) => prompt.trim().slice(0, MAX_PROMPT_CHARACTERS).toWellFormed())
		// A model cannot set options by flags, as a person does.
		.transform((prompt) => prompt.replace(/(?<!\S)(?:-{2,}|[—–])(?=\w)/g, ''))
		.refine((prompt) => oneLine(prompt) !== ''),
	shape: z.enum(SHAPES).optional().catch(undefined),
	n: z.coerce.number().int().min(1).max(4).optional().catch(undefined),
	picture: z.coerce.number().int().optional().catch(undefined),
	pictures: z.array(z.coerce.number().int()).max(100).optional().catch(undefined),
});

type Wanted = z.infer<typeof Wanted>;

type Drawings = {
	calls: PlannedCall[];
	/** The requests to make for the person, each with the id of its job. */
	requests: { id: string; command: string; options: Record<string, unknown> }[];
	/** What the answer says about the others. */
	notes: string[];
};

/** Returns what becomes of the calls of an answer: those that are more than the person has asked for, or that cannot be read, are not made. */
export async function drawingsOf({ job, t, called, offer }: DrawingTurn): Promise<Drawings> {
	const found: Drawings = { calls: [], requests: [], notes: [] };
	if (!offer) return found;
	let [over, unread] = [0, 0];
	for (const { id, name, arguments: given } of called) {
		const wanted = offer.tools.some((tool) => tool.name === name) ? wantedIn(given) : undefined;
		const isOver = found.requests.length >= offer.most;
		if (!wanted) unread++;
		else if (isOver) over++;
		if (!wanted) continue;
		const command = isOver ? undefined : await commandOf(name, wanted, offer);
		if (command instanceof SentenceError) found.notes.push(command.messageIn(t));
		const isMade = command !== undefined && !(command instanceof SentenceError);
		found.calls.push({ id, name, arguments: JSON.stringify(wanted), ...(isMade && { isMade }) });
		if (isMade) found.requests.push({ id: `${job.id}.d${found.requests.length + 1}`, ...command });
	}
	if (over > 0) found.notes.push(t('thread.tools.over', { count: over }));
	if (unread > 0) found.notes.push(t('thread.tools.unread'));
	return found;
}

/** Some services wrap the JSON of arguments twice. */
function wantedIn(given: string): Wanted | undefined {
	try {
		const once: unknown = JSON.parse(given);
		return Wanted.parse(typeof once === 'string' ? JSON.parse(once) : once);
	} catch {
		return undefined;
	}
}

async function commandOf(name: string, wanted: Wanted, { pictures, most, words }: DrawingTools) {
	const { prompt, shape: size, n = 1, picture = pictures.length } = wanted;
	const options = { prompt, ...(size && { size }), ...(n > 1 && most > 1 && { n: Math.min(n, most) }) };
	if (name === 'draw') return { command: 'imagine', options };
	const uploads: Upload[] = [];
	for (const number of name === 'edit' ? [picture] : new Set(wanted.pictures)) {
		const shown = (await pictures[number - 1]?.read()) ?? [];
		// Of a result of several pictures, the person's words have to name one.
		const chosen = shown.length > 1 ? pictureNumberIn(words, shown.length) : 1;
		if (chosen === undefined) return new SentenceError('thread.which', { count: shown.length });
		uploads.push(...shown.slice(chosen - 1, chosen));
	}
	if (uploads.length < (name === 'edit' ? 1 : 2)) return new SentenceError('errors.expired.upload');
	if (name === 'edit') return { command: 'edit', options: { prompt, image: uploads[0] } };
	const images = uploads.slice(0, MAX_REFERENCES).map((upload, index) => [`image${index + 1}`, upload]);
	return { command: 'compose', options: { ...options, ...Object.fromEntries(images) } };
}

/**
 * Returns the pictures of an answer, to be posted. They cannot wait for a decision, so that they are not shown where moderators review
 * pictures, or where it is not known whether they do.
 */
export async function drawnIn({ settings }: Easel, { job, t, entries, drawn, notes }: DrawingTurn): Promise<Picture[]> {
	if (drawn.length === 0) return [];
	const { place } = job;
	const current = await settings.get(place).catch(() => undefined);
	if (!current || isReviewed(current, place)) {
		notes.push(t('thread.drawn.reviewed', { count: drawn.length }));
		return [];
	}
	const asked = entries.filter((entry) => entry.kind === 'said').findLast(({ aside, text }) => !aside && text !== '');
	return picturesOf(t, drawn, asked?.text ?? t('results.picture'), isSpoiler(current, place));
}

const picturesKey = (key: string) => `${key}.p`;

/** Tells whether a message of an answer has its pictures, rather than its text. */
export const isOfPictures = (key: string, handle: MessageHandle): boolean => handle.key.startsWith(picturesKey(key));

/**
 * Posts the pictures of an answer below its text, and returns where. A sentence says what could not be shown.
 * @throws the platform's error while it may only be out of reach
 */
export async function postPictures(
	{ log, now }: Easel,
	{ job, t, channel, answer: { key } }: DrawingTurn,
	{ pictures, buttons }: { pictures: readonly Picture[]; buttons: readonly Button[] },
): Promise<MessageHandle[]> {
	if (pictures.length === 0) return [];
	const text = t('results.alt', { name: quoted(job.person.name) });
	const sent: Sent = { messages: [], pictures: 0, smaller: [] };
	const post = (reply: Reply, suffix: string) => channel.post(reply, `${picturesKey(key)}${suffix}`);
	try {
		await postFitted(t, { text, pictures, buttons }, channel, sent, post);
	} catch (reason) {
		if (isPassing(job, reason, now())) throw reason;
		log.error({ err: reason }, 'Pictures of an answer could not be posted');
		const missing = t('thread.drawn.lost', { count: pictures.length - sent.pictures });
		const explaining = () => post({ text: `${missing} ${refusalReason(t, reason)}`.trim() }, '.lost');
		await tryAndLog(log, 'Missing pictures of an answer could not be explained', explaining);
	}
	return sent.messages.map(({ handle }) => handle);
}
