export { createStudio, type StudioOptions } from './app.ts';
export { listen } from './listen.ts';
