export { chartOf } from './chart.ts';
export { csvOf } from './csv.ts';
export { summarise } from './summary.ts';
export { tableOf } from './table.ts';
