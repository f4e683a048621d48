import type { Place } from '../../scene/names.ts';
import type { Frame, Land } from '../tools/frame.ts';
import { abstract } from './abstract.ts';
import { backdrop } from './backdrop.ts';
import { countries, garden, lake, village } from './country.ts';
import { desert, moonscape } from './dry.ts';
import { cave, clouds, space, underwater } from './elsewhere.ts';
import { kitchen, room, stage, table } from './indoors.ts';
import { city, street } from './town.ts';
import { beach, sea } from './water.ts';

export const places: Readonly<Record<Place, (frame: Frame) => Land>> = {
	...countries,
	...{ village, lake, garden, sea, beach },
	...{ desert, moonscape, mars: moonscape },
	...{ city, street },
	...{ space, clouds, cave, underwater },
	...{ room, kitchen, table, stage, backdrop, abstract },
};
