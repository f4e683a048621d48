import { platformContract } from '../../../test/contract/platform.ts';
import { openSlackHarness } from '../../../test/harness/slack-harness.ts';

platformContract('Slack, by Socket Mode', openSlackHarness('socket'));
