/** Returns a size in megabytes with one decimal. Rounds up, so that a size over the limit never looks like the limit. */
export const megabytes = (bytes: number) => Math.ceil((bytes / 1024 / 1024) * 10) / 10;
