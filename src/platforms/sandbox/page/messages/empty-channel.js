import { h } from '../dom.js';
import { t } from '../words.js';

const EXAMPLES = ['example.fox', 'example.lighthouse', 'example.harbour'];

/**
 * Renders a channel or thread without messages, with example prompts.
 * @param {import('../state.js').PageState} state
 * @param {string} id
 * @param {(prompt: string) => void} imagine
 */
export function renderEmptyChannel(state, id, imagine) {
	const { channel, thread } = state.find(id);
	const hasExamples = state.commands.some(({ name }) => name === 'imagine');
	const suffix = thread ? '.thread' : '';
	const hint = t(`${hasExamples ? 'empty.examples' : 'empty.hello'}${suffix}`, { channel: channel.name });
	const examples = EXAMPLES.map((example) => {
		const prompt = t(example);
		const button = h('button.example', { type: 'button', onclick: () => imagine(prompt) });
		button.append(h('code', {}, '/imagine'), ` ${prompt}`);
		return button;
	});
	return h(
		'div.empty',
		{},
		h('img', { src: '/sandbox/easel.svg', alt: '', width: 72, height: 72 }),
		h('h3', {}, t(thread ? 'empty.thread' : 'empty.channel')),
		h('p', {}, hint),
		hasExamples && h('div.examples', {}, ...examples),
		hasExamples && h('p.tip', {}, t('empty.drop')),
	);
}
