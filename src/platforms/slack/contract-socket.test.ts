import { platformContract } from '../../../test/contract/platform.ts';
import { openSlackHarness } from '../../../test/fakes/slack-harness.ts';

platformContract('Slack, by Socket Mode', openSlackHarness('socket'));
