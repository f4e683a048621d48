import { parentPort, workerData } from 'node:worker_threads';
import { type Drawing, drawSvg } from './chart-svg.ts';

/** Draws one chart off the main thread. The message is its SVG. */
parentPort?.postMessage(drawSvg(workerData as Drawing));
