import { platformContract } from '../../../test/contract/platform.ts';
import { openSandboxHarness } from '../../../test/harness/sandbox.ts';

platformContract('the sandbox', openSandboxHarness);
