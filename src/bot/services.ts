import type { Easel } from '../easel.ts';
import type { DeferredEndings } from './deferred-endings.ts';
import type { FailurePause } from './failure-pause.ts';
import type { LogEntries } from './moderation/log-entries.ts';
import type { ModeratorRole } from './moderation/moderator-role.ts';
import type { Notices } from './moderation/notices.ts';
import type { Policy } from './moderation/policy.ts';
import type { HeldResults } from './moderation/review/held-results.ts';
import type { PlatformAccess } from './platform-access.ts';
import type { Cancellations } from './repositories/cancellations.ts';
import type { FormDrafts } from './repositories/form-drafts.ts';
import type { PictureAddresses } from './repositories/picture-addresses.ts';
import type { PictureStore } from './repositories/picture-store.ts';
import type { RecentResults } from './repositories/recent-results.ts';
import type { ReferenceTray } from './repositories/reference-tray.ts';
import type { PictureRequests } from './repositories/requests.ts';
import type { TemporaryUploads } from './repositories/temporary-uploads.ts';
import type { UndeliveredResults } from './repositories/undelivered-results.ts';
import type { ResultSearch } from './search/result-search.ts';

/** The context, and what the features still keep in objects. */
export type BotServices = Easel &
	PlatformAccess & {
		policy: Policy;
		moderatorRole: ModeratorRole;
		notices: Notices;
		logEntries: LogEntries;
		heldResults: HeldResults;
		cancellations: Cancellations;
		requests: PictureRequests;
		recentResults: RecentResults;
		resultSearch: ResultSearch;
		formDrafts: FormDrafts;
		pictureStore: PictureStore;
		pictureAddresses: PictureAddresses;
		referenceTray: ReferenceTray;
		temporaryUploads: TemporaryUploads;
		undeliveredResults: UndeliveredResults;
		deferredEndings: DeferredEndings;
		failurePause: FailurePause;
	};
