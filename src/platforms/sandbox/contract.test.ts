import { platformContract } from '../../../test/contract/platform.ts';
import { openSandboxHarness } from '../../../test/fakes/sandbox.ts';

platformContract('the sandbox', openSandboxHarness);
