import { platformContract } from '../../../test/contract/platform.ts';
import { openSlackHarness } from '../../../test/harness/slack-harness.ts';

// Events are delivered twice and have only the ids of files, mentions have no files, and files do not list their shares.
const faults = { duplicates: true, thinFiles: true, bareMentions: true, emptyShares: true };
platformContract('Slack, by HTTP, with faults', openSlackHarness('http', faults));
