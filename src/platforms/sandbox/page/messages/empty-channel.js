import { h } from '../dom.js';
import { t } from '../texts.js';

/** @type {import('../texts.js').MessageId[]} */
const EXAMPLES = ['sandbox.example.fox', 'sandbox.example.lighthouse', 'sandbox.example.boat'];

/**
 * Renders a channel or thread without messages, with example prompts.
 * @param {import('../state.js').PageState} state
 * @param {string} id
 * @param {(prompt: string) => void} imagine
 */
export function renderEmptyChannel(state, id, imagine) {
	const { channel, thread } = state.find(id);
	const hasExamples = state.commands.some(({ name }) => name === 'imagine');
	const hint = thread
		? t(hasExamples ? 'sandbox.empty.examplesInThread' : 'sandbox.empty.helloInThread')
		: t(hasExamples ? 'sandbox.empty.examples' : 'sandbox.empty.hello', { channel: channel.name });
	const text = channel.direct && !thread ? t('sandbox.channel.direct') : hint;
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
		h('h3', {}, t(thread ? 'sandbox.empty.thread' : 'sandbox.empty.channel')),
		h('p', {}, text),
		hasExamples && h('div.examples', {}, ...examples),
		hasExamples && h('p.tip', {}, t('sandbox.empty.drop')),
	);
}
