import { App, LogLevel, SocketModeReceiver } from '@slack/bolt';
import { OpenAI } from 'openai';

/** A minimal bot: `slack.ts API BOT_TOKEN APP_TOKEN SERVICE`. Prints `ready`. */

const [slackApiUrl = '', token = '', appToken = '', service = ''] = process.argv.slice(2);
const openai = new OpenAI({ baseURL: `${service}/v1`, apiKey: 'key', maxRetries: 0 });
const receiver = new SocketModeReceiver({ appToken, installerOptions: { clientOptions: { slackApiUrl } } });
const app = new App({ token, receiver, logLevel: LogLevel.ERROR, clientOptions: { slackApiUrl } });

app.command('/imagine', async ({ command, ack, client }) => {
	await ack();
	const { data = [] } = await openai.images.generate({ model: 'alpha-image', prompt: command.text });
	await client.filesUploadV2({
		channel_id: command.channel_id,
		initial_comment: command.text,
		file_uploads: data.map(({ b64_json = '' }, index) => ({
			file: Buffer.from(b64_json, 'base64'),
			filename: `${index}.png`,
			alt_text: command.text,
		})),
	});
});
await app.start();
console.log('ready');
