import { actionButton } from '../bot/declaration/actions.ts';
import type { contextOf, PictureCommand } from '../bot/declaration/command.ts';
import type { Policy } from '../bot/moderation/policy.ts';
import {
	type Button,
	type Channel,
	type PictureShape,
	type Post,
	PREVIEW_NAME,
	type Reply,
	shapeOf,
	type Upload,
} from '../domain/channel.ts';
import { type CallOutcome, isClosed, isSettled, type Job, ShutdownError } from '../domain/job.ts';
import type { Person } from '../domain/place.ts';
import { quoted } from '../domain/text.ts';
import { type Translate, translatorFor } from '../i18n/translator.ts';
import { type Log, tryAndLog } from '../log.ts';
import { PictureError } from '../pictures/prepare.ts';
import type { Cancellations } from '../requests/cancellations.ts';
import { endingOf, picturesOf } from '../requests/captions.ts';
import type { PictureStore } from '../requests/picture-store.ts';
import { type PictureRequest, type PictureRequests, separateUploads } from '../requests/requests.ts';
import { ServiceError } from '../service/errors.ts';
import type { ImageResult, OutputImage } from '../service/service.ts';
import type { LeaseGuard } from '../usage/lease.ts';
import type { Ledger } from '../usage/ledger.ts';
import { isReviewed, isSpoiler, type Settings } from '../usage/settings/settings.ts';
import { type CallResult, callOnce } from './call-once.ts';
import type { DeferredEndings } from './deferred-endings.ts';
import type { Delivery } from './delivery.ts';
import type { Destination } from './delivery-targets.ts';
import type { FailurePause } from './failure-pause.ts';
import type { JobInputs } from './inputs.ts';
import { LiveStatus } from './live-status.ts';
import type { MemberQueue } from './member-queue.ts';
import { outcomeOfCrash, settleKnown } from './outcome.ts';
import type { PictureAddresses } from './picture-addresses.ts';

/** A request for pictures whose options have been parsed. */
export type ParsedRequest = {
	id: string;
	command: PictureCommand;
	options: Record<string, unknown>;
	person: Person;
	channel: Channel;
	/** Keeps the options without their pictures, to fill in a form that `reopen` opens. Rejects when they cannot be kept. */
	keepDraft?: (() => Promise<void>) | undefined;
	/** See `Invocation.source`. */
	source?: { link?: string } | undefined;
};

/** A call that was reserved for a request. */
export type Reservation = {
	job: Job;
	/** The settings that allowed it. */
	settings: Settings;
	/** Tells whether the job is still this process's own. After a lapse of its lease, another one may have claimed the job. */
	isOurs: LeaseGuard;
};

export type JobParts = {
	ledger: Ledger;
	cancellations: Cancellations;
	requests: PictureRequests;
	pictureStore: PictureStore;
	pictureAddresses: PictureAddresses;
	inputs: JobInputs;
	queue: MemberQueue;
	policy: Policy;
	failurePause: FailurePause;
	contextOf(person: Person, channel: Channel): ReturnType<typeof contextOf>;
	delivery: Delivery;
	deferredEndings: DeferredEndings;
	log: Log;
	/** Aborted, with `ShutdownError`, when Easel ends the requests that still run. */
	stopping: AbortSignal;
};

type Succeeded = Extract<CallResult<ImageResult>, { outcome: 'succeeded' }>;
type Failed = Exclude<CallResult<ImageResult>, Succeeded>;

/** One request with a reserved call: posts its status, waits in line, asks the service once, settles the call and delivers the answer. */
export class PictureJob {
	readonly #parts: JobParts;
	readonly #parsed: ParsedRequest;
	readonly #reservation: Reservation;
	/** Removed once they are read, since an upload may hold its bytes. */
	#uploads: readonly [name: string, upload: Upload][];
	readonly #request: PictureRequest;
	readonly #t: Translate;
	readonly #cancelled: AbortSignal;
	/** Aborted when the request is cancelled, or Easel stops. */
	readonly #signal: AbortSignal;
	#post: Post | undefined;
	#status: LiveStatus | undefined;

