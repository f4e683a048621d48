import type { Relation, Side } from '../../scene/names.ts';

/** Words for where, when and in what mood, by what they mean. Commas part the words; a phrase is one word here. */

export const places = {
	meadow:
		'meadow, hill, hills, hillside, grass, grassland, countryside, prairie, pasture, valley, field of grass, park, plain, landscape, heath, moor, farm, ranch',
	forest:
		'forest, wood, woods, woodland, grove, trees, thicket, glade, clearing, taiga, wilderness, swamp, bamboo forest',
	mountains:
		'mountain, mountains, peak, summit, cliff, canyon, himalaya, everest, fuji, volcano, rockies, highlands, andes, mountaintop',
	snowfield:
		'snowfield, arctic, antarctica, tundra, glacier, iceberg, north pole, south pole, ice, ski slope, frozen lake',
	desert:
		'desert, dune, dunes, sahara, sand dunes, savanna, savannah, oasis, mesa, wild west, badlands, steppe, outback',
	sea: 'sea, ocean, harbour, harbor, port, marina, waves, open sea, high seas, pacific, atlantic, bay, fjord, horizon, wave, pirate sea',
	beach: 'beach, shore, coast, seaside, seashore, sand, island, tropical island, coastline, lagoon, tropics, hawaii',
	lake: 'lake, river, pond, riverside, lakeside, waterfall, stream, brook, wetland, reservoir, canal, marsh',
	city: 'city, skyline, downtown, metropolis, cityscape, rooftop, rooftops, tokyo, berlin, town, chicago, hong kong, shanghai',
	street:
		'street, alley, road, avenue, boulevard, lane, crossing, city street, highway, sidewalk, pavement, market, night market, chinatown, plaza, square',
	village: 'village, hamlet, small town, settlement, suburb, neighbourhood, neighborhood',
	garden:
		'garden, flower field, field of flowers, orchard, flower garden, tulip field, lavender field, sunflower field, wheat field, field, fields, backyard, flowerbed, farmland, poppy field',
	space:
		'space, outer space, galaxy, universe, cosmos, nebula, milky way, orbit, cosmic, interstellar, black hole, void',
	moonscape:
		'on the moon, moon surface, lunar, mars, martian, alien planet, another planet, crater, asteroid, moonscape',
	underwater:
		'underwater, under the sea, seabed, coral reef, reef, deep sea, under water, sea floor, ocean floor, bottom of the sea, aquarium, atlantis, abyss',
	room: 'room, living room, bedroom, kitchen, indoors, library, office, cafe, café, inside, interior, attic, studio, study, classroom, bar, restaurant, hall, museum, table, desk, fireplace, home, still life, shelf, windowsill, workshop, sofa corner',
	cave: 'cave, cavern, grotto, mine, underground, dungeon, tunnel, crypt, lair',
	abstract:
		'abstract, abstraction, abstract shapes, geometric shapes, shapes, pattern, patterns, composition of shapes, circles, triangles, squares, stripes, spirals, dots, cubes, spheres, swirls, fractal, kaleidoscope, mandala, gradient',
	clouds:
		'in the clouds, above the clouds, heaven, in the sky, heavens, on a cloud, cloud sea, floating island, in the air',
} as const;

export const weathers = {
	snow: 'snow, snowing, snowy, snowfall, blizzard, snowstorm, flurries, snowflakes, snowflake',
	rain: 'rain, rainy, raining, drizzle, shower, downpour, wet, monsoon, puddles',
	storm: 'storm, stormy, thunder, thunderstorm, lightning, tempest, hurricane, gale, thunderbolt',
	fog: 'fog, foggy, mist, misty, haze, hazy, smoky, smoke',
	wind: 'wind, windy, breeze, breezy, blowing leaves, falling leaves, gust',
	cloudy: 'cloudy, overcast, clouded, grey sky, gray sky',
	clear: 'clear, clear sky, cloudless, sunny, bright sun, sunshine, sunlit',
} as const;

