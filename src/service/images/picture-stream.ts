import { createParser, type EventSourceMessage, type EventSourceParser } from 'eventsource-parser';
import * as z from 'zod';
import { readErrorBody } from '../error-answer.ts';
import { InvalidResponseError, ServiceError } from '../errors.ts';
import type { Receive, Sink } from '../http/exchange.ts';
import { type AnswerHead, headerOf, identifier, requestIdOf } from '../http/head.ts';
import type { OnPreview } from '../service.ts';
import { type DecodedAnswer, IMAGE_LIMITS, ImageDecoder } from './image-decoder.ts';

type PictureAnswer = DecodedAnswer & { requestId?: string };

/** Longest frame, in UTF-16 units: one picture as base64. */
const MAX_FRAME = 2 * IMAGE_LIMITS.pictureBytes;

/** The most previews that a service is asked for, and more events and bytes than a stream with them has. */
const MAX_PREVIEWS = 3;
const MAX_EVENTS = 10_000;
const MAX_BYTES = (MAX_PREVIEWS + 1) * MAX_FRAME;

/** An event with a picture. https://developers.openai.com/api/reference/resources/images/generation-streaming-events */
const PictureEvent = z.object({
	type: z.string().regex(/^image_(generation|edit)\.(partial_image|completed)$/),
	b64_json: z.string(),
	created_at: z.number().optional(),
	usage: z.unknown().optional(),
});

/**
 * Reads a stream of server-sent events with previews of a picture and then the picture. Services that do not stream answer as usual.
 * @param whole reads their answers
 */
export const pictureStreamSink =
	(whole: Receive<PictureAnswer>, onPreview: OnPreview): Receive<PictureAnswer> =>
	(head, flow) =>
		headerOf(head, 'content-type')?.startsWith('text/event-stream')
			? new PictureStream(head, onPreview)
			: whole(head, flow);

class PictureStream implements Sink<PictureAnswer> {
	readonly #head: AnswerHead;
	readonly #onPreview: OnPreview;
	readonly #parser: EventSourceParser;
	readonly #utf8 = new TextDecoder();
	#answer: PictureAnswer | undefined;
	#received = 0;
	#events = 0;
	#previews = 0;

	constructor(head: AnswerHead, onPreview: OnPreview) {
		this.#head = head;
		this.#onPreview = onPreview;
		this.#parser = createParser({
			maxBufferSize: MAX_FRAME,
			onEvent: (message) => this.#read(message),
			onError({ type }) {
				if (type === 'max-buffer-size-exceeded') throw new InvalidResponseError('it has a frame without end');
			},
		});
	}

	/** Previews that come after the picture are of no use. */
	write(chunk: Buffer): boolean {
		this.#received += chunk.length;
		if (this.#received > MAX_BYTES) throw new InvalidResponseError('its stream is too long');
		this.#parser.feed(this.#utf8.decode(chunk, { stream: true }));
		return this.#answer !== undefined;
	}

	end(error: ServiceError | undefined): PictureAnswer {
		if (this.#answer) return this.#answer;
		throw error ?? this.#cutOff('NO_PICTURE');
	}

	#read({ event, data }: EventSourceMessage): void {
		if (this.#answer || data.trim() === '' || data === '[DONE]') return;
		this.#events += 1;
		if (this.#events > MAX_EVENTS) throw new InvalidResponseError('its stream has too many events');
		const value = parseFrame(data);
		if (event === 'error' || Object(value).error || Object(value).type === 'error') {
			const { code, type } = readErrorBody(data);
			throw this.#cutOff(identifier(code ?? type));
		}
		const { data: frame } = PictureEvent.safeParse(value);
		if (!frame) return;
		const isPreview = frame.type.endsWith('.partial_image');
		if (isPreview && this.#previews++ >= MAX_PREVIEWS) return;
		const decoded = decode(frame);
		const requestId = requestIdOf(this.#head);
		if (isPreview) for (const image of decoded.images) this.#onPreview(image);
		else this.#answer = { ...decoded, ...(requestId !== undefined && { requestId }) };
	}

	/** It is not known whether the picture was made, and paid for. */
	#cutOff(code: string | undefined): ServiceError {
		const facts = { status: this.#head.status, requestId: requestIdOf(this.#head), code };
		return new ServiceError('cut-off', "The image service's stream ended without the picture.", facts);
	}
}

/** Decodes the picture as one of an answer that is not streamed. */
function decode({ b64_json, created_at: created, usage }: z.output<typeof PictureEvent>): DecodedAnswer {
	const decoder = new ImageDecoder(undefined);
	decoder.write(Buffer.from(JSON.stringify({ created, data: [{ b64_json }], usage })));
	return decoder.end();
}

function parseFrame(data: string): unknown {
	try {
		return JSON.parse(data);
	} catch {
		// The parser's own message quotes the text.
		throw new InvalidResponseError('it has a frame that is not JSON');
	}
}
