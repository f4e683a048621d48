import { expect, test } from 'vitest';
import type { Upload } from '../../domain/channel.ts';
import { asksToForget } from '../words/plain-words.ts';
import { requestIn } from './understand.ts';

const quoted = { author: 'Bea', text: '' };
const files = (...names: string[]) => names.map((name) => ({ name, read: async () => new Uint8Array() }));

test.each([
	['draw a fox', 'a fox'],
	['Draw: a fox\nin the snow', 'a fox\nin the snow'],
	['DRAW, please, a fox', 'a fox'],
])('%j asks for a picture', (text, prompt) => {
	expect(requestIn({ text, uploads: [] })).toEqual({ command: 'imagine', options: { prompt }, unused: [] });
});

test.each(['draw', 'drawing is fun', 'draw-bridges are old', 'I draw a line', ''])(
	'%j does not ask for a picture',
	(text) => expect(requestIn({ text, uploads: [] })).toBeUndefined(),
);

test.each([
	'What is this?',
	'was ist das？',
	'这是什么？',
	'这是什么品种呢',
	'Can you tell what breed it is?',
	'what a night',
	'describe it',
	'ما هذا؟',
])('%j asks about all pictures that come with it', (text) => {
	const uploads = files('1.png', 'notes.txt', '2.png', '3.png', '4.png');
	expect(requestIn({ text, uploads })).toEqual({ about: uploads.filter(({ name }) => name !== 'notes.txt') });
});

test.each([
	'Can you make it night?',
	'would you remove the horse ?',
	'Please make it night, ok?',
	'a starry night',
	'能把它变成夜晚吗？',
])('%j with a picture is an instruction', (text) =>
	expect(requestIn({ text, uploads: files('1.png') })).toMatchObject({ command: 'edit' }),
);

test('a reply edits the picture that it replies to, and composes it with those that it brings', () => {
	const [one, two, three] = files('1.png', '2.png', '3.png');
	if (!one || !two || !three) throw new Error('There is no file');
	const reply = (text: string, shown: readonly Upload[], ...uploads: Upload[]) =>
		requestIn({ text, uploads, repliedTo: { ...quoted, uploads: shown } });
	const prompt = 'make it night';
	expect(reply(prompt, [one])).toEqual({ command: 'edit', options: { image: one, prompt }, unused: [] });
	expect(reply(prompt, [one], three)).toEqual({
		command: 'compose',
		options: { image1: one, image2: three, prompt },
		unused: [],
	});
	expect(reply(prompt, [one, two], three)).toMatchObject({ id: 'thread.which', values: { count: 2 } });
	expect(reply('the second one at night', [one, two], three)).toMatchObject({
		command: 'compose',
		options: { image1: two, image2: three },
	});
	expect(reply('Which is larger?', [one, two], three)).toEqual({ about: [one, two, three] });
	expect(requestIn({ text: prompt, uploads: [], repliedTo: { ...quoted, uploads: [one], private: true } })).toEqual({
		command: 'edit',
		options: { image: one, prompt, private: true },
		unused: [],
	});
});

test.each([
	...['draw this', 'Can you draw that?', 'make a picture of this, please', 'kannst du das zeichnen?', 'dessine ça'],
	...['¿puedes dibujar esto?', 'desenha isso', 'нарисуй это', 'これを描いてください', '把这个画出来', '能画这个吗？'],
])('%j in reply to a text draws that', (text) => {
	const repliedTo = { ...quoted, text: 'A fox\nin the snow', uploads: [] };
	const drawn = { command: 'imagine', options: { prompt: 'A fox\nin the snow' }, unused: [] };
	expect(requestIn({ text, uploads: [], repliedTo })).toEqual(drawn);
	expect(requestIn({ text, uploads: [] })).not.toEqual(drawn);
});

test.each([
	...[
		'another one please',
		'Thanks! One more 🙏',
		'can I have another picture?',
		'try again',
		'again',
		'once more, please',
	],
	...[
		'noch eins bitte',
		'nochmal',
		'kannst du es noch mal machen?',
		'encore',
		'une autre stp',
		'otra vez',
		'dame otra',
	],
	...[
		'de novo',
		'mais uma',
		'ещё раз',
		'сделай ещё одну',
		'もう一枚お願いします',
		'もう一度',
		'再来一张',
		'请重新生成',
	],
])('%j in reply to a picture makes another one, and with a picture none', (text) => {
	const uploads = files('1.png');
	expect(requestIn({ text, uploads: [], repliedTo: { ...quoted, uploads } })).toEqual({ again: uploads });
	expect(requestIn({ text, uploads })).toEqual({ about: uploads });
	expect(requestIn({ text, uploads: [] })).toBeUndefined();
});

