import { expect, test } from 'vitest';
import { type FileKind, fileKindOf } from './channel.ts';

test.each<[name: string, type: string | undefined, kind: FileKind]>([
	['message.txt', 'text/plain; charset=utf-8', 'text'],
	['message.txt', undefined, 'text'],
	['NOTES.MD', undefined, 'text'],
	['table.csv', 'application/octet-stream', 'text'],
	['data', 'application/json', 'text'],
	['feed', 'application/rss+xml; charset=UTF-8', 'text'],
	['main.ts', 'video/mp2t', 'text'],
	['notes', 'TEXT/X-PYTHON', 'text'],
	['Dockerfile', undefined, 'text'],
	['.gitignore', undefined, 'text'],
	['fox.png', 'image/png', 'picture'],
	['fox', 'image/webp', 'picture'],
	['IMG_0001.HEIC', undefined, 'picture'],
	['IMG_0001.heic', 'application/octet-stream', 'picture'],
	// What is said about a picture that no service takes names its format.
	['logo.svg', 'image/svg+xml', 'picture'],
	['logo.svg', undefined, 'picture'],
	['voice-message.ogg', 'audio/ogg', 'voice'],
	['voice-message.ogg', undefined, 'voice'],
	['clip', 'audio/webm', 'voice'],
	['talk.ogg', 'application/ogg', 'voice'],
	['brief.pdf', 'application/pdf', 'other'],
	['brief.pdf', undefined, 'other'],
	['fox.png', 'application/pdf', 'other'],
	['film.mp4', 'video/mp4', 'other'],
	['Wave', 'video/lottie+json', 'other'],
	['png', undefined, 'other'],
	['', undefined, 'other'],
])('%j of the type %j is a file of the kind %s', (name, type, kind) => expect(fileKindOf({ name, type })).toBe(kind));
