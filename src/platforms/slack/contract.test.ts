import { platformContract } from '../../../test/contract/platform.ts';
import { openSlackStage } from '../../../test/fakes/slack-stage.ts';

platformContract('Slack, by Socket Mode', openSlackStage('socket'));

// Everything comes twice there, streams die in the middle, and mentions come without their files.
const badDay = { duplicates: true, bareMentions: true, streams: { diesAfterAppends: 1 } };
platformContract('Slack, by HTTP, on a bad day', openSlackStage('http', badDay));
