import { sizeText } from './dom.js';
import { t } from './texts.js';

/** The maximum of a picture of a command, which the bot checks too, and of a file of a message on Discord. */
const MAX_BYTES = 10 * 2 ** 20;

/** Returns why a picture cannot be taken. @param {File} file @returns {string | undefined} */
export const pictureProblem = (file) =>
	isMaybePicture(file) ? sizeProblem(file, MAX_BYTES) : t('sandbox.file.notPicture', { file: file.name });

/** Returns why a file cannot be taken. @param {File} file @param {number} max bytes @returns {string | undefined} */
export const sizeProblem = ({ name, size }, max) =>
	size > max ? t('sandbox.file.tooLarge', { file: name, size: sizeText(Math.floor(max / 1e6) * 1e6) }) : undefined;

/** Whether a file may be a picture. Systems do not know the type of each. @param {File} file */
export const isMaybePicture = ({ type }) => type === '' || type.startsWith('image/');

/**
 * Returns the files that can be taken, and the first problem of the others.
 * @param {readonly File[]} files
 * @param {(file: File) => string | undefined} problemOf
 */
export function checkFiles(files, problemOf) {
	const problems = files.map(problemOf);
	return { good: files.filter((_, index) => !problems[index]), problem: problems.find(Boolean) };
}
