import { platformContract } from '../../../test/contract/platform.ts';
import { openSlackStage } from '../../../test/fakes/slack-harness.ts';

platformContract('Slack, by Socket Mode', openSlackStage('socket'));
