import type { Job } from '../../src/domain/job.ts';
import type { Easel } from '../../src/easel.ts';
import { makeCall } from '../../src/jobs/outcome.ts';

/** Makes a paid call that nothing keeps from being sent. @param run calls `send` right before it asks the service */
export const callOnce = <Result>(run: (send: () => Promise<unknown>) => Promise<Result>) =>
	makeCall(easel as unknown as Easel, new AbortController().signal, (send) => run(() => send({} as Job)));

const easel = {
	ledger: { send: async (job: Job) => job },
	failurePause: { refusal: async () => undefined, record: async () => {} },
};
