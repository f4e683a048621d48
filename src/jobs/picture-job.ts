import { actionButton } from '../bot/declaration/actions.ts';
import { contextOf, type PictureCommand, screenedText } from '../bot/declaration/command.ts';
import { errorMessageOf } from '../bot/messages/error-messages.ts';
import { refusalOf } from '../bot/messages/usage-messages.ts';
import {
	type Button,
	type Channel,
	NAMED_SIZES,
	type Person,
	type PictureShape,
	type Post,
	PREVIEW_NAME,
	type Reply,
	shapeOf,
	type Upload,
} from '../domain/channel.ts';
import { type CallOutcome, type Job, type Quote, ShutdownError } from '../domain/job.ts';
import { inCode, quoted } from '../domain/text.ts';
import type { Easel } from '../easel.ts';
import { SentenceError, type Translate, translatorFor } from '../i18n/translator.ts';
import { tryAndLog } from '../log.ts';
import { sniff } from '../pictures/parts.ts';
import { PictureError } from '../pictures/prepare.ts';
import { inputImages, keepInputs } from '../requests/picture-store.ts';
import {
	endingOf,
	isCovered,
	type PictureRequest,
	picturesOf,
	separateUploads,
	storedOf,
} from '../requests/requests.ts';
import { ServiceError } from '../service/errors.ts';
import type { ImageResult, OutputImage, PricedRequest } from '../service/service.ts';
import type { LeaseGuard } from '../usage/lease.ts';
import { paidOf, quoteOf } from '../usage/prices.ts';
import { isReviewed, type Settings } from '../usage/settings.ts';
import type { Live } from './delivery.ts';
import { LiveStatus } from './live-status.ts';
import { type CallResult, makeCall } from './outcome.ts';
import { type Finished, Settlement } from './settlement.ts';

/** The requests of a member that wait at once: each keeps its pictures meanwhile, and no cap may count it. */
const MAX_WAITING = 10;

/** A request for pictures whose options have been parsed. */
export type ParsedRequest = {
	id: string;
	command: PictureCommand;
	options: Record<string, unknown>;
	person: Person;
	channel: Channel;
	/** See `StoredRequest.unknownFlags`. */
	unknownFlags?: readonly string[] | undefined;
	/** Keeps the options, to fill in a form that `reopen` or `change` opens. Rejects when they cannot be kept. */
	keepDraft?: ((withPictures: boolean) => Promise<void>) | undefined;
	/** See `Invocation.source`. */
	source?: { link?: string } | undefined;
};

/** A call that was reserved for a request. */
export type Reservation = {
	job: Job;
	/** As it was stored with the job, without its pictures. */
	request: PictureRequest;
	/** The settings that allowed it. */
	settings: Settings;
	/** Tells whether the job is still this process's own. After a lapse of its lease, another one may have claimed the job. */
	hasLease: LeaseGuard;
	/** What its channel had to store before the status message is stored with the job. */
	isAnnounced: boolean;
};

type Succeeded = Extract<CallResult<ImageResult>, { outcome: 'succeeded' }>;
type Failed = Exclude<CallResult<ImageResult>, Succeeded>;

/**
 * Runs one paid request to its answer, once. Whatever fails or is aborted on the way, the reservation is settled and the person gets an
 * answer. Rejects only when the call could not be reserved.
 * @returns how it ended, or why it was refused
 */
export async function runPictureJob(
	easel: Easel,
	request: ParsedRequest,
): Promise<CallOutcome | 'duplicate' | SentenceError> {
	const work = async (cancelled: AbortSignal) => {
		const reservation = await reserve(easel, request);
		if (typeof reservation !== 'object' || !('job' in reservation)) return reservation;
		easel.ownJobs.reserved(reservation.job);
		return new PictureJob(easel, request, reservation, cancelled).run();
	};
	// A second delivery must not settle the first one's job.
	return (await easel.ownJobs.run(request.id, work, { member: memberOf(request) })) ?? 'duplicate';
}

