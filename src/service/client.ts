import { type Background, cutOut } from '../pictures/cut-out.ts';
import { readEmbeddings, readModeration } from './answers.ts';
import { readChat } from './chat.ts';
import { headerOf } from './contents.ts';
import { type Asking, type Endpoint, endpointsOf, type ServiceAddresses } from './endpoint.ts';
import { InvalidResponseError, isAbsence, ServiceError } from './errors.ts';
import { AnswerMemory, type HttpAnswer, PictureMemory, type Proxies, Transport } from './exchange.ts';
import type { ListedModel } from './models.ts';
import { decodePictures, MAX_BODY_BYTES, readPictureStream } from './picture-answer.ts';
import { imagePart, PROFILES, type ServiceProfile } from './profiles.ts';
import {
	chatBody,
	encodePictures,
	jsonBody,
	jsonBodyWithPictures,
	type PictureOperation,
	withoutSystem,
} from './requests.ts';
import {
	type Capabilities,
	type ChatPart,
	type ChatRequest,
	type Fields,
	type GenerateRequest,
	type ImageResult,
	type InputImage,
	type OnPreview,
	type OutputImage,
	QUALITIES,
	type Requester,
	SERVICE_OUTCOMES,
	type Service,
	type ServiceCall,
	type ServiceObserver,
} from './service.ts';
import { nearestSize } from './sizes.ts';

export type ServiceOptions = ServiceAddresses & {
	proxies?: Proxies;
	/** Whether calls have prices: then a quality that decides the price is sent even where the service may refuse it. */
	hasPrices?: boolean;
	/** Fields to add to requests for pictures, and for chat. */
	imageFields?: Fields;
	chatFields?: Fields;
	/** Models for requests that name none. */
	models: { image: string; chat: string; embedding: string; moderation?: string };
	/** Whether chat models take pictures. Default: `auto`, by the profile and the service's list of models. */
	chatPictures?: 'auto' | 'on' | 'off';
	/** The most tokens of a chat answer, within those of `chatFields`; as the service has it by default. */
	chatMaxTokens?: number | undefined;
	/** How many previews of a picture are asked for, 0 to 3, where the service streams them. Default: 0. */
	previews?: number;
	/** Returns what stands for a person in requests: always the same, and nothing that tells who it is. */
	identify?: (by: Requester) => Promise<string>;
	memory?: PictureMemory;
	/** Default: `easel`. */
	profile?: ServiceProfile;
	/** Asks the service again which profile it has, at no cost. Called after requests that it does not know. */
	findProfile?: () => Promise<ServiceProfile | undefined>;
	observe?: ServiceObserver;
	/** Longest wait for name resolution, connection and TLS handshake. Default: 10 seconds. */
	connectTimeoutMs?: number;
};

/** How long an operation counts as absent: a gateway may just have started. */
const ABSENT_MS = 600_000;

export class ServiceClient implements Service {
	readonly #options: ServiceOptions;
	#profile: ServiceProfile;
	/** Operations that the service did not know, each until a `performance.now()`. */
	readonly #absent = new Map<string, number>();
	readonly #transport: Transport;
	readonly #endpoints: ReturnType<typeof endpointsOf>;
	/** See `readChat`. */
	readonly #unopened = new Map<string, string>();
	readonly #memory: PictureMemory;

	/** @throws TypeError when an address or the key is invalid */
	constructor(options: ServiceOptions) {
		this.#options = options;
		this.#profile = options.profile ?? PROFILES.easel;
		this.#transport = new Transport(options.connectTimeoutMs ?? 10_000, options.proxies);
		this.#memory = options.memory ?? new PictureMemory();
		this.#endpoints = endpointsOf(options, this.#profile, this.#transport);
	}

