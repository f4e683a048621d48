import { KeyedQueue } from '../../domain/keyed-queue.ts';
import type { Platform } from '../../domain/platform.ts';
import type { Store } from '../../store/store.ts';
import type { Lease } from '../../usage/processes/lease.ts';
import type { ChatController } from '../chat/chat-controller.ts';
import type { BotServices } from '../services.ts';
import { Eraser } from './eraser.ts';
import { ErasureList } from './erasure-list.ts';
import { Erasures } from './erasures.ts';
import { PersonalData } from './exporter.ts';
import { Privacy } from './privacy.ts';
import { Removals } from './removals.ts';

type Options = {
	services: BotServices;
	store: Store;
	platforms: readonly Platform[];
	chat: Pick<ChatController, 'erasePeople' | 'forget'>;
	lease: Lease;
	retentionMs: number;
	erasuresFile: string | undefined;
	track(work: Promise<unknown>): void;
	now: () => number;
};

/** Puts together what shows, exports and erases people's data. */
export function createPrivacy(options: Options): { privacy: Privacy; erasures: Erasures; removals: Removals } {
	const { services, store, platforms, erasuresFile } = options;
	const scans = new KeyedQueue();
	const [space, eraser] = [store.space('erasures'), new Eraser({ ...services, ...options, scans })];
	const erasures = new Erasures({
		...options,
		...services,
		platforms: services,
		space,
		eraser,
		list: new ErasureList(erasuresFile),
	});
	return {
		privacy: new Privacy({ ...options, erasures, data: new PersonalData({ ...services, store, platforms, scans }) }),
		erasures,
		removals: new Removals({ ...services, ...options, space, eraser, receipts: store.space('ledger') }),
	};
}
