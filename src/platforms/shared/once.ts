/** Returns true the first time within `ttlMs`, in any process on the same store. */
export type Once = (key: string, ttlMs: number) => Promise<boolean>;