async function reserve(easel: Easel, parsed: ParsedRequest): Promise<Reservation | 'duplicate' | SentenceError> {
	const { policy, ledger, lease, ownJobs } = easel;
	const { id, command, options, person, channel } = parsed;
	const quote = quoteFor(easel, parsed);
	if (quote instanceof SentenceError) return quote;
	const uploads = separateUploads(options).uploads.map(([, upload]) => upload);
	const asking = {
		...{ channel, person, text: screenedText(command, options), most: quote?.most },
		command: uploads.length > 0 ? command.name : undefined,
	};
	const { place } = channel;
	const settings = await easel.settings.get(place);
	const isInLine = () => ownJobs.countOf(memberOf(parsed)) <= settings.atOnce + MAX_WAITING;
	const refused =
		(await whyNotTheirs(easel, channel, person, uploads)) ??
		(await policy.check('pictures', asking, settings)) ??
		(isInLine() ? undefined : new SentenceError('policy.waiting', { count: MAX_WAITING }));
	// The first delivery of a request may have been allowed; the second does not change its answer.
	if (refused) return (await ledger.has(id)) ? 'duplicate' : refused;
	const hasLease = await lease.guard();
	const { roles, locale } = person;
	const made = requestOf(parsed);
	const announced = channel.announce?.(id, made.private);
	const job = await ledger.reserve({
		...{ id, command: command.name, place, roles, person: made.person, quote },
		message: { place, key: id, data: announced?.data },
		settings,
		checkPolicy: policy.checkerOf('pictures', asking),
		request: storedOf(made),
		also: announced,
	});
	if (job === 'duplicate') return job;
	if (!('state' in job)) return refusalOf(translatorFor(locale), job, channel);
	return { job, request: made, settings, hasLease, isAnnounced: announced !== undefined };
}

/** Returns why a person must not use pictures of others, by the messages that show them; undefined when they may. */
const whyNotTheirs = async ({ consent }: Easel, { place }: Channel, person: Person, uploads: readonly Upload[]) =>
	(await consent.refusalOf({ place, person }, uploads))?.and('errors.cost.none');

/** Returns what a request may cost; undefined where calls have no prices. Of a model without a price, no cap would hold. */
function quoteFor(
	{ plan, service }: Easel,
	{ command, options: all }: ParsedRequest,
): Quote | SentenceError | undefined {
	if (!plan.prices) return undefined;
	const { options, uploads } = separateUploads(all);
	const { prompt, count: n, model, quality } = command.request(options);
	const { size } = options as { size?: string };
	const call = service.priced({ prompt, n, model, quality, size, inputs: uploads.length } as PricedRequest);
	return quoteOf(plan.prices, call) ?? new SentenceError('prices.unknown', { model: inCode(call.model ?? '') });
}

/** Returns a request as it is stored, without its pictures. */
function requestOf({
	command,
	options: all,
	person,
	channel: { place },
	source,
	unknownFlags,
}: ParsedRequest): PictureRequest {
	const { options, uploads } = separateUploads(all);
	const { id, name, locale } = person;
	return {
		...{ ...command.request(options), command: command.name, options, inputs: {}, place, source, unknownFlags },
		covered: uploads.some(([, upload]) => upload.covered) || undefined,
		person: { id, name, ...(locale && { locale }) },
	};
}

/** Returns what of a result is other than was asked for. */
function madeOf(
	{ size, quality: chosen }: PictureRequest,
	{ images: [first], model, quality, background, refusal }: ImageResult,
): PictureRequest['made'] {
	const asked = size && (NAMED_SIZES[size] ?? size);
	const got = first && `${first.width}x${first.height}`;
	const type = first && sniff(first.bytes)?.type;
	const made = {
		model,
		background,
		size: asked === undefined || got === asked ? undefined : got,
		quality: chosen === undefined || quality === chosen ? undefined : quality,
		format: type === 'image/png' ? undefined : type?.replace('image/', ''),
		lacks: refusal?.detail,
	};
	return Object.values(made).some((fact) => fact !== undefined) ? made : undefined;
}

/** Tells whether the service or its moderation has refused what was asked, so that other words may be drawn. */
const isByWords = (error: unknown): boolean =>
	error instanceof ServiceError
		? error.kind === 'content' || (error.kind === 'request' && error.code !== 'NOT_OFFERED' && error.code !== 'MOVED')
		: error instanceof SentenceError && error.id === 'policy.flagged';

const memberOf = ({ channel: { place }, person }: ParsedRequest) => `${place.platform}:${place.server}:${person.id}`;

/**
 * Returns why a person cannot make pictures here at present, by the moderators' rules or a cap; undefined when they can. It is checked
 * before pictures are kept for someone who has not made a request yet.
 */
export async function whyNotPermitted(
	{ policy, ledger }: Easel,
	channel: Channel,
	person: Person,
): Promise<SentenceError | undefined> {
	const violation = await policy.check('person', { channel, person });
	if (violation) return violation;
	const reached = await ledger.capReached(channel.place, { id: person.id, roles: person.roles });
	return reached && refusalOf(translatorFor(person.locale), reached, channel);
}

