// Interim, until the reader of noun phrases lands.
import { readPrompt } from '../drawing/scene.ts';
import { subjects as words } from '../drawing/vocabulary/subjects.ts';
import type { Relation } from '../scene/names.ts';
import type { Subject } from '../scene/scene.ts';
import type { Surroundings } from '../scene/surroundings.ts';

export type Phrases = { subjects: Subject[]; surroundings: Surroundings; notUnderstood: string[] };

const relations: Record<string, Relation> = {
	riding: 'on',
	holding: 'held by',
	wearing: 'worn by',
	inside: 'in',
	under: 'under',
	behind: 'behind',
	above: 'above',
};

export function readPhrases(text: string): Phrases {
	const { actors, strange, place, time, season, weather, sky, mood, style, tint } = readPrompt(text);
	const naming = (figure: string) => {
		const all = (words as Record<string, string>)[figure]?.split(', ').map((word) => word.replace(/ #.*/, '')) ?? [];
		return all.find((word) => text.toLowerCase().includes(word)) ?? all[0] ?? figure;
	};
	const subjects = actors.map(
		(actor, index): Subject => ({
			id: index + 1,
			figure: actor.figure,
			name: naming(actor.figure),
			count: actor.count,
			scale: actor.scale,
			aloft: actor.aloft,
			...(actor.colour && { colour: actor.colour as never }),
		}),
	);
	actors.forEach((actor, index) => {
		if (!actor.role) return;
		const kind = relations[actor.role.relation] ?? 'beside';
		if (kind === 'on' || kind === 'in' || kind === 'under' || kind === 'above')
			subjects[actor.role.to]!.relation = { kind, to: index + 1 };
		else subjects[index]!.relation = { kind, to: actor.role.to + 1 };
	});
	const named = actors.length === 0 || /(?:in|at|on|under|near|by) (?:a|the|an) /.test(text);
	return {
		subjects,
		surroundings: {
			...(place && named && actors.length === 0 && { place }),
			...(time && { time }),
			...(season && { season }),
			...(weather.length > 0 && { weather }),
			...(sky.length > 0 && { sky: sky.filter((one) => (one as string) !== 'air') as never }),
			...(mood && { mood }),
			...(style && { style }),
			...(tint && { tint: tint as never }),
		},
		notUnderstood: [...strange],
	};
}
