import type { Place } from '../../scene/names.ts';
import type { Frame, Land } from '../frame.ts';
import { abstract } from './abstract.ts';
import { city } from './city.ts';
import { country } from './country.ts';
import { desert, moonscape } from './dry.ts';
import { cave, clouds, space } from './elsewhere.ts';
import { garden } from './garden.ts';
import { backdrop, kitchen, stage, table } from './indoors.ts';
import { room } from './room.ts';
import { street } from './street.ts';
import { underwater } from './underwater.ts';
import { village } from './village.ts';
import { beach, lake, sea } from './water.ts';

export const lands: Readonly<Record<Place, (frame: Frame) => Land>> = {
	meadow: country,
	forest: country,
	mountains: country,
	snowfield: country,
	garden,
	desert,
	moonscape,
	mars: moonscape,
	sea,
	beach,
	lake,
	city,
	street,
	village,
	underwater,
	room,
	kitchen,
	table,
	stage,
	backdrop,
	cave,
	clouds,
	space,
	abstract,
};
