import { SERVICE_ERROR_KINDS, ServiceError, type ServiceErrorKind } from './errors.ts';
import type { ImageResult, Service } from './service.ts';

/** The calls of the image service. `fetch`: a picture is read from the address in an answer. */
export const SERVICE_CALLS = ['generate', 'edit', 'compose', 'fetch', 'chat', 'embed', 'moderate', 'models'] as const;

export type ServiceCall = (typeof SERVICE_CALLS)[number];

/** `aborted`: by the caller, before anything was sent. `stopped`: by the reader of a chat answer. `error`: by a defect. */
export type ServiceCallOutcome = 'ok' | ServiceErrorKind | 'aborted' | 'stopped' | 'error';

/** Every outcome, so that the metrics have them all from the start. */
export const SERVICE_OUTCOMES: readonly ServiceCallOutcome[] = [
	'ok',
	...SERVICE_ERROR_KINDS,
	'aborted',
	'stopped',
	'error',
];

/** Receives how long each call took, in seconds. */
export type ServiceObserver = (call: ServiceCall, outcome: ServiceCallOutcome, seconds: number) => void;

/** Returns the service, whose calls are reported. */
export function observedService(service: Service, observe: ServiceObserver): Service {
	const measure = async <Result>(call: ServiceCall, signal: AbortSignal, work: () => Promise<Result>) => {
		const end = startOf(observe, call, signal);
		try {
			const result = await work();
			end(hasUnfetched(result) ? 'address' : 'ok');
			return result;
		} catch (error) {
			end(error);
			throw error;
		}
	};
	const { moderate } = service;
	return {
		capabilities: service.capabilities,
		generate: (request, signal, onPreview) =>
			measure('generate', signal, () => service.generate(request, signal, onPreview)),
		edit: (request, signal, onPreview) => measure('edit', signal, () => service.edit(request, signal, onPreview)),
		compose: (request, signal, onPreview) =>
			measure('compose', signal, () => service.compose(request, signal, onPreview)),
		fetchPictures: (addresses, signal) => measure('fetch', signal, () => service.fetchPictures(addresses, signal)),
		chat: (request, signal, onTokens) =>
			observedChat(service.chat(request, signal, onTokens), () => startOf(observe, 'chat', signal)),
		embeddingModel: service.embeddingModel,
		embed: (request, signal) => measure('embed', signal, () => service.embed(request, signal)),
		moderate: moderate && ((request, signal) => measure('moderate', signal, () => moderate(request, signal))),
		takesPictures: (model) => service.takesPictures(model),
		models: (signal) => measure('models', signal, () => service.models(signal)),
		close: () => service.close(),
	};
}

/** Tells whether some of the pictures of a call could not be fetched. */
const hasUnfetched = (result: unknown) => ((Object(result) as Partial<ImageResult>).unfetched ?? []).length > 0;

/** @param how an outcome without an error, or the error */
type End = (how: unknown) => void;

function startOf(observe: ServiceObserver, call: ServiceCall, signal: AbortSignal): End {
	const started = performance.now();
	return (how) => {
		const failed = how instanceof ServiceError ? how.kind : signal.aborted ? 'aborted' : 'error';
		const outcome = SERVICE_OUTCOMES.find((one) => one === how) ?? failed;
		observe(call, outcome, (performance.now() - started) / 1000);
	};
}

/** Reports the whole time of an answer, which ends early when its reader leaves the loop. */
async function* observedChat(deltas: AsyncIterable<string>, start: () => End): AsyncGenerator<string> {
	const end = start();
	let how: unknown = 'stopped';
	try {
		yield* deltas;
		how = 'ok';
	} catch (error) {
		how = error;
		throw error;
	} finally {
		end(how);
	}
}
