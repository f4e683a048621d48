import type { ToolCall } from './service.ts';

/** The most calls of one answer, and the longest name, id and arguments of one, in UTF-16 units. What is beyond them is left out. */
const MAX_CALLS = 8;
const MAX_ID = 4000;
const MAX_ARGUMENTS = 16_000;

/**
 * Collects the calls of tools in an answer: whole ones, or fragments of a stream, whose first one has the name and whose index says where the
 * others belong. https://developers.openai.com/api/docs/guides/function-calling
 */
export class ToolCalls {
	readonly #calls: { index: unknown; id: string; name: string; arguments: string }[] = [];

	/** @param parts `tool_calls` of a message or of a delta */
	push(parts: unknown): void {
		for (const part of Array.isArray(parts) ? parts.slice(0, 2 * MAX_CALLS) : []) this.#add(part);
	}

	/** Returns the calls in their order. Where the service names none, they get ids that every service takes. */
	take(): ToolCall[] {
		const calls = this.#calls.splice(0).filter(({ name }) => name !== '');
		const areNamed = new Set(calls.flatMap(({ id }) => id || [])).size === calls.length;
		// Mistral takes nine letters and digits alone.
		const idOf = (at: number) => `call${String(at).padStart(5, '0')}`;
		return calls.map(({ index: _, id, ...call }, at) => ({ ...call, id: areNamed ? id : idOf(at) }));
	}

	#add(part: unknown): void {
		const { index, id, function: called } = Object(part) as Record<string, unknown>;
		const { name, arguments: given = '' } = Object(called) as Record<string, unknown>;
		const text = typeof given === 'string' ? given : JSON.stringify(given);
		const last = this.#calls.at(-1);
		const isNamed = typeof name === 'string' && name !== '';
		const known =
			this.#calls.find((call) => index !== undefined && call.index === index) ?? (isNamed ? undefined : last);
		// Some services number every call of a stream 0, each with an id of its own; others repeat id and name with every fragment.
		const isNew = !known || (isNamed && isText(id) && known.id !== '' && known.id !== id);
		if (!isNew) known.arguments = (known.arguments + text).slice(0, MAX_ARGUMENTS);
		else if (this.#calls.length < MAX_CALLS)
			this.#calls.push({
				index,
				id: isText(id) ? id.slice(0, MAX_ID) : '',
				name: isNamed ? name.slice(0, MAX_ID) : '',
				arguments: text.slice(0, MAX_ARGUMENTS),
			});
	}
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
