/** The way from a prompt to a picture until the reader of prompts gives scenes. */
import type { Relation } from '../scene/names.ts';
import type { Scene } from '../scene/scene.ts';
import { drawScene } from './draw-scene.ts';
import { readPrompt } from './scene.ts';

export interface DrawRequest {
	readonly prompt: string;
	readonly width: number;
	readonly height: number;
	readonly variation: number;
	readonly sharpText: boolean;
	readonly signal?: AbortSignal;
}

const kinds: Readonly<Record<string, Relation>> = {
	inside: 'in',
	riding: 'on',
	holding: 'held by',
	wearing: 'worn by',
};

export function draw(request: DrawRequest): Promise<Uint8Array> {
	return drawScene(sceneOf(request), request, request.signal);
}

function sceneOf({ prompt, variation, sharpText }: DrawRequest): Scene {
	const { actors, quotes, strange, place, time, seed, ...others } = readPrompt(prompt);
	const subjects: Scene['subjects'] = actors.map(({ role, ...actor }, index) => ({
		...actor,
		colour: actor.colour as `#${string}`,
		id: index + 1,
		name: actor.figure,
		count: Math.min(12, actor.count),
		...(role ? { relation: { kind: kinds[role.relation] ?? 'beside', to: role.to + 1 } } : {}),
	}));
	for (const subject of subjects) {
		const { relation } = subject;
		if (!relation || (relation.kind !== 'on' && relation.kind !== 'in')) continue;
		delete subject.relation;
		subjects[relation.to - 1]!.relation = { kind: relation.kind, to: subject.id };
	}
	return {
		version: 1,
		...others,
		seed: seed.slice(0, 4000),
		variation,
		place: place ?? (actors.length > 0 || quotes.length > 0 ? 'meadow' : 'abstract'),
		time: time ?? 'golden',
		weather: [...others.weather],
		sky: others.sky.filter((thing) => thing !== 'air'),
		tint: others.tint as `#${string}`,
		subjects,
		texts: quotes.slice(0, 3).map((text) => text.slice(0, 200)),
		sharpText,
		zoom: 1,
		operations: [],
	};
}
