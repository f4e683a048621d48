import type { FigureName } from '../subjects/figures.ts';

/** Words for each subject, parted by commas; a colour after a word is what that one has unless the prompt says otherwise. */
export const subjects: Partial<Record<FigureName, string>> = {
	fox: 'fox, vixen, arctic fox #eef2f6, fennec #e8c48e, red panda #b5522b, coyote #b08a5c, jackal #c39a5f',
	cat: 'cat, kitten, kitty, tomcat, black cat #2c2a33, tabby, siamese #e9dcc5, lynx #c79f6b, ginger cat #e08a3c, feline',
	dog: 'dog, puppy, hound, corgi #e0a050, husky #9aa4b5, terrier, labrador #e0c48a, poodle #e9dfd3, shiba #e2a055, beagle, doggo, retriever #dcae62, dachshund #8a5233',
	wolf: 'wolf, werewolf, direwolf',
	bear: 'bear, grizzly, polar bear #f1f1ec, teddy #c08a55, teddy bear #c08a55, brown bear, cub',
	panda: 'panda, giant panda',
	koala: 'koala',
	rabbit: 'rabbit, bunny, hare, easter bunny #efe6da, white rabbit #f1eeea',
	mouse: 'mouse, rat #7e7a80, hamster #d9a769, gerbil #cfa878, shrew',
	lion: 'lion, lioness, lion king',
	tiger: 'tiger, tigress',
	raccoon: 'raccoon, badger #55565f, skunk #34343c',
	squirrel: 'squirrel, chipmunk, otter #7d5a42, beaver #7a4d33',
	monkey: 'monkey, ape, chimpanzee, gorilla #44444d, orangutan #b5622f, baboon',
	leopard: 'leopard, cheetah, jaguar, puma #b98a5a, panther #2b2a35, cougar #c09a6b',
};
