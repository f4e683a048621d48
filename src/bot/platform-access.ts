import type { Platforms } from '../domain/platform.ts';

/** Messages and channels on any of the platforms. */
export type PlatformAccess = Omit<Platforms, 'all'>;