export const times = {
	dawn: 'dawn, sunrise, daybreak, early morning, first light, morning',
	day: 'day, daytime, noon, midday, daylight, sunny, sunshine, sunlit, afternoon',
	golden: 'golden hour, golden light, late afternoon, warm light, evening light',
	sunset: 'sunset, sundown, setting sun, evening, red sky',
	dusk: 'dusk, twilight, blue hour, nightfall, gloaming',
	night:
		'night, midnight, nighttime, moonlight, moonlit, starry, starry night, under the stars, nocturnal, dark, stars, starlight, full moon, moon, crescent moon, aurora, northern lights, fireflies, galaxy',
} as const;

export const seasons = {
	spring: 'spring, springtime, blossom, blossoms, cherry blossom, cherry blossoms, sakura, april, easter, blooming',
	summer: 'summer, summertime, july, august, midsummer, hot day',
	autumn:
		'autumn, fall, autumnal, october, november, fall leaves, autumn leaves, halloween, thanksgiving, harvest, falling leaves',
	winter: 'winter, wintry, december, january, christmas, frozen, frosty, icy, snowy, xmas, frost, advent',
} as const;

export const moods = {
	calm: 'calm, peaceful, quiet, serene, tranquil, silent, still, zen, gentle, relaxing, restful, sleepy, sleeping',
	cosy: 'cosy, cozy, warm, homely, hygge, comfy, snug',
	eerie: 'eerie, spooky, haunted, creepy, scary, horror, sinister, gloomy, ominous, gothic, mysterious, cursed',
	joyful:
		'joyful, happy, cheerful, fun, playful, festive, celebration, party, funny, cute, smiling, jolly, lovely, adorable',
	dramatic: 'dramatic, epic, heroic, majestic, grand, powerful, mighty, cinematic, battle, stunning',
	dreamy:
		'dreamy, dream, magical, magic, enchanted, surreal, fairytale, fairy tale, whimsical, fantasy, ethereal, mystical, psychedelic',
	lonely: 'lonely, sad, alone, melancholy, melancholic, solitary, abandoned, forgotten, lost, desolate',
} as const;

export const styles = {
	watercolour:
		'watercolour, watercolor, aquarelle, gouache, wash, water colour, water color, children’s book, picture book',
	minimal: 'minimal, minimalist, minimalistic, simple, clean, scandinavian, bauhaus',
	pixel: 'pixel, pixel art, pixelated, 8-bit, 8 bit, 16-bit, 16 bit, retro game, sprite, voxel',
	flat: 'flat, vector, flat design, sticker, logo, icon, cartoon, illustration',
	noir: 'noir, film noir, black and white, monochrome, greyscale, grayscale, b&w, black-and-white',
	neon: 'neon, cyberpunk, synthwave, vaporwave, futuristic, outrun, glowing, sci-fi, blade runner, retrowave',
	pastel: 'pastel, pastels, soft colours, soft colors, kawaii, candy',
	ink: 'ink, ink drawing, pen, sketch, drawing, pencil, charcoal, line art, lineart, sumi-e, engraving, woodcut, etching, linocut, manga',
	oil: 'oil, oil painting, painting, painterly, impressionist, impressionism, van gogh, monet, canvas, acrylic, brush strokes, brushstrokes, renaissance, expressionist',
	poster:
		'poster, retro poster, travel poster, screen print, screenprint, art deco, pop art, risograph, riso, silkscreen, ukiyo-e',
	vintage:
		'vintage, old photo, sepia, retro, antique, nostalgic, faded, polaroid, analog, analogue, 1920s, 1950s, 1970s',
} as const;

