import { ServiceError, type ServiceErrorKind } from '../../../src/service/errors.ts';
import { PROFILES } from '../../../src/service/profiles.ts';
import type { ImageResult, Service } from '../../../src/service/service.ts';
import type { VirtualClock } from '../engine/clock.ts';
import type { Faults } from '../engine/faults.ts';
import type { SimulatedProcess } from '../engine/process.ts';
import type { Random } from '../engine/random.ts';
import type { VirtualRuntime } from '../engine/runtime.ts';
import type { Trace } from '../engine/trace.ts';

/** How long a real client waits. */
const TIMEOUT_MS = 180_000;

/** Calls that the service has processed, by delivery. */
export type ServiceRecord = {
	/** How often the service has accepted a call. */
	accepted: Map<string, number>;
	/** Deliveries for which the service has not returned a complete answer. */
	unknown: Set<string>;
	/** How many pictures were made, and what the service says that they cost, in micro-USD. */
	pictures: Map<string, number>;
	costs: Map<string, number>;
};

/** One of the pictures that were made for a delivery. */
export type PictureId = { delivery: string; index: number };

/** The course of a call. It is accepted or not before the connection breaks, a gateway gives up, or the answer is cut off. */
type Behaviour =
	| 'answers'
	| 'refuses'
	| 'unreachable'
	| `${'breaks' | 'gateway' | 'cut'}-${'before' | 'after'}`
	| 'silent';

const FAILURES: readonly Behaviour[] = [
	...(['refuses', 'refuses', 'unreachable', 'breaks-before', 'breaks-after', 'silent'] as const),
	...(['gateway-before', 'gateway-after', 'cut-before', 'cut-after'] as const),
];

/** Complete error answers of a service that has not processed a call. */
const REFUSALS: readonly [ServiceErrorKind, number][] = [
	['busy', 429],
	['balance', 402],
	['request', 400],
	['failure', 500],
	['request', 501],
	['busy', 503],
	['request', 505],
];

/** Complete error answers of gateways, which do not know whether the service has processed a call. */
const GATEWAYS = [502, 504, 507, 520, 524, 527, 529];

type FakeServiceOptions = {
	clock: VirtualClock;
	runtime: VirtualRuntime<SimulatedProcess>;
	faults: Faults;
	random: Random;
	/** Draws what calls cost, in runs where they have prices. */
	costs?: Random | undefined;
	trace: Trace;
	/** Called when the service accepts a call. */
	onAccept: (delivery: string) => void;
	/** Called when pictures reach a process that waits for them. */
	onReceive: (delivery: string, process: SimulatedProcess) => void;
};

/** An image service that can fail before and after it has accepted a call. */
export class FakeService {
	readonly record: ServiceRecord = {
		...{ accepted: new Map(), unknown: new Set(), pictures: new Map(), costs: new Map() },
	};
	readonly #options: FakeServiceOptions;
	readonly #failureRate: number;
	#hasEnded = false;

	constructor(options: FakeServiceOptions) {
		this.#options = options;
		this.#failureRate = options.random.next() * 0.5;
	}

	/** Ends all failures. */
	end(): void {
		this.#hasEnded = true;
	}

	/** The client as processes use it. The context of a call tells the process and the delivery. */
	readonly client: Service = {
		capabilities: PROFILES.easel.capabilities,
		fetchPictures: () => Promise.reject(new Error('This service gives no addresses.')),
		generate: ({ n = 1 }, signal) => this.#generate(n, signal),
		edit: unused,
		compose: unused,
		chat: () => {
			throw new TypeError('The simulation does not chat.');
		},
		embeddingModel: 'none',
		embed: async () => {
			throw new ServiceError('request', 'There are no embeddings', { status: 404 });
		},
		priced: ({ n = 1, quality, inputs = 0 }) => ({ model: 'some', n, quality, inputs }),
		takesPictures: async () => false,
		resolutionsOf: async () => [],
		models: unused,
		close: async () => {},
	};

