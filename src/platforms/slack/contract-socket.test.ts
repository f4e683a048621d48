import { platformContract } from '../../../test/contract/platform.ts';
import { openSlackStage } from '../../../test/fakes/slack-stage.ts';

platformContract('Slack, by Socket Mode', openSlackStage('socket'));
