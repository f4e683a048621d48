import type { FigureName } from '../../drawing/subjects/figures.ts';
import type { Place } from '../../scene/names.ts';

/** Places of subjects whose prompt names none; all others stand in a meadow. */
const byPlace: Readonly<Partial<Record<Place, string>>> = {
	forest:
		'fox wolf bear raccoon squirrel monkey panda koala tiger deer owl frog fairy witch mushroom cabin bamboo unicorn monster hedgehog snail',
	snowfield: 'penguin igloo snowman christmasTree',
	desert: 'camel pyramid cactus lion elephant giraffe zebra leopard skull',
	sea: 'whale dolphin sailboat ship lighthouse anchor',
	beach: 'crab palmTree flamingo pirate chest turtle starThing',
	lake: 'swan duck rowboat lotus bridge torii pagoda',
	underwater: 'fish shark octopus jellyfish submarine diver',
	street: 'car bus truck shop bicycle streetlamp robot ninja umbrella pizza burger',
	city: 'skyscraper man',
	mountains: 'dragon castle tent eagle monk temple train wizard knight sword dinosaur hotAirBalloon airship',
	moonscape: 'astronaut alien rocket ufo',
	space: 'planet',
	clouds: 'plane angel kite toyBalloon heart',
	village: 'church house',
	garden: 'flower rose tulip sunflower butterfly bee ladybird windmill barn tractor farmer pumpkin fountain bush',
	cave: 'crystal',
	room: 'cup book books lamp cake teapot guitar piano clock chair sofa candle crown gift apple citrus strawberry iceCream bottle vase camera computer phone hourglass bell egg hat scarf glasses drum bed snowglobe bonsai key telescope',
};

export const homes: ReadonlyMap<FigureName, Place> = new Map(
	Object.entries(byPlace).flatMap(([place, figures]) =>
		figures.split(' ').map((figure) => [figure as FigureName, place as Place] as const),
	),
);