	#generate(pictures: number, signal: AbortSignal): Promise<ImageResult> {
		const { clock, runtime, faults, trace, random, onReceive } = this.#options;
		const { process, delivery } = runtime.current() ?? {};
		if (!process || !delivery) throw new TypeError('The service was called outside of a delivery.');
		if (signal.aborted) return Promise.reject(signal.reason);
		const behaviour = this.#drawBehaviour();
		trace.add(process.name, `calls the service for ${delivery}`);
		const { promise, resolve, reject } = Promise.withResolvers<ImageResult>();
		let isWaiting = true;
		const giveUp = (error: ServiceError) => {
			if (!isWaiting) return;
			end();
			this.record.unknown.add(delivery);
			reject(error);
		};
		const abort = () => giveUp(noAnswer('ABORTED', signal.reason));
		// A composite signal with a listener is never collected, and this one leads to the whole run.
		const end = () => {
			isWaiting = false;
			signal.removeEventListener('abort', abort);
		};
		signal.addEventListener('abort', abort, { once: true });
		process.schedule(TIMEOUT_MS, () => giveUp(noAnswer('TIMEOUT')));
		// The process may be killed before.
		clock.schedule(TIMEOUT_MS, () => signal.removeEventListener('abort', abort));
		clock.schedule(faults.delay('service'), () => {
			// A call of a process that was killed meanwhile may arrive or not.
			if (process.hasEnded && random.chance(0.5)) return;
			trace.add('service', `${delivery}: ${behaviour}`);
			const result = this.#process(delivery, pictures, behaviour);
			if (!result) return;
			clock.schedule(faults.delay('service'), () =>
				process.enter(() => {
					if (!isWaiting) return;
					end();
					if (result instanceof ServiceError) return reject(result);
					onReceive(delivery, process);
					resolve(result);
				}),
			);
		});
		return promise;
	}

	#drawBehaviour(): Behaviour {
		const { random } = this.#options;
		return this.#hasEnded || !random.chance(this.#failureRate) ? 'answers' : random.pick(FAILURES);
	}

	/** Processes a call, and returns its answer where there is one. */
	#process(delivery: string, pictures: number, behaviour: Behaviour): ImageResult | ServiceError | undefined {
		const { random, costs, onAccept } = this.#options;
		const { accepted, unknown } = this.record;
		if (behaviour === 'unreachable') return new ServiceError('unreachable', 'Not there.');
		if (behaviour === 'refuses') {
			const [kind, status] = random.pick(REFUSALS);
			return new ServiceError(kind, 'No.', { status });
		}
		if (behaviour !== 'answers') unknown.add(delivery);
		if (!behaviour.endsWith('-before')) {
			accepted.set(delivery, (accepted.get(delivery) ?? 0) + 1);
			onAccept(delivery);
		}
		if (behaviour.startsWith('breaks')) return noAnswer('ECONNRESET');
		if (behaviour.startsWith('gateway'))
			return new ServiceError('failure', 'Failed.', { status: random.pick(GATEWAYS) });
		if (behaviour.startsWith('cut'))
			return new ServiceError('cut-off', 'Cut off.', { status: random.pick(REFUSALS)[1] });
		if (behaviour === 'silent') return undefined;
		this.record.pictures.set(delivery, pictures);
		const images = Array.from({ length: pictures }, (_, index) => ({
			bytes: Buffer.from(pictureBytes({ delivery, index })),
			width: 1,
			height: 1,
		}));
		if (!costs?.chance(0.7)) return { images };
		const cost = costs.between(0, 80_000);
		this.record.costs.set(delivery, cost);
		return { images, usage: { cost } };
	}
}

const unused = () => Promise.reject(new TypeError('The simulation only generates pictures.'));

const noAnswer = (code: string, cause?: unknown) =>
	new ServiceError('no-answer', 'No answer came.', { code, ...(cause !== undefined && { cause }) });

/** The bytes of a picture, by which it is recognized wherever it is posted. */
const pictureBytes = ({ delivery, index }: PictureId) => `picture ${delivery} ${index}`;

export function pictureIdOf(bytes: Uint8Array): PictureId {
	const [, delivery = '', index] = Buffer.from(bytes).toString().split(' ');
	return { delivery, index: Number(index) };
}
