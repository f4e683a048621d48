import { z } from 'zod';
import { defineCommand, type Used } from '../src/bot/command.ts';

export const usage = defineCommand({
	name: 'usage',
	description: 'What you and this server have used, and when that starts anew',
	makes: 'answer',
	options: z.strictObject({}),
	async run({ usage, place, person }) {
		const [used, waiting] = await Promise.all([usage.of(place, person), usage.undelivered(place, person)]);
		const lines = [
			`You: ${inWords(used.person)}.`,
			`This server: ${inWords(used.server)}.`,
			`A new day starts ${at(used.resets.day)}, a new month ${at(used.resets.month)}.`,
		];
		if (waiting === 0) return { text: lines.join('\n'), visibility: 'private' };
		lines.push(`${waiting === 1 ? 'One request has' : `${waiting} requests have`} pictures that could not be posted.`);
		const buttons = [{ id: 'collect:1:mine', label: 'Show them here' }];
		return { text: lines.join('\n'), visibility: 'private', buttons };
	},
});

const inWords = ({ day, month }: Used) => `${calls(day)} today, ${month} this month`;
const calls = (count: number) => (count === 1 ? '1 call' : `${count} calls`);
const at = (ms: number) => `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
