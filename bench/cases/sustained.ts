import { setTimeout as pause } from 'node:timers/promises';
import type { TestUser } from '../../test/fakes/test-user.ts';
import { openBothPlatforms } from '../both-platforms.ts';
import { type Figures, quantile, table } from '../runner.ts';

export const description = `Easel on Discord and Slack in one process that has one core, records in SQLite: 50 requests for a picture of 4 kB a second for
two minutes, half of them on each platform, without the platforms' rate limits. Each server has a cap that the last requests reach.`;

const PER_SECOND = 50;
const SECONDS = Number(process.env['SUSTAINED_SECONDS'] ?? 120);
const REQUESTS = PER_SECOND * SECONDS;
/** Fewer than the requests of a platform. */
const CAP = Math.floor((REQUESTS / 2) * 0.9);
const MEMBERS = 200;
/** Members speak in turn in these. */
const CHANNELS = Array.from({ length: 20 }, (_, index) => `c${index}`);
const channelOf = (member: number) => CHANNELS[member % CHANNELS.length] as string;
/** After so many seconds without an answer, the missing ones are lost. */
const QUIET_SECONDS = 15;

export async function run(): Promise<Record<string, Figures>> {
	const { discord, slack, bot, close } = await openBothPlatforms({
		...{ members: MEMBERS, channels: CHANNELS, imagesPerDay: CAP, core: 0 },
	});
	try {
		const cpu = bot.cpu();
		const acknowledged: number[] = [];
		const began = performance.now();
		for (let index = 0; index < REQUESTS; index++) {
			await pause(Math.max(0, began + (index * 1000) / PER_SECOND - performance.now()));
			const fake = index % 2 === 0 ? discord : slack;
			const turn = index >> 1;
			const member = turn % MEMBERS;
			const user = fake.user(`m${member}`, channelOf(member));
			const sent = performance.now();
			void user
				.command('imagine', { prompt: `fox number ${index}` })
				.then(() => acknowledged.push(performance.now() - sent));
		}
		const answers = await Promise.all([discord, slack].map(allAnswers));
		const figures: Figures = {
			'acknowledged p50, ms': quantile(acknowledged, 0.5),
			'acknowledged p99, ms': quantile(acknowledged, 0.99),
			'all answered after, s': (performance.now() - began) / 1000,
			'CPU, s': bot.cpu() - cpu,
			lost: answers.reduce((lost, { pictures, refusals }) => lost - pictures - refusals, REQUESTS),
			'over the cap': answers.reduce((over, { pictures }) => over + Math.max(0, pictures - CAP), 0),
		};
		console.log(`\n${table({ easel: figures })}`);
		return { easel: figures };
	} finally {
		await close();
	}
}

type Answers = { pictures: number; refusals: number };

/** Waits until every request of a platform has its answer, or none has come for a while. */
async function allAnswers({
	user,
}: {
	user: (person: string, channel: string) => Pick<TestUser, 'look'>;
}): Promise<Answers> {
	let answers: Answers = { pictures: 0, refusals: 0 };
	for (let quiet = 0; quiet < QUIET_SECONDS && answers.pictures + answers.refusals < REQUESTS / 2; quiet++) {
		await pause(1000);
		const found = await countAnswers(user);
		if (found.pictures + found.refusals > answers.pictures + answers.refusals) quiet = 0;
		answers = found;
	}
	return answers;
}

/** Results are public, so that one member of a channel sees those of all; a refusal is seen by its member. */
async function countAnswers(user: (person: string, channel: string) => Pick<TestUser, 'look'>): Promise<Answers> {
	let [pictures, refusals] = [0, 0];
	for (let member = 0; member < MEMBERS; member++) {
		const messages = await user(`m${member}`, channelOf(member)).look();
		if (member < CHANNELS.length) pictures += messages.filter((one) => one.pictures.length > 0).length;
		refusals += messages.filter((one) => one.private && /^The operator of Easel allows/.test(one.text)).length;
	}
	return { pictures, refusals };
}
