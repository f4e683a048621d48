import { expect, test } from 'vitest';
import { itemIn, itemNumberOf, pictureNumberIn } from './numbered.ts';

test.each<[text: string, number: number | undefined]>([
	['make the second one blue', 2],
	['Picture 3 at night', 3],
	['#1 without the fox', 1],
	['4: make it night', 4],
	['mach das zweite Bild blau', 2],
	['la deuxième image de nuit', 2],
	['сделай вторую картинку синей', 2],
	['画像２を夜に', 2],
	['3枚目を夜に', 3],
	['把第二张变成夜晚', 2],
	['第3张加一顶帽子', 3],
	['图片2换成蓝色', 2],
	['把最後一張變亮一點', 4],
	['1号不要狐狸', 1],
	['第二个换成红色', 2],
	['把第二只狐狸变成蓝色', undefined],
	['把第二个人去掉', undefined],
	['加两只狐狸', undefined],
	['make the second fox blue', undefined],
	['add 2 foxes', undefined],
	['picture 12', undefined],
	['picture four at night', 4],
	['use the third, add snow', 3],
	['First, make it darker', undefined],
])('%j names the picture %j', (text, number) => expect(pictureNumberIn(text, 4)).toBe(number));

test('a picture that is not there is not named', () =>
	expect(pictureNumberIn('the third one, please', 2)).toBeUndefined());

test.each<[words: string, number: number | undefined]>([
	['the second one', 2],
	['number 3', 3],
	['#4', 4],
	['10.', 10],
	['the last idea', -1],
	['number two', 2],
	['el número dos', 2],
	['a 3ª', 3],
	['二番', 2],
	['最後の', -1],
	['第二个', 2],
	['第2个创意', 2],
	['第三個想法', 3],
	['最后一个', -1],
	['方案4', 4],
	['第二个改成蓝色', undefined],
	['两只狐狸', undefined],
	['2 foxes', undefined],
	['the second one in blue', undefined],
	['a first one', undefined],
])('%j names the item %j', (words, number) => expect(itemNumberOf(words)).toBe(number));

test('an item of a numbered list has its further lines, without markup', () => {
	const answer = [
		'Some ideas:',
		'',
		'1. **A fox** in the snow',
		'2) A *boat* at [night](https://example.com),',
		'   with a lantern',
		'',
		'3. A snake_case house',
		'',
		'Which one?',
	].join('\n');
	expect(itemIn(answer, 1)).toBe('A fox in the snow');
	expect(itemIn(answer, 2)).toBe('A boat at night, with a lantern');
	expect(itemIn(answer, -1)).toBe('A snake_case house');
	expect(itemIn(answer, 4)).toBeUndefined();
	expect(itemIn('No list', 1)).toBeUndefined();
});
