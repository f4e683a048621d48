import type { Easel } from '../easel.ts';
import { DeferredEndings } from '../jobs/deferred-endings.ts';
import { FailurePause, type PauseRule } from '../jobs/failure-pause.ts';
import { PictureAddresses } from '../jobs/picture-addresses.ts';
import { Cancellations } from '../requests/cancellations.ts';
import { HeldResults } from '../requests/held-results.ts';
import { PictureStore } from '../requests/picture-store.ts';
import { PictureRequests } from '../requests/requests.ts';
import { UndeliveredResults } from '../requests/undelivered-results.ts';
import type { Command } from './declaration/command.ts';
import { LogEntries } from './moderation/log-entries.ts';
import { ModeratorRole } from './moderation/moderator-role.ts';
import { Notices } from './moderation/notices.ts';
import { Policy } from './moderation/policy.ts';
import { RecentResults } from './repositories/recent-results.ts';
import { TemporaryUploads } from './repositories/temporary-uploads.ts';
import { ResultSearch } from './search/result-search.ts';

/** The context, and the objects of features that others use. */
export type BotServices = ReturnType<typeof servicesOf>;

export function servicesOf(
	easel: Easel,
	commands: readonly Command[],
	pauseRule: PauseRule = { failures: 0, pauseMs: 0 },
) {
	const { store, settings, platforms, retentionMs, log, now } = easel;
	const space = store.space('ledger');
	const pictureStore = new PictureStore(store.space('pictures'), retentionMs);
	const heldResults = new HeldResults(store.space('log'), retentionMs, now);
	const requests = new PictureRequests(store.space('requests').keyv, pictureStore, commands, retentionMs);
	const failurePause = new FailurePause({ space: store.space('pause'), rule: pauseRule, log, now });
	const temporaryUploads = new TemporaryUploads(store.space('uploads'));
	return {
		...easel,
		...platforms,
		policy: new Policy(easel, failurePause),
		moderatorRole: new ModeratorRole(settings),
		notices: new Notices(easel),
		logEntries: new LogEntries(easel, heldResults),
		heldResults,
		cancellations: new Cancellations(space.keyv),
		requests,
		recentResults: new RecentResults(store.space('recent'), retentionMs),
		resultSearch: new ResultSearch(easel, requests),
		pictureStore,
		pictureAddresses: new PictureAddresses(store.space('pictures').keyv),
		temporaryUploads,
		undeliveredResults: new UndeliveredResults(store.space('waiting'), retentionMs),
		deferredEndings: new DeferredEndings(),
		failurePause,
	};
}
