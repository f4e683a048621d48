import { z } from 'zod';
import { ApiError } from './http/api-error.ts';

type Task = 'images' | 'chat' | 'embeddings' | 'moderations';

/** The published identifiers. `beta` draws quoted text sharply and keeps more of the subject in edits. */
const MODELS = [
	{ id: 'alpha-image', task: 'images' },
	{ id: 'beta', task: 'images' },
	{ id: 'alpha3.6-35b', task: 'chat' },
	{ id: 'alpha3-embedding', task: 'embeddings' },
	{ id: 'alpha-moderation', task: 'moderations' },
] as const satisfies readonly { id: string; task: Task }[];

/** A `model` field. Absent, it is the first model of its task. Whether it exists is for `checkModel` to say. */
export const model = z.string().max(200);

/** @throws ApiError 404 when there is no such model, 400 when it is one for something else */
export function checkModel(id: string | null | undefined, task: Task): string {
	const choices: string[] = MODELS.filter((model) => model.task === task).map((model) => model.id);
	if (id === null || id === undefined) return choices[0] ?? '';
	if (choices.includes(id)) return id;
	const exists = MODELS.some((model) => model.id === id);
	throw new ApiError(
		exists ? 400 : 404,
		`${exists ? `The model "${id}" is not for ${task}` : 'There is no such model'}; for ${task} there is ${choices.join(' and ')}.`,
		{ param: 'model', code: exists ? 'invalid_value' : 'model_not_found' },
	);
}

export function listModels() {
	return { object: 'list', data: MODELS.map(describe) };
}

/** @throws ApiError 404 */
export function findModel(id: string) {
	const found = MODELS.find((model) => model.id === id);
	if (found) return describe(found);
	const all = MODELS.map((model) => model.id).join(', ');
	throw new ApiError(404, `There is no such model; there are ${all}.`, { param: 'model', code: 'model_not_found' });
}

function describe({ id }: { id: string }) {
	return { id, object: 'model', created: 1_767_225_600, owned_by: 'easel-studio' };
}
