import type { Hex } from '../../scene/scene.ts';

/** The colour names of CSS Color 4 (https://www.w3.org/TR/css-color-4/#named-colors), as people write them, and others. */
const named =
	'aliceblue f0f8ff antiquewhite faebd7 aqua 00d5e0 aquamarine 7fffd4 azure f0ffff beige f5f5dc bisque ffe4c4 black 23222a blanchedalmond ffebcd blue 2f62d9 blueviolet 8a2be2 brown 7d4a2d burlywood deb887 cadetblue 5f9ea0 chartreuse 7fff00 chocolate 7b4425 coral ff7f50 cornflowerblue 6495ed cornsilk fff8dc crimson dc143c cyan 00c9dd darkblue 1a237e darkcyan 008b8b darkgoldenrod b8860b darkgray 6f6f74 darkgreen 14532d darkgrey 6f6f74 darkkhaki bdb76b darkmagenta 8b008b darkolivegreen 556b2f darkorange ff8c00 darkorchid 9932cc darkred 8b1a1a darksalmon e9967a darkseagreen 8fbc8f darkslateblue 483d8b darkslategray 2f4f4f darkslategrey 2f4f4f darkturquoise 00ced1 darkviolet 9400d3 deeppink ff1493 deepskyblue 00bfff dimgray 696969 dimgrey 696969 dodgerblue 1e90ff firebrick b22222 floralwhite fffaf0 forestgreen 228b22 fuchsia e63bd2 gainsboro dcdcdc ghostwhite f8f8ff gold f2c230 goldenrod daa520 gray 8d9096 green 3c9a4b greenyellow adff2f grey 8d9096 honeydew f0fff0 hotpink ff69b4 indianred cd5c5c indigo 4b2a9c ivory fffff0 khaki d8cb7c lavender b9a7e6 lavenderblush fff0f5 lawngreen 7cfc00 lemonchiffon fffacd lightblue add8e6 lightcoral f08080 lightcyan e0ffff lightgoldenrodyellow fafad2 lightgray d3d3d3 lightgreen 90ee90 lightgrey d3d3d3 lightpink ffb6c1 lightsalmon ffa07a lightseagreen 20b2aa lightskyblue 87cefa lightslategray 778899 lightslategrey 778899 lightsteelblue b0c4de lightyellow ffffe0 lime 8be02d limegreen 32cd32 linen faf0e6 magenta e63bd2 maroon 7a1f2b mediumaquamarine 66cdaa mediumblue 2a3fc9 mediumorchid ba55d3 mediumpurple 9370db mediumseagreen 3cb371 mediumslateblue 7b68ee mediumspringgreen 00fa9a mediumturquoise 48d1cc mediumvioletred c71585 midnightblue 191970 mintcream f5fffa mistyrose ffe4e1 moccasin ffe4b5 navajowhite ffdead navy 1d2d6b oldlace fdf5e6 olive 808000 olivedrab 6b8e23 orange f28a22 orangered ff4500 orchid da70d6 palegoldenrod eee8aa palegreen 98fb98 paleturquoise afeeee palevioletred db7093 papayawhip ffefd5 peachpuff ffdab9 peru cd853f pink f58fb2 plum 9d4f93 powderblue b0e0e6 purple 7a3fb0 rebeccapurple 663399 red d8262c rosybrown bc8f8f royalblue 4169e1 saddlebrown 8b4513 salmon fa8072 sandybrown f4a460 seagreen 2e8b57 seashell fff5ee sienna a0522d silver c3c9d2 skyblue 79bfea slateblue 6a5acd slategray 708090 slategrey 708090 springgreen 00ff7f steelblue 4682b4 tan d2b48c teal 15888a thistle d8bfd8 tomato ff6347 turquoise 40d0c4 violet 8f4fd6 wheat f5deb3 white f7f5f0 whitesmoke f5f5f5 yellow f7d038 yellowgreen 9acd32 ' +
	'amber ffb52e apricot fbb98a aubergine 4a2545 bronze b0763b burgundy 6d1a36 carmine b3123a cerulean 2a8fc7 champagne f3dfb8 charcoal 3b3d45 cherry c2183f cobalt 1f49b6 copper c06a3d cream fbf1d8 denim 3a5f95 ebony 2b2523 emerald 1f9d63 ginger d3782e golden efb93a graphite 44474f jade 2e9e77 lemon f7e04a lilac c3a3e0 mauve b488b8 mint 9fe0c3 mustard d9a521 ochre c98a2b peach fcb998 pearl efe9e2 periwinkle 8f99e6 petrol 17606e rose e8708f ruby b5123f rust b0512a saffron f0a818 sapphire 1f4fb5 scarlet d9241e taupe 8f7f74 terracotta c8603e ultramarine 2a36b8 umber 6b4a33 vermilion e0432a wine 6e1f3a';

const pairs = named.split(' ');

/** By name without spaces; black and white keep some body, so that shading shows. */
export const colours = new Map<string, Hex>();
for (let index = 0; index + 1 < pairs.length; index += 2) colours.set(pairs[index]!, `#${pairs[index + 1]!}`);

/** The effect of a shade word on lightness and chroma of the colour that follows: "dark green", "pale pink". */
export const shades: Readonly<Record<string, { readonly l: number; readonly c: number }>> = {
	dark: { l: -0.16, c: 0.95 },
	deep: { l: -0.12, c: 1.1 },
	light: { l: 0.13, c: 0.75 },
	pale: { l: 0.16, c: 0.55 },
	bright: { l: 0.06, c: 1.25 },
	vivid: { l: 0.02, c: 1.35 },
	soft: { l: 0.08, c: 0.7 },
	dusty: { l: 0, c: 0.55 },
	pastel: { l: 0.16, c: 0.6 },
	baby: { l: 0.14, c: 0.7 },
	hot: { l: 0, c: 1.35 },
};
