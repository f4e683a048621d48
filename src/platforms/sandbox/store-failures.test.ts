import { storeFailures } from '../../../test/contract/store-failures.ts';
import { openSandboxHarness } from '../../../test/fakes/sandbox.ts';

storeFailures('the sandbox', openSandboxHarness, { delivers: false });
