import { h } from '../dom.js';

/** @type {Record<string, string>} */
const COLOURS = { ada: 'rose', bjorn: 'blue', chiyo: 'green', dele: 'gold', easel: 'easel' };

/** @param {string} id @param {string} name */
export function avatar(id, name) {
	const face = h(`span.avatar.${COLOURS[id] ?? 'rose'}`, { 'aria-hidden': 'true' });
	face.append(id === 'easel' ? h('img', { src: '/sandbox/easel.svg', alt: '' }) : name.charAt(0));
	return face;
}
