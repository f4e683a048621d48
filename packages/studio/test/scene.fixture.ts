import { emptyScene, type Scene, type Subject } from '../src/scene/scene.ts';

/** Returns a scene with what a test is not about filled in. */
export function sceneOf(scene: Partial<Omit<Scene, 'subjects'>> & { subjects?: readonly Partial<Subject>[] }): Scene {
	const { subjects = [], ...others } = scene;
	return {
		...emptyScene('seed'),
		...others,
		subjects: subjects.map((subject, index) => ({
			id: index + 1,
			figure: 'fox',
			name: subject.figure ?? 'fox',
			count: 1,
			scale: 1,
			aloft: false,
			...subject,
		})),
	};
}
