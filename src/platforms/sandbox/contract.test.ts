import { otherServices } from '../../../test/contract/other-services.ts';
import { platformContract } from '../../../test/contract/platform.ts';
import { openSandboxHarness } from '../../../test/harness/sandbox.ts';

platformContract('the sandbox', openSandboxHarness);
otherServices('the sandbox', (url, profile) => openSandboxHarness(url, undefined, profile));