/** One request with a reserved call: posts its status, waits in line, asks the service once, settles the call and delivers the answer. */
export class PictureJob {
	readonly #easel: Easel;
	readonly #parsed: ParsedRequest;
	readonly #reservation: Reservation;
	/** As it is stored. */
	#job: Job;
	/** Removed once they are read, since an upload may hold its bytes. */
	#uploads: readonly [name: string, upload: Upload][];
	readonly #request: PictureRequest;
	readonly #t: Translate;
	readonly #cancelled: AbortSignal;
	/** Aborted when the request is cancelled, or Easel stops. */
	readonly #signal: AbortSignal;
	#post: Post | undefined;
	#status: LiveStatus | undefined;
	/** Lets the next request in line have its turn. */
	#leaveLine = () => {};

	constructor(easel: Easel, parsed: ParsedRequest, reservation: Reservation, cancelled: AbortSignal) {
		this.#easel = easel;
		this.#parsed = parsed;
		this.#reservation = reservation;
		this.#job = reservation.job;
		this.#request = reservation.request;
		this.#uploads = separateUploads(parsed.options).uploads;
		this.#t = translatorFor(parsed.person.locale);
		this.#cancelled = cancelled;
		this.#signal = AbortSignal.any([easel.stopping, this.#cancelled]);
	}