	get capabilities(): Capabilities {
		const offers = (operation: PictureOperation) => this.#pathOf(operation) !== undefined;
		return { ...this.#profile.capabilities, edit: offers('edit'), compose: offers('compose') };
	}

	/** Returns where an operation is asked for; undefined when the service does not have it. */
	#pathOf(operation: PictureOperation): string | undefined {
		const { generatesAt, editsAt, composesAt } = this.#profile;
		if (operation === 'generate') return generatesAt;
		const paths = operation === 'edit' ? [editsAt] : [composesAt, editsAt];
		return paths.find((path) => path !== undefined && performance.now() >= (this.#absent.get(path) ?? 0));
	}

	readonly generate: Service['generate'] = (request, signal, onPreview) =>
		this.#make('generate', request, [], signal, onPreview);

	readonly edit: Service['edit'] = ({ image, ...request }, signal, onPreview) =>
		this.#make('edit', request, [image], signal, onPreview);

	readonly compose: Service['compose'] = ({ images, ...request }, signal, onPreview) =>
		this.#make('compose', request, images, signal, onPreview);

	readonly priced: Service['priced'] = ({ prompt = '', size, quality, n = 1, inputs = 0, ...named }) => {
		const { models, imageFields = {}, previews = 0 } = this.#options;
		const { model = models.image } = named;
		const chosen = (value: unknown) => (typeof value === 'string' && value !== 'auto' ? value : undefined);
		return {
			...{ model, n, inputs, promptBytes: Buffer.byteLength(prompt) },
			previews: n === 1 && this.#profile.streamsPictures(model) ? previews : 0,
			quality: this.#qualityOf(model, quality) ?? chosen(imageFields['quality']),
			size: this.#pricedSize(model, size) ?? chosen(imageFields['size']),
		};
	};

	/** Returns a size as it is sent, with the resolution that the operator's own fields add to it. */
	#pricedSize(model: string, size: string | undefined): string | undefined {
		const rule = this.#profile.sizesOf(model);
		const { resolutions = [] } = rule;
		const sent = size && nearestSize(rule, size);
		const [added] = /\b[24]K\b/.exec(JSON.stringify(this.#options.imageFields ?? {})) ?? [];
		if (!added || resolutions.length === 0 || resolutions.some((name) => sent?.endsWith(name))) return sent;
		return sent ? `${sent} ${added}` : added;
	}

	readonly resolutionsOf: Service['resolutionsOf'] = async (model = this.#options.models.image) => {
		const { sizesOf, listsAt } = this.#profile;
		const { resolutions = [] } = sizesOf(model);
		if (resolutions.length === 0 || listsAt.length === 1) return resolutions;
		const listed = await this.#endpoints.lists.listed(model);
		return resolutions.filter((name) => listed?.resolutions?.includes(name) ?? true);
	};

	/** Returns the quality to ask for, where the model takes one: services choose an expensive one for themselves. */
	#qualityOf(model: string, quality: GenerateRequest['quality']): string | undefined {
		if (!this.#profile.takesQuality(model)) return undefined;
		return quality ?? (this.#options.imageFields?.['quality'] === undefined ? QUALITIES[0] : undefined);
	}

	readonly fetchPictures: Service['fetchPictures'] = (addresses, signal) => {
		const memory = new AnswerMemory(this.#memory, signal);
		return this.#measured('fetch', signal, async () => {
			const fetched = await this.#endpoints.pictures.fetchPictures(addresses, signal, memory);
			return { ...fetched, release: memory.handOn() };
		});
	};

	async *chat(...[request, signal, onTokens]: Parameters<Service['chat']>): AsyncGenerator<ChatPart> {
		const end = this.#begin('chat', signal);
		const endpoint = this.#endpoints.chat;
		const memory = new AnswerMemory(this.#memory, signal);
		let outcome: unknown = 'stopped';
		let answer: HttpAnswer | undefined;
		try {
			const { model = this.#options.models.chat } = request;
			const asking = await this.#askingForChat(endpoint, model, request);
			answer = await endpoint.open(asking, endpoint.limited(signal));
			yield* readChat(answer, { onTokens, model, unopened: this.#unopened, memory, endpoint, signal });
			outcome = 'ok';
		} catch (error) {
			outcome = answer ? endpoint.reasonOf(error, answer) : error;
			throw outcome;
		} finally {
			answer?.close();
			memory.handOn()();
			end(outcome);
		}
	}

	async #askingForChat(endpoint: Endpoint, model: string, request: ChatRequest): Promise<Asking> {
		const { profile } = endpoint;
		const { messages, by, maxTokens, tools = [] } = request;
		const { chatFields = {} } = this.#options;
		const most = smallest([this.chatMaxTokens, maxTokens]);
		const limit = TOKEN_LIMITS.find((name) => name in chatFields) ?? profile.tokenLimit;
		const otherLimit = limit === 'max_tokens' ? 'max_completion_tokens' : 'max_tokens';
		// Where the list says what models give, those that draw are asked for pictures.
		const listed = profile.listsAt.length > 1 ? await endpoint.listed(model) : undefined;
		const modalities = listed?.gives?.includes('image') ? listed.gives : undefined;
		return {
			operation: '/chat/completions',
			model,
			optional: {
				stream: true,
				stream_options: profile.streamsUsage ? { include_usage: true } : undefined,
				safety_identifier: await this.#identifierOf(profile, by),
				tools: tools.length > 0 && listed?.takesTools !== false ? tools : undefined,
				system: messages.some(({ role }) => role === 'system') || undefined,
				[limit]: most,
			},
			body({ tools: offered, system, stream, stream_options, ...asked }) {
				const tokens = limit in asked ? {} : { [limit]: undefined, [otherLimit]: most };
				const streams = { stream, stream_options: stream && stream_options };
				const fields = { modalities, ...chatFields, ...tokens, ...asked, model, ...streams };
				return chatBody(fields, system ? messages : withoutSystem(messages), offered ? tools : []);
			},
		};
	}

	get chatMaxTokens(): number | undefined {
		const { chatMaxTokens, chatFields = {} } = this.#options;
		return smallest([chatMaxTokens, ...TOKEN_LIMITS.map((name) => chatFields[name])]);
	}

	get embeddingModel(): string {
		return this.#options.models.embedding;
	}

	readonly embed: Service['embed'] = ({ input, model = this.embeddingModel }, signal) => {
		// Every service takes one text, and not every one takes a list.
		const texts = input.length === 1 ? input[0] : input;
		const asking: Asking = {
			...{ operation: '/embeddings', model, optional: { encoding_format: 'float' } },
			body: (asked) => jsonBody({ model, input: texts, ...asked }),
		};
		return this.#measured('embed', signal, () =>
			this.#endpoints.embedding.askJson(asking, signal, (answer) => readEmbeddings(answer, input.length)),
		);
	};

	get moderate(): Service['moderate'] {
		const { moderation: model } = this.#options.models;
		if (model === undefined) return undefined;
		return (request, signal) => {
			const images = 'images' in request ? request.images : [];
			const body = () =>
				jsonBodyWithPictures(images, (references) => {
					return { model, input: 'text' in request ? request.text : references.map(imagePart) };
				});
			return this.#measured('moderate', signal, () =>
				this.#endpoints.lists.askJson({ operation: '/moderations', body }, signal, readModeration),
			);
		};
	}

	readonly models: Service['models'] = (signal) => {
		const { lists: own, chat } = this.#endpoints;
		const services = this.#options.chat?.baseUrl ? [own, chat] : [own];
		return this.#measured('models', signal, async () => {
			const errors: unknown[] = [];
			const lists = await Promise.all(
				services.map((one) => one.models(signal).catch((error) => void errors.push(error))),
			);
			const failed = errors.find((error) => !tellsAbsence(error));
			if (errors.length === services.length && failed) throw failed;
			return [...new Set(lists.flatMap((list) => list ?? []).map(({ id }) => id))];
		});
	};

	/** Returns what the service that is asked for pictures, chats or embeddings says of its models. */
	listModels(use: 'image' | 'chat' | 'embedding', signal: AbortSignal): Promise<ListedModel[]> {
		return this.#measured('models', signal, () => this.#endpoints[use === 'image' ? 'lists' : use].models(signal));
	}

	readonly takesPictures: Service['takesPictures'] = async (model = this.#options.models.chat) => {
		const { chatPictures = 'auto' } = this.#options;
		if (chatPictures !== 'auto') return chatPictures === 'on';
		const { chat } = this.#endpoints;
		return (await chat.listed(model))?.takesPictures ?? chat.profile.isVisionModel(model);
	};

	close(): Promise<void> {
		return this.#transport.close();
	}

	#make(
		operation: PictureOperation,
		{ model = this.#options.models.image, size, quality, background, by, ...rest }: GenerateRequest,
		images: readonly InputImage[],
		signal: AbortSignal,
		onPreview: OnPreview | undefined,
	): Promise<ImageResult> {
		const profile = this.#profile;
		const { previews = 0, imageFields: extra, hasPrices } = this.#options;
		const { n = 1, prompt } = rest;
		const preferred = this.#qualityOf(model, quality);
		const isFirm = quality !== undefined || hasPrices === true;
		const given = { ...rest, model, size: size && nearestSize(profile.sizesOf(model), size), extra };
		const bodyTo = (path: string) => (asked: Fields) => {
			const fields = {
				...(isFirm && { quality: preferred }),
				...asked,
				...('stream' in asked && { partial_images: previews }),
				// JPEG has no transparency.
				...('background' in asked && { output_format: 'png' }),
			};
			const isInWords = background && profile.followsInstructions && !('background' in asked);
			const words = isInWords ? onFlatBackground(prompt) : prompt;
			return encodePictures(profile, path, { ...given, prompt: words, optional: fields }, images);
		};
		const read = async (answer: HttpAnswer) => {
			const read = await this.#readPictures(answer, n, signal, onPreview);
			const result = background ? await withoutBackground(read, prompt, signal) : read;
			return result.model === model ? { ...result, model: undefined } : result;
		};
		return this.#measured(operation, signal, async () => {
			const limited = this.#endpoints.pictures.limited(signal);
			const optional: Asking['optional'] = {
				stream: onPreview && previews > 0 && n === 1 && profile.streamsPictures(model) ? true : undefined,
				quality: isFirm ? undefined : preferred,
				response_format: profile.responseFormat,
				safety_identifier: await this.#identifierOf(profile, by),
				background: profile.takesQuality(model) ? background : undefined,
			};
			return this.#attempt(operation, (endpoint, path) =>
				endpoint.ask({ operation: path, model, prompt, optional, body: bodyTo(path) }, limited, read),
			);
		});
	}

	/** Asks where the operation is offered, and elsewhere when nothing was made there. */
	async #attempt<T>(operation: PictureOperation, ask: (endpoint: Endpoint, path: string) => Promise<T>): Promise<T> {
		let { pictures: endpoint, second } = this.#endpoints;
		for (;;) {
			const path = this.#pathOf(operation);
			if (path === undefined) {
				const message = `The image service does not offer this operation (${operation}).`;
				throw new ServiceError('request', message, { code: 'NOT_OFFERED', status: 404 });
			}
			try {
				return await ask(endpoint, path);
			} catch (error) {
				const isUnsent = error instanceof ServiceError && error.kind === 'unreachable';
				// A composition is an edit with several pictures, too.
				if (path !== this.#profile.generatesAt && tellsAbsence(error)) this.#lacks(path);
				else if (operation === 'generate' && isUnsent && second) [endpoint, second] = [second, undefined];
				else throw error;
			}
		}
	}

	/** Without an answer of the store, nothing is said about the person. */
	async #identifierOf({ identifies }: ServiceProfile, by: Requester | undefined): Promise<string | undefined> {
		return by && identifies ? this.#options.identify?.(by).catch(() => undefined) : undefined;
	}

	/** Notes that an operation is not there, and asks for the profile again. */
	#lacks(path: string): void {
		this.#absent.set(path, performance.now() + ABSENT_MS);
		const found = this.#options.findProfile?.().catch(() => undefined);
		void found?.then((profile = this.#profile) => {
			this.#profile = profile;
		});
	}

	/** Reads an answer with pictures, once there is memory for them, and fetches those that it has addresses for, as far as it can. */
	async #readPictures(answer: HttpAnswer, n: number, signal: AbortSignal, onPreview?: OnPreview): Promise<ImageResult> {
		const memory = new AnswerMemory(this.#memory, signal);
		const isStream = headerOf(answer, 'content-type')?.startsWith('text/event-stream');
		try {
			const { addresses, lacking, ...result } = isStream
				? await readPictureStream(answer, this.#profile, memory, n, onPreview)
				: await memory.read(answer, MAX_BODY_BYTES, (body, fault) =>
						decodePictures(body, this.#profile, n, fault === undefined),
					);
			const { pictures } = this.#endpoints;
			const { unfetched, reason, ...fetched } = await pictures.fetchPictures(addresses, signal, memory);
			const images = [...result.images, ...fetched.images];
			const isPart = images.length + unfetched.length < n;
			const fewer = isPart ? new InvalidResponseError('it has fewer pictures', lacking) : undefined;
			const refusal = fewer && (pictures.reasonOf(fewer, answer) as ServiceError);
			const partly = { refusal, unfetched: unfetched.length > 0 ? unfetched : undefined };
			if (images.length > 0) return { ...result, ...partly, images, release: memory.handOn() };
			const code = reason instanceof ServiceError ? (reason.code ?? reason.kind) : undefined;
			throw new ServiceError('address', 'The pictures were made, but could not be fetched.', { addresses, code });
		} finally {
			memory.handOn()();
		}
	}

	async #measured<T>(call: ServiceCall, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
		const end = this.#begin(call, signal);
		try {
			const result = await work();
			const { unfetched = [] } = Object(result) as Partial<ImageResult>;
			end(unfetched.length > 0 ? 'address' : 'ok');
			return result;
		} catch (error) {
			end(error);
			throw error;
		}
	}

	/** Returns what reports the end of a call: an outcome, or the error. */
	#begin(call: ServiceCall, signal: AbortSignal): (how: unknown) => void {
		const started = performance.now();
		return (how) => {
			const failed = how instanceof ServiceError ? how.kind : signal.aborted ? 'aborted' : 'error';
			const outcome = SERVICE_OUTCOMES.find((one) => one === how) ?? failed;
			this.#options.observe?.(call, outcome, (performance.now() - started) / 1000);
		};
	}
}