/** Things in the sky by name, apart from weather. */
export const skies = {
	moon: 'moon, moonlight, moonlit, full moon, crescent moon',
	sun: 'sun, sunny, setting sun, bright sun, sunshine',
	stars: 'stars, starry, starry night, under the stars, milky way, constellation, starlight, starry sky, galaxy',
	clouds: 'clouds, cloud, cloudy, overcast, in the clouds',
	rainbow: 'rainbow, rainbows',
	aurora: 'aurora, northern lights, aurora borealis, polar lights, southern lights',
	comet: 'comet, shooting star, shooting stars, meteor, meteors, falling star, falling stars, meteorite, wish',
	fireflies:
		'fireflies, firefly, glow worms, sparks, fairy lights, lanterns, fireworks, firework, magic, magical, enchanted, festival',
	leaves: 'falling leaves, leaves, autumn leaves, petals, confetti, blossoms, cherry blossoms, sakura, windy, wind',
} as const;

export const counts = {
	1: 'a, an, one, single, lone, solitary',
	2: 'two, pair, pair of, couple, couple of, twin, 2, both',
	3: 'three, trio, 3, some, a few, few',
	4: 'four, 4, several',
	5: 'five, 5, family of, group of, many, a lot of, lots of',
	6: 'six, half a dozen, 6',
	7: 'seven, 7, flock of, herd of, pack of, school of, swarm of, army of, crowd of, fleet of, dozens of, hundreds of',
	8: 'eight, 8',
	9: 'nine, ten, dozen, a dozen, 9, 10, 11, 12, eleven, twelve, 20, 50, 100, hundred, thousand',
} as const;

export const sizes = {
	'0.45': 'tiny, miniature, mini, minuscule, microscopic',
	'0.68': 'small, little, young, baby, short, pocket, kitten-sized',
	'1.4': 'big, large, tall, great, oversized, grown',
	'1.75': 'huge, giant, enormous, gigantic, massive, colossal, towering, mighty, immense, monumental',
} as const;

/** How the subject before stands to the one after. */
export const relations = {
	on: 'riding, rides, ride, astride, mounted on, on the back of, riding on, on top of, atop, sitting on, sits on, standing on, stands on, sleeping on, lying on, perched on, on, onto, upon',
	in: 'in, inside, into, within, sailing, driving, drives, steering, flying in, rowing, rows, aboard, on board, piloting, pilots, emerging from',
	under: 'under, beneath, underneath, below, sheltering under, sleeping under',
	above: 'over, above, flying over, floating over, hovering over, high above, jumping over, leaping over',
	behind: 'behind, in back of',
	'in front of': 'in front of, before',
	beside:
		'near, beside, by, next to, alongside, around, at, outside, watching, chasing, meeting, facing, feeding, walking, and his, and her, and its',
	'held by':
		'holding, holds, hold, with, carrying, carries, reading, reads, playing, plays, drinking, drinks, eating, eats, eat, drink, bearing, offering, using, read, clutching, guarding, having, has',
	'worn by': 'wearing, wears, dressed in, dressed as, in a',
} as const satisfies Record<Relation, string>;

export const sides = {
	left: 'on the left, to the left, left side, at left, on left, on the left side, at the left',
	centre: 'in the middle, in the centre, in the center, in the foreground, in the midst',
	right: 'on the right, to the right, right side, at right, on right, on the right side, at the right',
} as const satisfies Record<Side, string>;

/** Clothes without a drawing of their own: they colour what their wearer wears. */
export const clothes =
	'coat, raincoat, jacket, dress, gown, shirt, t-shirt, suit, robe, robes, kimono, sweater, jumper, hoodie, cloak, cape, uniform, overalls, pyjamas, pajamas, skirt, trousers, pants, costume, clothes, outfit, armour, armor, spacesuit, apron, vest, tuxedo, jeans, cardigan';

/** Words that take away what follows. */
export const negations = 'no, without, not, never, minus, free of, instead of, except, lacking';

/** In the air, for what usually is not. */
export const aloft = 'flying, floating, hovering, soaring, levitating, gliding, airborne';

/** Something that holds what follows an "of": a vase of roses. */
export const containers = 'vase, cup, bottle, chest, gift, teapot, rowboat, snowglobe';
