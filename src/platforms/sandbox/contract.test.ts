import { platformContract } from '../../../test/contract/platform.ts';
import { openSandboxStage } from '../../../test/fakes/sandbox.ts';

platformContract('the sandbox', openSandboxStage);
