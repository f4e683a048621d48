import { chatAnswers } from '../../../test/contract/platform/chat-answers.ts';
import { platformContract } from '../../../test/contract/platform.ts';
import { openSlackHarness } from '../../../test/fakes/slack-harness.ts';

// Slack documents neither that the first chunk of a stream may have buttons nor that it may not.
const noButtons = openSlackHarness('socket', { agents: false, streams: { noButtons: true } }, 'on');
platformContract('Slack, with streams that have no buttons', noButtons, [chatAnswers]);
