import { AttachmentBuilder, Client, Events, GatewayIntentBits } from 'discord.js';
import { OpenAI, toFile } from 'openai';

/** A minimal bot: `discord.ts API TOKEN SERVICE`. Prints `ready`. */

/** Discord takes 25 MiB in one request. https://docs.discord.com/developers/reference#uploading-files */
const REQUEST_BYTES = 25 * 1024 * 1024;

const [api = '', token = '', service = ''] = process.argv.slice(2);
const openai = new OpenAI({ baseURL: `${service}/v1`, apiKey: 'key', maxRetries: 0 });
const client = new Client({ intents: [GatewayIntentBits.Guilds], rest: { api, timeout: 60_000 } });

client.on(Events.InteractionCreate, async (interaction) => {
	if (!interaction.isChatInputCommand()) return;
	await interaction.deferReply();
	const prompt = interaction.options.getString('prompt', true);
	const names = ['image1', 'image2', 'image3'];
	const inputs = names.map((name) => interaction.options.getAttachment(name)).filter((input) => input !== null);
	const image = await Promise.all(inputs.map(async ({ url, name }) => toFile(await fetch(url), name)));
	const model = 'alpha-image';
	const { data = [] } = await (image.length > 0
		? openai.images.edit({ model, prompt, image })
		: openai.images.generate({ model, prompt }));
	const pictures = data.map(({ b64_json = '' }) => Buffer.from(b64_json, 'base64'));
	const room = Math.max(1, Math.floor(REQUEST_BYTES / Math.max(...pictures.map(({ length }) => length))));
	for (let at = 0; at < pictures.length; at += room) {
		const files = pictures
			.slice(at, at + room)
			.map((bytes, index) => new AttachmentBuilder(bytes, { name: `${at + index}.png`, description: prompt }));
		if (at === 0) await interaction.editReply({ content: prompt, files });
		else await interaction.followUp({ files });
	}
});
client.once(Events.ClientReady, () => console.log('ready'));
await client.login(token);
