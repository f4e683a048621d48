import { platformContract } from '../../../test/contract/platform.ts';
import { openSlackHarness } from '../../../test/fakes/slack-harness.ts';

// Answers are streamed, and the app is no agent. Events are delivered twice, streams end early, events have only the ids of files, mentions have no files, and files do not list
// their shares.
const faults = {
	agents: false,
	duplicates: true,
	thinFiles: true,
	bareMentions: true,
	emptyShares: true,
	streams: { diesAfterAppends: 1 },
};
platformContract('Slack, by HTTP, with faults', openSlackHarness('http', faults, 'on'));
