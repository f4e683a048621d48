/** True the first time within `ttlMs`, in whatever process. */
export type Once = (key: string, ttlMs: number) => Promise<boolean>;
