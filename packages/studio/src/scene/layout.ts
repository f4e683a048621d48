/** A place in a picture: 0, 0 is the top left corner, 1, 1 the bottom right one. */
export type Spot = { readonly x: number; readonly y: number };

/** A picture laid on another one. `size` is its longer side as a share of the shorter side of what it lies on. */
export type Inset = {
	readonly image: number;
	readonly spot: Spot;
	readonly size: number;
	/** `plain` lays the picture on as it is. */
	readonly shape: 'print' | 'circle' | 'plain';
};

/** An arrangement of finished pictures, as plain data. Pictures are named by their index from 0; `order` names each at most once. */
export type Layout =
	/** Beside each other, above each other, in tiles; scattered as white-bordered prints. */
	| { readonly layout: 'row' | 'column' | 'grid' | 'prints'; readonly order: readonly number[] }
	/** Picture in picture. */
	| { readonly layout: 'inset'; readonly ground: number; readonly insets: readonly Inset[] }
	| {
			readonly layout: 'blend';
			readonly order: readonly number[];
			readonly mode: 'mix' | 'screen' | 'multiply' | 'overlay';
	  }
	/** Each picture fills the canvas and shows a part of it: with a hard edge between them, or with a gradual transition. */
	| {
			readonly layout: 'split' | 'fade';
			readonly order: readonly number[];
			readonly direction: 'across' | 'down' | 'diagonal';
	  }
	| { readonly layout: 'frame'; readonly inside: number; readonly around: number }
	/** The picture `on` alone, in the colours of the picture `of`. */
	| { readonly layout: 'colours'; readonly of: number; readonly on: number };
