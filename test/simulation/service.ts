import { ServiceError, type ServiceErrorKind } from '../../src/service/errors.ts';
import { easelProfile } from '../../src/service/profiles/easel.ts';
import type { ImageResult, Service } from '../../src/service/service.ts';
import type { Clock } from './clock.ts';
import type { Computer } from './computer.ts';
import type { Faults } from './faults.ts';
import type { Process } from './process.ts';
import type { Random } from './random.ts';

/** As long as a real client waits. */
const TIMEOUT_MS = 180_000;

/** What the service knows: how often it was asked, and how often it took the order, by delivery. */
export type Books = {
	asked: Map<string, number>;
	accepted: Map<string, number>;
	/** Deliveries of which the service let nobody know what became of them. */
	unknown: Set<string>;
	/** How many pictures were made of an order. */
	made: Map<string, number>;
};

/** One of the pictures that a delivery came to. */
export type Shot = { delivery: string; index: number };

type Course =
	| 'answers'
	| 'refuses'
	| 'unreachable'
	| `${'breaks' | 'gateway' | 'cut'}-${'before' | 'after'}`
	| 'silent';

/** Complete error answers of a service that did not do the work, and of gateways, which cannot know. */
const REFUSALS: readonly [ServiceErrorKind, number][] = [
	['busy', 429],
	['balance', 402],
	['request', 400],
	['failure', 500],
	['request', 501],
	['busy', 503],
	['request', 505],
];
const GATEWAYS = [502, 504, 507, 520, 524, 527, 529];

/** A service that can go wrong before and after it has taken an order. Which delivery asks is known by the context. */
export function createFakeService(parts: {
	clock: Clock;
	computer: Computer<Process>;
	faults: Faults;
	random: Random;
	trace: (who: string, what: string) => void;
	accepted: (delivery: string) => void;
}): { service: Service; books: Books; end(): void } {
	const { clock, computer, faults, random, trace } = parts;
	const books: Books = { asked: new Map(), accepted: new Map(), unknown: new Set(), made: new Map() };
	const count = (book: Map<string, number>, id: string) => book.set(id, (book.get(id) ?? 0) + 1);
	const trouble = random.next() * 0.5;
	let ended = false;

	const courseOf = (): Course =>
		ended || !random.chance(trouble)
			? 'answers'
			: random.pick<Course>([
					...(['refuses', 'refuses', 'unreachable', 'breaks-before', 'breaks-after', 'silent'] as const),
					...(['gateway-before', 'gateway-after', 'cut-before', 'cut-after'] as const),
				]);

	function generate(pictures: number, signal: AbortSignal): Promise<ImageResult> {
		const doing = computer.doing();
		if (!doing?.delivery) throw new TypeError('The service is asked by nobody.');
		const { by, delivery } = doing;
		const course = courseOf();
		count(books.asked, delivery);
		trace(by.name, `asks the service for ${delivery}`);
		return new Promise((resolve, reject) => {
			const back = (answer: () => void) => void clock.after(faults.delay('service'), () => by.enter(answer));
			const unknown = (code: string, cause?: unknown) =>
				new ServiceError('no-answer', 'No answer came.', { code, ...(cause !== undefined && { cause }) });
			signal.addEventListener('abort', () => reject(unknown('ABORTED', signal.reason)), { once: true });
			by.timer(TIMEOUT_MS, () => reject(unknown('TIMEOUT')));
			clock.after(faults.delay('service'), () => {
				// What a killed process had sent may still get there.
				if (by.state() === 'gone' && random.chance(0.5)) return;
				trace('service', `${delivery}: ${course}`);
				const fail = (error: ServiceError) => back(() => reject(error));
				if (course === 'unreachable') return fail(new ServiceError('unreachable', 'Not there.'));
				if (course === 'refuses') {
					const [kind, status] = random.pick(REFUSALS);
					return fail(new ServiceError(kind, 'No.', { status }));
				}
				if (course !== 'answers') books.unknown.add(delivery);
				if (!course.endsWith('-before')) {
					count(books.accepted, delivery);
					parts.accepted(delivery);
				}
				if (course.startsWith('breaks')) return fail(unknown('ECONNRESET'));
				if (course.startsWith('gateway'))
					return fail(new ServiceError('failure', 'Failed.', { status: random.pick(GATEWAYS) }));
				if (course.startsWith('cut'))
					return fail(new ServiceError('cut-off', 'Cut off.', { status: random.pick(REFUSALS)[1] }));
				if (course === 'silent') return;
				books.made.set(delivery, pictures);
				const images = Array.from({ length: pictures }, (_, index) => ({
					bytes: Buffer.from(pictureOf(delivery, index)),
					width: 1,
					height: 1,
				}));
				back(() => resolve({ created: Math.floor(clock.wall() / 1000), images }));
			});
		});
	}

	const unused = () => Promise.reject(new TypeError('The simulation only generates.'));
	return {
		books,
		end() {
			ended = true;
		},
		service: {
			capabilities: easelProfile.capabilities,
			generate: ({ n = 1 }, signal) => generate(n, signal),
			edit: unused,
			compose: unused,
			chat: () => {
				throw new TypeError('The simulation does not chat.');
			},
			complete: unused,
			embed: unused,
			models: unused,
			close: async () => {},
		},
	};
}

/** The bytes of a delivery's picture, by which it is known wherever it turns up. */
const pictureOf = (delivery: string, index: number) => `picture ${delivery} ${index}`;

/** Whose picture this is, and which. */
export function shotOf(bytes: Uint8Array): Shot {
	const [, delivery = '', index] = Buffer.from(bytes).toString().split(' ');
	return { delivery, index: Number(index) };
}
