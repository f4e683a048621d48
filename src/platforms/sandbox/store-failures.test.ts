import { storeFailures } from '../../../test/contract/store-failures.ts';
import { openSandboxHarness } from '../../../test/harness/sandbox.ts';

storeFailures('the sandbox', openSandboxHarness, { delivers: false });
