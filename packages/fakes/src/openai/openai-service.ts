import {
	type Behaviour,
	type FaultyService,
	isForEmbeddings,
	type RecordedRequest,
	startFaultyService,
} from '../service.ts';
import { answersAsAsked, answersJson } from './answers.ts';
import type { Refusal } from './fields.ts';
import { refusalOf, type StrictOptions } from './request-checks.ts';

export type OpenaiService = FaultyService & {
	/** What was refused before any work was done, in order. `requests` has it as well. */
	refusals: readonly Refusal[];
	/** How many requests were accepted for work. Each would have been paid for. */
	accepted(): number;
};

const MODELS = ['gpt-image-1.5', 'gpt-image-2', 'gpt-image-2.6-flare'];

/** Starts a service with OpenAI's images API, which refuses whatever that refuses. Behaviours apply to accepted requests alone. */
export async function startOpenaiService(options: Partial<StrictOptions> = {}): Promise<OpenaiService> {
	const { key = 'test-key', imageModels = MODELS } = options;
	const refusals: Refusal[] = [];
	let accepted = 0;
	const check = async (request: RecordedRequest) => {
		const refused = await refusalOf(request, { key, imageModels });
		if (refused) refusals.push(refused);
		else if (request.method === 'POST' && !isForEmbeddings(request.path)) accepted += 1;
		return refused && answersError(refused);
	};
	const service = await startFaultyService({ check });
	service.always(answersAsAsked(imageModels));
	return Object.assign(service, { refusals, accepted: () => accepted });
}

/** Answers an error with all four keys. */
export const answersError = (
	{ status, code, param, message }: Refusal,
	type = 'invalid_request_error',
	headers: Record<string, string> = {},
): Behaviour => answersJson(status, { error: { message, type, param, code } }, headers);

/** Refuses the content of a request, or of the picture made of it. `stage` is not always given. https://github.com/openai/openai-openapi */
export const answersBlocked = (stage?: 'input' | 'output'): Behaviour => {
	const error = {
		...{ message: 'Your request was rejected by the safety system.', param: null },
		...{ type: 'image_generation_user_error', code: 'moderation_blocked' },
		...(stage && { moderation_details: { moderation_stage: stage, categories: ['violence'] } }),
	};
	return answersJson(400, { error });
};
