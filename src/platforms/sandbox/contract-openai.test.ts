import { startOpenaiService } from '../../../packages/fakes/src/openai/openai-service.ts';
import { backgrounds } from '../../../test/contract/backgrounds.ts';
import { chatAnswers } from '../../../test/contract/platform/chat-answers.ts';
import { chatPictures } from '../../../test/contract/platform/chat-pictures.ts';
import { failures } from '../../../test/contract/platform/failures.ts';
import { pictureRequests } from '../../../test/contract/platform/picture-requests.ts';
import { resultButtons } from '../../../test/contract/platform/result-buttons.ts';
import { platformContract } from '../../../test/contract/platform.ts';
import { openSandboxHarness } from '../../../test/harness/sandbox.ts';

const open = (serviceUrl: string) => openSandboxHarness(serviceUrl, undefined, 'openai');

backgrounds('the sandbox', open);
platformContract(
	'the sandbox, with a service of the images API',
	open,
	[pictureRequests, failures, resultButtons, chatAnswers, chatPictures],
	{ start: () => startOpenaiService(), composePath: '/v1/images/edits' },
);
