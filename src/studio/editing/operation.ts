import type { Rgb } from './colours.ts';

/** A place in a picture: 0, 0 is the top left, 1, 1 the bottom right. */
export type Place = { x: number; y: number };

/** One operation of an instruction, as plain data. `amount` 1 is what the bare word means, 0.5 “slightly”, 1.6 “much”. */
export type Operation =
	| { do: 'adjust'; what: Adjustment; amount: number }
	| { do: 'look'; name: LookName; amount: number }
	| { do: 'tint'; colour: Rgb; amount: number }
	| { do: 'hue'; degrees: number }
	| { do: 'duotone'; dark: Rgb; light: Rgb }
	| { do: 'invert' }
	| { do: 'posterize'; levels: number }
	| { do: 'threshold' }
	| { do: 'scene'; name: SceneName; amount: number }
	| { do: 'blur'; where: 'everything' | 'background' | 'tilt-shift' | 'motion'; amount: number }
	| { do: 'sharpen' | 'grain' | 'vignette' | 'glow' | 'pixelate' | 'denoise'; amount: number }
	| { do: 'style'; name: StyleName; amount: number }
	| { do: 'crop'; shape: CropShape }
	| { do: 'zoom'; amount: number }
	| { do: 'rotate'; degrees: number }
	| { do: 'flip'; axis: 'horizontal' | 'vertical' }
	| { do: 'resize'; scale: number }
	| { do: 'resize'; width: number; height: number }
	| { do: 'extend'; colour: Rgb | 'blurred'; amount: number; sides: 'all' | 'top' | 'bottom' | 'left' | 'right' }
	| { do: 'frame'; style: 'plain' | 'polaroid' | 'ornate' | 'film'; colour: Rgb; amount: number }
	| { do: 'round'; shape: 'corners' | 'circle' | 'heart' | 'star'; amount: number }
	| { do: 'text'; text: string; style: 'plain' | 'caption' | 'watermark'; place: Place; colour?: Rgb; amount: number }
	| { do: 'recolour'; from: string; to: Rgb; amount: number }
	| { do: 'only'; colour: string }
	| { do: 'background'; to: Rgb | 'transparent' | 'greyscale' | 'dark' }
	| { do: 'silhouette' | 'sticker' }
	| { do: 'repeat'; pattern: 'kaleidoscope' | 'mirror' | 'tiles' | 'pop-art' | 'collage'; amount: number }
	| { do: 'add'; thing: Thing; place?: Place; amount: number }
	| { do: 'gentle'; words: string };

export type Adjustment = 'brightness' | 'contrast' | 'saturation' | 'warmth' | 'shadows' | 'highlights' | 'fade';

export type LookName =
	| 'greyscale'
	| 'sepia'
	| 'vintage'
	| 'cinematic'
	| 'dramatic'
	| 'dreamy'
	| 'moody'
	| 'cyberpunk'
	| 'pastel'
	| 'cosy'
	| 'spooky'
	| 'romantic'
	| 'noir'
	| 'magical'
	| 'matrix'
	| 'infrared'
	| 'underwater'
	| 'x-ray'
	| 'thermal';

export type SceneName =
	| 'night'
	| 'sunset'
	| 'golden hour'
	| 'dawn'
	| 'blue hour'
	| 'day'
	| 'winter'
	| 'spring'
	| 'summer'
	| 'autumn'
	| 'rain'
	| 'storm'
	| 'fog'
	| 'overcast';

export type StyleName =
	| 'sketch'
	| 'edges'
	| 'oil'
	| 'watercolour'
	| 'cartoon'
	| 'neon'
	| 'halftone'
	| 'emboss'
	| 'mosaic'
	| 'glitch'
	| 'comic'
	| 'blueprint'
	| 'stained glass';

export type CropShape =
	/** Width by height, as large as fits, in the middle. */
	| { ratio: number }
	/** Shares of the picture. */
	| { left: number; top: number; width: number; height: number }
	/** To what is there: transparent or one-coloured margins go. */
	| 'content';

export type Thing =
	| 'stars'
	| 'moon'
	| 'sun'
	| 'rainbow'
	| 'snow'
	| 'hearts'
	| 'confetti'
	| 'clouds'
	| 'rain'
	| 'lightning'
	| 'bubbles'
	| 'sparkles'
	| 'balloons'
	| 'birds'
	| 'flowers'
	| 'leaves'
	| 'fireworks'
	| 'aurora'
	| 'light rays'
	| 'bokeh'
	| 'butterflies'
	| 'grid'
	| 'scanlines'
	| 'lens flare';

/** The operation that is written with this `do`. */
export type Of<Do extends Operation['do']> = Having<Operation, Do>;

type Having<One, Do> = One extends { do: infer Own } ? (Do extends Own ? One & { do: Do } : never) : never;
