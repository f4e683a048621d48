import table from './texts.json' with { type: 'json' };

type Choices = readonly [string, ...string[]];

/** What the chat says. `asked` and `has` are patterns of what a person says. */
export const texts = table as unknown as {
	about: readonly { asked: string; answer: string }[];
	/** The greetings of a language, and the one that answers them. */
	greetings: readonly { asked: string; answer: string }[];
	smallTalk: readonly { asked: string; answers: Choices }[];
	/** Aspects that a prompt may lack, and what to add otherwise. */
	aspects: readonly { has: string; offers: Choices }[];
	advice: string;
	/** Parts of pictures, each as choices between bars. */
	ideas: readonly string[];
};