/** The fields of chat requests that bound the tokens of an answer. */
const TOKEN_LIMITS = ['max_completion_tokens', 'max_tokens'] as const;

function smallest(limits: readonly unknown[]): number | undefined {
	const given = limits.filter((limit) => typeof limit === 'number');
	return given.length > 0 ? Math.min(...given) : undefined;
}

/** Tells whether a service says that it does not know an operation. One that does not know the model has the operation. */
function tellsAbsence(error: unknown): boolean {
	if (!(error instanceof ServiceError) || error.about !== undefined) return false;
	const { kind, status, code = '', detail = '' } = error;
	if (isAbsence(detail)) return true;
	if (kind !== 'request') return false;
	return status === 405 || status === 501 || (status === 404 && !/model|deployment/i.test(`${code} ${detail}`));
}

/** Returns a prompt for a picture whose background can be cut out. The instruction is in the language that all services know best. */
const onFlatBackground = (prompt: string): string =>
	`${prompt}\n\nThe subject stands alone, whole and with a margin, on a plain flat background of one single bright colour that does not \
occur in the subject, such as pure magenta or pure green: no scenery, no floor, no shadow, no gradient, no texture, no border.`;

/** Cuts the backgrounds out of the pictures of a result that have none of transparency yet, one at a time. */
async function withoutBackground(result: ImageResult, prompt: string, signal: AbortSignal): Promise<ImageResult> {
	const images: OutputImage[] = [];
	// Pictures that are fetched later are not seen here.
	const found = new Set<Background | 'mixed'>(result.unfetched ? ['mixed'] : []);
	for (const image of result.images) {
		// A picture that cannot be decoded is delivered as it came: it has been paid for.
		const kept = { bytes: image.bytes, background: 'kept' as const };
		const { bytes, background } = await cutOut(image.bytes, signal).catch(() => kept);
		images.push({ ...image, bytes });
		found.add(background);
	}
	const [background = 'kept', ...others] = found;
	const revisedPrompt = result.revisedPrompt === onFlatBackground(prompt) ? prompt : result.revisedPrompt;
	return { ...result, images, background: others.length > 0 ? 'mixed' : background, revisedPrompt };
}
