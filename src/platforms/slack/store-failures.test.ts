import { storeFailures } from '../../../test/contract/store-failures.ts';
import { openSlackHarness } from '../../../test/harness/slack-harness.ts';

storeFailures('Slack, by Socket Mode', openSlackHarness('socket'));
storeFailures('Slack, by HTTP', openSlackHarness('http'), { delivers: false });