	/** Never rejects. */
	async run(): Promise<CallOutcome> {
		const { ownJobs, pictureStore, log } = this.#easel;
		const result = await makeCall(this.#easel, this.#signal, (send) => this.#call(send));
		this.#leaveLine();
		ownJobs.called(this.#job.id);
		const finished = result.outcome === 'succeeded' ? this.#succeeded(result) : this.#failed(result);
		if (result.outcome === 'succeeded') this.#status?.upload();
		const live = { ...this.#live, ready: this.#status?.stop() };
		await new Settlement(this.#easel).finish(this.#job, finished, live);
		if (result.outcome === 'succeeded') result.result.release?.();
		if (result.outcome !== 'failed') {
			const names = Object.values(this.#request.inputs);
			await tryAndLog(log, 'The pictures of a request could not be retained', () => pictureStore.retainInputs(names));
		}
		return result.outcome;
	}

	#succeeded({ outcome, wasSent, result }: Succeeded): Finished {
		const { images, revisedPrompt, unfetched = [], usage, dropped, refusal } = result;
		if (dropped)
			this.#easel.log.warn(
				{ job: this.#job.id, dropped },
				'The service answered with more pictures than were asked for',
			);
		if (revisedPrompt !== this.#request.prompt) this.#request.revisedPrompt = revisedPrompt;
		this.#request.made = madeOf(this.#request, result);
		const made = images.length + unfetched.length;
		if (made < this.#request.count) {
			this.#request.missing = this.#request.count - made;
			this.#easel.log.warn(
				{ job: this.#job.id, made, code: refusal?.code },
				'The service answered with fewer pictures',
			);
		}
		const isPart = unfetched.length > 0;
		if (isPart) this.#request.unfetched = { count: unfetched.length, again: true };
		return {
			...{ outcome, wasSent, tokens: usage?.tokens, pictures: made },
			paid: this.#paid(result),
			images: images.map(({ bytes }) => bytes),
			refetch: isPart ? unfetched : undefined,
		};
	}

	/** Returns what the call has cost; undefined where it has no price. Caps count no more than was reserved. */
	#paid({ images: [first], usage, quality }: ImageResult): number | undefined {
		const { quote, id } = this.#job;
		if (!quote) return undefined;
		const size = first && `${first.width}x${first.height}`;
		const [reserved, paid] = [this.#job.usd, paidOf(quote, { ...usage, quality, size })];
		if (paid > reserved)
			this.#easel.log.warn(
				{ job: id, code: 'COST_ABOVE_RESERVATION', reserved, paid },
				'A call has cost more than was reserved for it. Check IMAGE_COSTS',
			);
		return paid;
	}

	#failed({ outcome, wasSent, error }: Failed): Finished {
		const addresses = error instanceof ServiceError && !this.#cancelled.aborted ? error.addresses : undefined;
		return {
			...{ outcome, wasSent, pictures: 0, refetch: addresses },
			sentence: async (told) => {
				const isInput = error instanceof PictureError;
				const { text, again } = errorMessageOf(this.#t, error, told, this.#easel.log);
				const isRefused = isInput || isByWords(error);
				const buttons = isRefused ? await this.#reopenButtons(isInput ? 'reopen' : 'change') : [];
				return { kind: 'sentence', text, again, buttons, isPrivate: isRefused && !this.#request.private };
			},
		};
	}

	get #live(): Omit<Live, 'ready'> {
		const { channel, person } = this.#parsed;
		const { settings, hasLease } = this.#reservation;
		const hasPreview = this.#status?.hasPreview;
		return { request: this.#request, channel, settings, roles: person.roles, hasLease, post: this.#post, hasPreview };
	}

	/** Each step is stored before the next one can have an effect. */
	async #call(send: (job: Job) => Promise<Job>): Promise<ImageResult> {
		const { command, person, channel } = this.#parsed;
		await this.#postStatus();
		if (this.#uploads.length > 0) await this.#keepInputs();
		await this.#waitInLine();
		const images = await inputImages(this.#easel, this.#request.inputs);
		await this.#easel.policy.checkInputs(this.#reservation.settings, Object.values(images));
		this.#job = await send(this.#job);
		const options = { ...this.#request.options, ...images };
		const context = { ...contextOf(this.#easel, person, channel), options, signal: this.#signal };
		return command.run({ ...context, ...(this.#mayPreview() && { onPreview: (one) => this.#preview(one) }) });
	}

	async #keepInputs(): Promise<void> {
		const { place } = this.#request;
		const kept = await keepInputs(this.#easel, place, this.#parsed.person, this.#uploads, this.#signal);
		this.#uploads = [];
		this.#request.inputs = kept.names;
		if (kept.shape && this.#request.size === undefined) this.#status?.expect(this.#expected(kept.shape));
		const noted = await this.#easel.ledger.note(this.#job, storedOf(this.#request));
		// The other process has given the call back.
		if (!noted) throw new ShutdownError();
		this.#job = noted;
	}

	async #postStatus(): Promise<void> {
		const { id, command, channel } = this.#parsed;
		const { hasLease, isAnnounced } = this.#reservation;
		const text = this.#t.declared(command.status, { prompt: `**${quoted(this.#request.prompt)}**` });
		const visibility = this.#request.private ? 'private' : 'public';
		if (!hasLease()) throw new ShutdownError();
		const buttons = [actionButton(this.#t, 'cancel', id)];
		const { size } = this.#request;
		const reply = { text, buttons, expected: this.#expected(size === undefined ? undefined : shapeOf(size)) };
		this.#post = await channel.post({ ...reply, text: `${text} …`, visibility }, id, { isAnnounced });
		const onLateEdit = () => this.#easel.delivery.repeat(id, this.#post);
		this.#status = new LiveStatus(this.#t, this.#post, reply, channel.limits, hasLease, onLateEdit);
	}

	#expected(shape: PictureShape | undefined): NonNullable<Reply['expected']> {
		return { count: this.#request.count, ...(shape && { shape }) };
	}

	/** Pictures that moderators have to see first have no previews. */
	#mayPreview(): boolean {
		const { limits } = this.#parsed.channel;
		return limits.previews === true && !isReviewed(this.#reservation.settings, this.#request.place);
	}

	#preview({ bytes }: OutputImage): void {
		const { settings } = this.#reservation;
		if (bytes.length > this.#parsed.channel.limits.pictureBytes) return;
		const covered = isCovered(this.#request, settings, this.#request.place);
		const [picture] = picturesOf(this.#t, [bytes], this.#request.prompt, covered);
		if (picture) this.#status?.preview({ ...picture, name: PREVIEW_NAME + endingOf(bytes) });
	}

	async #waitInLine(): Promise<void> {
		const { queue } = this.#easel;
		const { atOnce } = this.#reservation.settings;
		const onWait = (position: () => number) => this.#status?.waitInLine(position);
		this.#leaveLine = await queue.enter(memberOf(this.#parsed), atOnce, this.#signal, onWait);
		this.#status?.start();
	}

	/** The person can bring another picture without writing the prompt again, or other words without bringing the pictures again. */
	async #reopenButtons(action: 'reopen' | 'change'): Promise<Button[]> {
		const { id, keepDraft } = this.#parsed;
		const keep = async () => keepDraft?.(action === 'change').then(() => true);
		const isKept = await tryAndLog(this.#easel.log, 'Options could not be kept for another attempt', keep);
		return isKept ? [actionButton(this.#t, action, id)] : [];
	}
}