	constructor(parts: JobParts, parsed: ParsedRequest, reservation: Reservation) {
		this.#parts = parts;
		this.#parsed = parsed;
		this.#reservation = reservation;
		const { options, uploads } = separateUploads(parsed.options);
		const { command, person, place } = reservation.job;
		this.#uploads = uploads;
		const summary = parsed.command.request(options);
		const { source } = parsed;
		this.#request = { ...summary, command, options, inputs: {}, person, place, ...(source && { source }) };
		this.#t = translatorFor(person.locale);
		this.#cancelled = parts.cancellations.begin(reservation.job);
		this.#signal = AbortSignal.any([parts.stopping, this.#cancelled]);
	}

	/** Never rejects. */
	async run(): Promise<CallOutcome> {
		const result = await callOnce((sent) => this.#call(sent));
		this.#parts.cancellations.end(this.#reservation.job);
		if (result.outcome === 'succeeded') {
			await this.#succeed(result);
			result.result.release?.();
		} else await this.#fail(result);
		if (result.outcome !== 'failed') {
			const { log, pictureStore } = this.#parts;
			const names = Object.values(this.#request.inputs);
			await tryAndLog(log, 'The pictures of a request could not be retained', () => pictureStore.retainInputs(names));
		}
		return result.outcome;
	}

	/** Keeps the pictures, and delivers them. Their call is settled with the end of the job. */
	async #succeed(result: Succeeded): Promise<void> {
		const { images, revisedPrompt, unfetched = [], tokens, dropped } = result.result;
		const { job, settings, isOurs } = this.#reservation;
		const sent: Job = { ...job, state: 'sent' };
		this.#status?.upload();
		if (dropped)
			this.#parts.log.warn({ job: job.id, dropped }, 'The service answered with more pictures than were asked for');
		const isRevised = revisedPrompt !== undefined && revisedPrompt !== this.#request.prompt;
		if (isRevised) this.#request.revisedPrompt = revisedPrompt;
		if (unfetched.length > 0) this.#request.unfetched = { count: unfetched.length, again: true };
		const [isKept] = await Promise.all([this.#keep(result.result), this.#status?.stop()]);
		const settle = () => this.#settle(result);
		await this.#parts.delivery.pictures(
			{
				// Another process may have ended the job, and without kept pictures none could know that it has succeeded.
				job: isKept && isOurs() ? sent : await settle(),
				...{ settle, request: this.#request, images: images.map(({ bytes }) => bytes), tokens, settings },
				roles: this.#parsed.person.roles,
				staysKept: () => this.#staysKept(),
			},
			this.#destination,
		);
	}

	async #fail(result: Failed): Promise<void> {
		const { error } = result;
		if (error instanceof ServiceError && error.addresses && !this.#cancelled.aborted)
			await this.#keepAddresses(error.addresses);
		await this.#status?.stop();
		await this.#answerFailure(result, await this.#settle(result));
	}

	get #destination(): Destination {
		return { post: this.#post, channel: this.#parsed.channel, hasPreview: this.#status?.hasPreview };
	}

	/** Each step is stored before the next one can have an effect. */
	async #call(sent: () => void): Promise<ImageResult> {
		const { ledger, requests, inputs, policy, failurePause, contextOf } = this.#parts;
		const { id, command, person, channel } = this.#parsed;
		// At the same time as the record of the status, so that they share one write to the disk.
		const steps = await Promise.allSettled([this.#postStatus(), requests.save(id, this.#request)]);
		for (const step of steps) if (step.status === 'rejected') throw step.reason;
		if (this.#uploads.length > 0) await this.#keepInputs();
		const release = await this.#waitInLine();
		try {
			const images = await inputs.images(this.#request.inputs);
			await policy.checkInputs(this.#reservation.settings, Object.values(images));
			const paused = await failurePause.refusal();
			if (paused) throw paused;
			this.#signal.throwIfAborted();
			// Another process has claimed the job, and given the call back.
			if (!(await ledger.markSent(this.#reservation.job))) throw new ShutdownError();
			sent();
			const options = { ...this.#request.options, ...images };
			const context = { ...contextOf(person, channel), options, signal: this.#signal };
			return await command.run({ ...context, ...(this.#mayPreview() && { onPreview: (one) => this.#preview(one) }) });
		} catch (error) {
			// Before the next in line has its turn.
			await failurePause.record(error);
			throw error;
		} finally {
			release();
		}
	}

	async #keepInputs(): Promise<void> {
		const { inputs, requests } = this.#parts;
		const kept = await inputs.keep(this.#request.place, this.#parsed.person, this.#uploads, this.#signal);
		this.#uploads = [];
		this.#request.inputs = kept.names;
		if (kept.shape && this.#request.size === undefined) this.#status?.expect(this.#expected(kept.shape));
		await requests.save(this.#parsed.id, this.#request);
	}

	async #postStatus(): Promise<void> {
		const { id, command, channel } = this.#parsed;
		const { isOurs } = this.#reservation;
		const text = this.#t.declared(command.status, { prompt: `**${quoted(this.#request.prompt)}**` });
		const visibility = this.#request.private ? 'private' : 'public';
		if (!isOurs()) throw new ShutdownError();
		const buttons = [actionButton(this.#t, 'cancel', id)];
		const { size } = this.#request;
		const reply = { text, buttons, expected: this.#expected(size === undefined ? undefined : shapeOf(size)) };
		this.#post = await channel.post({ ...reply, text: `${text} …`, visibility }, id);
		const onLateEdit = () => this.#repeatAnswer();
		this.#status = new LiveStatus(this.#t, this.#post, reply, channel.limits, isOurs, onLateEdit);
	}

	#expected(shape: PictureShape | undefined): NonNullable<Reply['expected']> {
		return { count: this.#request.count, ...(shape && { shape }) };
	}

	/** Posts the answer of the process that has claimed the job again, if it has come to one. */
	async #repeatAnswer(): Promise<void> {
		const { ledger, delivery } = this.#parts;
		const stored = await ledger.find(this.#parsed.id);
		// Pictures have come meanwhile, and will be posted here.
		if (!stored || !isSettled(stored) || stored.outcome === 'succeeded') return;
		await delivery.repeatError({ ...stored, person: this.#reservation.job.person }, this.#post);
	}

	/** Pictures that moderators have to see first have no previews. */
	#mayPreview(): boolean {
		const { limits } = this.#parsed.channel;
		return limits.previews === true && !isReviewed(this.#reservation.settings, this.#request.place);
	}

	#preview({ bytes }: OutputImage): void {
		const { settings } = this.#reservation;
		if (bytes.length > this.#parsed.channel.limits.pictureBytes) return;
		const [picture] = picturesOf(this.#t, [bytes], this.#request.prompt, isSpoiler(settings, this.#request.place));
		if (picture) this.#status?.preview({ ...picture, name: PREVIEW_NAME + endingOf(bytes) });
	}

	async #waitInLine() {
		const { queue } = this.#parts;
		const { platform, server } = this.#request.place;
		const member = `${platform}:${server}:${this.#request.person.id}`;
		const { atOnce } = this.#reservation.settings;
		const release = await queue.enter(member, atOnce, this.#signal, (position) => this.#status?.waitInLine(position));
		this.#status?.start();
		return release;
	}

	/** The pictures outlive a crash from here on. Returns false when the store fails: they are still delivered. */
	async #keep({ images, unfetched = [] }: ImageResult): Promise<boolean> {
		const bytes = images.map((image) => image.bytes);
		const { ledger, pictureStore, requests, log } = this.#parts;
		const { job, isOurs } = this.#reservation;
		// When another process may have ended the job, sweeps find its pictures only while they wait for some.
		const leaveToSweeps = async () => isOurs() || (await ledger.waitForPictures(job));
		const isKept = await tryAndLog(log, 'Finished pictures could not be kept', async () => {
			await leaveToSweeps();
			await pictureStore.keep(this.#parsed.id, bytes);
			// The lease may have lapsed meanwhile, and the wait of a sweep may be over.
			await leaveToSweeps();
			if (unfetched.length > 0) await this.#keepAddresses(unfetched);
			const { revisedPrompt } = this.#request;
			if (revisedPrompt || unfetched.length > 0) await requests.save(this.#parsed.id, this.#request);
			return true;
		});
		return isKept === true;
	}

	/** Leaves pictures that were made, and could not be fetched, to a sweep. */
	async #keepAddresses(addresses: readonly string[]): Promise<void> {
		const { ledger, pictureAddresses, log } = this.#parts;
		await tryAndLog(log, 'The addresses of pictures could not be kept', async () => {
			await pictureAddresses.keep(this.#parsed.id, addresses);
			await ledger.waitForPictures(this.#reservation.job);
		});
	}

	/** Returns the job as it is then. When the store fails, the job stays open, and a later sweep settles it. */
	async #settle(result: CallResult<ImageResult>): Promise<Job> {
		const { ledger, log } = this.#parts;
		const { outcome, wasSent } = result;
		const job: Job = wasSent ? { ...this.#reservation.job, state: 'sent' } : this.#reservation.job;
		const made: Partial<ImageResult> = outcome === 'succeeded' ? result.result : {};
		const count = (made.images?.length ?? 0) + (made.unfetched?.length ?? 0);
		try {
			return await settleKnown(ledger, job, outcome, count, made.tokens);
		} catch (error) {
			log.error({ err: error, job: job.id, outcome }, 'A call could not be settled');
			return job;
		}
	}

	async #answerFailure(result: Failed, settled: Job): Promise<void> {
		const { ledger, delivery, deferredEndings } = this.#parts;
		const { isOurs } = this.#reservation;
		// The process that claimed the job has answered, or will. Post the same again, in case the status was edited after it.
		const isClaimed = isSettled(settled) ? isClosed(settled) || settled.outcome !== result.outcome : !isOurs();
		// A call that could not be settled is settled by a sweep, maybe of a process that does not know how it ended.
		const outcome = settled.outcome ?? outcomeOfCrash({ state: isClaimed || result.wasSent ? 'sent' : 'reserved' });
		const error = isClaimed ? new ShutdownError() : result.error;
		const isInput = error instanceof PictureError;
		const buttons = isInput ? await this.#reopenButtons() : [];
		const isPrivate = isInput && !this.#request.private;
		const { hasPreview, ...status } = this.#destination;
		const to = { ...status, isPrivate, hasPreview: hasPreview && !isClaimed };
		const isTold = await delivery.error(settled, error, outcome, to, buttons);
		if (isSettled(settled)) return;
		deferredEndings.defer(settled.id, async () => {
			const known = await settleKnown(ledger, settled, result.outcome, 0);
			if (isTold && known.outcome === outcome) await ledger.close(known, 'delivered');
			else await this.#answerFailure(result, known);
		});
	}

	/** The person can bring another picture without writing the prompt again. */
	async #reopenButtons(): Promise<Button[]> {
		const { id, keepDraft } = this.#parsed;
		const keep = async () => keepDraft?.().then(() => true);
		const isKept = await tryAndLog(this.#parts.log, 'Options could not be kept for another attempt', keep);
		return isKept ? [actionButton(this.#t, 'reopen', id)] : [];
	}

	/**
	 * Pictures that could not be fetched may still join these. The answer of a process that has claimed the job may come after these pictures;
	 * a later sweep then posts them again.
	 */
	async #staysKept(): Promise<boolean> {
		const { job, isOurs } = this.#reservation;
		if (isOurs()) return this.#request.unfetched !== undefined;
		const { ledger, log } = this.#parts;
		await tryAndLog(log, 'Pictures could not be left to the next sweep', () => ledger.waitForPictures(job));
		return true;
	}
}
