export { spanOf } from './calendar.ts';
export { chartOf } from './chart.ts';
export { csvOf } from './csv.ts';
export { summarize } from './summary.ts';
export { tableOf } from './table.ts';
