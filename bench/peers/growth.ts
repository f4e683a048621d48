import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { writeEarlierPictures, writeVersion1 } from '../growth/earlier-pictures.ts';
import { measureGrowth, measureHugeReport } from '../growth/measure.ts';
import { measureBytes, measureMigration, measureSums } from '../growth/upkeep.ts';
import type { Figures } from '../runner.ts';

/** Fills or measures one store: `growth.ts TASK URL PICTURES`. Sends its figures to the parent process. */

const [task = '', url = '', pictures = ''] = process.argv.slice(2);

const TASKS: Record<string, (store: Store) => Promise<Figures>> = {
	async fill(store) {
		const began = performance.now();
		await writeEarlierPictures(store, Number(pictures));
		return { seconds: (performance.now() - began) / 1000 };
	},
	async fillVersion1(store) {
		await writeVersion1(store, Number(pictures));
		return {};
	},
	growth: measureGrowth,
	hugeReport: measureHugeReport,
	bytes: (store) => measureBytes(store, url),
	sums: (store) => measureSums(store, Number(pictures)),
	migration: (store) => measureMigration(store, url),
};

const store = await openStore(url);
const figures = await TASKS[task]?.(store);
await store.close();
process.send?.(figures);
