import { chatContext } from '../../../test/contract/platform/chat-context.ts';
import { platformContract } from '../../../test/contract/platform.ts';
import { openSandboxHarness } from '../../../test/harness/sandbox.ts';

platformContract('the sandbox', openSandboxHarness);
platformContract('the sandbox', openSandboxHarness, [chatContext]);
