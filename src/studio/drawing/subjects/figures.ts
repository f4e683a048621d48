import * as birds from './birds.ts';
import * as buildings from './buildings.ts';
import * as fantasy from './fantasy.ts';
import type { Figure } from './figure.ts';
import * as food from './food.ts';
import * as furniture from './furniture.ts';
import * as people from './people.ts';
import * as plants from './plants.ts';
import * as sitting from './sitting.ts';
import * as swimming from './swimming.ts';
import * as things from './things.ts';
import * as treasures from './treasures.ts';
import * as vehicles from './vehicles.ts';
import * as walking from './walking.ts';

const drawings = {
	...sitting,
	...walking,
	...birds,
	...swimming,
	...fantasy,
	...people,
	...buildings,
	...vehicles,
	...plants,
	...things,
	...food,
	...furniture,
	...treasures,
};

export type FigureName = keyof typeof drawings;

/** Every subject that has a drawing, by the name that the vocabulary uses. */
export const figures: Readonly<Record<FigureName, Figure>> = drawings;
