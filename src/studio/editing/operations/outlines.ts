/** In a box of 100 × 100. */
export const heart =
	'M50 96C18 70 2 52 2 31C2 14 15 4 28 4C38 4 46 10 50 18C54 10 62 4 72 4C85 4 98 14 98 31C98 52 82 70 50 96Z';

export function starPoints(x: number, y: number, radius: number, points: number, waist: number): string {
	return Array.from({ length: points * 2 }, (_, index) => {
		const angle = (index * Math.PI) / points - Math.PI / 2;
		const away = index % 2 === 0 ? radius : radius * waist;
		return `${(x + Math.cos(angle) * away).toFixed(2)},${(y + Math.sin(angle) * away).toFixed(2)}`;
	}).join(' ');
}
