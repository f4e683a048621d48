import { z } from 'zod';
import { ApiError } from './http/api-error.ts';

/** The published identifiers by what they are for. `beta` draws quoted text sharply and keeps more of the subject in edits. */
const MODELS = {
	images: ['alpha-image', 'beta'],
	chat: ['alpha3.6-35b'],
	embeddings: ['alpha3-embedding'],
	moderations: ['alpha-moderation'],
};
const ALL = Object.values(MODELS).flat();

/** A `model` field. Absent, it is the first model of its task. Whether it exists is for `checkModel` to say. */
export const model = z.string().max(200);

/** @throws ApiError 404 when there is no such model, 400 when it is one for something else */
export function checkModel(id: string | null | undefined, task: keyof typeof MODELS): string {
	const choices = MODELS[task];
	const [usual = ''] = choices;
	if (choices.includes(id ?? usual)) return id ?? usual;
	const [status, code, fault] = ALL.includes(id ?? usual)
		? ([400, 'invalid_value', `The model "${id}" is not for ${task}`] as const)
		: ([404, 'model_not_found', 'There is no such model'] as const);
	throw new ApiError(status, `${fault}; for ${task} there is ${choices.join(' and ')}.`, { param: 'model', code });
}

const described = (id: string) => ({ id, object: 'model', created: 1_767_225_600, owned_by: 'easel-studio' });

export const listModels = () => ({ object: 'list', data: ALL.map(described) });

/** @throws ApiError 404 */
export function findModel(id: string) {
	if (ALL.includes(id)) return described(id);
	const fault = `There is no such model; there are ${ALL.join(', ')}.`;
	throw new ApiError(404, fault, { param: 'model', code: 'model_not_found' });
}
