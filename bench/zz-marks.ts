import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startUnlimitedDiscord } from './fakes.ts';
import { startProgram } from './programs.ts';
import { start, stop } from './runner.ts';
import { setTimeout as pause } from 'node:timers/promises';
import { quantile } from './runner.ts';

const [who = 'easel', countText = '2000', atOnceText = '50', ...nodeOptions] = process.argv.slice(2);
const count = Number(countText), atOnce = Number(atOnceText);
const stub = await start<string>(fileURLToPath(import.meta.resolve('./peers/stub.ts')));
const service = `${stub.message}/tiny`;
const discord = await startUnlimitedDiscord(200);
const folder = process.env.FOLDER ?? await mkdtemp(join(tmpdir(), 'easel-bench-'));
const { api, cdn, token } = discord;
const bot = who === 'easel' ? await startProgram(import.meta.resolve('../src/main.ts'), [], {
	DISCORD_TOKEN: token, DISCORD_API_URL: api, ATTACHMENT_ORIGINS: new URL(cdn).origin, SERVICE_BASE_URL: service, SERVICE_API_KEY: 'key',
	STORE_URL: process.env.STORE ?? `sqlite:${join(folder, 'easel.db')}`, PORT: '0', LOG_FORMAT: 'json', ...(process.env.EXTRA ? JSON.parse(process.env.EXTRA) : {}),
}, (line) => line.includes('Easel is ready'), { nodeOptions })
: await startProgram(import.meta.resolve('./peers/discord.ts'), [api, token, service], {}, (line) => line === 'ready', { nodeOptions });
function imagine(member: number) {
	const user = discord.user(`m${member}`);
	const acknowledged = user.command('imagine', { prompt: 'a red fox in the snow' });
	const interaction = user.last();
	return { acknowledged, pictures: () => interaction?.original?.files.length ?? 0 };
}
async function posted(c: any) { while (c.pictures() < 1) await pause(1); }
const idle = bot.memory();
let done = 0;
const warm = Number(process.env.WARM ?? 300);
const batch = async (n: number) => { const cs = Array.from({ length: n }, (_, i) => imagine((done + i) % 200)); for (const c of cs) await posted(c); done += n; };
while (done < warm) await batch(atOnce);
const cpu = bot.cpu(); const t = performance.now();
const posts: number[] = [];
done = 0;
while (done < count) { const b = performance.now(); await batch(atOnce); posts.push(performance.now() - b); if (done % 2000 === 0) console.log(done, bot.memory().toFixed(0)); }
console.log(who, nodeOptions.join(' '), `CPU ms/command ${((bot.cpu() - cpu) * 1000 / count).toFixed(2)}`, `wall ${((performance.now() - t) / count).toFixed(2)} ms/command`, `batch p50 ${quantile(posts, 0.5).toFixed(2)}`, `idle ${idle.toFixed(0)} MB after ${bot.memory().toFixed(0)} MB`);
(bot as any).kill("SIGUSR2"); await pause(300); await bot.stop(); await discord.close(); await stop(stub.process);
process.exit();
