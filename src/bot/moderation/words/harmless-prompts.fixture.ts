/**
 * Prompts that people would not expect a list of short, common words to refuse: words that contain a banned one, figures with units,
 * model numbers, initials and lists of single letters.
 */
type Vocabulary = { subjects: string; settings: string; styles: string; banned: string };

const VOCABULARIES: Readonly<Record<string, Vocabulary>> = {
	en: {
		subjects:
			'a class photo, a glass vase, tall grass, a bass player, an assassin bug, a cockatoo, a cockpit, a peacock, a titmouse nest, the Titanic, a title page, a competition, a canal boat, a document, a cucumber salad, a therapist, a sea shell, hello in chalk, an Essex lane, a Scunthorpe street, a mountain pass, a passage, a compass, butter on toast, a button, a rebuttal, the number 1, Dickens at his desk, scrap metal, a pussycat-free yard, a hoarding, a spice market, a drapery, a grape harvest, a begonia, a shotgun-free town, a skill tree, a killdeer, a warm kitchen, a wardrobe, an armadillo, an armchair, a charming hotel, a news stand, a penguin, a pencil, a princess, a bumblebee, a bra-less mannequin in marble, a weeding tool',
		settings:
			'in 4k, at 24mm f/1.8, in the 1980s, as an mp3 cover, on level 5, on the 1st of May, in a U.S. park, by J. R. R. Tolkien, with vitamins A, B, C and D, for a PS5, in an A4 frame, with 8 bit colours, at 9 am, by a 3D artist, in ISO 100, near the M1 motorway, with plan B, for the Q & A, in h2o, at 1/250 s',
		styles: 'watercolour, oil on canvas, 16:9, no. 7, wide shot!',
		banned:
			'ass, tit, cock, cum, anal, sex, hell, rape, dick, butt, spic, nig, fag, cp, kill, gun, kid, arm, war, nude, bra, bum, crap, piss, pee, hoe, pot, weed, new, pen, prince',
	},
	de: {
		subjects:
			'ein Klassenzimmer, Gläser im Regal, ein Bass, Assessorin im Büro, ein Titelblatt, der Kotflügel, ein Sextant, Essex im Nebel, eine Blüte, Apfelblüten, Blütenmeer, ein Totempfad, Totoro im Wald, Kriegstein im Fluss, ein Mörser, Grasshopper, ein Bierdeckel, Weinstock im Herbst, ein Fickelbach, Hurentalweg, ein Nacktmull, Kotelett, Schwanzmeise, eine Hasselblad, Morderner Tanz, Waffelduft, Waffeln, Dummheiten, Arschkarte, Blumen, ein Haus, ein Fuchs, eine Katze, ein Schiff, ein Turm, eine Burg, ein Garten, ein Markt, ein Zug, ein Berg, ein See, ein Kind, eine Lampe, ein Tisch, ein Buch, ein Brot, ein Vogel, ein Fisch, ein Pferd, ein Boot',
		settings:
			'in 4k, mit 24mm, um 1900, als mp3-Hülle, auf Stufe 5, am 1. Mai, in der U.S.-Botschaft, von J. R. R. Tolkien, mit Vitamin A, B, C, für PS5, auf A4, mit 8 bit, um 9 Uhr, im Quartal Q 4, bei ISO 100, an der A7, mit Plan B, im 3D-Druck, im Schnee, bei Nacht',
		styles: 'Aquarell, Öl auf Leinwand, 16:9, Nr. 7, weit!',
		banned: 'arsch, sex, titte, fick, hure, nazi, waffe, blut, tod, tot, kot, nackt, mord, dumm, schwanz, ass, hass',
	},
	fr: {
		subjects:
			'une culotte de cheval, la culture, un culbuto, un concert, des contes, un conducteur, un computer, la députée, une pâte, un disputé jeu, des biteaux, la bitume, un sexagénaire, le Sussex, une nuée, la nuit, un nuage, un sanglier, des sangles, la mortadelle, un mortier, une seine de pêche, la Seine, une armée de nains, une armure, une armoire, le chatterton, des salopettes, le droguiste, une guérite, un chat, un chien, une maison, un arbre, une fleur, un bateau, une tour, un pont, un marché, un train, un lac, une lampe, une table, un livre, un pain, un oiseau, un poisson, un cheval, une barque, un phare',
		settings:
			'en 4k, à 24mm, vers 1900, comme mp3, au niveau 5, le 1er mai, par J. R. R. Tolkien, avec vitamines A, B, C, pour PS5, en A4, en 8 bits, à 9 h, au T. G. V., à ISO 100, sur la A7, plan B, en 3D, sous la neige, la nuit, à 1/250 s',
		styles: 'aquarelle, huile sur toile, 16:9, no 7, grand angle !',
		banned: 'cul, con, pute, bite, sexe, nue, nu, sang, sein, salope, drogue, arme, ass, merde',
	},
	es: {
		subjects:
			'una película, un cálculo, la cultura, una disputa, la reputación, un computador, un sexteto, un tetrarca, una tetera, un armario, una armadura, una alarma, un droguero, un desangrado cielo, la mortadela, un pollo, una pollera, una guerrera, Montenegro, un cono de helado, el conocimiento, un gato, un perro, una casa, un árbol, una flor, un barco, una torre, un puente, un mercado, un tren, un lago, una lámpara, una mesa, un libro, un pan, un pájaro, un pez, un caballo, un bote, un faro, una montaña, un castillo, una playa, una estrella, un jardín, una fuente, un molino, un búho, un zorro, un oso',
		settings:
			'en 4k, a 24mm, hacia 1900, como mp3, en el nivel 5, el 1 de mayo, por J. R. R. Tolkien, con vitaminas A, B y C, para PS5, en A4, en 8 bits, a las 9, en EE. UU., a ISO 100, por la A7, plan B, en 3D, con nieve, de noche, a 1/250 s',
		styles: 'acuarela, óleo sobre lienzo, 16:9, n.º 7, ¡gran angular!',
		banned: 'culo, puta, sexo, teta, arma, droga, sangre, mierda, polla, guerra, ass, cul',
	},
	pt: {
		subjects:
			'um curso, um cubo, uma cuia, a cultura, uma disputa, a reputação, um computador, um sexteto, uma tetraedro, um armário, uma armadura, um alarme, uma drogaria, um sanguíneo céu, a mortadela, um guerreiro, um pauzinho, São Paulo, uma pausa, um gato, um cão, uma casa, uma árvore, uma flor, um barco, uma torre, uma ponte, um mercado, um trem, um lago, uma lâmpada, uma mesa, um livro, um pão, um pássaro, um peixe, um cavalo, um bote, um farol, uma montanha, um castelo, uma praia, uma estrela, um jardim, uma fonte, um moinho, uma coruja, uma raposa, um urso',
		settings:
			'em 4k, a 24mm, em 1900, como mp3, no nível 5, em 1.º de maio, por J. R. R. Tolkien, com vitaminas A, B e C, para PS5, em A4, em 8 bits, às 9 h, nos E. U. A., em ISO 100, pela A7, plano B, em 3D, com neve, à noite, a 1/250 s',
		styles: 'aquarela, óleo sobre tela, 16:9, n.º 7, grande angular!',
		banned: 'cu, puta, sexo, teta, arma, droga, sangue, merda, pau, guerra, ass',
	},
	ru: {
		subjects:
			'красный дом, чёрный кот, белая сова, старый замок, маяк, лодка, лес, гора, озеро, поезд, рынок, мост, башня, лампа, стол, книга, хлеб, птица, рыба, лошадь, сад, фонтан, мельница, лиса, медведь, звезда, пляж, снег, река, цветок, колодец, учебник, хулиганский попугай, употребление, команда, шахматы, мандарин, Мандельштам, страховка, застрахованный дом, подстрахуй, секстант, секундомер, кровать, кровля, оружейник, наркоз, смертельный номер, война и мир Толстого, воин',
		settings:
			'в 4k, 24 мм, около 1900, как mp3, на уровне 5, 1 мая, Дж. Р. Р. Толкин, с витаминами А, В, С, для PS5, на А4, в 8 бит, в 9 утра, в С. Ш. А., ISO 100, у М1, план Б, в 3D, зимой, ночью, 1/250 с',
		styles: 'акварель, масло, 16:9, № 7, широкий угол!',
		banned: 'секс, кровь, манда, хуй, смерть, нарко, оружие, жопа, ass',
	},
	ja: {
		subjects:
			'赤い家, 黒い猫, 白い梟, 古い城, 灯台, 小舟, 森, 山, 湖, 汽車, 市場, 橋, 塔, 灯り, 机, 本, パン, 鳥, 魚, 馬, 庭, 噴水, 風車, 狐, 熊, 星, 浜辺, 雪, 川, 花, 桜, 富士山, 茶室, 提灯, 金魚, 神社, 鳥居, 和傘, 竹林, 祭り, カメラ, ロボット, ドラゴン, ピアノ, ギター, ケーキ, コーヒー, りんご, ひまわり, くじら',
		settings:
			'4kで, 24mmで, 1900年頃の, mp3のカバー, レベル5, 5月1日, J. R. R. トールキン風, ビタミンA・B・C, PS5用, A4で, 8ビットで, 午前9時, U. S. A.で, ISO 100で, M1の近く, プランB, 3Dで, 雪の中, 夜に, 1/250秒',
		styles: '水彩, 油絵, 16:9, 第7番, 広角！',
		banned: 'ass, sex, 血, 死, 殺, 裸, ガス, 銃',
	},
};

/** Returns 5,000 prompts of a language, and a list of short words that none of them should be refused for. */
export function harmlessPrompts(language: string): { prompts: string[]; banned: string[] } {
	const { subjects, settings, styles, banned } = VOCABULARIES[language] as Vocabulary;
	const [first, second, third] = [subjects, settings, styles].map((list) => list.split(', ')) as [
		string[],
		string[],
		string[],
	];
	const prompts = first.flatMap((subject) =>
		second.flatMap((setting) => third.map((style) => `${subject} ${setting}, ${style}`)),
	);
	return { prompts: prompts.slice(0, 5000), banned: banned.split(', ') };
}

export const HARMLESS_LANGUAGES = Object.keys(VOCABULARIES);
