import type { Skill } from '../talk.ts';
import { texts } from './texts.ts';

/** What is asked about, and the answers. Bounded: at most 4,000 characters. */
const ANSWERS = texts.about.map(({ asked, answer }) => [new RegExp(asked, 'i'), answer] as const);

/** Introduces the studio and what it can do. */
export const about: Skill = ({ said }) => ANSWERS.find(([asked]) => asked.test(said))?.[1];
