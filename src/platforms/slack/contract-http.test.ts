import { platformContract } from '../../../test/contract/platform.ts';
import { openSlackHarness } from '../../../test/fakes/slack-harness.ts';

// Everything comes twice there, streams die in the middle, files come by their ids alone, to mentions not even so, and Slack does
// not say where a file is shared.
const badDay = {
	duplicates: true,
	thinFiles: true,
	bareMentions: true,
	emptyShares: true,
	streams: { diesAfterAppends: 1 },
};
platformContract('Slack, by HTTP, on a bad day', openSlackHarness('http', badDay));
