import type { Platforms } from '../domain/platform.ts';
import type { Easel } from '../easel.ts';

/** The context, with the methods of its platforms. */
export type BotServices = Easel & Platforms;
