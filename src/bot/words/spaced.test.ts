import { expect, test } from 'vitest';
import { isAboutPictures, isChange, promptIn } from './plain-words.ts';

test.each([
	['hey 👋 could you do me a quick favor and draw a hedgehog?', 'a hedgehog'],
	['I was hoping you could make an image of a moose', 'a moose'],
	['Can I please have a drawing of our cat', 'our cat'],
	['sup bot, draw me a sad clown', 'a sad clown'],
	['id like a pic of a viking cat', 'a viking cat'],
	['I need an illustratoin of a lighthouse', 'a lighthouse'],
	['pelase draw a lighthouse', 'a lighthouse'],
	['profile pic of a raccoon plsss', 'profile pic of a raccoon'],
	['genere une image de dragon', 'dragon'],
	['kannste mir ein Bild von einem Elch machen', 'einem Elch'],
	['Wär super, wenn du mir einen Igel zeichnen könntest', 'einen Igel'],
	['Magst du einen Igel malen? 😊', 'einen Igel'],
	['Kannst du mir einen Elch malen, der badet?', 'einen Elch malen, der badet'],
	['Könntest du für unser Fest ein Plakat gestalten?', 'für unser Fest ein Plakat'],
	['ça te dirait de dessiner un dragon ?', 'un dragon'],
	['¿te animas a dibujar un dragón?', 'un dragón'],
	['bora desenhar um dragão', 'um dragão'],
	['слушай, а не мог бы ты нарисовать ёжика?', 'ёжика'],
	['カタツムリを描いてほしいなあ', 'カタツムリ'],
	['ハリネズミを描いてくれませんか？🙏', 'ハリネズミ'],
	['如果能画一只刺猬就太好了', '一只刺猬'],
])('%s asks in other words: %s', (text, prompt) => expect(promptIn(text)).toBe(prompt));

test.each([
	['a watercolor painting of a heron at dawn', 'a watercolor painting of a heron at dawn'],
	['photo of a red fox in snow', 'a red fox in snow'],
	['whale picture please', 'whale picture'],
	['two cats playing chess, in pixel art please', 'two cats playing chess, in pixel art'],
	['ein Porträt eines Zauberers', 'ein Porträt eines Zauberers'],
	['un icono 3d de una alcancía', 'un icono 3d de una alcancía'],
	['Neues Profilbild: wütende Gans mit Messer', 'Neues Profilbild: wütende Gans mit Messer'],
	['new picture: a whale', 'a whale'],
	['for the standup: make a pic of a burning server', 'a burning server'],
	['my kid wants a dragon that eats broccoli, can you draw it?', 'my kid wants a dragon that eats broccoli'],
	['our band is called Crumbs. we need a logo!', 'our band is called Crumbs. a logo'],
	['我们乐队叫湿饼干，需要一个logo', '我们乐队叫湿饼干， 一个logo'],
])('%s names a picture: %s', (text, prompt) => expect(promptIn(text)).toBe(prompt));

test.each([
	['generate a dragon asleep on books', 'a dragon asleep on books'],
	['Generier mir einen Wal', 'einen Wal'],
	['génère-moi un lama en tutu', 'un lama en tutu'],
	['genérame una llama', 'una llama'],
	['gera pra mim uma lhama', 'uma lhama'],
	['сгенерируй маяк в шторм', 'маяк в шторм'],
	['嵐の中の灯台を生成して', '嵐の中の灯台'],
	['生成一座暴风雨中的灯塔', '一座暴风雨中的灯塔'],
])('%s generates a picture: %s', (text, prompt) => expect(promptIn(text)).toBe(prompt));

test.each([
	...['generate three names for my cat', 'generate a short bio', 'generate an ssh key', 'gen a regex for emails'],
	...['Kannst du mir eine Einkaufsliste generieren?', 'génère une facture', 'genera un cuento', 'gere um relatório'],
	...['сгенерируй отчёт', '物語を生成して', '生成一个安全的密码'],
	...['cool logo, thanks!', 'belle image, merci !', 'second picture please', 'the poster fell down'],
	...['A picture of the accident was in the paper', 'Background: we are a bakery', 'Avatar: is it good?'],
	...['please upload a picture of the menu', 'have you seen the poster for Dune?'],
	'he said: draw a fox',
	'hi all: the meeting starts at five',
	'Step 1: draw a circle. Step 2: draw two ears.',
	'I think you could write better',
	'Ich brauche ein Foto für den Ausweis, wie groß muss es sein?',
	'hazme un favor, explícame qué es un logo',
])('%s buys no picture', (text) => expect(promptIn(text)).toBeUndefined());

test.each([
	...['no glasses', 'no text please', 'keine Brille', 'but the dog should be bigger'],
	...['love it! now with snow', 'haha, now in watercolor'],
])('%s is a change', (text) => expect([isChange(text), isAboutPictures(text)]).toEqual([true, false]));

test.each([
	...['no idea', 'no, thanks', "no i don't like it", 'keine Ahnung', 'sin palabras', 'без слов'],
	...['my mom will love that', 'our cat would love this', 'うちの猫です', '昨日撮った写真です'],
])('%s changes nothing', (text) => expect([isChange(text), isAboutPictures(text)]).toEqual([false, true]));
