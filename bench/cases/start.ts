export const description = `x`;
export async function run(): Promise<unknown> { return {}; }
