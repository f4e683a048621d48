import { AsyncLocalStorage } from 'node:async_hooks';
import { isClosed, isSettled } from '../../src/domain/job.ts';
import { Delivery, type PictureResult } from '../../src/jobs/delivery.ts';
import { FailurePause } from '../../src/jobs/failure-pause.ts';
import { PictureJob } from '../../src/jobs/picture-job.ts';
import { Recovery } from '../../src/jobs/recovery.ts';
import { ReviewDecisions } from '../../src/jobs/review/review-decisions.ts';
import { ReviewGate } from '../../src/jobs/review/review-gate.ts';
import { Cancellations } from '../../src/requests/cancellations.ts';
import { PictureStore } from '../../src/requests/picture-store.ts';
import { Ledger } from '../../src/usage/ledger.ts';

/** Changes code. Returns a function that restores it. */
export type Patch = () => () => void;

type Method<Class, Name extends keyof Class> = Class[Name] extends (...args: infer Args) => infer Result
	? (this: Class, ...args: Args) => Result
	: never;

/** Replaces a method of a class. */
function replaceMethod<Class extends object, Name extends keyof Class>(
	{ prototype }: { prototype: Class },
	name: Name,
	replace: (original: Method<Class, Name>) => Method<Class, Name>,
): () => void {
	const original = prototype[name];
	prototype[name] = replace(original as Method<Class, Name>) as Class[Name];
	return () => {
		prototype[name] = original;
	};
}

/** Makes a patch whose code can ask whether it runs in a sweep. */
function patchSweep(patch: (isSweep: () => boolean) => () => void): Patch {
	return () => {
		const context = new AsyncLocalStorage<true>();
		const restores = [
			replaceMethod(
				Recovery,
				'sweep',
				(sweep) =>
					function () {
						return context.run(true, () => sweep.call(this));
					},
			),
			patch(() => context.getStore() === true),
		];
		return () => {
			for (const restore of restores) restore();
		};
	};
}

export const recoveryIgnoresKeptPictures = patchSweep((isSweep) =>
	replaceMethod(
		PictureStore,
		'kept',
		(kept) =>
			async function (job) {
				return isSweep() ? [] : kept.call(this, job);
			},
	),
);

/** The process that has the pictures finds the job settled by a sweep, which could only say that the outcome is unknown. */
const wasSettledBySweep = ({ job }: PictureResult) => isSettled(job) && job.outcome !== 'succeeded';

export const picturesInHandAreThrownAway = patchSweep((isSweep) =>
	replaceMethod(
		Delivery,
		'pictures',
		(pictures) =>
			async function (result, to) {
				return !isSweep() && wasSettledBySweep(result) ? 'posted' : pictures.call(this, result, to);
			},
	),
);

/** Long enough for a process to resume and close a job that a sweep has claimed, which would be rare otherwise. */
const SLOW_SWEEP_MS = 10_000;

/** The job looks open to `Recovery`, although its own process has closed it. */
export const recoveryAnswersClosedJobs = patchSweep((isSweep) => {
	const restores = [
		replaceMethod(
			PictureStore,
			'kept',
			(kept) =>
				async function (job) {
					if (isSweep()) await new Promise((resolve) => setTimeout(resolve, SLOW_SWEEP_MS));
					return kept.call(this, job);
				},
		),
		replaceMethod(
			Ledger,
			'settle',
			(settle) =>
				async function (job, outcome, pictures) {
					const settled = await settle.call(this, job, outcome, pictures);
					return isSweep() && isClosed(settled) ? { ...settled, state: settled.outcome ?? 'unknown' } : settled;
				},
		),
	];
	return () => {
		for (const restore of restores) restore();
	};
});

export const reviewedPicturesAreShownAtOnce: Patch = () =>
	replaceMethod(
		ReviewGate,
		'pass',
		() =>
			async ({ images }) =>
				images,
	);

export const decisionsAreNotResumed: Patch = () => replaceMethod(ReviewDecisions, 'sweep', () => async () => {});

export const cancelledCallsAreRefunded: Patch = () => {
	const cancelled = new Set<string>();
	const restores = [
		replaceMethod(
			Cancellations,
			'begin',
			(begin) =>
				function (job) {
					const signal = begin.call(this, job);
					signal.addEventListener('abort', () => cancelled.add(job.id));
					return signal;
				},
		),
		replaceMethod(
			Ledger,
			'settle',
			(settle) =>
				function (job, outcome, pictures) {
					return settle.call(this, job, outcome === 'unknown' && cancelled.has(job.id) ? 'failed' : outcome, pictures);
				},
		),
	];
	return () => {
		for (const restore of restores) restore();
	};
};

export const pausesAreIgnored: Patch = () =>
	replaceMethod(
		FailurePause,
		'refusal',
		(refusal) =>
			async function () {
				await refusal.call(this);
				return undefined;
			},
	);

export const pausesAreFoundBeforeTheLineOnly: Patch = () => {
	const context = new AsyncLocalStorage<true>();
	const restores = [
		replaceMethod(
			PictureJob,
			'run',
			(run) =>
				function () {
					return context.run(true, () => run.call(this));
				},
		),
		replaceMethod(
			FailurePause,
			'refusal',
			(refusal) =>
				async function () {
					return context.getStore() ? undefined : refusal.call(this);
				},
		),
	];
	return () => {
		for (const restore of restores) restore();
	};
};
