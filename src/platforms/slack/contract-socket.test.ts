import { backgrounds } from '../../../test/contract/backgrounds.ts';
import { otherServices } from '../../../test/contract/other-services.ts';
import { platformContract } from '../../../test/contract/platform.ts';
import { openSlackHarness } from '../../../test/harness/slack-harness.ts';

const open = openSlackHarness('socket');

platformContract('Slack, by Socket Mode', open);
otherServices('Slack', (url, profile) => open(url, undefined, profile), ['gemini', 'openrouter']);
backgrounds('Slack', (url) => open(url, undefined, 'openai'));
