import type { ListedModel } from '../service/models.ts';

/** A model in the configuration that the service lists with the date of its end, or does not list. `endsAt` in Unix milliseconds. */
type ModelWarning = { variable: string; model: string; endsAt?: number; message: string };

/** What a model is asked for, and the configured ones by their variables. */
type Uses = Readonly<Record<'image' | 'chat' | 'embedding', Readonly<Record<string, readonly string[]>>>>;

type ModelSettings = {
	models: { image: string; chat: string; embedding: string; moderation?: string };
	imageModels: readonly string[];
};

export const modelUses = ({ models: { image, chat, embedding, moderation }, imageModels }: ModelSettings): Uses => ({
	image: {
		IMAGE_MODEL: [image],
		IMAGE_MODELS: imageModels.filter((model) => model !== image),
		MODERATION_MODEL: moderation === undefined ? [] : [moderation],
	},
	chat: { CHAT_MODEL: [chat] },
	embedding: { EMBEDDING_MODEL: [embedding] },
});

const DAY_MS = 24 * 3600_000;
const WEEK_MS = 7 * DAY_MS;

/** After the start, when others want the service more. */
const FIRST_MS = 60_000;

/** Returns what an operator should know of the configured models. A list without models says nothing. */
export function modelWarnings(
	configured: Readonly<Record<string, readonly string[]>>,
	listed: readonly ListedModel[],
	now = Date.now(),
): ModelWarning[] {
	if (listed.length === 0) return [];
	const known = new Map(listed.map((model) => [model.id, model]));
	const models = Object.entries(configured).flatMap(([variable, ids]) => ids.map((model) => ({ variable, model })));
	return models.flatMap(({ variable, model }) => {
		const one = known.get(model);
		if (!one) return [{ variable, model, message: `The service does not list ${model}, which is the ${variable}.` }];
		const { endsAt } = one;
		if (endsAt === undefined) return [];
		const date = new Date(endsAt).toISOString().slice(0, 10);
		const days = Math.ceil((endsAt - now) / DAY_MS);
		const when = days > 0 ? `ends on ${date}, in ${days} ${days === 1 ? 'day' : 'days'}` : `ended on ${date}`;
		return [{ variable, model, endsAt, message: `The service says that ${model}, which is the ${variable}, ${when}.` }];
	});
}

export type ListModels = (use: keyof Uses) => Promise<readonly ListedModel[]>;

/**
 * Says what an operator should know of the configured models: soon after the start, and then every week. A service that lists no models is no fault.
 * @returns stops it
 */
export function watchModels(settings: ModelSettings, list: ListModels, warn: (line: string) => void): () => void {
	const uses = modelUses(settings);
	const look = async () => {
		for (const use of ['image', 'chat', 'embedding'] as const) {
			const listed = await list(use).catch(() => []);
			for (const { variable, message } of modelWarnings(uses[use], listed)) warn(`${variable}: ${message}`);
		}
	};
	const timers = [setTimeout(look, FIRST_MS).unref(), setInterval(look, WEEK_MS).unref()];
	return () => timers.forEach(clearTimeout);
}
