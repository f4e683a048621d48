/** Thrown for a request that cannot be carried out. The page shows its message, one sentence. */
export class BadRequest extends Error {
	override name = 'BadRequest';
	/** The HTTP status of the response. */
	readonly status: 400 | 403 | 404 | 409 | 413 | 415 | 503;

	constructor(status: BadRequest['status'], sentence: string) {
		super(sentence);
		this.status = status;
	}
}