test.each([
	...['thanks again', 'hi again', 'gracias otra vez', 'never mind', 'forget it', 'egal', 'laisse tomber', 'olvídalo'],
	...['deixa pra lá', 'забудь', 'やっぱりいいです', '算了'],
])('%j in reply to a picture is answered in words', (text) => {
	const uploads = files('1.png');
	expect(requestIn({ text, uploads: [], repliedTo: { ...quoted, uploads } })).toEqual({ about: uploads });
});

test.each([
	...[
		'delete this',
		'Delete',
		'please remove the picture',
		'take it down',
		'kannst du das löschen?',
		'supprime-la stp',
	],
	...['bórralo', 'apaga isso', 'удали это', 'この画像を削除してください', '消して', '把这张图删掉吧', '删除'],
	...[
		'delete your last message 🙏',
		'lösch deine letzte Nachricht',
		'删掉你的最后一条消息',
		'undo',
		'undo that',
		'annule',
	],
	...['mach das rückgängig', 'deshacer', 'desfaz isso', 'отмени изменение', '元に戻して', '撤销'],
])('%j in reply to a picture deletes nothing, and buys no edit', (text) => {
	const repliedTo = { ...quoted, uploads: files('1.png') };
	expect(requestIn({ text, uploads: [], repliedTo })).toMatchObject({ id: 'thread.remove' });
});

test.each([
	'delete the hat',
	'remove the small one',
	'remove the logo',
	'undo the hat',
	'one more fox, please',
	'noch ein Hut',
	'重新画背景',
	'entferne den Hintergrund',
	'帽子を消して',
	'把帽子删掉',
	'apaga o chapéu',
])('%j in reply to a picture is an edit', (text) => {
	const repliedTo = { ...quoted, uploads: files('1.png') };
	expect(requestIn({ text, uploads: [], repliedTo })).toMatchObject({ command: 'edit' });
});

test('a change of what is no picture, such as a video, is not bought', () => {
	const uploads = files('clip.mp4');
	for (const message of [{ uploads }, { uploads: [], repliedTo: { ...quoted, uploads } }])
		expect(requestIn({ text: 'make it night', ...message })).toMatchObject({ id: 'thread.files.unread' });
});

test.each<[text: string, item: number]>([
	['draw the second one', 2],
	['Draw number 3.', 3],
	['draw the last one', -1],
	['画第二个', 2],
	['请画一下第3个创意', 3],
	['帮我画最后一个', -1],
])('%j asks for an item of the last answer', (text, item) =>
	expect(requestIn({ text, uploads: [] })).toEqual({ item }),
);

test.each([
	['draw the second one', { command: 'imagine', options: { prompt: 'a barn owl' }, unused: [] }],
	['draw number 3', { item: 3 }],
])('%j as a reply is about the list that it replies to', (text, request) => {
	const repliedTo = { ...quoted, text: 'Ideas:\n1. a fox\n2. a barn owl', uploads: [] };
	expect(requestIn({ text, uploads: [], repliedTo })).toEqual(request);
});

test('a picture with an instruction is edited, several are composed, other files are left out', () => {
	const [one, two, three, four] = files('1.png', '2.jpg', '3.webp', '4.png');
	const text = 'make it night';
	expect(requestIn({ text, uploads: files('notes.txt') })).toBeUndefined();
	expect(requestIn({ text: '', uploads: files('1.png') })).toMatchObject({ id: 'thread.instruction' });
	if (!one || !two || !three || !four) return;
	expect(requestIn({ text, uploads: [one] })).toEqual({
		command: 'edit',
		options: { image: one, prompt: text },
		unused: [],
	});
	expect(requestIn({ text, uploads: [one, two, three, four] })).toEqual({
		command: 'compose',
		options: { image1: one, image2: two, image3: three, prompt: text },
		unused: [{ name: '4.png', why: 'unused' }],
	});
});

test.each([
	...['forget', 'Forget everything.', 'please forget this thread', 'Vergiss alles!', 'oublie tout', 'olvida todo'],
	...['Esqueça tudo, por favor', 'Забудь всё', '全部忘れてください。', '忘记一切'],
])('%j makes the bot forget', (text) => expect(asksToForget(text)).toBe(true));

test.each([
	'forget it',
	'Forget about the hat.',
	'vergiss es',
	'oublie',
	'olvídalo',
	'esquece',
	'забудь',
	'忘れて',
	'忘了吧',
])('%j may mean never mind', (text) => expect(asksToForget(text)).toBe(false));
