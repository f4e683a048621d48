import { AsyncLocalStorage } from 'node:async_hooks';
import { translatorFor } from '../../src/i18n/translator.ts';
import { FailurePause } from '../../src/jobs/outcome.ts';
import { PictureJob } from '../../src/jobs/picture-job.ts';
import { Recovery } from '../../src/jobs/recovery.ts';
import { Reviews } from '../../src/jobs/reviews.ts';
import { Settlement } from '../../src/jobs/settlement.ts';
import { OwnJobs } from '../../src/requests/own-jobs.ts';
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

/** The process that has the pictures finds its job taken over. */
export const picturesInHandAreThrownAway: Patch = () =>
	replaceMethod(
		Settlement,
		'finish',
		(finish) =>
			async function (job, end, live) {
				return end.images && !live.hasLease() ? undefined : finish.call(this, job, end, live);
			},
	);

/** A process that has found its job taken over posts its sentence all the same. */
export const lostJobsAreAnswered: Patch = () =>
	replaceMethod(
		Settlement,
		'finish',
		(finish) =>
			async function (job, end, live) {
				await finish.call(this, job, end, live);
				if (!end.images && !live.hasLease()) await live.post?.edit({ text: STOPPED_TEXT });
			},
	);

const STOPPED_TEXT = translatorFor('en')('errors.stopped', { cost: '' });

export const reviewedPicturesAreShownAtOnce: Patch = () =>
	replaceMethod(Reviews, 'answerOf', () => async (_, count) => ({ kind: 'pictures', count }));

export const decisionsAreNotResumed: Patch = () => replaceMethod(Reviews, 'sweep', () => async () => {});

export const cancelledCallsAreRefunded: Patch = () => {
	const cancelled = new Set<string>();
	const restores = [
		replaceMethod(
			OwnJobs,
			'run',
			(run) =>
				function (id, work, of) {
					const noted = (signal: AbortSignal) => {
						signal.addEventListener('abort', () => cancelled.add(id));
						return work(signal);
					};
					return run.call(this, id, noted, of);
				},
		),
		replaceMethod(
			Ledger,
			'answer',
			(answer) =>
				function (job, given, end, refetch) {
					const outcome = end.outcome === 'unknown' && cancelled.has(job.id) ? 'failed' : end.outcome;
					return answer.call(this, job, given, { ...end, outcome }, refetch);
				},
		),
	];
	return () => {
		for (const restore of restores) restore();
	};
};

/** What is above the reservation is taken from it. */
export const dearCallsAreGivenBack: Patch = () =>
	replaceMethod(
		Ledger,
		'answer',
		(answer) =>
			function (job, given, end, refetch) {
				const { paid = 0 } = end;
				const reserved = job.usd ?? 0;
				const wrong = paid > reserved ? { ...end, paid: Math.max(0, 2 * reserved - paid) } : end;
				return answer.call(this, job, given, wrong, refetch);
			},
	);

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
